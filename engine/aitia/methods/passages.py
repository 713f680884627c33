"""Passages as methods hand them on: found, ranked, and cut into sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from aitia.methods.base import Outcome
from aitia.methods.words import is_stop
from aitia.model import Hit, PassageRecord

_LETTER_END: Final = re.compile(r"\b(?P<word>\w+) [A-Z]\.\s+(?=[A-Z])")
_MARK: Final = re.compile(r"\s*(?:[-*+•|>]\s|\d+[.)]\s|\|)")
_EDGE: Final = re.compile(r"^(?:\s|[-*+•>|]\s|\d+[.)]\s|#+\s)+")


@dataclass(frozen=True)
class Hits(Outcome):
    """Passages, best first."""

    hits: tuple[Hit, ...] = field(default=())

    def told(self) -> dict[str, Any]:
        """Return what the record keeps: which passages, with their scores."""
        return {
            "hits": [
                {"passage": hit.passage.iri, "score": hit.score, "rank": hit.rank}
                for hit in self.hits
            ],
            "summary": self.summary,
            "failure": self.failure,
        }


@dataclass(frozen=True)
class Piece:
    """A sentence of a passage, with its place in the document's stored text.

    Attributes:
        passage: The passage.
        text: The exact words.
        start: Offset of the first character in the document's stored text.
        end: Offset after the last character.
        before: The sentence before it in the passage, or "".
    """

    passage: PassageRecord
    text: str
    start: int
    end: int
    before: str = ""


def pieces(passage: PassageRecord) -> Iterator[Piece]:
    """Return the sentences of a passage; headings and list marks are left out."""
    headings = {*passage.heading.split(" > "), passage.title}
    before = ""
    for start, end in _blocks(passage.text, headings):
        at = start
        for sentence in _sentences(passage.text[start:end]):
            mark = _EDGE.match(sentence)
            begin = at + (mark.end() if mark else 0)
            at += len(sentence)
            text = passage.text[begin:at].rstrip()
            if text and text not in headings:
                place = passage.start + begin
                yield Piece(passage, text, place, place + len(text), before)
                before = text


def _blocks(text: str, headings: set[str]) -> Iterator[tuple[int, int]]:
    """Return where the blocks of a text stand: paragraphs, list items, table rows.

    A line break alone is no border: lines of a paragraph may be wrapped.
    """
    start = at = 0
    apart = False
    for line in text.splitlines(keepends=True):
        bare = line.strip()
        heading = bare.startswith("#") or bare in headings
        if (apart or heading or not bare or _MARK.match(line)) and at > start:
            yield start, at
            start = at
        at += len(line)
        apart = heading or not bare
        if heading:
            start = at
    if at > start:
        yield start, at


def _sentences(line: str) -> list[str]:
    from sentencex import segment

    language = "zh" if re.search("[\u4e00-\u9fff]", line) else "en"
    return [piece for part in segment(language, line) for piece in _labelled(part)]


def _labelled(text: str) -> list[str]:
    """Cut where a sentence ends in a one-letter name, as in "tank B. Tank B …".

    A splitter takes such a letter for an initial. It is one after a capital or a
    function word ("George W. Bush", "by J. Smith"), and a name after any other word.
    """
    cuts = [
        match.end()
        for match in _LETTER_END.finditer(text)
        if match["word"].islower() and not is_stop(match["word"])
    ]
    borders = [0, *cuts, len(text)]
    return [text[start:end] for start, end in pairwise(borders)]
