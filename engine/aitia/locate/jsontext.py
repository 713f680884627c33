"""JSON with the places where its values stand in the text.

The decoder of the standard library does the work; only the containers whose members'
places are wanted are walked here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from aitia.errors import ReadError

_SPACE = re.compile(r"[ \t\n\r]*")
_ESCAPE = re.compile(r"(\\+)u([0-9a-fA-F]{4})(?:\\u([dD][c-fC-F][0-9a-fA-F]{2}))?")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_ANY_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|u([dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an object or a list.

    Attributes:
        name: Its name, or its place from 0.
        start: Where it starts: at its name in an object, at its value in a list.
        value_start: Where its value starts.
        end: Where its value ends.
        value: Its value.
    """

    name: str | int
    start: int
    value_start: int
    end: int
    value: Any


def decode(text: str, start: int = 0, stop: int | None = None) -> tuple[Any, int]:
    """Return the value that starts at `start`, and where it ends.

    Args:
        text: The text that holds it.
        start: Where it starts; white space may come before.
        stop: Where it ends at the latest; the end of the text for None.

    Raises:
        ReadError: It is no JSON; the message says at which line and column.
    """
    place = _skip(text, start)
    # The decoder knows no end but that of the text, so it is given a part.
    part, before = (text, 0) if stop is None else (text[place:stop].rstrip(), place)
    try:
        value, end = _DECODER.raw_decode(part, place - before)
    except json.JSONDecodeError as error:
        where = at(text, before + error.pos)
        raise ReadError(f"it is no JSON: {error.msg}{where}") from error
    except RecursionError as error:
        raise ReadError("it is nested too deeply to be read") from error
    return value, before + end


def document(text: str) -> tuple[Any, int]:
    """Return the one value of a JSON text and where it starts.

    Raises:
        ReadError: It is no JSON, or something follows.
    """
    value, end = decode(text)
    rest = _skip(text, end)
    if rest < len(text):
        raise ReadError(f"it is no JSON: more follows after the value{at(text, rest)}")
    return value, _skip(text, 0)


def members(text: str, start: int) -> Iterator[Member]:
    """Yield the members of the object or list that starts at `start`."""
    named = text[start] == "{"
    place, number = _skip(text, start + 1), 0
    while text[place] not in "}]":
        first, name = place, number
        if named:
            name, place = _DECODER.raw_decode(text, place)
            place = _skip(text, _skip(text, place) + 1)
        value, end = _DECODER.raw_decode(text, place)
        yield Member(name, first, place, end, value)
        number += 1
        place = _skip(text, end)
        if text[place] == ",":
            place = _skip(text, place + 1)


def readable(text: str) -> str:
    r"""Return JSON text with \\uXXXX of printable characters outside ASCII written out.

    The value stays the same; what is written can be searched and quoted.
    """
    if "\\u" not in text:
        return text
    return _ESCAPE.sub(_written_out, text)


def repeated(text: str) -> list[str]:
    """Return the names that stand more than once in one object; the last one counts."""
    found = dict[str, None]()

    def made(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) < len(pairs):
            names = [name for name, _ in pairs]
            found.update(dict.fromkeys(n for n in value if names.count(n) > 1))
        return value

    # Numbers are of no concern, and Python would refuse the longest.
    decoder = json.JSONDecoder(object_pairs_hook=made, parse_int=str)
    decoder.raw_decode(text, _skip(text, 0))
    return list(found)


def refuse_surrogates(text: str) -> None:
    r"""Refuse JSON with half a character: one \\ud83d without its other half.

    Raises:
        ReadError: There is one; the message says at which line and column.
    """
    if not _SURROGATE.search(text):
        return
    for found in _ANY_ESCAPE.finditer(text):
        if found[1]:
            raise ReadError(
                f"half a character, {found[0]}, stands without its other half"
                + at(text, found.start())
            )


def at(text: str, place: int) -> str:
    """Return ", at line L column C"."""
    line = text.count("\n", 0, place) + 1
    column = place - text.rfind("\n", 0, place)
    return f", at line {line} column {column}"


def _written_out(found: re.Match[str]) -> str:
    slashes, first, second = found[1], int(found[2], 16), found[3]
    if len(slashes) % 2 == 0:
        return found[0]
    char, rest = chr(first), f"\\u{second}" if second else ""
    if 0xD800 <= first <= 0xDBFF and second:
        low = int(second, 16)
        char, rest = chr(0x10000 + (first - 0xD800) * 0x400 + low - 0xDC00), ""
    if char < "\xa0" or not (char.isprintable() or char.isspace()):
        return found[0]
    return slashes[:-1] + char + rest


def _skip(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place


def _float(text: str) -> Decimal | float:
    if "e" in text or "E" in text:
        return float(text)
    try:
        return Decimal(text)
    except InvalidOperation:
        return float(text)


def _integer(text: str) -> int | Decimal:
    return int(text) if len(text) < 1000 else Decimal(text)


def _no_constant(text: str) -> Any:
    raise ReadError(f"it is no JSON: {text} is no JSON value")


_DECODER = json.JSONDecoder(
    parse_float=_float, parse_int=_integer, parse_constant=_no_constant
)
