"""Why a fact stands: the documents that state it, or the premises it follows from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from pyoxigraph import Literal, NamedNode, Quad, Triple

from aitia import terms
from aitia.blobs import Blobs
from aitia.errors import NotFound
from aitia.inference.premises import Step, proof
from aitia.lookup import name
from aitia.lookup.accepted import accepted
from aitia.lookup.stats import area
from aitia.model.graph import CausalLink
from aitia.store import Reader
from aitia.vocab import AITIA, RDF
from aitia.why.stated import places
from aitia.why.walk import STATEMENT, Walk, distances, walk

MOST_INFERRED: Final = 50
"""Inferred facts of one resource whose proofs are looked for."""


class Widened:
    """A walk that grows by what lies behind facts."""

    def __init__(self, reader: Reader, blobs: Blobs, walked: Walk) -> None:
        self._reader, self._blobs = reader, blobs
        self._walk = walked
        self._causes = {node: dict.fromkeys(x) for node, x in walked.causes.items()}
        self._told = dict(walked.told)
        self._unrecorded = dict(walked.unrecorded)

    def walk(self) -> Walk:
        """Return the walk as it has grown."""
        start = self._walk.start
        return self._walk._replace(
            depths=distances(start, self._causes),
            causes=self._causes,
            told=self._told,
            unrecorded=self._unrecorded,
        )

    def fact(self, triple: Triple) -> str:
        """Add what lies behind a triple; return the IRI of the node that stands for it."""
        node = node_of(self._reader, triple)
        if node in self._unrecorded:
            return node
        self._unrecorded[node] = ("Statement", words(triple))
        asserted = list(_asserted(self._reader, triple))
        if asserted:
            self._stated(node, asserted)
        else:
            self._proved(proof(self._reader, triple))
        return node

    def resource(self, node: NamedNode) -> None:
        """Add the documents that state anything of a resource, and what was inferred."""
        quads = list(self._reader.quads(node))
        self._stated(node.value, [q for q in quads if _is_current(q)])
        inferred = [q for q in quads if q.graph_name == terms.GRAPH_INFERRED]
        for quad in sorted(inferred, key=str)[:MOST_INFERRED]:
            fact = self.fact(quad.triple)
            link = CausalLink(node.value, fact, "isSaidBy", "inferred", inferred=True)
            self._add(link)

    def _proved(self, steps: dict[Triple, Step]) -> None:
        for triple, step in steps.items():
            node = node_of(self._reader, triple)
            self._unrecorded[node] = ("Statement", words(triple))
            for premise in step.premises:
                cause = node_of(self._reader, premise)
                if premise not in steps:
                    cause = self.fact(premise)
                self._add(
                    CausalLink(
                        effect=node,
                        cause=cause,
                        kind="followsFrom",
                        basis="inferred",
                        reason=f"rule {step.rule}",
                        inferred=True,
                    )
                )

    def _stated(self, node: str, quads: Iterable[Quad]) -> None:
        elsewhere = [quad for quad in quads if not self._accepted(node, quad)]
        for place in places(self._reader, self._blobs, elsewhere):
            self._add(CausalLink(node, place, "statedIn", "observed"))

    def _accepted(self, node: str, quad: Quad) -> bool:
        """Add what lies behind a fact that was accepted; tell whether it was."""
        if quad.graph_name != terms.GRAPH_CURRENT:
            return False
        subject, value = quad.subject, quad.object
        if not isinstance(subject, NamedNode) or not isinstance(
            value, NamedNode | Literal
        ):
            return False
        found = accepted(self._reader, subject, quad.predicate, value)
        if found is None:
            return False
        self._add(CausalLink(node, found.statement.value, "statedIn", "observed"))
        for effect, causes in walk(self._reader, found.statement).causes.items():
            self._causes.setdefault(effect, {}).update(dict.fromkeys(causes))
        return True

    def _add(self, link: CausalLink) -> None:
        self._causes.setdefault(link.effect, {})[link.cause] = None
        self._told[link.effect, link.cause] = link


def widen(reader: Reader, blobs: Blobs, walked: Walk, people: Iterable[str]) -> Walk:
    """Return the walk with what lies behind the facts in it.

    These are resources of people's data where a chain ends, and statements of triples
    that were inferred.
    """
    widened = Widened(reader, blobs, walked)
    for node in people:
        widened.resource(NamedNode(node))
    for node in walked.depths:
        if triple := _inferred(reader, node):
            widened.fact(triple)
    return widened.walk()


def behind_fact(reader: Reader, blobs: Blobs, triple: Triple) -> Walk:
    """Return what lies behind a triple."""
    start = node_of(reader, triple)
    widened = Widened(reader, blobs, Walk(start, {start: 0}, {}))
    widened.fact(triple)
    return widened.walk()


def find(reader: Reader, subject: NamedNode, predicate: str, value: str) -> Triple:
    """Return the fact that a person means by a property and a value, in words.

    Each may be an IRI, a name with a known prefix, a short id, the last part of an
    IRI or, for the value, the text of a literal.

    Raises:
        NotFound: The subject has no such property or value.
    """
    facts = sorted({quad.triple for quad in reader.quads(subject)}, key=str)
    named = [t for t in facts if predicate in _names(t.predicate)]
    if not named:
        raise NotFound(
            f"{name(subject.value)} has no property “{predicate}”.",
            hint="`aitia show ID` lists its properties.",
        )
    found = next((t for t in named if value in _names(t.object)), None)
    if found is None:
        raise NotFound(
            f"{name(subject.value)} has no value “{value}” of {predicate}.",
            hint="`aitia show ID` lists its values.",
        )
    return found


def node_of(reader: Reader, triple: Triple) -> str:
    """Return the IRI of the statement that stands for a triple.

    It is that of the graph it is asserted in, the first by name where there are more.
    """
    graphs = sorted(str(quad.graph_name) for quad in _asserted(reader, triple))
    graph = graphs[0] if graphs else str(terms.GRAPH_INFERRED)
    ends = [str(term) for term in triple]
    return terms.statement_iri(ends[0], ends[1], ends[2], graph).value


def words(triple: Triple) -> str:
    """Return a triple in words."""
    return " ".join(_word(term) for term in triple)


def _word(term: object) -> str:
    if isinstance(term, NamedNode):
        return name(term.value)
    return f'"{term.value}"' if isinstance(term, Literal) else str(term)


def _names(term: object) -> set[str]:
    """Return all the ways in which people may name a term."""
    if not isinstance(term, NamedNode):
        return {term.value} if isinstance(term, Literal) else set()
    iri = term.value
    return {iri, f"<{iri}>", name(iri), iri.rpartition("#")[2].rpartition("/")[2]}


def _inferred(reader: Reader, node: str) -> Triple | None:
    """Return the triple of a statement on record that was inferred, or None."""
    if not node.startswith(STATEMENT):
        return None
    statement = NamedNode(node)
    if not any(reader.quads(statement, AITIA.inGraph, terms.GRAPH_INFERRED)):
        return None
    parts = [
        next((q.object for q in reader.quads(statement, prop)), None)
        for prop in (RDF.subject, RDF.predicate, RDF.object)
    ]
    subject, predicate, obj = parts
    if isinstance(subject, NamedNode) and isinstance(predicate, NamedNode) and obj:
        return Triple(subject, predicate, obj)
    return None


def _asserted(reader: Reader, triple: Triple) -> Iterator[Quad]:
    subject, obj = triple.subject, triple.object
    if isinstance(subject, NamedNode) and isinstance(obj, NamedNode | Literal):
        for quad in reader.quads(subject, triple.predicate, obj):
            if quad.graph_name != terms.GRAPH_INFERRED:
                yield quad


def _is_current(quad: Quad) -> bool:
    graph = quad.graph_name
    return isinstance(graph, NamedNode) and area(graph.value) == "current"
