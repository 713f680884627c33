"""Markdown, by markdown-it-py: headings give the path, table rows keep their header.

The text stays as it was written, marks and all, so that a quote is found in the
file. Front matter between `---` lines at the top is a block of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import TYPE_CHECKING

from aitia.ingest.content import Block, Content, Raw

if TYPE_CHECKING:
    from markdown_it.token import Token

_FRONT = re.compile(r"\ufeff?---\n.*?\n(?:---|\.\.\.)(?:\n|\Z)", re.DOTALL)
_SPACES = re.compile(r"\s+")


def read(raw: Raw) -> Content:
    """Return the blocks of a Markdown file under their headings."""
    from markdown_it import MarkdownIt

    front = _FRONT.match(raw.text)
    start = front.end() if front else 0
    # Inline marks are not parsed but in headings: only blocks are needed.
    parser = MarkdownIt("commonmark").enable("table").disable("inline")
    tokens = parser.parse(raw.text[start:])
    walk = _Walk(raw.text, _line_starts(raw.text, start))
    blocks = list(walk.blocks(tokens))
    if start:
        blocks.insert(0, Block(0, start))
    blocks = list(_without_gaps(raw.text, blocks))
    return Content(
        raw.text, blocks, "markdown", version("markdown-it-py"), title=walk.title
    )


def _without_gaps(text: str, blocks: list[Block]) -> Iterator[Block]:
    """Add what the parser makes no token of, such as link definitions."""
    last, heading = 0, ""
    for block in [*blocks, Block(len(text), len(text))]:
        if text[last : block.start].strip():
            yield Block(last, block.start, heading)
        yield block
        last, heading = max(last, block.end), block.heading


def _line_starts(text: str, start: int) -> list[int]:
    starts = [start]
    place = text.find("\n", start)
    while place >= 0:
        starts.append(place + 1)
        place = text.find("\n", place + 1)
    if starts[-1] != len(text):
        starts.append(len(text))
    return starts


@dataclass
class _Walk:
    text: str
    lines: list[int]
    path: list[tuple[int, str]] = field(default_factory=list)
    title: str = ""

    def blocks(self, tokens: list[Token]) -> Iterator[Block]:
        """Yield a block for each token of the top level, a table row by row."""
        header = ""
        for place, token in enumerate(tokens):
            if token.type == "heading_open":
                self._enter(int(token.tag[1]), tokens[place + 1].content)
            if token.type == "thead_open" and token.map:
                header = self._row(token.map[0])
                yield self._block(token.map[0], token.map[0] + 2)
            elif token.type == "tr_open" and token.map and header and token.level > 1:
                if tokens[place - 1].type != "thead_open":
                    yield self._block(*token.map, header=header, whole=True)
            elif token.type == "table_close":
                header = ""
            elif token.level == 0 and token.map and token.type != "table_open":
                yield self._block(*token.map)

    def _block(
        self, first: int, last: int, *, header: str = "", whole: bool = False
    ) -> Block:
        start = self.lines[min(first, len(self.lines) - 1)]
        end = self.lines[min(last, len(self.lines) - 1)]
        names = [name for _, name in self.path] + ([header] if header else [])
        return Block(start, end, " > ".join(names), whole=whole)

    def _enter(self, level: int, text: str) -> None:
        name = plain(text)
        while self.path and self.path[-1][0] >= level:
            self.path.pop()
        self.path.append((level, name))
        if level == 1 and not self.title:
            self.title = name

    def _row(self, line: int) -> str:
        row = self.text[self.lines[line] : self.lines[line + 1]]
        return " | ".join(cell.strip() for cell in row.strip().strip("|").split("|"))


def plain(text: str) -> str:
    """Return a heading's text without Markdown's marks, on one line."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"(\*\*|__|`|(?<!\w)[*_]|[*_](?!\w))", "", text)
    return _SPACES.sub(" ", text).strip()


READERS = {"markdown": read}
