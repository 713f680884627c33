"""Limits that a question sets to values: above, below or within a number or a time.

A time may be told in part: "in March" holds in every year, "since 2024" from the first
day of that year on, "before March 2025" until the last day of February.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

from pyoxigraph import Literal

from aitia.methods.contradiction.units import CURRENCIES, UNITS
from aitia.methods.contradiction.values import MONTHS
from aitia.methods.literals import is_time, magnitude

_MONTH: Final = "|".join(f"{month}|{month[:3]}" for month in MONTHS)
_YEAR: Final = r"(?:1[0-9]|20)\d\d"
_UNIT: Final = "|".join(re.escape(name) for name in (*CURRENCIES, *UNITS))
_TIME: Final = (
    rf"(?P<iso>\d{{4}}-\d\d-\d\d)|(?:(?P<day>[0-3]?\d)(?:st|nd|rd|th)? (?:of )?)?"
    rf"(?P<month>{_MONTH})\b\.?(?:,? (?P<of>{_YEAR})\b)?"
)
_BEYOND: Final = re.compile(
    r"\b(?:(?P<above>more than|greater than|higher than|larger than|longer than|heavier "
    r"than|over|above|at least|after|since|later than)|(?P<below>less than|fewer than|"
    r"lower than|smaller than|shorter than|cheaper than|lighter than|under|below|at most|"
    rf"up to|before|until|earlier than))\s+(?:{_TIME}|(?P<number>\d[\d,]*(?:\.\d+)?))",
    re.I,
)
_WITHIN: Final = re.compile(
    rf"\b(?:in|during|from) (?P<year>{_YEAR})\b(?![-.,:]?\d)"
    rf"(?!\s*(?:[%€$£]|(?:{_UNIT})\b))"
    rf"|\b(?:in|during|from|on|of) (?:the month of )?(?:{_TIME})",
    re.I,
)
_INCLUDING: Final = ("at least", "at most", "since", "until", "up to")
_OF_TIME: Final = re.compile(r"after|since|later|before|until|earlier", re.I)
_YEAR_ONLY: Final = re.compile(_YEAR)

Parts = tuple[int, int, int]
"""Year, month and day of a time; 0 for what is not told."""


@dataclass(frozen=True)
class Bound:
    """A limit that values must lie above, below or within.

    Attributes:
        text: The words that say so.
        value: The limit: a number or an ISO date, "" for a time that is told in part.
        above: True where values must lie above it.
        including: True where the limit itself counts.
        within: True where values must lie within the time told.
        time: Year, month and day of the limit; 0 for what is not told.
    """

    text: str
    value: str
    above: bool
    including: bool
    within: bool = False
    time: Parts = (0, 0, 0)

    @property
    def timed(self) -> bool:
        """Whether the words can only mean a time: "in 2025", "since", "before May"."""
        return self.within or (bool(_OF_TIME.match(self.text)) and any(self.time))

    def holds(self, value: object) -> bool | None:
        """Tell whether a value keeps to the limit; None where the two do not compare."""
        if is_time(value):
            assert isinstance(value, Literal)
            return self._holds_on(value.value)
        size = magnitude(value)
        if size is None or not self.value or "-" in self.value:
            return None
        limit = float(self.value)
        if size == limit:
            return self.including or self.within
        if self.within:
            return False
        return size > limit if self.above else size < limit

    def _holds_on(self, value: str) -> bool | None:
        try:
            when = date.fromisoformat(value[:10])
        except ValueError:
            return None
        year, month, day = self.time
        if self.within:
            told = zip((when.year, when.month, when.day), self.time, strict=True)
            return any(self.time) and all(not want or has == want for has, want in told)
        if not year:
            return None
        first, after = (year, month or 1, day or 1), _after(self.time)
        there = (when.year, when.month, when.day)
        if self.above:
            return there >= (first if self.including else after)
        return there < (after if self.including else first)


def read_bound(text: str) -> tuple[Bound | None, tuple[int, int]]:
    """Return the limit that a question sets, and the place of its words."""
    if found := _BEYOND.search(text):
        return _beyond(found), found.span()
    if found := _WITHIN.search(text):
        year = found["year"] or ""
        time = (int(year), 0, 0) if year else _time(found)
        return Bound(found.group(), year, False, True, True, time), found.span()
    return None, (0, 0)


def _beyond(found: re.Match[str]) -> Bound:
    words = (found["above"] or found["below"]).lower()
    number = (found["number"] or "").replace(",", "")
    time = _time(found)
    if _YEAR_ONLY.fullmatch(number):
        time = (int(number), 0, 0)
    return Bound(
        text=found.group(),
        value=found["iso"] or number,
        above=bool(found["above"]),
        including=words in _INCLUDING,
        time=time,
    )


def _time(found: re.Match[str]) -> Parts:
    if found["iso"]:
        year, month, day = (int(part) for part in found["iso"].split("-"))
        return year, month, day
    name = (found["month"] or "").lower()[:3]
    month = next((at for at, m in enumerate(MONTHS, 1) if name and m[:3] == name), 0)
    return int(found["of"] or 0), month, int(found["day"] or 0)


def _after(time: Parts) -> Parts:
    """Return the first day after a time; a day too far in a month orders as well."""
    year, month, day = time
    if day:
        return year, month, day + 1
    if month:
        return (year, month + 1, 1) if month < 12 else (year + 1, 1, 1)
    return year + 1, 1, 1
