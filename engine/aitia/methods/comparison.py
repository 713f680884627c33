"""Comparison: sets values side by side and says which is larger or smaller."""

from __future__ import annotations

from dataclasses import dataclass

from aitia.methods.base import Outcome, Reads, method
from aitia.methods.cues import read_cues


@dataclass(frozen=True)
class Side:
    """One side of a comparison: what was found, and the number in it."""

    text: str
    number: float | None


@dataclass(frozen=True)
class Compared:
    """What is compared, and the question that asks for it."""

    sides: tuple[Side, ...]
    question: str


@dataclass(frozen=True)
class Compare(Outcome):
    """How the sides stand to each other.

    Attributes:
        text: In words.
        first: Place of the side that the question asks for, or -1.
    """

    text: str = ""
    first: int = -1


@method("comparison", "Sets values side by side and says which is larger or smaller.")
def comparison(reads: Reads, given: Compared) -> Compare:
    """Return which side is larger, or smaller where the question asks for that."""
    sides = given.sides
    told = [side.text.rstrip(".") for side in sides]
    numbers = [side.number for side in sides]
    if any(number is None for number in numbers):
        same = len(set(told)) == 1
        text = "They are the same." if same else "They differ: " + "; ".join(told) + "."
        return Compare(text=text, summary=text)
    sizes = [float(number) for number in numbers if number is not None]
    if len(set(sizes)) == 1:
        text = "They are equal: " + "; ".join(told) + "."
        return Compare(text=text, summary=text)
    lower = read_cues(given.question).lower
    first = sizes.index(min(sizes) if lower else max(sizes))
    others = "; ".join(item for at, item in enumerate(told) if at != first)
    kind = "smallest" if lower else "largest"
    kind = kind if len(sizes) > 2 else ("smaller" if lower else "larger")
    text = f"{told[first]}, which is the {kind}; {others[0].lower()}{others[1:]}."
    return Compare(text=text, first=first, summary=text)
