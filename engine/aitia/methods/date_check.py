"""Date check: picks the sentence that tells when something was, and reads the date.

The sentence must have every word that is asked for, and exactly one date; a date that
is told in part ("in 1931") stands for all its days, so that two that overlap are not
put in an order.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from aitia.methods.base import Outcome, Reads, method
from aitia.methods.contradiction.values import Value, values
from aitia.methods.rerank import Sentences
from aitia.methods.scoring import RULE
from aitia.methods.words import RELATIONS, content

DAY: Final = 86400.0


@dataclass(frozen=True)
class Dating:
    """Ranked sentences, and the words that must stand in the one that tells a date."""

    sentences: Sentences
    words: str


@dataclass(frozen=True)
class Told:
    """A sentence that may tell a date."""

    sentence: str


@dataclass(frozen=True)
class Days(Outcome):
    """The first and last day of a date, in seconds that order it; or nothing."""

    numbers: tuple[float, ...] = field(default=())


@method("date_selection", "Picks the sentence that tells when something was.")
def date_selection(reads: Reads, given: Dating) -> Sentences:
    """Return the best sentence that has all the words and one date."""
    wanted = [
        set(word.stems)
        for word in content(given.words)
        if word.text.lower() not in RELATIONS
    ]
    chosen = tuple(
        item
        for item in given.sentences.sentences
        if _has(item.piece.text, wanted) and len(_dates(item.piece.text)) == 1
    )[:1]
    return Sentences(
        sentences=chosen,
        summary=chosen[0].piece.text[:160] if chosen else "no sentence",
        failure="" if chosen else f"No sentence tells when: {given.words}.",
        confidence=chosen[0].confidence if chosen else None,
        confidence_rule=RULE if chosen else "",
    )


@method("date_check", "Reads the date that a sentence tells.")
def date_check(reads: Reads, given: Told) -> Days:
    """Return the first and last day of the one date in a sentence."""
    found = _dates(given.sentence)
    if len(found) != 1:
        return Days(summary="no date", failure="The sentence has not one date.")
    year, month, day = found[0].date
    last = month or 12
    ends = (
        date(year, month or 1, day or 1),
        date(year, last, day or monthrange(year, last)[1]),
    )
    numbers = tuple(end.toordinal() * DAY for end in ends)
    return Days(numbers=numbers, summary=found[0].text)


def _dates(text: str) -> list[Value]:
    """Return the dates in a text that have a year and exist."""
    return [item for item in values(text) if item.kind == "date" and _exists(item)]


def _exists(value: Value) -> bool:
    year, month, day = value.date
    try:
        date(year, month or 1, day or 1)
    except ValueError:
        return False
    return bool(month or not day)


def _has(sentence: str, wanted: Sequence[set[str]]) -> bool:
    there = {stem for word in content(sentence) for stem in word.stems}
    return bool(wanted) and all(there & stems for stems in wanted)
