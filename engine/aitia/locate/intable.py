"""A fact's words in a table."""

from __future__ import annotations

from aitia.locate.tabletext import cells, dialect, rows
from aitia.locate.target import Target


def find(
    text: str, start: int, end: int, target: Target, delimiter: str
) -> tuple[int, int, int, int] | None:
    """Return the place of a cell's words and of its row.

    Args:
        text: The document's text.
        start: Where the row starts.
        end: Where it ends.
        target: What is looked for.
        delimiter: What parts the cells, or "" to find out.
    """
    if target.is_type:
        return (start, end, start, end)
    delimiter = delimiter or dialect(text)
    places = list(cells(text, start, end, delimiter))
    column = _column(text, target.field, delimiter)
    order = places if column < 0 else places[column : column + 1]
    for first, last in order:
        if last > first and target.fits(text[first:last].replace('""', '"')):
            return (first, last, start, end)
    return None


def _column(text: str, name: str, delimiter: str) -> int:
    """Return the number of a column from 0; -1 for a fact that has no column."""
    if name.startswith("column ") and name[7:].isdigit():
        return int(name[7:]) - 1
    header = next(rows(text, delimiter), None)
    names = [cell.strip().lstrip("\ufeff") for cell in header.cells] if header else []
    return names.index(name) if name in names else -1
