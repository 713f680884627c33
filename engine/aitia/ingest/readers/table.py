"""CSV and TSV: each row becomes a resource and a passage that keeps its header."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from pathlib import PurePath

from pyoxigraph import NamedNode

from aitia.errors import ReadError
from aitia.ingest import values
from aitia.ingest.content import Block, Content, Raw
from aitia.ingest.mapped import map_facts
from aitia.ingest.records import Maker
from aitia.ingest.shape import Container, Finder, Object, no_such_key
from aitia.locate.tabletext import Row, dialect, rows, runs_on, unclosed


def read(raw: Raw) -> Content:
    """Return the rows of a table."""
    delimiter = "\t" if raw.options.format == "tsv" else dialect(raw.text)
    found = rows(raw.text, delimiter)
    header = next(found, None)
    content = Content(raw.text, [], "csv", version("aitia"))
    if header is None:
        return content
    body = list(found)
    _check_closed(raw.text, (body or [header])[-1], delimiter)
    names, has_header = _names(header, body)
    if not has_header:
        body.insert(0, header)
        content.warnings.append("the first row is no header: columns are numbered")
    content.warnings.extend(_run_on(raw.text, body, delimiter))
    content.warnings.extend(_uneven(names, body))
    items = _items(names, body)
    if raw.options.key not in ("", *names):
        content.warnings.append(no_such_key(raw.options.key))
    shape = Finder(raw.options.key).of_values(_stem(raw.name), [items], top=True)
    assert shape is None or shape.records is not None
    if shape is None or shape.records is None:
        content.blocks = [Block(header.start, header.end)]
        return content
    _state(content, raw, shape.records, items, body, header if has_header else None)
    return content


def _check_closed(text: str, last: Row, delimiter: str) -> None:
    """Refuse a table whose last cell is not closed: rows may be lost in it."""
    place = unclosed(text, last, delimiter)
    if place is None:
        return
    first, end = (text.count("\n", 0, where) + 1 for where in (place, last.end))
    more = f", so that lines {first} to {end} are one cell" if end > first else ""
    raise ReadError(
        f"it is no CSV: the quote that opens at line {first} is never closed{more}",
        hint='Close it, or write "" for a quote at the start of a cell.',
    )


def _run_on(text: str, body: list[Row], delimiter: str) -> Iterator[str]:
    found = [row for row in body if runs_on(text, row, delimiter)]
    if found:
        first, last = (
            text.count("\n", 0, n) + 1 for n in (found[0].start, found[0].end)
        )
        others = f", and so in {len(found) - 1:,} more places" if found[1:] else ""
        yield (
            f"lines {first} to {last} were read as one row, with text behind a closing"
            f" quote{others}: a quote may be missing"
        )


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
        yield f"{_have(longer)} more cells than the header; these are numbered"
    if shorter:
        yield f"{_have(shorter)} fewer cells than the header"


def _have(rows: int) -> str:
    return "1 row has" if rows == 1 else f"{rows:,} rows have"


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
    members = list(maker.members(container, items))
    renamed = dict[NamedNode, NamedNode]()
    if raw.options.context is not None:
        renamed = map_facts(content, raw, [(iri, item) for _, item, iri in members])
    else:
        content.facts = maker.facts
        for key, item, iri in members:
            maker.record(container, key, item, iri)
    title = " ".join(raw.text[header.start : header.end].split("\n")) if header else ""
    blocks = [Block(header.start, header.end)] if header else []
    for row, (_, _, iri) in zip(body, members, strict=True):
        about = renamed.get(iri, iri)
        blocks.append(Block(row.start, row.end, title, describes=about, whole=True))
    content.blocks = blocks


READERS = {"csv": read, "tsv": read}
