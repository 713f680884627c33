"""Comparison: sets values side by side and says which is larger or smaller."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aitia.methods.arguments import NodeRef
from aitia.methods.asserted import asserted
from aitia.methods.base import Outcome, Reads, method
from aitia.methods.cues import read_cues


@dataclass(frozen=True)
class Side:
    """One side of a comparison: what was found, and the numbers in it."""

    text: str
    numbers: tuple[float, ...]


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


@dataclass(frozen=True)
class ToCompare:
    """Nodes whose values are compared, and the question that asks for it."""

    sides: tuple[NodeRef, ...]
    question: str = ""


@method(
    "comparison",
    "Sets values side by side and says which is larger or smaller.",
    offered=ToCompare,
)
def comparison(reads: Reads, given: Compared | ToCompare) -> Compare:
    """Return which side is larger, or smaller where the question asks for that."""
    if isinstance(given, ToCompare):
        given = Compared(tuple(_side(item) for item in given.sides), given.question)
    if not given.sides:
        return Compare(summary="nothing", failure="There is nothing to compare.")
    told = [side.text.rstrip(".") for side in given.sides]
    sides = [side.numbers for side in given.sides]
    if not all(sides):
        same = len(set(told)) == 1
        return _said("They are the same." if same else f"They differ: {_joined(told)}.")
    if len({frozenset(numbers) for numbers in sides}) == 1:
        return _said(f"They are equal: {_joined(told)}.")
    lower = read_cues(given.question).lower
    ranked = sorted(range(len(sides)), key=lambda at: min(sides[at]), reverse=not lower)
    first, second = sides[ranked[0]], sides[ranked[1]]
    apart = max(first) < min(second) if lower else min(first) > max(second)
    if not apart:
        return _said(f"Their values overlap: {_joined(told)}.")
    others = _joined([told[at] for at in ranked[1:]])
    kind = "smaller" if lower else "larger"
    text = f"{told[ranked[0]]}, which is {kind}; {others[0].lower()}{others[1:]}."
    return Compare(text=text, first=ranked[0], summary=text)


def _side(item: NodeRef) -> Side:
    """Return a node as a side: its words, and the numbers in them."""
    values = asserted(item.text).values
    numbers = tuple(float(value.amount) for value in values if value.kind == "number")
    return Side(item.text, numbers)


def _said(text: str) -> Compare:
    return Compare(text=text, summary=text)


def _joined(told: Sequence[str]) -> str:
    return "; ".join(told)
