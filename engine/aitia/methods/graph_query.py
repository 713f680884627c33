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
from aitia.methods.literals import parse_literal
from aitia.methods.paths import Reached, levels
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
        return _told(_described(schema, given.start), 0)
    focus, distance = [Reached(node) for node in given.start], 0
    if given.classes:
        focus, distance = _instances(schema, given, hops)
    if given.form == EXISTS_FORM and not given.asked:
        return _told(_slots(schema, focus, given, hops), distance)
    if not given.asked:
        rows = [
            Row(item.node, item.node, _shown(schema, item, given)) for item in focus
        ]
        return _told(rows, distance)
    rows, further = _values(schema, focus, given, hops)
    return _told(rows, distance + further)


def _told(rows: Sequence[Row], hops: int) -> Rows:
    kept = tuple(sorted(rows, key=lambda row: (str(row.focus), str(row.value))))
    if not kept:
        return Rows(summary="no rows", failure="The facts in force hold no such thing.")
    return Rows(rows=kept, hops=hops, summary=f"{len(kept)} rows, {hops} links away")


def _instances(
    schema: Schema, given: GraphQuery, hops: int
) -> tuple[list[Reached], int]:
    """Return the instances of the class nearest to every resource and value named."""
    kinds = frozenset(below for kind in given.classes for below in schema.below(kind))
    conditions: list[list[list[Reached]]] = []
    if given.start:
        conditions.append([list(level) for level in levels(schema, given.start, hops)])
    found: dict[NamedNode, Reached] | None = None
    distance = 0
    for walk in conditions:
        near, distance = _nearest(schema, walk, kinds)
        found = _both(found, near)
    for properties, literal in given.filters:
        found = _both(found, _holding(schema, properties, literal, kinds, hops))
    if found is None:
        every = (quad for kind in kinds for quad in schema.facts(None, RDF.type, kind))
        found = {quad.subject: Reached(quad.subject, (quad,)) for quad in every}
    return sorted(found.values(), key=lambda item: item.node.value), distance


def _nearest(
    schema: Schema, walk: Sequence[Sequence[Reached]], kinds: frozenset[NamedNode]
) -> tuple[dict[NamedNode, Reached], int]:
    """Return the instances at the first distance that has any."""
    for distance, level in enumerate(walk):
        near = {item.node: item for item in level if _is_a(schema, item.node, kinds)}
        if near:
            return near, distance
    return {}, 0


def _holding(
    schema: Schema,
    properties: Sequence[NamedNode],
    literal: str,
    kinds: frozenset[NamedNode],
    hops: int,
) -> dict[NamedNode, Reached]:
    """Return the instances that have a value, or are linked to what has it."""
    value = parse_literal(literal)
    found: dict[NamedNode, Reached] = {}
    for node in properties:
        for quad in schema.facts(None, node, value):
            walk = [list(level) for level in levels(schema, [quad.subject], hops)]
            for item in _nearest(schema, walk, kinds)[0].values():
                found.setdefault(item.node, Reached(item.node, (quad, *item.chain)))
    return found


def _both(
    one: dict[NamedNode, Reached] | None, other: dict[NamedNode, Reached]
) -> dict[NamedNode, Reached]:
    if one is None:
        return other
    return {
        node: Reached(node, (*item.chain, *other[node].chain))
        for node, item in one.items()
        if node in other
    }


def _is_a(schema: Schema, node: NamedNode, kinds: frozenset[NamedNode]) -> bool:
    return any(kind in kinds for kind in schema.classes_of(node))


def _values(
    schema: Schema, focus: Sequence[Reached], given: GraphQuery, hops: int
) -> tuple[list[Row], int]:
    """Return the values of the property asked for, nearest first, for each focus."""
    rows: list[Row] = []
    farthest = 0
    for item in focus:
        for distance, level in enumerate(levels(schema, [item.node], hops)):
            near = [
                Row(item.node, quad.object, (*item.chain, *at.chain, quad))
                for at in level
                for quad in _having(schema, at.node, given.asked)
            ]
            if near:
                rows.extend(_preferred(schema, near, given.hints))
                farthest = max(farthest, distance)
                break
    return rows, farthest


def _having(
    schema: Schema, node: NamedNode, asked: Iterable[NamedNode]
) -> Iterator[Fact]:
    """Return the facts a resource has for a property: literals where there are any."""
    quads = [quad for wanted in asked for quad in schema.facts(node, wanted)]
    literals = [quad for quad in quads if isinstance(quad.object, Literal)]
    yield from literals or quads


def _preferred(
    schema: Schema, rows: Sequence[Row], hints: Sequence[NamedNode]
) -> list[Row]:
    """Return the rows of the way that goes over most of what the question hints at."""
    ways: dict[tuple[NamedNode, ...], list[Row]] = defaultdict(list)
    for row in rows:
        ways[tuple(quad.predicate for quad in row.facts)].append(row)
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
    passed = {node for quad in rows[0].facts for node in (quad.subject, quad.object)}
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
    for properties, _ in given.filters:
        asked = GraphQuery(form=given.form, asked=properties, hints=given.hints)
        rows.extend(_values(schema, focus, asked, hops)[0])
    return rows


def _shown(schema: Schema, item: Reached, given: GraphQuery) -> tuple[Fact, ...]:
    """Return the facts that an instance rests on: the walk, or that it is one."""
    if item.chain:
        return item.chain
    return tuple(
        quad
        for quad in schema.facts(item.node, RDF.type)
        if not given.classes or quad.object in given.classes
    )[:1]


def _described(schema: Schema, start: Iterable[NamedNode]) -> list[Row]:
    """Return the literal facts that tell what a resource is."""
    rows: list[Row] = []
    for node in start:
        literals = [
            quad
            for quad in schema.facts(node)
            if isinstance(quad.object, Literal) and quad.predicate not in NAMING
        ]
        rows.extend(Row(node, quad.object, (quad,)) for quad in literals[:DESCRIBED])
    return rows
