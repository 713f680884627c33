"""What a tool returned, read with the call that it is the result of.

A bare result such as `4.2` does not say what it is about: its call does. So a sentence
that rests on one may name only what the result, the call and the tool's description
name, and a sentence about the same thing that has another number contradicts it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any, Final

from aitia.methods.arguments import NodeRef
from aitia.methods.asserted import Asserted, figure, stands_in
from aitia.methods.contradiction.sentences import read
from aitia.methods.contradiction.values import Value
from aitia.methods.words import name_stems

WORDS: Final = 4
"""Words up to which a text without a structure is a bare result."""
_PLAIN: Final = frozenset(
    stem
    for word in [
        "value",
        "result",
        "reading",
        "amount",
        "current",
        "currently",
        "now",
        "today",
        "measured",
        "reported",
        "shown",
        "returned",
        "given",
        "equal",
        "stand",
        "reads",
        "shows",
        "gives",
        "says",
        "reports",
        "at",
        "of",
        "in",
        "on",
        "the",
        "is",
    ]
    for stem in name_stems(word)
)
"""Words beside a result that name no thing and no property."""


def told(item: NodeRef) -> str:
    """Return evidence as a reader is shown it: a result behind its call."""
    return f"{item.call} -> {item.text}" if item.call else item.text


def is_bare(item: NodeRef) -> bool:
    """Tell whether a text is the result of a call, and only a value or a few words."""
    words = item.text.split()
    structured = item.text.lstrip()[:1] in ("{", "[")
    return bool(item.call) and not structured and len(words) <= WORDS


def unborne(said: Asserted, item: NodeRef) -> list[str]:
    """Return words of a sentence that a bare result and its call do not bear.

    Args:
        said: The sentence.
        item: The result; for anything else nothing is returned.
    """
    if not is_bare(item):
        return []
    there = _stems(item)
    lacking = sorted(said.stems - there - _PLAIN)
    return lacking + [value.text for value in said.values if not _unit(value, item)]


def units(said: Asserted, evidence: Sequence[NodeRef]) -> list[str]:
    """Return the values of a sentence whose unit no evidence has anywhere."""
    return [
        value.text
        for value in said.values
        if value.unit and not any(_unit(value, item) for item in evidence)
    ]


def against(said: Asserted, item: NodeRef, *, cited: bool) -> str:
    """Return how a result contradicts a sentence about the same thing, or "".

    It does where all that the sentence speaks of is in the call, the tool's description
    or the result, and its one number is another.

    Args:
        said: The sentence.
        item: The result; for anything else nothing is returned.
        cited: Whether the sentence cites it; else all arguments must be named in it.
    """
    numbers = [value for value in said.values if value.kind == "number"]
    if not item.call or said.denied or len(numbers) != 1 or numbers[0].bound != "=":
        return ""
    if said.stems - _stems(item) - _PLAIN or not (said.stems or cited):
        return ""
    where = f"{item.call} {item.text}"
    if not all(_named(name, where) for name in said.names):
        return ""
    if not cited and not all(stands_in(arg, said.text) for arg in item.arguments):
        return ""
    if numbers[0].unit and not _unit(numbers[0], item):
        return ""
    found = list(_numbers(item, said, numbers[0]))
    if len(found) != 1 or found[0] in (numbers[0].amount, figure(numbers[0])):
        return ""
    return f"{item.call} returned {found[0]}, not {numbers[0].text}"


def _numbers(item: NodeRef, said: Asserted, value: Value) -> Iterator[Decimal]:
    """Yield the numbers of a result that may be meant: by field name, or the only one."""
    fields = dict(_fields(_parsed(item.text)))
    spoken = said.stems | set(name_stems(value.text))
    named = [key for key in fields if key and set(name_stems(key)) <= spoken]
    yield from (fields[key] for key in (named or fields))


def _fields(value: Any, key: str = "") -> Iterator[tuple[str, Decimal]]:
    if isinstance(value, bool):
        return
    if isinstance(value, (int, float)):
        yield key, Decimal(str(value))
    elif isinstance(value, dict):
        for name, inner in value.items():
            if not isinstance(inner, dict | list):
                yield from _fields(inner, str(name))


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _stems(item: NodeRef) -> set[str]:
    return set(name_stems(f"{item.call} {item.means} {item.text}".replace('"', " ")))


def _named(name: str, text: str) -> bool:
    return set(name_stems(name)) <= set(name_stems(_plain(text)))


def _plain(text: str) -> str:
    return "".join(char if char.isalnum() else " " for char in text)


def _unit(value: Value, item: NodeRef) -> bool:
    """Tell whether the unit of a value stands in evidence, or in what it is about."""
    written = value.text.replace(value.figure, "", 1)
    stems = set(name_stems(_plain(written)))
    whole = f"{item.call} {item.means} {item.about} {item.text}"
    if stems <= set(name_stems(_plain(whole))):
        return True
    return any(other.unit == value.unit for other in read(whole).values)
