"""What a change would touch: counted, and listed as far as a person can look at it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from pyoxigraph import NamedNode

from aitia import terms
from aitia.resources import query
from aitia.store import Reader
from aitia.vocab import AITIA, DCTERMS, RDF
from aitia.writeback.draft import Draft, Impact, Words
from aitia.writeback.slots import standing

MOST: Final = 200
"""So many things are listed; all are counted."""
WAITING: Final = frozenset({AITIA.draft, AITIA.checking, AITIA.needsReview})
"""States of a proposal that is not decided yet."""


def impact(reader: Reader, draft: Draft, own: NamedNode | None = None) -> Impact:
    """Return what a proposal would touch; `own` is its node where it has one.

    Statements: the facts of its subjects and properties, and what rests on them.
    Inferred triples: those about its subjects. Answers: those that rest on a statement
    or a quote that it speaks of. Proposals: those that wait and speak of the same.
    """
    facts = {
        quad
        for change in draft.changes
        for quad in standing(reader, change.subject, change.predicate)
    }
    nodes = [*_statements(reader, draft), *_quotes(reader, draft.words)]
    by_kind = _dependents(reader, nodes)
    resting = by_kind.get(AITIA.Statement, set()) - set(nodes)
    answers = by_kind.get(AITIA.Answer, set())
    others = _proposals(reader, draft) - {own}
    listed = sorted(node.value for node in (*answers, *others, *resting))
    return Impact(
        len(facts) + len(resting),
        sum(1 for _ in _inferred(reader, draft.subjects)),
        len(answers),
        len(others),
        tuple(listed[:MOST]),
    )


def speaking_of(
    reader: Reader, subject: NamedNode, predicate: NamedNode
) -> Iterator[NamedNode]:
    """Yield the reified statements about a subject and property, in any graph."""
    for quad in reader.quads(None, RDF.subject, subject):
        node = quad.subject
        if isinstance(node, NamedNode) and any(
            reader.quads(node, RDF.predicate, predicate)
        ):
            yield node


def _statements(reader: Reader, draft: Draft) -> set[NamedNode]:
    slots = {(change.subject, change.predicate) for change in draft.changes}
    return {node for slot in slots for node in speaking_of(reader, *slot)}


def _quotes(reader: Reader, words: Iterable[Words]) -> Iterator[NamedNode]:
    """Yield the quotes that share a character with words of a text."""
    for item in words:
        for part in reader.quads(None, DCTERMS.isPartOf, item.document):
            if not isinstance(part.subject, NamedNode):
                continue
            for quad in reader.quads(None, DCTERMS.isPartOf, part.subject):
                quote = quad.subject
                if isinstance(quote, NamedNode) and _overlaps(reader, quote, item):
                    yield quote


def _overlaps(reader: Reader, quote: NamedNode, words: Words) -> bool:
    start, end = (_number(reader, quote, p) for p in (AITIA.start, AITIA.end))
    return start < words.end and words.start < end


def _number(reader: Reader, node: NamedNode, predicate: NamedNode) -> int:
    found = next(iter(reader.quads(node, predicate)), None)
    text = getattr(found.object, "value", "") if found else ""
    return int(text) if text.isdecimal() else -1


def _dependents(
    reader: Reader, nodes: list[NamedNode]
) -> dict[NamedNode, set[NamedNode]]:
    if not nodes:
        return {}
    found: dict[NamedNode, set[NamedNode]] = {}
    text = query("writeback", "dependents")
    for row in reader.select(text, {"node": nodes}):
        dependent, kind = row["dependent"], row["kind"]
        if isinstance(dependent, NamedNode) and isinstance(kind, NamedNode):
            found.setdefault(kind, set()).add(dependent)
    return found


def _inferred(reader: Reader, subjects: Iterable[NamedNode]) -> Iterator[object]:
    graph = terms.GRAPH_INFERRED
    for subject in subjects:
        yield from reader.quads(subject, None, None, graph)
        yield from reader.quads(None, None, subject, graph)


def _proposals(reader: Reader, draft: Draft) -> set[NamedNode]:
    """Return the waiting proposals that speak of the same."""
    found: set[NamedNode] = set()
    for node in _statements(reader, draft):
        for predicate in (AITIA.proposes, AITIA.withdraws):
            for quad in reader.quads(None, predicate, node):
                proposal = quad.subject
                if isinstance(proposal, NamedNode) and is_waiting(reader, proposal):
                    found.add(proposal)
    return found


def is_waiting(reader: Reader, proposal: NamedNode) -> bool:
    """Tell whether a proposal is not decided yet."""
    states = reader.quads(proposal, AITIA.proposalState)
    return any(quad.object in WAITING for quad in states)
