"""What that answers rest on is gone: facts, words, documents, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from pyoxigraph import Literal, NamedNode, Quad

from aitia import lookup, terms
from aitia.plain import quoted
from aitia.resources import query
from aitia.store import Reader, Row
from aitia.vocab import AITIA, DCTERMS, PROV, RDF

BATCH: Final = 2_000
"""Nodes that one query is bound to."""
_ENDED: Final = {
    AITIA.superseded: "gave way to a new version",
    AITIA.retired: "was retired",
}


@dataclass(frozen=True)
class Gone:
    """What a node rests on directly and is no longer so.

    Attributes:
        node: The node.
        kind: `aitia:Statement` for a fact that stands no more, `aitia:Span` for words
            that were withdrawn, or the state of the document.
        by: The document, or the revision that ended it; None where not on record.
        since: Since when, ISO 8601 in UTC, or "".
    """

    node: NamedNode
    kind: NamedNode
    by: NamedNode | None
    since: str

    def told(self, reader: Reader, words: str) -> str:
        """Return it in a sentence.

        Args:
            reader: What to read from.
            words: What the node says.
        """
        said = quoted(words)
        if self.kind in _ENDED and self.by is not None:
            name = _first(reader, self.by, AITIA.path) or lookup.short(self.by.value)
            ended = next(reader.quads(self.by, PROV.wasInvalidatedBy), None)
            undone = _undone(reader, ended.object) if ended else ""
            return f"{name} {_ENDED[self.kind]}{undone}."
        behind = _proposal(reader, self.by)
        by = f" by the accepted proposal {behind}" if behind else ""
        by = _undone(reader, self.by) or by
        if self.kind == AITIA.Span:
            return f"{said} was withdrawn{by}."
        return f"{said} was taken back{by}." if by else f"{said} stands no more."


def candidates(reader: Reader) -> list[NamedNode]:
    """Return the nodes that may rest directly on something that is no longer so."""
    rows = reader.select(query("writeback", "stale_candidates"))
    return [row["node"] for row in rows if isinstance(row["node"], NamedNode)]


def gone(reader: Reader, nodes: Iterable[NamedNode]) -> dict[NamedNode, Gone]:
    """Return which of some nodes rest directly on something that is no longer so."""
    found: dict[NamedNode, Gone] = {}
    for some in batches(nodes):
        for row in reader.select(query("writeback", "stale_gone"), {"node": some}):
            made = _made(row)
            known = found.get(made.node)
            # Of several reasons the first in time is told.
            if known is None or (made.since and made.since < known.since):
                found[made.node] = made
    return found


def batches(nodes: Iterable[NamedNode]) -> Iterator[list[NamedNode]]:
    """Yield nodes as many at a time as one query is bound to."""
    left = iter(nodes)
    while some := list(islice(left, BATCH)):
        yield some


def _undone(reader: Reader, revision: object) -> str:
    """Return which proposal's acceptance a revision took back, as the end of a clause."""
    if not isinstance(revision, NamedNode) or not any(
        reader.quads(revision, AITIA.undoes)
    ):
        return ""
    return f" when the proposal {_proposal(reader, revision)} was undone"


def _proposal(reader: Reader, revision: NamedNode | None) -> str:
    """Return the id of the proposal that a revision carries out, or ""."""
    if revision is None:
        return ""
    found = (quad.object for quad in reader.quads(revision, AITIA.carriesOut))
    node = next((x for x in found if isinstance(x, NamedNode)), None)
    return lookup.short(node.value).removeprefix("proposal:") if node else ""


def _made(row: Row) -> Gone:
    node, kind, by = row["node"], row["kind"], row.get("by")
    assert isinstance(node, NamedNode)  # it was bound
    assert isinstance(kind, NamedNode)
    since = row["since"].value if "since" in row else ""
    return Gone(node, kind, by if isinstance(by, NamedNode) else None, since)


def going(
    reader: Reader, adds: Iterable[Quad], deletes: Iterable[Quad]
) -> Iterator[NamedNode]:
    """Yield the nodes that rest directly on what a change ends.

    Args:
        reader: What stands before the change.
        adds: What the change adds: ranks, times at which spans end, states.
        deletes: What it deletes: triples that stand no more.
    """
    added = set(adds)
    for quad in deletes:
        if terms.is_current(quad.graph_name) and quad not in added:
            yield from _stating(reader, quad)
    for quad in added:
        subject = quad.subject
        if not isinstance(subject, NamedNode):
            continue
        if quad.object in _ENDED:
            yield from _of_document(reader, subject)
        elif quad.predicate == PROV.invalidatedAtTime:
            yield subject
            yield from _overlapping(reader, subject)


def ended_by(reader: Reader, revision: NamedNode) -> Iterator[NamedNode]:
    """Yield the nodes that rest directly on what a revision ended."""
    for quad in reader.quads(None, PROV.wasInvalidatedBy, revision):
        node = quad.subject
        if isinstance(node, NamedNode):
            yield node
            yield from _overlapping(reader, node)
            yield from _of_document(reader, node)
            if (fact := _fact(reader, node)) is not None:
                yield from _stating(reader, fact)


def _fact(reader: Reader, version: NamedNode) -> Quad | None:
    """Return the triple that a version is of, in its graph."""
    parts = (RDF.subject, RDF.predicate, RDF.object, AITIA.inGraph)
    found = [next(reader.quads(version, part), None) for part in parts]
    if None in found:
        return None
    subject, predicate, value, graph = (quad.object for quad in found if quad)
    assert isinstance(subject, NamedNode)
    assert isinstance(predicate, NamedNode)
    assert isinstance(graph, NamedNode)
    return Quad(subject, predicate, value, graph)


def _stating(reader: Reader, fact: Quad) -> Iterator[NamedNode]:
    """Yield the statements of a triple in its graph."""
    if not isinstance(fact.subject, NamedNode):
        return
    parts = (
        (RDF.predicate, fact.predicate),
        (RDF.object, fact.object),
        (AITIA.inGraph, fact.graph_name),
    )
    # Every run that reads a fact describes the same node, in a graph of its own.
    found = reader.quads(None, RDF.subject, fact.subject)
    for node in {quad.subject for quad in found}:
        if isinstance(node, NamedNode) and all(
            any(reader.quads(node, predicate, value))  # type: ignore[arg-type]
            for predicate, value in parts
        ):
            yield node


def _of_document(reader: Reader, document: NamedNode) -> Iterator[NamedNode]:
    passages = (quad.subject for quad in reader.quads(None, DCTERMS.isPartOf, document))
    for ground in (document, *(x for x in passages if isinstance(x, NamedNode))):
        for quad in reader.quads(None, AITIA.derivesFrom, ground):
            if isinstance(quad.subject, NamedNode):
                yield quad.subject


def _overlapping(reader: Reader, span: NamedNode) -> Iterator[NamedNode]:
    """Yield the quotes that share a character with a span; none for other nodes."""
    place = _place(reader, span)
    if place[1] <= 0:
        return
    for owner in reader.quads(span, DCTERMS.isPartOf):
        for passage in reader.quads(None, DCTERMS.isPartOf, owner.object):  # type: ignore[arg-type]
            if not isinstance(passage.subject, NamedNode):
                continue
            quotes = (
                *reader.quads(None, DCTERMS.isPartOf, passage.subject),
                *reader.quads(None, AITIA.derivesFrom, passage.subject),
            )
            for quad in quotes:
                if isinstance(quad.subject, NamedNode):
                    start, end = _place(reader, quad.subject)
                    if start < place[1] and place[0] < end:
                        yield quad.subject


def _place(reader: Reader, node: NamedNode) -> tuple[int, int]:
    start, end = (_first(reader, node, p) for p in (AITIA.start, AITIA.end))
    return int(start or -1), int(end or -1)


def _first(reader: Reader, node: NamedNode, predicate: NamedNode) -> str:
    found = (quad.object for quad in reader.quads(node, predicate))
    return next((x.value for x in found if isinstance(x, Literal)), "")
