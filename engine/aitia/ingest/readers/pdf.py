"""PDF, by pypdfium2: the text layer, page by page, under the outline's headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import version
from typing import TYPE_CHECKING

from aitia.errors import ReadError
from aitia.ingest.content import Block, Content, Raw
from aitia.ingest.readers.text import paragraphs

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

_LONE = re.compile("[\ud800-\udfff]")
_NO_TEXT = {"\x00": " ", "\ufffe": "-", "\x02": "-"}
_BETWEEN = "\n\n"


def read(raw: Raw) -> Content:
    """Return the text of a PDF.

    Raises:
        ReadError: It is damaged or needs a password.
    """
    from pypdfium2 import PdfDocument, PdfiumError

    try:
        document = PdfDocument(raw.data)
    except PdfiumError as error:
        if "password" in str(error).lower():
            raise ReadError("it needs a password") from error
        raise ReadError(f"it is a damaged PDF: {error}") from error
    try:
        return _content(document)
    except PdfiumError as error:
        raise ReadError(f"it is a damaged PDF: {error}") from error
    finally:
        document.close()


def _content(document: PdfDocument) -> Content:
    texts = [_page(document, number) for number in range(len(document))]
    headings = _outline(document)
    content = Content(
        _BETWEEN.join(texts),
        _blocks(texts, headings),
        "pdf",
        version("pypdfium2"),
        title=str(document.get_metadata_value("Title") or ""),
        pages=len(texts),
    )
    content.warnings.extend(_missing(texts))
    return content


def _page(document: PdfDocument, number: int) -> str:
    page = document[number]
    layer = page.get_textpage()
    try:
        text = layer.get_text_range()
    finally:
        layer.close()
        page.close()
    for char, instead in _NO_TEXT.items():
        text = text.replace(char, instead)
    return _LONE.sub("\ufffd", text).replace("\r\n", "\n").replace("\r", "\n")


def _blocks(texts: list[str], headings: dict[int, str]) -> Iterator[Block]:
    start, heading = 0, ""
    for number, text in enumerate(texts, 1):
        heading = headings.get(number, heading)
        for block in paragraphs(text):
            yield Block(start + block.start, start + block.end, heading, number)
        start += len(text) + len(_BETWEEN)


def _outline(document: PdfDocument) -> dict[int, str]:
    """Return page → the headings under which it starts, by the outline."""
    found: dict[int, str] = {}
    path: list[str] = []
    for entry in document.get_toc(max_depth=6):
        path = [*path[: entry.level], " ".join(entry.get_title().split())]
        target = entry.get_dest()
        index = target.get_index() if target is not None else None
        if index is not None and path[-1]:
            found.setdefault(index + 1, " > ".join(name for name in path if name))
    return found


def _missing(texts: list[str]) -> Iterator[str]:
    empty = [number for number, text in enumerate(texts, 1) if not text.strip()]
    pages = f"{len(texts)} page{'' if len(texts) == 1 else 's'}"
    if len(empty) == len(texts):
        yield f"{pages}, 0 characters: no text layer (a scan needs OCR first)"
    elif empty:
        names = ", ".join(map(str, empty[:10])) + (", …" if len(empty) > 10 else "")
        yield f"{len(empty)} of {pages} have no text layer: {names}"


READERS = {"pdf": read}
