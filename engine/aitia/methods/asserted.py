"""What a sentence says, as far as rules can compare it with another.

Values are the numbers with their units, months, weekdays and ISO dates in a sentence;
a number that tells one thing from its like ("Crane 4", "order #12") is a name and no
value. Two sentences *clash* where they have nearly the same words, speak of things of
the same names, and differ in exactly one value of one unit, or one denies what the
other says. A sentence *bears out* another where it has its names, its values, nearly
all its words, and the same denials.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from aitia.methods.cues import read_cues
from aitia.methods.words import Word, content, is_stop, singular, stem, words

ALIKE: Final = 0.75
"""Share of common words from which two sentences may clash."""
BORNE_OUT: Final = 0.75
"""Share of a sentence's words that must stand in one that bears it out."""

_SMALL: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen "
    "fourteen fifteen sixteen seventeen eighteen nineteen twenty"
)
_WORDED: Final = {
    **{name: Decimal(value) for value, name in enumerate(_SMALL.split())},
    **{
        name: Decimal(10 * (at + 3))
        for at, name in enumerate(
            ["thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
        )
    },
    "hundred": Decimal(100),
    "thousand": Decimal(1000),
}
_NUMBER: Final = re.compile(
    r"(?P<sign>(?<![\w)])-)?(?P<money>[$€£])?"
    r"(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?:\s?(?P<unit>%|°[CF]?|[$€£]|(?:[kmc]?m|[mk]?g|m?l|k?[WV]|[kM]?Hz|[hst]|min|EUR|USD|GBP)"
    r"(?!\w)))?"
)
_ISO: Final = re.compile(r"\b\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?\b")
_NAMED_DAYS: Final = re.compile(
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|"
    r"December|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?)\b"
)
_CODE: Final = re.compile(r"[#@]?(?=[\w.-]*\d)(?=[\w.-]*[^\W\d])\w[\w.@-]*\w|[#@]\w+")
_COUNTED_THINGS: Final = frozenset(
    [
        "article",
        "chapter",
        "clause",
        "figure",
        "gate",
        "grade",
        "item",
        "level",
        "line",
        "lot",
        "model",
        "no",
        "number",
        "order",
        "page",
        "paragraph",
        "part",
        "phase",
        "platform",
        "pump",
        "rule",
        "room",
        "row",
        "section",
        "step",
        "table",
        "tank",
        "unit",
        "valve",
        "version",
        "volume",
        "zone",
    ]
)
_FIELD: Final = re.compile(r'"[A-Za-z_]\w*"\s*:')
"""A field of JSON: its name is words parted by "_", and data deny nothing."""
_MONEY: Final = {"€": "euro", "$": "dollar", "£": "pound"}
_UNITS: Final = {
    "eur": "euro", "euros": "euro", "usd": "dollar", "dollars": "dollar",
    "gbp": "pound", "pounds": "pound", "percent": "%", "kg": "kilogram", "t": "tonne",
    "tonnes": "tonne", "tons": "tonne", "km": "kilometre", "h": "hour", "hr": "hour",
    "min": "minute", "s": "second", "sec": "second", "m": "metre",
}  # fmt: skip


@dataclass(frozen=True)
class Value:
    """A value in a sentence.

    Attributes:
        text: As it stands.
        amount: Its number, or its ISO date or month in lower case.
        unit: Its unit as one word, or "".
    """

    text: str
    amount: Decimal | str
    unit: str

    def meets(self, other: Value) -> bool:
        """Tell whether two values are the same; an unnamed unit fits any."""
        return self.amount == other.amount and self.like(other)

    def like(self, other: Value) -> bool:
        """Tell whether two values are of one kind, so that they could differ."""
        same_kind = isinstance(self.amount, str) == isinstance(other.amount, str)
        return same_kind and (
            not self.unit or not other.unit or self.unit == other.unit
        )


@dataclass(frozen=True)
class Asserted:
    """What a sentence says.

    Attributes:
        text: The sentence.
        stems: Terms of its words, without values, names and denials.
        values: Its values, in order.
        names: Names, ids and numbered things in it, in lower case.
        denied: Whether it denies something.
    """

    text: str
    stems: frozenset[str]
    values: tuple[Value, ...]
    names: frozenset[str]
    denied: bool


def asserted(text: str) -> Asserted:
    """Return what a sentence says."""
    is_data = bool(_FIELD.search(text))
    text = _FIELD.sub(lambda found: found.group().replace("_", " "), text)
    denials = () if is_data else read_cues(text).denials
    taken: list[tuple[int, int]] = list(denials)
    denied = bool(denials)
    names: set[str] = set()
    values = [*_days(text, taken), *_codes(text, taken, names)]
    values += _numbers(text, taken, names)
    rest = [w for w in content(text) if not _inside(w.start, w.end, taken)]
    names |= {word.text.lower() for word in rest if word.naming}
    stems = {stem for word in rest if not word.naming for stem in word.stems}
    return Asserted(text, frozenset(stems), tuple(values), frozenset(names), denied)


def clash(one: Asserted, other: Asserted, about: frozenset[str] = frozenset()) -> str:
    """Return how two sentences contradict each other, or "".

    Args:
        one: A sentence.
        other: The other.
        about: Names that the other is known to be about besides, from its heading.
    """
    if not (one.names <= other.names | about and other.names <= one.names | about):
        return ""
    if share(one.stems, other.stems) < ALIKE or share(other.stems, one.stems) < ALIKE:
        return ""
    apart = _apart(one.values, other.values)
    if apart and len(apart) == 1 and one.denied == other.denied:
        first, second = apart[0]
        return f"{first.text} against {second.text}"
    if not apart and apart is not None and one.denied != other.denied:
        return "one denies what the other says"
    return ""


def bears_out(
    one: Asserted, other: Asserted, about: frozenset[str] = frozenset()
) -> float:
    """Return how far `other` bears out `one`: the share of its words, or 0.

    It is 0 where a name or value of `one` is not in `other`, where one of them denies
    something, and where `other` is about another numbered thing.
    """
    there = {*other.names, *about}
    named = all(name in there or _parts_in(name, other) for name in one.names)
    valued = all(any(v.meets(w) for w in other.values) for v in one.values)
    if not named or not valued or one.denied != other.denied or rivals(one, other):
        return 0.0
    known = {*other.stems, *(stem for name in there for stem in _stems(name))}
    return share(one.stems, known) if one.stems else 1.0


def stands_in(name: str, text: str) -> bool:
    """Tell whether a name's words stand in a text side by side, in any case."""
    side_by_side = r"[\s#]+".join(re.escape(part) for part in name.split())
    pattern = rf"(?<!\w){side_by_side}(?!\w)"
    return re.search(pattern, text, re.I) is not None


def rivals(one: Asserted, other: Asserted) -> bool:
    """Tell whether two sentences name different numbered things of one kind."""
    heads = {name.rsplit(" ", 1)[0]: name for name in one.names if " " in name}
    return any(
        heads.get(name.rsplit(" ", 1)[0], name) != name
        for name in other.names
        if " " in name and name not in one.names
    )


def share(part: Iterable[str], whole: Iterable[str]) -> float:
    """Return which share of the terms of `part` is among those of `whole`."""
    wanted = set(part)
    return len(wanted & set(whole)) / len(wanted) if wanted else 0.0


def _apart(
    one: tuple[Value, ...], other: tuple[Value, ...]
) -> list[tuple[Value, Value]] | None:
    """Return the values in which two sentences differ, or None for other kinds."""
    if len(one) != len(other):
        return None
    pairs = list(zip(one, other, strict=True))
    if not all(first.like(second) for first, second in pairs):
        return None
    return [(a, b) for a, b in pairs if not a.meets(b)]


def _days(text: str, taken: list[tuple[int, int]]) -> Iterator[Value]:
    """Yield ISO dates, months and weekdays; note their places in `taken`."""
    for pattern in (_ISO, _NAMED_DAYS):
        for found in pattern.finditer(text):
            if found.start() and not _inside(*found.span(), taken):
                taken.append(found.span())
                name = found.group().lower()
                yield Value(found.group(), name.removesuffix("s"), "")


def _codes(text: str, taken: list[tuple[int, int]], names: set[str]) -> Iterator[Value]:
    """Take ids such as `K-101` and `#12` as names; `5kg` is a value."""
    for found in _CODE.finditer(text):
        if _inside(*found.span(), taken):
            continue
        whole = _NUMBER.fullmatch(found.group())
        taken.append(found.span())
        if whole:
            yield _value(whole, "")
        else:
            names.add(found.group().lower().lstrip("#"))


def _numbers(
    text: str, taken: list[tuple[int, int]], names: set[str]
) -> Iterator[Value]:
    """Yield the numbers that measure; those that name a thing go into `names`."""
    spoken = words(text)
    for found in _NUMBER.finditer(text):
        start, end = found.span("number")
        if _inside(start, end, taken):
            continue
        before = [word for word in spoken if word.end <= start]
        after = next((word for word in spoken if word.start >= end), None)
        head = (
            before[-1]
            if before and not text[before[-1].end : start].strip(" #")
            else None
        )
        if head and not found["unit"] and _numbered(head, len(before) == 1):
            names.add(f"{head.text.lower()} {found['number']}")
            taken.append((head.start, end))
            continue
        unit = after.text if after and not text[end : after.start].strip(" ") else ""
        taken.append((start, after.end if unit and after else end))
        yield _value(found, unit)
    for word in spoken:
        amount = _WORDED.get(word.text.lower())
        if amount is not None and not _inside(word.start, word.end, taken):
            taken.append((word.start, word.end))
            yield Value(word.text, amount, "")


def _value(found: re.Match[str], after: str) -> Value:
    amount = Decimal(found["number"].replace(",", ""))
    if found["sign"]:
        amount = -amount
    unit = found["unit"] or found["money"] or ("" if is_stop(after) else after)
    low = unit.lower()
    name = _MONEY.get(unit) or _UNITS.get(low) or _UNITS.get(singular(low)) or stem(low)
    told = (
        f"{found.group().strip()} {after}" if unit == after and after else found.group()
    )
    return Value(told.strip(), amount.normalize(), name)


def _numbered(head: Word, first: bool) -> bool:
    """Tell whether a number after this word names a thing: "Crane 4", "step 3"."""
    known = head.text.lower() in _COUNTED_THINGS
    return known or (
        head.text[:1].isupper() and head.content and (first or head.naming)
    )


def _parts_in(name: str, other: Asserted) -> bool:
    """Tell whether a name of several words stands in a sentence as words and number."""
    head, _, number = name.rpartition(" ")
    if not head or not number.isdigit() or not set(_stems(head)) <= other.stems:
        return False
    amount = Decimal(number)
    return any(value.amount == amount and not value.unit for value in other.values)


def _stems(text: str) -> Iterator[str]:
    for word in words(text):
        yield from word.stems


def _inside(start: int, end: int, taken: Iterable[tuple[int, int]]) -> bool:
    return any(low < end and start < high for low, high in taken)
