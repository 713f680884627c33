"""Cutting a question into its parts: sentences, and questions joined by "and".

"What is the status of A and the total of B?" asks two things as well: where both sides
of "and" say what is asked and of what, the second is asked with the words that the
first begins with, whatever the order of the two.
"""

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
_LEAD: Final = re.compile(
    r"\s*(?:(?:please\s+)?tell me|(?:what|which|who|when|where)\s+(?:is|are|was|were))\s+"
    r"(?=the\b)",
    re.I,
)
_OF: Final = r"the\s+(?:(?!and\b)[\w'’-]+\s+){1,4}?(?:of|for|at|in)\s+"
_BESIDE: Final = re.compile(rf"\s*,?\s+and\s+(?={_OF}\S)", re.I)
_FULL: Final = re.compile(rf"{_OF}\S.*", re.I | re.S)
_TOGETHER: Final = re.compile(
    r"\b(?:differences?|between|both|same|sum|average|mean|combined|altogether|compared?|"
    r"total\s+(?:of\s+)?(?:all|the))\b",
    re.I,
)
"""What is asked of both sides at once."""
PARTS: Final = 6
"""Parts of a question that are pursued; what comes after is the last part's."""


def cut(question: str) -> list[tuple[str, int]]:
    """Return the parts of a question with their offsets, in order.

    A piece that asks nothing by itself stays with its neighbour.
    """
    return [piece for part in _cut(question) for piece in _beside(*part)][:PARTS]


def _beside(text: str, start: int) -> list[tuple[str, int]]:
    """Return the things that one part asks for side by side, each as a question.

    The offset of one that the lead is put before is what makes its own words stand
    where they stand in the question.
    """
    lead, cut = _LEAD.match(text), _BESIDE.search(text)
    if lead is None or cut is None or _TOGETHER.search(text):
        return [(text, start)]
    first, rest = text[: cut.start()], text[cut.end() :]
    if not _FULL.fullmatch(first[lead.end() :]):
        return [(text, start)]
    words = lead.group().lstrip()
    again = _beside(f"{words}{rest}", start + cut.end() - len(words))
    return [(first, start), *again]


def _cut(question: str) -> list[tuple[str, int]]:
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
