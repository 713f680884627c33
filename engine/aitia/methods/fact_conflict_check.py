"""Fact conflict check: whether documents give different values for one slot.

A slot is a property of a resource. Where a document gives it several values they are a
list; where two documents in use give it values and share none, they disagree.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from pyoxigraph import NamedNode

from aitia.methods.base import Outcome, Reads, method
from aitia.methods.facts import Fact
from aitia.methods.naming import Naming


@dataclass(frozen=True)
class Slots:
    """The facts that give the values of an answer."""

    facts: tuple[Fact, ...]


@dataclass(frozen=True)
class Clash:
    """Facts of two documents that disagree, and how."""

    first: Fact
    second: Fact
    reason: str


@dataclass(frozen=True)
class Clashes(Outcome):
    """The disagreements that were found."""

    clashes: tuple[Clash, ...] = field(default=())


@method(
    "fact_conflict_check", "Finds documents that give different values for one slot."
)
def fact_conflict_check(reads: Reads, given: Slots) -> Clashes:
    """Return the pairs of facts of different documents that disagree."""
    slots: dict[tuple[NamedNode, NamedNode], list[Fact]] = defaultdict(list)
    for fact in dict.fromkeys(given.facts):
        slots[fact.subject, fact.predicate].append(fact)
    naming = Naming(reads.schema)
    found = tuple(
        clash for facts in slots.values() for clash in _clashes(naming, facts)
    )
    told = "; ".join(item.reason for item in found)
    return Clashes(clashes=found, summary=told or "no disagreement")


def _clashes(naming: Naming, facts: Sequence[Fact]) -> list[Clash]:
    """Return where the documents that fill one slot disagree."""
    by_graph: dict[NamedNode, list[Fact]] = defaultdict(list)
    for fact in facts:
        by_graph[fact.graph].append(fact)
    found = []
    for one, other in combinations(by_graph.values(), 2):
        if not {fact.object for fact in one} & {fact.object for fact in other}:
            first, second = one[0], other[0]
            reason = (
                f"{naming.property(first.predicate)} of {naming.thing(first.subject)}: "
                f"{naming.value(first.object)} against {naming.value(second.object)}"
            )
            found.append(Clash(first, second, reason))
    return found
