"""Cutting a question into its parts: sentences, and questions joined by "and"."""

from __future__ import annotations

import re
from typing import Final

_QUESTION_WORDS: Final = (
    r"what|which|who|whom|whose|when|where|why|how|is|are|was|were|do|does|did|has|have|"
    r"can|could|may|must|should|will|would|tell|list|show|give|count"
)
_CUT: Final = re.compile(
    rf"(?<=[?!;])\s+(?=\w)|(?<=[。？！；])\s*(?=\S)"
    rf"|\s*,?\s+(?:and|but)\s+(?:also\s+)?(?=(?:{_QUESTION_WORDS})\b)"
    rf"|(?<=[.])\s+(?=(?:{_QUESTION_WORDS})\b)",
    re.I,
)
_ASKS: Final = re.compile(rf"\b(?:{_QUESTION_WORDS})\b|[?？吗谁哪几何]|什么|多少", re.I)
PARTS: Final = 6
"""Parts of a question that are pursued; what comes after is the last part's."""


def cut(question: str) -> list[tuple[str, int]]:
    """Return the parts of a question with their offsets, in order.

    A piece that asks nothing by itself stays with its neighbour.
    """
    borders = [(0, 0), *(m.span() for m in _CUT.finditer(question))]
    borders = borders[:PARTS]
    found: list[tuple[str, int]] = []
    for at, (_, start) in enumerate(borders):
        end = borders[at + 1][0] if at + 1 < len(borders) else len(question)
        piece = question[start:end]
        lead = len(piece) - len(piece.lstrip(" ,;"))
        text = piece.strip(" ,;\n\t")
        if not text:
            continue
        if found and not (_ASKS.search(text) and _ASKS.search(found[-1][0])):
            _, offset = found.pop()
            found.append((question[offset : start + lead + len(text)], offset))
        else:
            found.append((text, start + lead))
    return found or [(question, 0)]
