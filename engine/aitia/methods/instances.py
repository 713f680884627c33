"""The instances of a class that are linked to what a question names, nearest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pyoxigraph import NamedNode

from aitia.methods.literals import parse_literal
from aitia.methods.paths import Reached, levels
from aitia.methods.readings import Filter, GraphQuery
from aitia.methods.schema import Schema
from aitia.vocab import RDF

Found = Mapping[NamedNode, Reached]


def instances(
    schema: Schema, given: GraphQuery, hops: int
) -> tuple[list[Reached], int]:
    """Return the instances nearest to every resource and value that a query names.

    Args:
        schema: The facts.
        given: The query; without resources and values all instances are returned.
        hops: How many links away to look.

    Returns:
        The instances with the facts that link them, and the greatest distance.
    """
    kinds = frozenset(below for kind in given.classes for below in schema.below(kind))
    found: Found | None = None
    farthest = 0
    for group in given.start:
        near, distance = nearest(schema, group, kinds, hops)
        found, farthest = _both(found, near), max(farthest, distance)
    for wanted in given.filters:
        held, distance = _holding(schema, wanted, kinds, hops)
        found, farthest = _both(found, held), max(farthest, distance)
    if found is None:
        found = {
            fact.subject: Reached(fact.subject, (fact,))
            for kind in kinds
            for fact in schema.facts(None, RDF.type, kind)
        }
    return sorted(found.values(), key=lambda item: item.node.value), farthest


def nearest(
    schema: Schema,
    start: Sequence[NamedNode],
    kinds: frozenset[NamedNode],
    hops: int,
    *,
    but: Sequence[NamedNode] = (),
) -> tuple[Found, int]:
    """Return the instances at the first distance that has any, and the distance.

    Args:
        schema: The facts.
        start: Where to start from.
        kinds: The classes.
        hops: How many links away to look.
        but: Resources that do not count.
    """
    for distance, level in enumerate(levels(schema, start, hops)):
        near = {
            item.node: item
            for item in level
            if item.node not in but and is_a(schema, item.node, kinds)
        }
        if near:
            return near, distance
    return {}, 0


def _holding(
    schema: Schema, wanted: Filter, kinds: frozenset[NamedNode], hops: int
) -> tuple[Found, int]:
    """Return the instances that have a value, or are nearest to what has it.

    A value can stand at several kinds of things; only the shortest way from any of
    them to the class counts, so that a city of a user's own address is not taken for
    that of an order's.
    """
    value = parse_literal(wanted.literal)
    by_distance: dict[int, dict[NamedNode, Reached]] = {}
    for node in wanted.properties:
        for fact in schema.facts(None, node, None if wanted.denied else value):
            if wanted.denied and fact.object == value:
                continue
            near, distance = nearest(schema, [fact.subject], kinds, hops)
            for item in near.values():
                reached = Reached(item.node, (fact, *item.chain))
                by_distance.setdefault(distance, {}).setdefault(item.node, reached)
    if not by_distance:
        return {}, 0
    shortest = min(by_distance)
    return by_distance[shortest], shortest


def _both(one: Found | None, other: Found) -> Found:
    if one is None:
        return other
    return {
        node: Reached(node, (*item.chain, *other[node].chain))
        for node, item in one.items()
        if node in other
    }


def is_a(schema: Schema, node: NamedNode, kinds: frozenset[NamedNode]) -> bool:
    """Tell whether a resource is an instance of one of some classes."""
    return any(kind in kinds for kind in schema.classes_of(node))
