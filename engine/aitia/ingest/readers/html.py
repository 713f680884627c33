"""HTML, by lxml's parser: the text that a reader sees, under its headings.

Script, style, navigation, hidden parts and what frames a page (header, footer and
aside outside its main part) are no content. The parser tells of each element as it
comes and no tree is built, so that large pages take little memory.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, cast

from aitia.ingest.content import Block, Content, Raw

_NO_CONTENT = frozenset(
    [
        "script",
        "style",
        "noscript",
        "template",
        "nav",
        "svg",
        "math",
        "canvas",
        "object",
        "embed",
        "iframe",
        "audio",
        "video",
        "select",
        "textarea",
        "button",
        "dialog",
    ]
)
_FRAME = frozenset(("header", "footer", "aside"))
_MAIN = frozenset(("main", "article"))
_BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "caption",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "li",
        "main",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "tbody",
        "tfoot",
        "thead",
        "tr",
        "ul",
    ]
)
_VOID = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    ]
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_SPACES = re.compile(r"[ \t\n\r\f]+")
_HIDDEN = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.I)
_DECLARATION = re.compile(r"\s*<\?xml[^>]*\?>")


def read(raw: Raw) -> Content:
    """Return the text of a page."""
    from lxml import etree

    page = _Page()
    parser = etree.HTMLParser(
        target=cast(Any, page), remove_comments=True, remove_pis=True, huge_tree=True
    )
    source = _DECLARATION.sub("", raw.text, count=1)
    for start in range(0, len(source), 1 << 20):
        parser.feed(source[start : start + (1 << 20)])
    parser.close()
    text, blocks = page.result()
    return Content(
        text, blocks, "html", version("lxml"), title=page.title or page.first
    )


@dataclass
class _Page:
    """Takes the elements of a page as they come and writes its text."""

    parts: list[str] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    title: str = ""
    first: str = ""
    length: int = 0
    _open: list[str] = field(default_factory=list)
    _skip: int = 0
    _line: list[str] = field(default_factory=list)
    _path: list[tuple[int, str]] = field(default_factory=list)
    _prefix: str = ""
    _tables: list[_Table] = field(default_factory=list)
    _pre: int = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element starts."""
        if tag in _VOID:
            if tag == "br" and not self._skip:
                self._line.append("\n")
            elif tag == "img" and not self._skip:
                self._line.append(attributes.get("alt", ""))
            elif tag in _BLOCKS:
                self._flush()
            return
        self._open.append(tag)
        if self._skip or self._is_no_content(tag, attributes):
            self._skip += 1
            return
        if tag in _BLOCKS:
            self._flush()
        if tag == "li":
            self._prefix = "- "
        self._pre += tag == "pre"
        if tag == "table":
            self._tables.append(_Table())
        if self._tables:
            self._tables[-1].start(tag)

    def end(self, tag: str) -> None:
        """An element ends."""
        if tag in _VOID or not self._open:
            return
        self._open.pop()
        if self._skip:
            self._skip -= 1
            return
        if tag == "title" and not self.title:
            self.title = _spaced("".join(self._line))
            self._line.clear()
        elif tag in _HEADINGS:
            self._heading(_HEADINGS[tag])
        elif self._tables and tag in ("td", "th"):
            self._tables[-1].cell(_spaced("".join(self._line)))
            self._line.clear()
        elif self._tables and tag == "tr":
            self._row(self._tables[-1])
        elif tag in _BLOCKS:
            self._flush()
        if tag == "table" and self._tables:
            self._tables.pop()
        self._pre -= tag == "pre"

    def data(self, text: str) -> None:
        """Some text comes."""
        if not self._skip:
            self._line.append(text if self._pre else _SPACES.sub(" ", text))

    def close(self) -> None:
        """The page ends."""
        self._flush()

    def result(self) -> tuple[str, list[Block]]:
        """Return the text and its blocks."""
        return "".join(self.parts), self.blocks

    def _is_no_content(self, tag: str, attributes: Mapping[str, str]) -> bool:
        if tag in _NO_CONTENT or "hidden" in attributes:
            return True
        if attributes.get("aria-hidden") == "true":
            return True
        if attributes.get("role") in ("navigation", "banner", "contentinfo"):
            return True
        if tag in _FRAME and not _MAIN & set(self._open):
            return True
        return bool(_HIDDEN.search(attributes.get("style", "")))

    def _heading(self, level: int) -> None:
        name = _spaced("".join(self._line))
        self._line.clear()
        if not name:
            return
        self._path = [item for item in self._path if item[0] < level]
        self._path.append((level, name))
        self.first = self.first or name
        self._write(name)

    def _row(self, table: _Table) -> None:
        cells, is_header = table.row()
        if any(cells):
            header = "" if is_header else table.header
            self._write(" | ".join(cells), header=header, whole=not is_header)

    def _flush(self) -> None:
        text = "".join(self._line)
        self._line.clear()
        if not self._pre:
            text = "\n".join(_spaced(line) for line in text.split("\n"))
        text = text.strip("\n") if self._pre else text.strip()
        if text.strip():
            prefix, self._prefix = self._prefix, ""
            self._write(prefix + text)

    def _write(self, text: str, *, header: str = "", whole: bool = False) -> None:
        names = [name for _, name in self._path] + ([header] if header else [])
        end = self.length + len(text)
        self.blocks.append(Block(self.length, end, " > ".join(names), whole=whole))
        self.parts += [text, "\n\n" if not whole else "\n"]
        self.length = end + len(self.parts[-1])


@dataclass
class _Table:
    """The rows of a table as they come; the first that is all th is its header."""

    header: str = ""
    _cells: list[str] = field(default_factory=list)
    _headings: int = 0
    _rows: int = 0

    def start(self, tag: str) -> None:
        self._headings += tag == "th"

    def cell(self, text: str) -> None:
        self._cells.append(text.replace("\n", " "))

    def row(self) -> tuple[list[str], bool]:
        """Return the cells of the row that ends, and whether it is the header."""
        cells, headings = self._cells, self._headings
        self._cells, self._headings = [], 0
        self._rows += 1
        is_header = self._rows == 1 and bool(cells) and headings == len(cells)
        if is_header:
            self.header = " | ".join(cells)
        return cells, is_header


def _spaced(text: str) -> str:
    return _SPACES.sub(" ", text).strip()


READERS = {"html": read}
