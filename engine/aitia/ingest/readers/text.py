"""Plain text: paragraphs are what blank lines part; there are no headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import version

from aitia.ingest.content import Block, Content, Raw

_BLANK = re.compile(r"\n[^\S\n]*\n|\f")


def read(raw: Raw) -> Content:
    """Return the paragraphs of a text."""
    return Content(raw.text, paragraphs(raw.text), "text", version("aitia"))


def paragraphs(text: str) -> Iterator[Block]:
    """Yield what blank lines or form feeds part."""
    start = 0
    for found in _BLANK.finditer(text):
        if found.start() > start:
            yield Block(start, found.start())
        start = found.end()
    if start < len(text):
        yield Block(start, len(text))


READERS = {"text": read}
