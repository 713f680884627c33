"""An answer in prose, cut into sentences with the sources that they cite."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from aitia.plain import clean

_MARK: Final = re.compile(r"\s*[\[【]\s*(\d{1,4}(?:\s*[,;，、]\s*\d{1,4})*)\s*[\]】]")
_LIST: Final = re.compile(r"^\s*(?:[-*+•>]|#+|\d{1,3}[.)])\s+")
_FENCE: Final = re.compile(r"^\s*```")


@dataclass(frozen=True)
class Written:
    """A sentence as a model wrote it.

    Attributes:
        text: Its words, without marks of sources.
        cites: The numbers of the sources that it cites, in order.
    """

    text: str
    cites: tuple[int, ...]


def sentences(text: str) -> list[Written]:
    """Return the sentences of a prose answer; marks such as `[2]` are citations.

    A mark stands in its sentence or right after it.
    """
    found: list[Written] = []
    for line in clean(text, lines=True).splitlines():
        if _FENCE.match(line):
            continue
        for piece in _pieces(_LIST.sub("", line)):
            marks = [int(n) for m in _MARK.finditer(piece) for n in _numbers(m)]
            words = " ".join(_MARK.sub("", piece).split()).replace(" .", ".")
            if any(char.isalnum() for char in words):
                found.append(Written(words, tuple(dict.fromkeys(marks))))
            elif found and marks:
                last = found.pop()
                cites = dict.fromkeys([*last.cites, *marks])
                found.append(Written(last.text, tuple(cites)))
    return found


def _pieces(line: str) -> Iterator[str]:
    """Yield the sentences of a line; a mark after the end mark stays with its own."""
    from sentencex import segment

    language = "zh" if re.search("[\u4e00-\u9fff]", line) else "en"
    for piece in segment(language, line):
        lead = re.match(rf"(?:{_MARK.pattern})+", piece)
        if lead:
            yield lead.group()
            piece = piece[lead.end() :]
        if piece.strip():
            yield piece


def _numbers(mark: re.Match[str]) -> list[str]:
    return re.findall(r"\d+", mark.group(1))
