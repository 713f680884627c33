"""Graph query: runs a reading of a question over the facts in force.

Strategy: nearest first. What is asked for is looked for at the starting resources
themselves, then one link away, then two, up to `hops`; the first distance that has it
counts. Instances of a class are those nearest to every resource and value that the
reading names. Only bound look-ups; each row carries the facts it rests on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from pyoxigraph import Literal, NamedNode

from aitia.methods.base import Outcome, Reads, method
from aitia.methods.cues import DESCRIBE_FORM, EXISTS_FORM
from aitia.methods.facts import NAMING, Fact
from aitia.methods.instances import instances, nearest
from aitia.methods.paths import Reached, levels, meeting
from aitia.methods.readings import GraphQuery
from aitia.methods.schema import Schema
from aitia.store import Term
from aitia.vocab import RDF

DESCRIBED: Final = 8  # facts that describe a resource


@dataclass(frozen=True)
class Row:
    """One thing found.

    Attributes:
        focus: The resource that it was asked of, or that it is.
        value: The value, or the resource where instances were asked for.
        facts: The facts it rests on, in the order of the walk.
    """

    focus: NamedNode
    value: Term
    facts: tuple[Fact, ...]


@dataclass(frozen=True)
class Rows(Outcome):
    """What a query found.

    Attributes:
        rows: The rows, in a stable order.
        hops: How many links away from the start they were found.
    """

    rows: tuple[Row, ...] = field(default=())
    hops: int = 0


@method(
    "graph_query",
    "Answers a query over the facts: a property, instances of a class, links.",
)
def graph_query(reads: Reads, given: GraphQuery, *, hops: int = 2) -> Rows:
    """Return the rows that the facts have for the query."""
    schema = reads.schema
    if given.form == DESCRIBE_FORM:
        return _told(_described(schema, given.nodes()), 0)
    if given.classes:
        focus, distance = instances(schema, given, hops)
    else:
        focus, distance = [Reached(node) for node in given.nodes()], 0
    if given.form == EXISTS_FORM and not given.asked and not given.filters:
        return _told(_linked(schema, given, hops), hops)
    if given.form == EXISTS_FORM and not given.asked:
        return _told(_slots(schema, focus, given, hops), distance)
    if not given.asked:
        rows = [Row(at.node, at.node, _shown(schema, at, given)) for at in focus]
        return _told(rows, distance)
    if len(given.start) > 1 and not given.classes:
        rows = _together(schema, given, hops)
        return (
            _told(rows, hops) if rows else _told(*_values(schema, focus, given, hops))
        )
    rows, further = _values(schema, focus, given, hops)
    return _told(rows, distance + further)


def _told(rows: Sequence[Row], hops: int) -> Rows:
    kept = tuple(sorted(rows, key=lambda row: (str(row.focus), str(row.value))))
    if not kept:
        return Rows(summary="no rows", failure="The facts in force hold no such thing.")
    return Rows(rows=kept, hops=hops, summary=f"{len(kept)} rows, {hops} links away")


def _values(
    schema: Schema, focus: Sequence[Reached], given: GraphQuery, hops: int
) -> tuple[list[Row], int]:
    """Return the values of the property asked for, nearest first, for each focus."""
    rows: list[Row] = []
    farthest = 0
    for item in focus:
        for distance, level in enumerate(levels(schema, [item.node], hops)):
            near = [
                Row(item.node, fact.object, (*item.chain, *at.chain, fact))
                for at in level
                for fact in _having(schema, at.node, given.asked)
            ]
            if near:
                rows.extend(_preferred(schema, near, given.hints))
                farthest = max(farthest, distance)
                break
    return rows, farthest


def _together(schema: Schema, given: GraphQuery, hops: int) -> list[Row]:
    """Return the values of the things that are linked to all resources named."""
    for level in meeting(schema, given.start, hops):
        near = [
            Row(at.node, fact.object, (*at.chain, fact))
            for at in level
            for fact in _having(schema, at.node, given.asked)
        ]
        if near:
            return near
    return []


def _having(
    schema: Schema, node: NamedNode, asked: Iterable[NamedNode]
) -> Iterator[Fact]:
    """Return the facts a resource has for a property: literals where there are any."""
    found = [fact for wanted in asked for fact in schema.facts(node, wanted)]
    literals = [fact for fact in found if isinstance(fact.object, Literal)]
    yield from literals or found


def _preferred(
    schema: Schema, rows: Sequence[Row], hints: Sequence[NamedNode]
) -> list[Row]:
    """Return the rows of the way that goes over most of what the question hints at."""
    ways: dict[tuple[NamedNode, ...], list[Row]] = defaultdict(list)
    for row in rows:
        ways[tuple(fact.predicate for fact in row.facts[:-1])].append(row)
    score = {way: _hinted(schema, way, found, hints) for way, found in ways.items()}
    best = max(score.values())
    return [row for way, found in ways.items() if score[way] == best for row in found]


def _hinted(
    schema: Schema,
    way: Sequence[NamedNode],
    rows: Sequence[Row],
    hints: Sequence[NamedNode],
) -> int:
    wanted = set(hints)
    passed = {node for fact in rows[0].facts for node in (fact.subject, fact.object)}
    kinds = {
        kind
        for node in passed
        if isinstance(node, NamedNode)
        for kind in schema.classes_of(node)
    }
    return len(wanted & set(way)) + len(wanted & kinds)


def _slots(
    schema: Schema, focus: Sequence[Reached], given: GraphQuery, hops: int
) -> list[Row]:
    """Return what the resources have where the values asked about could stand."""
    rows: list[Row] = []
    for wanted in given.filters:
        asked = GraphQuery(form=given.form, asked=wanted.properties, hints=given.hints)
        rows.extend(_values(schema, focus, asked, hops)[0])
    return rows


def _linked(schema: Schema, given: GraphQuery, hops: int) -> list[Row]:
    """Return what of the one thing's kind the other is linked to most closely.

    Of the two ways round the one with fewer things: an order has one user, a user many
    orders.
    """
    if len(given.start) != 2:
        return []
    found = []
    for one, other in (given.start, given.start[::-1]):
        kinds = frozenset(kind for node in other for kind in schema.classes_of(node))
        near, _ = nearest(schema, one, kinds, hops, but=one)
        found.append([Row(one[0], item.node, item.chain) for item in near.values()])
    return min((rows for rows in found if rows), key=len, default=[])


def _shown(schema: Schema, item: Reached, given: GraphQuery) -> tuple[Fact, ...]:
    """Return the facts that an instance rests on: the walk, or that it is one."""
    if item.chain:
        return item.chain
    return tuple(
        fact
        for fact in schema.facts(item.node, RDF.type)
        if not given.classes or fact.object in given.classes
    )[:1]


def _described(schema: Schema, start: Iterable[NamedNode]) -> list[Row]:
    """Return the literal facts that tell what a resource is."""
    rows: list[Row] = []
    for node in start:
        literals = [
            fact
            for fact in schema.facts(node)
            if isinstance(fact.object, Literal) and fact.predicate not in NAMING
        ]
        rows.extend(Row(node, fact.object, (fact,)) for fact in literals[:DESCRIBED])
    return rows
