"""How many tokens a text has, where the model's own tokenizer is not at hand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

PER_MESSAGE: Final = 4
"""Tokens that mark where a message begins and ends, and who speaks."""

_PIECES: Final = re.compile(
    r"[A-Za-z]{1,6}|[0-9]{1,3}|[!-/:-@\[-`{-~]{1,2}|[^\sA-Za-z0-9]"
)


def estimate(text: str) -> int:
    """Return about how many tokens a text has, rather too many than too few.

    Counted are runs of at most six Latin letters, of three digits, of two marks of
    ASCII, and every other character that is no white space: pieces that the byte-pair
    vocabularies of today seldom cut further.
    """
    return len(_PIECES.findall(text))


def of_messages(messages: Iterable[Mapping[str, Any]]) -> int:
    """Return about how many tokens a prompt has."""
    return sum(PER_MESSAGE + estimate(str(item["content"])) for item in messages)
