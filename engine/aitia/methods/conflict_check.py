"""Conflict check: whether sentences of different sources disagree.

Two sentences are held to disagree where they speak of the same thing, that is have
nearly the same words (`SAME`) and lack the same words of the question, and differ in
exactly one quantity of one unit, or one denies what the other says. Sentences that
differ in two quantities speak of different things.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

from aitia.methods.answer_types import quantities
from aitia.methods.base import Outcome, Reads, method
from aitia.methods.scoring import Measured
from aitia.retrieval.words import tokens

SAME: Final = 0.75
_DENIES: Final = re.compile(
    r"\b(?:not|no|never|none|neither|nor|cannot|without)\b|n[’']t\b|[不没未无]", re.I
)


@dataclass(frozen=True)
class Compared:
    """Sentences that may disagree, best first."""

    sentences: tuple[Measured, ...]


@dataclass(frozen=True)
class Found:
    """Two sentences that disagree, by their places, and how."""

    first: int
    second: int
    reason: str


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
            reason = disagreement(one, other)
            if reason:
                found.append(Found(a, b, reason))
    told = "; ".join(item.reason for item in found)
    return Conflicts(conflicts=tuple(found), summary=told or "no disagreement")


def disagreement(one: Measured, other: Measured) -> str:
    """Return how two sentences disagree, or ""."""
    if set(one.missing) != set(other.missing):
        return ""
    first, second = one.piece.text, other.piece.text
    if _likeness(_skeleton(first), _skeleton(second)) < SAME:
        return ""
    numbers, others = quantities(first), quantities(second)
    changed = [(a, b) for a, b in zip(numbers, others, strict=False) if a[0] != b[0]]
    if len(numbers) == len(others) and len(changed) == 1:
        (number, unit), (against, _) = changed[0]
        return f"{number} against {against} {unit}".strip()
    if numbers == others and bool(_DENIES.search(first)) != bool(
        _DENIES.search(second)
    ):
        return "one denies what the other says"
    return ""


def _skeleton(text: str) -> set[str]:
    """Return a sentence's terms without numbers and denials."""
    return {
        term for term in tokens(_DENIES.sub(" ", text)) if not re.search(r"\d", term)
    }


def _likeness(one: set[str], other: set[str]) -> float:
    both = one | other
    return len(one & other) / len(both) if both else 0.0


def pairs(conflicts: Sequence[Found]) -> set[int]:
    """Return the places of all sentences that take part in a disagreement."""
    return {place for item in conflicts for place in (item.first, item.second)}
