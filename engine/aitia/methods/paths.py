"""Walking from resource to resource over the facts in force, hop by hop.

Every step is a bound look-up and leaves the fact it went over, so that what is found
at the end can name the statements it rests on. Links are followed both ways, forward
first; a resource that more than `FAN` others point to is not walked through
backwards, since everything is near everything over it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from pyoxigraph import NamedNode

from aitia.methods.facts import Fact
from aitia.methods.schema import Schema
from aitia.vocab import RDF

FAN: Final = 300
VISITED: Final = 20_000


@dataclass(frozen=True)
class Reached:
    """A resource and the facts that lead to it from where the walk started.

    Attributes:
        node: The resource.
        chain: The facts, in order; empty at the start.
    """

    node: NamedNode
    chain: tuple[Fact, ...] = ()


def levels(
    schema: Schema, starts: Iterable[NamedNode], hops: int
) -> Iterator[list[Reached]]:
    """Return what is reached in 0, 1, … `hops` steps, each resource once."""
    level = [Reached(node) for node in dict.fromkeys(starts)]
    seen = {item.node for item in level}
    for hop in range(hops + 1):
        if not level:
            return
        yield level
        if hop < hops and len(seen) < VISITED:
            level = [
                found
                for item in level
                for found in _beside(schema, item)
                if found.node not in seen and not seen.add(found.node)  # type: ignore[func-returns-value]
            ]


def meeting(
    schema: Schema, groups: Iterable[Iterable[NamedNode]], hops: int
) -> Iterator[list[Reached]]:
    """Return what is reached from every group of resources, nearest in all first.

    The chain of each leads to it from all groups, one after the other.
    """
    walks = [
        {
            item.node: (distance, item)
            for distance, level in enumerate(levels(schema, group, hops))
            for item in level
        }
        for group in groups
    ]
    common = set.intersection(*(set(walk) for walk in walks))
    total = {node: sum(walk[node][0] for walk in walks) for node in common}
    for distance in sorted(set(total.values())):
        yield [
            Reached(node, tuple(f for walk in walks for f in walk[node][1].chain))
            for node in sorted(common, key=lambda node: node.value)
            if total[node] == distance
        ]


def _beside(schema: Schema, at: Reached) -> Iterator[Reached]:
    for fact in schema.facts(at.node):
        there = fact.object
        if isinstance(there, NamedNode) and _is_link(schema, fact, there):
            yield Reached(there, (*at.chain, fact))
    back = list(islice(schema.facts(None, None, at.node), FAN + 1))
    if len(back) <= FAN:
        for fact in back:
            if _is_link(schema, fact, fact.subject):
                yield Reached(fact.subject, (*at.chain, fact))


def _is_link(schema: Schema, fact: Fact, there: NamedNode) -> bool:
    return fact.predicate != RDF.type and not schema.is_vocabulary(there)
