"""Cuts text into passages at sentence and heading borders.

The law, which a test holds: passages follow one another in order, do not overlap,
together hold every character that is no white space, and each is an exact slice of
the text. A passage aims at a number of characters; only a sentence longer than that
is cut inside, at a clause mark, else at a space, else between two characters that
a reader sees as two. The time is linear in the text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pyoxigraph import NamedNode

from aitia.ingest.content import Block

_WINDOW = 32_768
_CLAUSE = "\n;:,，、；：。！？!?…—"
_JOINERS = "\u200d\ufe0e\ufe0f\u20e3"
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Cut:
    """A passage to be: where it is in the text and what it stands under."""

    start: int
    end: int
    heading: str
    page: int | None
    describes: NamedNode | None


def cut(text: str, blocks: Iterable[Block], aim: int) -> Iterator[Cut]:
    """Yield the passages of `text`, in order.

    Args:
        text: The whole text.
        blocks: Its stretches, in order and without overlap.
        aim: Characters that a passage aims at.
    """
    group: list[Block] = []
    for block in blocks:
        if group and (block.whole or _place(block) != _place(group[0])):
            yield from _packed(text, group, aim)
            group = []
        group.append(block)
        if block.whole:
            yield from _whole(text, block, aim)
            group = []
    yield from _packed(text, group, aim)


def sentences(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the spans of the sentences in a stretch of text, white space trimmed."""
    from sentencex import get_sentence_boundaries

    while start < end:
        stop = _window_end(text, start, end)
        for found in get_sentence_boundaries("en", text[start:stop]):
            span = trimmed(
                text, start + found["start_index"], start + found["end_index"]
            )
            if span[0] < span[1]:
                yield span
        start = stop


def trimmed(text: str, start: int, end: int) -> Span:
    """Return the span without white space at its ends."""
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return start + left, max(start + left, start + len(piece.rstrip()))


def _place(block: Block) -> tuple[str, int | None, NamedNode | None]:
    return block.heading, block.page, block.describes


def _whole(text: str, block: Block, aim: int) -> Iterator[Cut]:
    start, end = trimmed(text, block.start, block.end)
    if end - start > 4 * aim:
        yield from _packed(text, [block], aim)
    elif start < end:
        yield Cut(start, end, *_place(block))


def _packed(text: str, group: list[Block], aim: int) -> Iterator[Cut]:
    """Fill passages with sentences, ending at a block's end where nearly full."""
    if not group:
        return
    place = _place(group[0])
    start = end = -1
    for block in group:
        if start >= 0 and end - start > aim * 6 // 10:
            size = block.end - block.start
            if end - start + size > aim:
                yield Cut(start, end, *place)
                start = -1
        for first, last in _units(text, block, aim):
            if start >= 0 and last - start > aim:
                yield Cut(start, end, *place)
                start = -1
            start, end = (first if start < 0 else start), last
    if start >= 0:
        yield Cut(start, end, *place)


def _units(text: str, block: Block, aim: int) -> Iterator[Span]:
    for start, end in sentences(text, block.start, block.end):
        while end - start > aim:
            middle = _break(text, start, start + aim)
            first = trimmed(text, start, middle)
            if first[0] < first[1]:
                yield first
            start, end = trimmed(text, middle, end)
        if start < end:
            yield start, end


def _break(text: str, start: int, end: int) -> int:
    """Return where to cut a sentence that is too long, after `start`."""
    floor = start + (end - start) // 2
    clause = max(text.rfind(mark, floor, end) for mark in _CLAUSE)
    if clause >= 0 and (clause + 1 >= len(text) or not _splits(text, clause + 1)):
        return clause + 1
    space = text.rfind(" ", floor, end)
    if space >= 0:
        return space + 1
    place = end
    while place > floor and _splits(text, place):
        place -= 1
    return place if place > floor else end


def _splits(text: str, place: int) -> bool:
    """Say whether a cut at `place` would part what is seen as one character."""
    if place >= len(text):
        return False
    after, before = text[place], text[place - 1]
    return (
        unicodedata.combining(after) > 0
        or after in _JOINERS
        or before == "\u200d"
        or "\U0001f3fb" <= after <= "\U0001f3ff"
        or (
            "\U0001f1e6" <= after <= "\U0001f1ff"
            and "\U0001f1e6" <= before <= "\U0001f1ff"
        )
        or unicodedata.category(after) in ("Mn", "Me", "Mc")
    )


def _window_end(text: str, start: int, end: int) -> int:
    """Return where to end a window: at a line, else a sentence, else a space."""
    stop = start + _WINDOW
    if stop >= end:
        return end
    for mark in ("\n", "。", ". ", " "):
        found = text.rfind(mark, start + _WINDOW // 2, stop)
        if found >= 0:
            return found + 1
    while _splits(text, stop):
        stop += 1
    return min(stop, end)
