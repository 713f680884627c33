"""CSV and TSV with the places where rows and cells stand in the text."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from aitia.errors import ReadError

_DELIMITERS = ",;\t|"
_SAMPLE_ROWS = 50
_SAMPLE_CHARS = 100_000


@dataclass(frozen=True, slots=True)
class Row:
    """A row with the place of its text."""

    cells: list[str]
    start: int
    end: int


def rows(text: str, delimiter: str) -> Iterator[Row]:
    """Yield the rows that hold anything, with the places of their text.

    Raises:
        ReadError: A cell is longer than can be read.
    """
    lines = _Lines(text)
    csv.field_size_limit(1 << 30)
    reader = csv.reader(lines, delimiter=delimiter, strict=False)
    start = 0
    try:
        for cells in reader:
            end = lines.place
            if any(cell.strip() for cell in cells):
                yield Row(cells, start, end - text.endswith("\n", start, end))
            start = end
    except csv.Error as error:
        raise ReadError(f"it is no CSV: {error}, at line {reader.line_num}") from error


def dialect(text: str) -> str:
    """Return the delimiter that cuts the first rows most evenly, else ","."""
    best = (0.0, 0, ",")
    for delimiter in _DELIMITERS:
        widths = Counter[int]()
        found = rows(text[:_SAMPLE_CHARS], delimiter)
        for row, _ in zip(found, range(_SAMPLE_ROWS), strict=False):
            widths[len(row.cells)] += 1
        width, count = max(
            widths.items(), key=lambda item: (item[1], item[0]), default=(0, 0)
        )
        if width > 1:
            best = max(best, (count / widths.total(), width, delimiter))
    return best[2]


def unclosed(text: str, row: Row, delimiter: str) -> int | None:
    """Return where the quote opens that a file's last row does not close, or None.

    Args:
        text: The file.
        row: Its last row.
        delimiter: What parts its cells.
    """
    # A line that follows it becomes a row of its own, unless it is still in a cell.
    lines = [*_Lines(text[row.start : row.end]), "\n", "x\n"]
    found = [cells for cells in csv.reader(lines, delimiter=delimiter) if cells]
    if len(found) > 1:
        return None
    *_, (place, _) = cells(text, row.start, row.end, delimiter)
    return max(place - 1, row.start)


def runs_on(text: str, row: Row, delimiter: str) -> bool:
    """Say whether a row of several lines has text behind a closing quote.

    Most likely a quote was not closed, and the one that opens a later cell closed it.
    """
    if text.find("\n", row.start, row.end) < 0:
        return False
    lines = _Lines(text[row.start : row.end])
    try:
        return not list(csv.reader(lines, delimiter=delimiter, strict=True))
    except csv.Error:
        return True


def cells(text: str, start: int, end: int, delimiter: str) -> Iterator[tuple[int, int]]:
    """Yield the places of the cells of a row, without their quotes and blanks."""
    place = start
    while place <= end:
        quoted = text[place:end].lstrip(" ")[:1] == '"'
        first = place + len(text[place:end]) - len(text[place:end].lstrip(" "))
        if quoted:
            last = _quote_end(text, first + 1, end)
            yield first + 1, last
            stop = text.find(delimiter, last, end)
        else:
            stop = text.find(delimiter, place, end)
            piece = text[first : end if stop < 0 else stop]
            yield first, first + len(piece.rstrip())
        if stop < 0:
            return
        place = stop + 1


def _quote_end(text: str, place: int, end: int) -> int:
    while True:
        found = text.find('"', place, end)
        if found < 0:
            return end
        if not text.startswith('""', found):
            return found
        place = found + 2


class _Lines:
    """The lines of a text, telling how far it was read."""

    def __init__(self, text: str) -> None:
        self.text, self.place = text, 0

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        if self.place >= len(self.text):
            raise StopIteration
        start, end = self.place, self.text.find("\n", self.place) + 1
        self.place = end or len(self.text)
        return self.text[start : self.place]
