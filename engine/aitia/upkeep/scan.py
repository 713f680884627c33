"""One look at every fact in force: sources, ages, links and names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from pyoxigraph import Literal, NamedNode, Quad

from aitia import resources, terms
from aitia.methods.facts import NAMING
from aitia.retrieval.passages import document
from aitia.store import Reader
from aitia.vocab import AITIA, OWL, RDF, RDFS

_VOCABULARY: Final = (RDF.NS, RDFS.NS, OWL.NS)


@dataclass(frozen=True)
class Source:
    """What states the facts of a graph.

    Attributes:
        key: What tells independent sources apart: copies of one text share it; "" for
            a graph that no document in use fills.
        since: When it was taken in, or None.
    """

    key: str
    since: datetime | None


@dataclass
class Scan:
    """What one look at every fact found.

    Attributes:
        facts: How many different facts are in force.
        unsourced: Facts that no document in use states; accepted ones left out.
        single: Facts that one source states; accepted ones left out.
        aged: Facts whose newest source is older than the limit.
        accepted: Facts of the graph of accepted facts.
        entities: How many resources are described.
        orphans: Resources that nothing links to and that link to nothing.
        duplicates: Resources of one class and name.
    """

    facts: int = 0
    unsourced: list[Quad] = field(default_factory=list)
    single: list[Quad] = field(default_factory=list)
    aged: list[Quad] = field(default_factory=list)
    accepted: list[Quad] = field(default_factory=list)
    entities: int = 0
    orphans: list[NamedNode] = field(default_factory=list)
    duplicates: list[tuple[NamedNode, ...]] = field(default_factory=list)


def scan(reader: Reader, older: datetime) -> Scan:
    """Look at every fact in force once.

    Args:
        reader: What to read from.
        older: What was taken in before is aged.
    """
    found, entities = Scan(), _Entities()
    stated: dict[int, tuple[set[str], datetime | None, Quad]] = {}
    for graph in _graphs(reader):
        source = source_of(reader, graph)
        for quad in reader.quads(None, None, None, graph):
            if not isinstance(quad.subject, NamedNode):
                continue
            entities.see(quad)
            if graph == terms.GRAPH_CURRENT:
                found.accepted.append(quad)
                continue
            # A hash of 64 bits keeps a million facts in little memory.
            key = hash((quad.subject, quad.predicate, quad.object))
            keys, since, first = stated.get(key, (set[str](), None, quad))
            newest = max(filter(None, (since, source.since)), default=None)
            stated[key] = (keys | {source.key}, newest, first)
    for keys, since, quad in stated.values():
        _sort(found, keys - {""}, since, quad, older)
    found.facts = len(stated) + len(found.accepted)
    found.entities = len(entities.described)
    found.orphans = entities.orphans()
    found.duplicates = list(entities.duplicates(reader))
    return found


def source_of(reader: Reader, graph: NamedNode) -> Source:
    """Return what states the facts of a graph."""
    owners = [graph, *_owners(reader, graph)]
    records = [document(reader, node.value) for node in owners]
    live = [record for record in records if record.live]
    if not live:
        return Source("", None)
    times = [datetime.fromisoformat(x.generated) for x in live if x.generated]
    return Source(live[0].text_hash or live[0].iri, max(times, default=None))


def _sort(
    found: Scan, keys: set[str], since: datetime | None, quad: Quad, older: datetime
) -> None:
    if not keys:
        found.unsourced.append(quad)
    elif len(keys) == 1:
        found.single.append(quad)
    if since is not None and since < older:
        found.aged.append(quad)


def _graphs(reader: Reader) -> Iterator[NamedNode]:
    for row in reader.select(resources.query("lookup", "graph_sizes")):
        graph = row["graph"]
        if isinstance(graph, NamedNode) and terms.is_current(graph):
            yield graph


def _owners(reader: Reader, graph: NamedNode) -> list[NamedNode]:
    found = reader.quads(None, AITIA.containsGraph, graph)
    return [q.subject for q in found if isinstance(q.subject, NamedNode)]


class _Entities:
    """The resources that facts describe, their links, classes and names."""

    def __init__(self) -> None:
        self.described: set[NamedNode] = set()
        self._linked: set[NamedNode] = set()
        self._classes: dict[NamedNode, set[str]] = defaultdict(set)
        self._names: dict[NamedNode, set[str]] = defaultdict(set)

    def see(self, quad: Quad) -> None:
        """Take note of one fact."""
        subject, value = quad.subject, quad.object
        assert isinstance(subject, NamedNode)  # the caller has seen it
        self.described.add(subject)
        if quad.predicate == RDF.type and isinstance(value, NamedNode):
            self._classes[subject].add(value.value)
        elif isinstance(value, NamedNode):
            self._linked.update((subject, value))
        elif quad.predicate in NAMING and isinstance(value, Literal):
            self._names[subject].add(" ".join(value.value.casefold().split()))

    def orphans(self) -> list[NamedNode]:
        """Return the resources without a link, by IRI; terms of vocabularies aside."""
        bare = self.described - self._linked
        things = (node for node in bare if not self._is_term(node))
        return sorted(things, key=lambda node: node.value)

    def _is_term(self, node: NamedNode) -> bool:
        """Tell whether a resource is a class, a property or a vocabulary."""
        kinds = self._classes.get(node, ())
        return any(kind.startswith(_VOCABULARY) for kind in kinds)

    def duplicates(self, reader: Reader) -> Iterator[tuple[NamedNode, ...]]:
        """Yield the resources of one class and name, unless they are told apart."""
        groups: dict[tuple[str, str], list[NamedNode]] = defaultdict(list)
        for node, names in self._names.items():
            for name in names:
                for kind in self._classes.get(node, ()):
                    groups[kind, name].append(node)
        told: set[tuple[NamedNode, ...]] = set()
        for nodes in groups.values():
            group = tuple(sorted(set(nodes), key=lambda node: node.value))
            if len(group) > 1 and group not in told and not _apart(reader, group):
                told.add(group)
                yield group


def _apart(reader: Reader, group: Iterable[NamedNode]) -> bool:
    """Tell whether somebody said already that some are one, or are different."""
    nodes = set(group)
    return any(
        quad.object in nodes
        for node in nodes
        for predicate in (OWL.sameAs, OWL.differentFrom)
        for quad in reader.quads(node, predicate)
    )
