"""A fact's words in JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from urllib.parse import unquote

from aitia.errors import ReadError
from aitia.locate.jsontext import Member, decode, members
from aitia.locate.target import Target

Found = tuple[int, int, int, int]
_AROUND = 20_000
"""Characters before and after a record's prose in which its other fields stand."""


def find(
    text: str, start: int, end: int, tail: list[str], target: Target
) -> Found | None:
    """Return the place of a value, and of its field with it.

    Args:
        text: The document's text.
        start: Where the record's first passage starts.
        end: Where its last passage ends.
        tail: Names and numbers that lead from the record to the object.
        target: What is looked for.
    """
    record = _record(text, start)
    if record is None:
        return _beside(text, start, end, target)
    if not isinstance(record.value, dict) and target.fits(record.value):
        return (*_words(text, record), record.start, record.end)
    for place in _descend(text, record, tail):
        if target.is_type:
            last = min(place.end, end)
            return (place.start, last, place.start, last)
        found = _field(text, place, target)
        if found is not None:
            return found
    return _name(text, start, target)


def _record(text: str, start: int) -> Member | None:
    """Return the value that a passage starts with, named or not; None for prose."""
    try:
        if text[start] == "{":
            value, end = decode(text, start)
            return Member("", start, start, end, value)
        return _named(text, start) if text[start] == '"' else None
    except (ReadError, ValueError, IndexError):
        return None


def _named(text: str, start: int) -> Member | None:
    """Return the member of an object that starts with its name at `start`."""
    name, colon = json.JSONDecoder().raw_decode(text, start)
    while text[colon] in " \t\n\r":
        colon += 1
    if text[colon] != ":":
        return None
    value, end = decode(text, colon + 1)
    begin = end - len(text[colon + 1 : end].lstrip())
    return Member(name, start, begin, end, value)


def _descend(text: str, place: Member, tail: list[str]) -> Iterator[Member]:
    """Yield the objects that names and numbers lead to."""
    if not tail:
        yield place
        return
    for name, inner in _steps(text, place):
        if name == tail[0]:
            yield from _descend(text, inner, tail[1:])


def _steps(text: str, place: Member) -> Iterator[tuple[str, Member]]:
    if isinstance(place.value, dict):
        for inner in members(text, place.value_start):
            yield str(inner.name), inner
            # A list of one object may be written without its brackets.
            if isinstance(inner.value, dict):
                yield str(inner.name) + "/1", inner
    elif isinstance(place.value, list):
        for number, inner in enumerate(_objects(text, place), 1):
            yield str(number), inner
            for value in inner.value.values():
                if isinstance(value, str | int):
                    yield str(value), inner


def _objects(text: str, place: Member) -> Iterator[Member]:
    for inner in members(text, place.value_start):
        if isinstance(inner.value, dict):
            yield inner
        elif isinstance(inner.value, list):
            yield from _objects(text, inner)


def _field(text: str, place: Member, target: Target) -> Found | None:
    if not isinstance(place.value, dict):
        return None
    wanted = target.field
    for inner in members(text, place.value_start):
        named = inner.name == wanted
        if not named and "://" not in wanted and ":" not in wanted:
            continue
        found = _value(text, inner, target)
        if found is not None and (named or target.fits(inner.value)):
            return found
    return None


def _value(text: str, field: Member, target: Target) -> Found | None:
    names = {*target.forms[1:], unquote(target.forms[0].rpartition("/")[2])}
    for name, inner in _steps(text, field):
        if name in names and isinstance(inner.value, dict):
            return (inner.value_start, inner.end, inner.start, inner.end)
    if isinstance(field.value, list):
        for inner in members(text, field.value_start):
            if not isinstance(inner.value, dict | list) and target.fits(inner.value):
                return (*_words(text, inner), field.start, field.end)
        return (field.value_start, field.end, field.start, field.end)
    if isinstance(field.value, dict):
        return (field.value_start, field.end, field.start, field.end)
    if field.value is None or not target.fits(field.value):
        return None
    return (*_words(text, field), field.start, field.end)


def _words(text: str, member: Member) -> tuple[int, int]:
    """Return the place of a value, without the quotes of a string."""
    start, end = member.value_start, member.end
    return (
        (start + 1, end - 1) if text[start] == '"' and end - start > 2 else (start, end)
    )


def _name(text: str, start: int, target: Target) -> Found | None:
    """Return the name under which a record stands, where that is the value."""
    if text[start] != '"':
        return None
    name, end = json.JSONDecoder().raw_decode(text, start)
    return (start + 1, end - 1, start, end) if target.fits(name) else None


def _beside(text: str, start: int, end: int, target: Target) -> Found | None:
    """Return the place of a field of a record of which the passage is the prose."""
    if target.fits(json_text(text[start:end])) or target.is_type:
        return (start, end, start, end)
    field = json.dumps(target.field, ensure_ascii=False)
    opening = text.rfind("{", max(0, start - _AROUND), start)
    closing = text.find("}", end, end + _AROUND)
    place = text.find(field, opening, closing) if opening >= 0 else -1
    while place >= 0:
        member = _named(text, place)
        if member is not None:
            return _value(text, member, target)
        place = text.find(field, place + 1, closing)
    return None


def json_text(written: str) -> str:
    """Return what a stretch of a JSON string says; as it stands where it is cut."""
    try:
        return str(json.loads(f'"{written}"', strict=False))
    except ValueError:
        return written
