"""Puts results on a terminal: aligned, and without letting text act there."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any, Final

from aitia.plain import clean, quoted, short

__all__ = ["as_json", "clean", "columns", "quoted", "short", "width"]


def columns(rows: Iterable[Sequence[str]], *, head: Sequence[str] = ()) -> list[str]:
    """Return rows as lines of aligned columns; the last column is never padded."""
    table = [[clean(cell) for cell in row] for row in ([head] if head else [])]
    table += [[clean(cell) for cell in row] for row in rows]
    if not table:
        return []
    widths = [max(map(width, column)) for column in zip(*table, strict=True)]
    return [
        "  ".join(
            cell + " " * (wide - width(cell))
            for cell, wide in zip(row, widths, strict=True)
        ).rstrip()
        for row in table
    ]


def width(text: str) -> int:
    """Return how many columns `text` takes on a terminal: wide characters take two."""
    return sum(_width(character) for character in text)


def _width(character: str) -> int:
    if unicodedata.combining(character) or character in "\u200c\u200d":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def as_json(value: Any) -> str:
    """Return `value` as indented JSON; characters stay as they are but for controls."""
    import json

    return json.dumps(value, ensure_ascii=False, indent=2).translate(_JSON_ESCAPES)


_JSON_ESCAPES: Final = {
    code: f"\\u{code:04x}"
    for code in (
        0x7F,
        *range(0x80, 0xA0),
        *range(0x200E, 0x2010),
        *range(0x2028, 0x202F),
        *range(0x2066, 0x206A),
    )
}
"""JSON leaves these raw, and a terminal may obey them."""
