"""A fact's words in an RDF file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from aitia.locate.target import Target

_LOCAL = re.compile(r"[^#/:]*$")


def find(
    text: str, start: int, end: int, target: Target
) -> tuple[int, int, int, int] | None:
    """Return the place of a value in a statement, and of the statement.

    Args:
        text: The document's text.
        start: Where the statement starts.
        end: Where it ends.
        target: What is looked for.
    """
    after = _predicate(text, start, end, target)
    for place in (after, start):
        for written in _spellings(target.forms[0]):
            found = _word(text, written, place, end)
            if found >= 0:
                return (found, found + len(written), start, end)
    return None


def _predicate(text: str, start: int, end: int, target: Target) -> int:
    """Return where the predicate is written, as IRI or by its local name."""
    if target.is_type:
        return start
    for written in (target.field, _local(target.field)):
        found = _word(text, written, start, end) if written else -1
        if found >= 0:
            return found + len(written)
    return start


def _spellings(value: str) -> Iterator[str]:
    """Yield how a value may be spelt: as it is, escaped, or by its local name."""
    yield value
    escaped = json.dumps(value, ensure_ascii=False)[1:-1]
    if escaped != value:
        yield escaped
    for mark, entity in (("&", "&amp;"), ("<", "&lt;")):
        if mark in value:
            yield value.replace(mark, entity)
    if re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:", value) and " " not in value:
        local = _local(value)
        if local:
            yield local


def _local(iri: str) -> str:
    found = _LOCAL.search(iri)
    return found[0] if found else ""


def _word(text: str, written: str, start: int, end: int) -> int:
    """Return where something is written as a word of its own, or -1."""
    place = text.find(written, start, end) if written else -1
    while place >= 0:
        before = text[place - 1] if place > start else " "
        after = text[place + len(written)] if place + len(written) < end else " "
        if not (_joins(before, written[0]) or _joins(after, written[-1])):
            return place
        place = text.find(written, place + 1, end)
    return -1


def _joins(outside: str, inside: str) -> bool:
    return (outside.isalnum() or outside == "_") and (inside.isalnum() or inside == "_")
