"""DOCX, by python-docx: paragraphs under their headings, tables row by row."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import TYPE_CHECKING

from aitia.errors import ReadError
from aitia.ingest.content import Block, Content, Raw

if TYPE_CHECKING:
    from docx.table import Table
    from docx.text.paragraph import Paragraph

_HEADING = re.compile(r"heading (\d)", re.IGNORECASE)
_UNPACKED = 100
"""A file that unpacks to more than so many times its size, and more than
`_UNPACKED_MB`, is refused: it is made to exhaust memory."""
_UNPACKED_MB = 200


def read(raw: Raw) -> Content:
    """Return the text of a DOCX file.

    Raises:
        ReadError: It is damaged, protected, or a bomb.
    """
    from docx import Document
    from docx.opc.exceptions import PackageNotFoundError
    from lxml.etree import XMLSyntaxError

    try:
        _check_size(raw.data)
        found = Document(io.BytesIO(raw.data))
    except (zipfile.BadZipFile, PackageNotFoundError, KeyError) as error:
        raise ReadError(f"it is a damaged DOCX file: {error}") from error
    except XMLSyntaxError as error:
        raise ReadError(_of_xml(str(error.msg))) from error
    writer = _Writer()
    for item in found.iter_inner_content():
        writer.add(item)
    return Content(
        "".join(writer.parts),
        writer.blocks,
        "docx",
        version("python-docx"),
        title=found.core_properties.title or writer.title,
    )


def _of_xml(reason: str) -> str:
    """Return in words why the XML in a DOCX file cannot be read."""
    if "HUGE" in reason or "huge" in reason:
        deep = "depth" in reason.lower()
        what = "its parts are nested too deeply" if deep else "a text in it is too long"
        return f"{what} to be read"
    return f"it is a damaged DOCX file: {reason}"


def _check_size(data: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        size = sum(item.file_size for item in archive.infolist())
    if size > _UNPACKED_MB * 1_000_000 and size > _UNPACKED * len(data):
        raise ReadError(
            f"it unpacks to {size // 1_000_000} MB, {_UNPACKED} times its size"
        )


@dataclass
class _Writer:
    parts: list[str] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    title: str = ""
    _length: int = 0
    _path: list[tuple[int, str]] = field(default_factory=list)

    def add(self, item: Paragraph | Table) -> None:
        """Write a paragraph or a table."""
        from docx.table import Table

        if isinstance(item, Table):
            self._table(item)
        else:
            self._paragraph(item)

    def _paragraph(self, item: Paragraph) -> None:
        text = item.text.strip()
        if not text:
            return
        name = (item.style.name if item.style is not None else "") or ""
        if name.lower() == "title" and not self.title:
            self.title = text
        level = _HEADING.fullmatch(name)
        if level:
            self._path = [part for part in self._path if part[0] < int(level[1])]
            self._path.append((int(level[1]), " ".join(text.split())))
        self._write(("- " if name.lower().startswith("list") else "") + text)

    def _table(self, table: Table) -> None:
        header = ""
        for number, row in enumerate(table.rows):
            cells = list(_cells(row.cells))
            if number == 0:
                header = " | ".join(cells)
                self._write(header)
            elif any(cells):
                self._write(" | ".join(cells), header=header, whole=True)

    def _write(self, text: str, *, header: str = "", whole: bool = False) -> None:
        if not text.strip():
            return
        names = [name for _, name in self._path] + ([header] if header else [])
        end = self._length + len(text)
        self.blocks.append(Block(self._length, end, " > ".join(names), whole=whole))
        self.parts += [text, "\n" if whole else "\n\n"]
        self._length = end + len(self.parts[-1])


def _cells(cells: tuple[object, ...]) -> Iterator[str]:
    """Yield the texts of a row's cells; cells that are merged come once."""
    seen: list[object] = []
    for cell in cells:
        element = getattr(cell, "_tc", cell)
        if not any(element is other for other in seen):
            seen.append(element)
            yield " ".join(str(getattr(cell, "text", "")).split())


READERS = {"docx": read}
