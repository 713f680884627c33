"""What a sentence says, and whether another bears it out or clashes with it.

Sentences are read as `aitia.methods.contradiction` reads them: values (numbers with
units, dates, times of day), names (also numbered things: "Crane 4"), words, denials. Two
sentences *clash* where they have nearly the same words, speak of things of the same
names, and differ in exactly one value, or one denies what the other says. A sentence
*bears out* another where it has its names, its values, nearly all its words, and denies
as it does. Names that a heading or the sentence before tells count as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from aitia.methods.contradiction.sentences import read
from aitia.methods.contradiction.values import Value
from aitia.methods.words import words

ALIKE: Final = 0.75
"""Share of common words from which two sentences may clash."""
BORNE_OUT: Final = 0.75
"""Share of a sentence's words that must stand in one that bears it out."""
_FIELD: Final = re.compile(r'"[A-Za-z_]\w*"\s*:')
"""A field of JSON: its name is words parted by "_", and data deny nothing."""
_FIGURE: Final = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True)
class Asserted:
    """What a sentence says.

    Attributes:
        text: The sentence; of JSON, with its field names as words.
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
    """Return what a sentence says; the field names of JSON are read as words."""
    is_data = bool(_FIELD.search(text))
    if is_data:
        text = _FIELD.sub(lambda found: found.group().replace("_", " "), text)
    said = read(text)
    denied = said.denied and not is_data
    return Asserted(text, said.bare, said.values, said.names, denied)


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
    valued = all(has(other, value) for value in one.values)
    if not named or not valued or one.denied != other.denied or rivals(one, other):
        return 0.0
    known = {*other.stems, *(stem for name in there for stem in _stems(name))}
    return share(one.stems, known) if one.stems else 1.0


def has(said: Asserted, value: Value) -> bool:
    """Tell whether a sentence has a value, told as exactly or more so."""
    return any(_tells(other, value) for other in said.values)


def figure(value: Value) -> Decimal:
    """Return the number of a value as it is written, whatever its unit."""
    found = _FIGURE.search(value.figure.replace(",", ""))
    return Decimal(found.group()) if found else value.amount


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


def _tells(one: Value, other: Value) -> bool:
    """Tell whether a value tells all that another does."""
    if one.kind != other.kind:
        return False
    if one.kind == "date":
        pairs = zip(one.date, other.date, strict=True)
        return all(mine == theirs for mine, theirs in pairs if theirs)
    if one.unit and other.unit:
        return one.unit == other.unit and one.amount == other.amount
    return one.amount == other.amount or figure(one) == figure(other)


def _apart(
    one: tuple[Value, ...], other: tuple[Value, ...]
) -> list[tuple[Value, Value]] | None:
    """Return the values in which two sentences differ, or None for other kinds."""
    if len(one) != len(other):
        return None
    told = [(a, b, a.agrees(b)) for a, b in zip(one, other, strict=True)]
    if any(agrees is None for _, _, agrees in told):
        return None
    return [(a, b) for a, b, agrees in told if not agrees]


def _parts_in(name: str, other: Asserted) -> bool:
    """Tell whether a name stands in a sentence as plain words, or words and a number."""
    head, _, number = name.rpartition(" ")
    if not head or not number.isdigit():
        return set(_stems(name)) <= other.stems
    if not set(_stems(head)) <= other.stems:
        return False
    amount = Decimal(number)
    return any(not v.unit and v.amount == amount for v in other.values)


def _stems(text: str) -> Iterator[str]:
    for word in words(text):
        yield from word.stems
