"""Conflict check: whether sentences of different sources disagree.

Two sentences that answer one question disagree where they lack the same words of it
and contradict each other by the rules of `aitia.methods.contradiction`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from aitia.methods.base import Outcome, Reads, method
from aitia.methods.contradiction.rules import CONTRADICTS, Ruling, judge
from aitia.methods.contradiction.sentences import read
from aitia.methods.scoring import Measured


@dataclass(frozen=True)
class Compared:
    """Sentences that may disagree, best first."""

    sentences: tuple[Measured, ...]


@dataclass(frozen=True)
class Found:
    """Two sentences that disagree, by their places, and how.

    Attributes:
        first: Place of the one.
        second: Place of the other.
        reason: How they disagree.
        rule: The rule that tells.
    """

    first: int
    second: int
    reason: str
    rule: str = ""


@dataclass(frozen=True)
class Conflicts(Outcome):
    """The disagreements that were found."""

    conflicts: tuple[Found, ...] = field(default=())


@method("conflict_check", "Finds sentences of different sources that disagree.")
def conflict_check(reads: Reads, given: Compared) -> Conflicts:
    """Return the pairs of sentences that disagree."""
    found = []
    for (a, one), (b, other) in combinations(enumerate(given.sentences), 2):
        if one.piece.passage.iri != other.piece.passage.iri:
            ruling = disagreement(one, other)
            if ruling is not None:
                found.append(Found(a, b, ruling.reason, ruling.rule))
    told = "; ".join(item.reason for item in found)
    return Conflicts(conflicts=tuple(found), summary=told or "no disagreement")


def disagreement(one: Measured, other: Measured) -> Ruling | None:
    """Return how two sentences disagree, or None."""
    if set(one.missing) != set(other.missing):
        return None
    ruling = judge(read(one.piece.text), read(other.piece.text))
    return ruling if ruling is not None and ruling.verdict == CONTRADICTS else None


def pairs(conflicts: Sequence[Found]) -> set[int]:
    """Return the places of all sentences that take part in a disagreement."""
    return {place for item in conflicts for place in (item.first, item.second)}
