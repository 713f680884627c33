"""Numbers with their units, dates and times of day in a text, made comparable."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import product
from typing import Final

from aitia.methods.contradiction.units import CURRENCIES, UNITS

MONTHS: Final = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
WEEKDAYS: Final = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
]
_SMALL: Final = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]
WORDS: Final[Mapping[str, int]] = {
    **{word: number for number, word in enumerate(_SMALL)},
    **{
        word: 10 * number
        for number, word in enumerate(
            ["thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 3
        )
    },
    "hundred": 100,
    "thousand": 1000,
    "million": 1_000_000,
    "once": 1,
    "twice": 2,
    "dozen": 12,
}
CHINESE: Final[Mapping[str, int]] = {
    **{char: number for number, char in enumerate("一二三四五六七八九十", 1)},
    "两": 2,
    "百": 100,
    "千": 1000,
    "万": 10_000,
}
SCALES: Final[Mapping[str, int]] = {
    "hundred": 100,
    "thousand": 1000,
    "million": 10**6,
    "billion": 10**9,
    "万": 10**4,
    "亿": 10**8,
}
_MONTH: Final = "|".join(f"{month}|{month[:3]}" for month in MONTHS)
_YEAR: Final = r"(?:1[0-9]|20)\d\d"
_DATES: Final = (
    re.compile(rf"\b(?P<y>{_YEAR})-(?P<m>[01]?\d)-(?P<d>[0-3]?\d)\b"),
    re.compile(
        rf"\b(?P<d>[0-3]?\d)(?:st|nd|rd|th)?(?: of)? (?P<n>{_MONTH})\b\.?"
        rf"(?:\s*,?\s*(?P<y>{_YEAR})\b)?",
        re.I,
    ),
    re.compile(
        rf"\b(?P<n>{_MONTH})\b\.? (?P<d>[0-3]?\d)(?:st|nd|rd|th)?\b(?!\d)"
        rf"(?:\s*,?\s*(?P<y>{_YEAR})\b)?",
        re.I,
    ),
    re.compile(rf"\b(?P<n>{_MONTH})\b\.?\s*,?\s*(?P<y>{_YEAR})\b", re.I),
    re.compile(
        r"(?:(?P<y>\d{4})年)?(?P<m>\d{1,2}|[一二三四五六七八九十]{1,2})月"
        r"(?:(?P<d>\d{1,2}|[一二三四五六七八九十]{1,3})[日号])?"
    ),
    re.compile(r"(?P<y>\d{4})年"),
    re.compile(
        rf"(?<![\w.,-])(?P<y>{_YEAR})\b(?![-.,:]?\d)(?!\s*(?:%|[€$£]|{'|'.join(UNITS)})\b)",
        re.I,
    ),
    re.compile(rf"\b(?P<n>{'|'.join(MONTHS[:4] + MONTHS[5:])})\b", re.I),
    re.compile(r"\b(?:in|of|since|until|by|during) (?P<n>may)\b", re.I),
)
_CLOCK: Final = re.compile(
    r"\b(?P<h>[01]?\d|2[0-4])(?:[:.](?P<m>[0-5]\d))?\s*(?P<half>[ap]\.?m\b\.?)|"
    r"\b(?P<h2>[01]?\d|2[0-4]):(?P<m2>[0-5]\d)\b",
    re.I,
)
_NUMBER: Final = re.compile(
    r"(?P<money>[€$£])?\s?(?P<digits>(?<![\w.])-?\d{1,3}(?:[,\u202f]\d{3})+(?:\.\d+)?"
    r"|(?<![\w.-])-?\d+(?:\.\d+)?)(?![\w]*-\w)"
    rf"|\b(?P<word>{'|'.join(WORDS)})\b|(?P<chinese>[一二三四五六七八九十百千万两]+)",
    re.I,
)
_UNIT: Final = re.compile(
    r"[\s-]?(?P<scale>hundred|thousand|million|billion|万|亿)?\s*"
    r"(?P<unit>[%°€$£]|[^\W\d_]+)?",
    re.I,
)
_BOUNDS: Final = (
    (
        re.compile(
            r"(?:at least|no (?:less|fewer) than|minimum(?: of)?|min\.?|不少于|至少)\s*$",
            re.I,
        ),
        "least",
    ),
    (
        re.compile(
            r"(?:more than|over|above|exceed(?:s|ing)?|greater than|超过)\s*$", re.I
        ),
        "over",
    ),
    (
        re.compile(
            r"(?:at most|up to|no more than|maximum(?: of)?|max\.?|within|最多|不超过)\s*$",
            re.I,
        ),
        "most",
    ),
    (re.compile(r"(?:less than|fewer than|under|below|少于)\s*$", re.I), "under"),
    (
        re.compile(
            r"(?:about|around|approximately|roughly|circa|nearly|almost|some|~|约|大约)\s*$",
            re.I,
        ),
        "about",
    ),
)
_POINTED: Final = re.compile(r"-?[1-9]\d{0,2}\.\d{3}")
"""A number that is in thousands where a point parts them, as German writes it."""
_SHARE: Final = UNITS["%"][0]
ABOUT: Final = Decimal("0.1")
"""Share by which a number that is only "about" so may be off."""


@dataclass(frozen=True)
class Value:
    """A number, date or time of day in a text.

    Attributes:
        kind: `number`, `date`, `clock`.
        unit: The unit it is in, as `units` normalises it, or "".
        amount: The number, in the base unit of its kind of unit.
        bound: `=`, or how it bounds: `least`, `over`, `most`, `under`, `about`.
        date: Year, month and day; 0 for what is not told.
        text: The words it was read from.
        figure: The number as it is written, without its unit.
        bounded: Where the words that bound it start, or -1.
        start: Where they start in the text.
        end: Where they end.
    """

    kind: str
    text: str
    start: int
    end: int
    amount: Decimal = Decimal(0)
    unit: str = ""
    bound: str = "="
    date: tuple[int, int, int] = (0, 0, 0)
    figure: str = ""
    bounded: int = -1

    def against(self, other: Value) -> str:
        """Return both in words: "5 against 7 euro", "1 km against 900 m"."""
        rest = self.text.removeprefix(self.figure)
        if self.figure and rest == other.text.removeprefix(other.figure):
            return f"{self.figure} against {other.text}"
        return f"{self.text} against {other.text}"

    def agrees(self, other: Value) -> bool | None:
        """Tell whether both can be meant by one value; None where they do not compare.

        Dates agree where what both tell is equal: "1999" and "3 May 1999". Numbers of
        different kinds of units, such as euro and dollar, do not compare. Two bounds of
        one kind, such as "within 14 days" and "within 30 days", agree where they are
        the same; a bound and a number, where the number keeps to it. What can be read
        in two ways agrees where it does in one: "1.500" with 1500 and with 1.5, "0.5"
        with 50 %.
        """
        found = self._agrees(other)
        if found is not False or self.kind != "number":
            return found
        mine, theirs = self._readings(other), other._readings(self)
        return any(a._agrees(b) for a, b in product(mine, theirs))

    def _readings(self, other: Value) -> list[Value]:
        """Return this and what else it may mean beside another number."""
        found = [self]
        if _POINTED.fullmatch(self.figure):
            found.append(replace(self, amount=self.amount * 1000))
        if not self.unit and abs(self.amount) <= 1 and other.unit == _SHARE:
            found.append(replace(self, amount=self.amount * 100))
        return found

    def _agrees(self, other: Value) -> bool | None:
        if self.kind != other.kind:
            return None
        if self.kind == "date":
            pairs = zip(self.date, other.date, strict=True)
            told = [(a, b) for a, b in pairs if a and b]
            return all(a == b for a, b in told) if told else None
        if self.unit != other.unit and self.unit and other.unit:
            return None
        if self.bound == other.bound != "about":
            return self.amount == other.amount
        low, high = self._range()
        least, most = other._range()
        return max(low, least) <= min(high, most)

    def _range(self) -> tuple[Decimal, Decimal]:
        endless, small = Decimal("Infinity"), Decimal("1e-9")
        if self.bound in ("least", "over"):
            return self.amount + (small if self.bound == "over" else 0), endless
        if self.bound in ("most", "under"):
            return -endless, self.amount - (small if self.bound == "under" else 0)
        off = abs(self.amount) * ABOUT if self.bound == "about" else Decimal(0)
        return self.amount - off, self.amount + off


def values(text: str) -> list[Value]:
    """Return the values in a text in order; none overlaps another."""
    found: list[Value] = []
    taken: list[tuple[int, int]] = []
    for value in (*_dates(text), *_clocks(text), *_numbers(text)):
        if all(value.end <= start or value.start >= end for start, end in taken):
            found.append(value)
            taken.append((value.start, value.end))
    return sorted(found, key=lambda value: value.start)


def _dates(text: str) -> Iterator[Value]:
    for pattern in _DATES:
        for match in pattern.finditer(text):
            told = match.groupdict()
            month = _month(told.get("n") or "") or _whole(told.get("m") or "0")
            date = (int(told.get("y") or 0), month, _whole(told.get("d") or "0"))
            if date[1] <= 12 and date[2] <= 31:
                start, end = match.span()
                yield Value("date", match.group(), start, end, date=date)


def _month(name: str) -> int:
    short = name.lower()[:3]
    return next(
        (at for at, month in enumerate(MONTHS, 1) if short and month[:3] == short), 0
    )


def _clocks(text: str) -> Iterator[Value]:
    for match in _CLOCK.finditer(text):
        hour = int(match["h"] or match["h2"])
        minute = int(match["m"] or match["m2"] or 0)
        half = (match["half"] or "").lower()
        if half.startswith("p") and hour < 12:
            hour += 12
        if half.startswith("a") and hour == 12:
            hour = 0
        yield Value(
            "clock", match.group(), *match.span(), Decimal(60 * hour + minute), "clock"
        )


def _numbers(text: str) -> Iterator[Value]:
    for match in _NUMBER.finditer(text):
        amount = _amount(match)
        after = _UNIT.match(text, match.end())
        scale = (after["scale"] or "").lower() if after else ""
        amount *= SCALES.get(scale, 1)
        word = match["money"] or (after["unit"] or "" if after else "")
        unit, factor = _unit(word, text, match.end())
        known = bool(unit) or bool(scale)
        end = after.end() if after and known and not match["money"] else match.end()
        start = match.start() + len(match.group()) - len(match.group().lstrip())
        bound, bounded = _bound(text[:start])
        told = text[start:end].rstrip()
        yield Value(
            kind="number",
            text=told,
            start=start,
            end=start + len(told),
            amount=amount * factor,
            unit=unit,
            bound=bound,
            bounded=bounded,
            figure=match.group().strip(),
        )


def _unit(word: str, text: str, at: int) -> tuple[str, Decimal]:
    lower = word.lower()
    if lower in CURRENCIES:
        return CURRENCIES[lower], Decimal(1)
    if lower in UNITS:
        return UNITS[lower]
    for length in (2, 1):  # Chinese puts no space behind a unit
        if lower[:length] in UNITS and not lower.isascii():
            return UNITS[lower[:length]]
        if lower[:length] in CURRENCIES and not lower.isascii():
            return CURRENCIES[lower[:length]], Decimal(1)
    return "", Decimal(1)


def _bound(before: str) -> tuple[str, int]:
    """Return how the words before a number bound it, and where they start."""
    for pattern, name in _BOUNDS:
        if match := pattern.search(before):
            return name, match.start()
    return "=", -1


def _amount(match: re.Match[str]) -> Decimal:
    if match["digits"]:
        return Decimal(match["digits"].replace(",", "").replace("\u202f", ""))
    if match["word"]:
        return Decimal(WORDS[match["word"].lower()])
    return Decimal(_whole(match["chinese"]))


def _whole(text: str) -> int:
    """Return a whole number in digits or in Chinese characters, up to 99,999."""
    if text.isdigit():
        return int(text)
    total = part = 0
    for char in text:
        number = CHINESE[char]
        if number < 10:
            part = number
        else:
            total += (part or 1) * number
            part = 0
    return total + part
