"""One reader per format; each is loaded when a file of its format comes."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from aitia.ingest.content import Reader
from aitia.ingest.sniff import Format

_MODULES = {
    "text": "text",
    "markdown": "markdown",
    "html": "html",
    "pdf": "pdf",
    "docx": "docx",
    "csv": "table",
    "tsv": "table",
    "json": "jsonrecords",
    "jsonl": "jsonrecords",
}


def reader(found: Format) -> Reader:
    """Return the reader of a format."""
    module = "rdf" if found.rdf else _MODULES[found.name]
    loaded = import_module(f"aitia.ingest.readers.{module}")
    return cast(Reader, loaded.READERS[found.name])
