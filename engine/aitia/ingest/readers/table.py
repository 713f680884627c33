"""CSV and TSV: each row becomes a resource and a passage that keeps its header."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import PurePath

from aitia.errors import ReadError
from aitia.ingest import values
from aitia.ingest.content import Block, Content, Raw
from aitia.ingest.records import Maker
from aitia.ingest.shape import Container, Finder, Object

_DELIMITERS = ",;\t|"
_SAMPLE_ROWS = 50


@dataclass(frozen=True, slots=True)
class Row:
    """A row with the place of its text."""

    cells: list[str]
    start: int
    end: int


def read(raw: Raw) -> Content:
    """Return the rows of a table."""
    delimiter = "\t" if raw.options.format == "tsv" else dialect(raw.text)
    found = rows(raw.text, delimiter)
    header = next(found, None)
    content = Content(raw.text, [], "csv", version("aitia"))
    if header is None:
        return content
    body = list(found)
    names, has_header = _names(header, body)
    if not has_header:
        body.insert(0, header)
        content.warnings.append("the first row is no header: columns are numbered")
    content.warnings.extend(_uneven(names, body))
    items = _items(names, body)
    shape = Finder(raw.options.key).of_values(_stem(raw.name), [items], top=True)
    assert shape is None or shape.records is not None
    if shape is None or shape.records is None:
        content.blocks = [Block(header.start, header.end)]
        return content
    _state(content, raw, shape.records, items, body, header if has_header else None)
    return content


def rows(text: str, delimiter: str) -> Iterator[Row]:
    """Yield the rows that hold anything, with the places of their text.

    Raises:
        ReadError: A quoted cell does not end.
    """
    lines = _Lines(text)
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
    """Return the delimiter that cuts the first rows most evenly; "," where none does."""
    best = (0.0, 0, ",")
    for delimiter in _DELIMITERS:
        widths = Counter[int]()
        for row, _ in zip(
            rows(text[:100_000], delimiter), range(_SAMPLE_ROWS), strict=False
        ):
            widths[len(row.cells)] += 1
        width, count = max(widths.items(), key=lambda item: item[1], default=(0, 0))
        if width > 1:
            best = max(best, (count / widths.total(), width, delimiter))
    return best[2]


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


def _stem(name: str) -> str:
    return PurePath(name).stem or name


def _names(header: Row, body: list[Row]) -> tuple[list[str], bool]:
    """Return the columns' names, and whether the first row states them."""
    cells = [cell.strip().lstrip("\ufeff") for cell in header.cells]
    while cells and not cells[-1]:
        cells.pop()
    stated = bool(cells) and len(set(cells)) == len(cells) and all(cells)
    if stated and all(values.column([cell]) is str for cell in cells):
        return cells, True
    return [f"column {number}" for number in range(1, len(header.cells) + 1)], False


def _uneven(names: list[str], body: list[Row]) -> Iterator[str]:
    longer = sum(len(row.cells) > len(names) for row in body)
    shorter = sum(len(row.cells) < len(names) for row in body)
    if longer:
        yield f"{longer} rows have more cells than the header; these are numbered"
    if shorter:
        yield f"{shorter} rows have fewer cells than the header"


def _items(names: list[str], body: list[Row]) -> list[Object]:
    width = max((len(row.cells) for row in body), default=0)
    names = names + [f"column {n}" for n in range(len(names) + 1, width + 1)]
    columns = [
        values.column(row.cells[n].strip() for row in body if n < len(row.cells))
        for n in range(len(names))
    ]
    return [
        {
            name: values.typed(cell.strip(), kind)
            for name, kind, cell in zip(names, columns, row.cells, strict=False)
            if cell.strip()
        }
        for row in body
    ]


def _state(
    content: Content,
    raw: Raw,
    container: Container,
    items: list[Object],
    body: list[Row],
    header: Row | None,
) -> None:
    maker = Maker(raw.document)
    title = " ".join(raw.text[header.start : header.end].split("\n")) if header else ""
    blocks = [Block(header.start, header.end)] if header else []
    for row, (key, item, iri) in zip(
        body, maker.members(container, items), strict=True
    ):
        maker.record(container, key, item, iri)
        blocks.append(Block(row.start, row.end, title, describes=iri, whole=True))
    content.blocks, content.facts = blocks, maker.facts


READERS = {"csv": read, "tsv": read}
