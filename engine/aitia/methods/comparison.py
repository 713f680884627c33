"""Comparison: sets values side by side and says which is larger or smaller."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from aitia.methods.arguments import NodeRef
from aitia.methods.asserted import asserted
from aitia.methods.base import Outcome, Reads, method
from aitia.methods.cues import EXISTS_FORM, Cues, read_cues

_OLDER: Final = re.compile(r"\b(?:older|oldest)\b", re.I)
_YOUNGER: Final = re.compile(r"\b(?:younger|youngest)\b", re.I)
_THAN: Final = re.compile(r"\b(?:than|before|after)\b", re.I)
_YEARS: Final = (1000, 2100)
"""Whole numbers that are taken for years where all sides have such."""


@dataclass(frozen=True)
class Side:
    """One side of a comparison: what was found, and the numbers in it.

    Attributes:
        text: What was found.
        numbers: The numbers in it, or dates as numbers that order them.
        dated: Whether they are dates.
    """

    text: str
    numbers: tuple[float, ...]
    dated: bool = False


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
    cues = read_cues(given.question)
    if not all(sides) and (cues.ordered or _THAN.search(given.question)):
        return Compare(summary="no numbers", failure="A side has no number or date.")
    if not all(sides):
        same = len(set(told)) == 1
        return _said("They are the same." if same else f"They differ: {_joined(told)}.")
    asks = cues.form == EXISTS_FORM and bool(_THAN.search(given.question))
    no = "No: " if asks else ""
    if len({frozenset(numbers) for numbers in sides}) == 1:
        return _said(_led(no, f"They are equal: {_joined(told)}."))
    dated = all(side.dated or _are_years(side.numbers) for side in given.sides)
    lower = _lower(given.question, cues, dated=dated)
    ranked = sorted(range(len(sides)), key=lambda at: min(sides[at]), reverse=not lower)
    first, second = sides[ranked[0]], sides[ranked[1]]
    apart = max(first) < min(second) if lower else min(first) > max(second)
    if not apart:
        return _said(f"Their values overlap: {_joined(told)}.")
    others = _joined([told[at] for at in ranked[1:]])
    kind = _kind(lower, dated=all(side.dated for side in given.sides))
    text = f"{told[ranked[0]]}, which is {kind}; {others[0].lower()}{others[1:]}."
    if asks:
        text = _led("Yes: " if ranked[0] == 0 else no, text)
    return Compare(text=text, first=ranked[0], summary=text)


def _lower(question: str, cues: Cues, *, dated: bool) -> bool:
    """Tell whether the smaller side is asked for.

    What is older has the earlier date, but the greater age.
    """
    if _OLDER.search(question):
        return dated
    if _YOUNGER.search(question):
        return not dated
    return cues.lower


def _are_years(numbers: Sequence[float]) -> bool:
    least, most = _YEARS
    return all(least <= item <= most and item == int(item) for item in numbers)


def _kind(lower: bool, *, dated: bool) -> str:
    if dated:
        return "earlier" if lower else "later"
    return "smaller" if lower else "larger"


def _led(lead: str, text: str) -> str:
    """Return a sentence after a yes or no."""
    return f"{lead}{text[0].lower()}{text[1:]}" if lead else text


def _side(item: NodeRef) -> Side:
    """Return a node as a side: its words, and the numbers in them."""
    values = asserted(item.text).values
    numbers = tuple(float(value.amount) for value in values if value.kind == "number")
    return Side(item.text, numbers)


def _said(text: str) -> Compare:
    return Compare(text=text, summary=text)


def _joined(told: Sequence[str]) -> str:
    return "; ".join(told)
