"""Text of any origin, made safe to show: it may say anything and do nothing."""

from __future__ import annotations

import unicodedata
from typing import Final

_BREAKS: Final = {"\n", "\r", "\t", "\x0b", "\x0c", "\x85", "\u2028", "\u2029"}
_ESCAPED: Final = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
_KEPT: Final = {"\u200c", "\u200d"}
"""Joiners, which Persian, Hindi and emoji need."""


def clean(text: str, *, lines: bool = False) -> str:
    r"""Return `text` with what could steer a terminal made visible.

    Control characters, terminal escapes, marks that turn the writing direction and
    lone surrogates become `\x1b`, `\u202e` and so on; line breaks and tabs become
    a space.

    Args:
        text: Text of any origin.
        lines: Keep line breaks and tabs as they are.
    """
    return "".join(_clean(character, lines) for character in text)


def _clean(character: str, lines: bool) -> str:
    if character == "\n" or (character == "\t" and lines):
        return character if lines else " "
    if character in _BREAKS:
        return " "
    if character in _KEPT or unicodedata.category(character) not in _ESCAPED:
        return character
    return character.encode("unicode_escape").decode("ascii")


def short(text: str, width: int) -> str:
    """Return `text` cleaned and cut to at most `width` characters."""
    whole = clean(text[: width + 1])
    return whole if len(whole) <= width else whole[: max(width - 1, 0)] + "…"


def clipped(text: str, width: int) -> str:
    """Return `text` cleaned, on one line, cut after a word to at most `width`."""
    whole = " ".join(clean(text).split())
    if len(whole) <= width:
        return whole
    head = whole[: width - 1]
    return (head if whole[width - 1] == " " else head.rpartition(" ")[0] or head) + "…"


def quoted(text: str, width: int = 160) -> str:
    """Return `text` cleaned, cut and in quotation marks; "" stays empty."""
    return f"“{short(text, width)}”" if text else ""
