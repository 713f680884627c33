"""Finds out what a file is, by what is in it first and by its name second."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from aitia.errors import ReadError, UsageError
from aitia.ingest.encoding import is_text


class NoReader(ReadError):
    """A file is of a kind that no reader reads."""


@dataclass(frozen=True)
class Format:
    """A format that can be read.

    Attributes:
        name: What it is called with `--format`.
        media_type: Its media type.
        extensions: How names of such files end.
        binary: It is no text.
        rdf: It holds RDF.
    """

    name: str
    media_type: str
    extensions: tuple[str, ...]
    binary: bool = False
    rdf: bool = False


FORMATS = {
    item.name: item
    for item in (
        Format("text", "text/plain", (".txt", ".text", ".log")),
        Format("markdown", "text/markdown", (".md", ".markdown", ".mkd")),
        Format("html", "text/html", (".html", ".htm", ".xhtml")),
        Format("pdf", "application/pdf", (".pdf",), binary=True),
        Format(
            "docx",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            (".docx",),
            binary=True,
        ),
        Format("csv", "text/csv", (".csv",)),
        Format("tsv", "text/tab-separated-values", (".tsv", ".tab")),
        Format("json", "application/json", (".json",)),
        Format("jsonl", "application/jsonl", (".jsonl", ".ndjson", ".jsonlines")),
        Format("turtle", "text/turtle", (".ttl", ".turtle"), rdf=True),
        Format("trig", "application/trig", (".trig",), rdf=True),
        Format("ntriples", "application/n-triples", (".nt",), rdf=True),
        Format("nquads", "application/n-quads", (".nq",), rdf=True),
        Format("rdfxml", "application/rdf+xml", (".rdf", ".owl"), rdf=True),
        Format("jsonld", "application/ld+json", (".jsonld",), rdf=True),
    )
}
_BY_EXTENSION = {end: item for item in FORMATS.values() for end in item.extensions}
_KNOWN_BINARY = (
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x7fELF", "a program"),
    (b"SQLite format 3", "an SQLite database"),
    (b"\xd0\xcf\x11\xe0", "an old Microsoft Office file (save it as DOCX or PDF)"),
    (b"{\\rtf", "an RTF file (save it as DOCX or PDF)"),
)
_IN_ZIP = (
    (b"xl/workbook", "an Excel workbook (save its sheets as CSV)"),
    (b"ppt/presentation", "a PowerPoint presentation (save it as PDF)"),
    (b"mimetypeapplication/vnd.oasis", "an OpenDocument file (save it as DOCX or PDF)"),
    (b"mimetypeapplication/epub", "an EPUB book"),
    (b"", "a ZIP archive"),
)
_XML_NAMES = (".xml", ".xsd", ".xsl", ".xslt", ".svg")
_PREFIX = re.compile(
    r"(?:\s|#[^\n]*\n)*(?:@prefix\s+[\w.-]*:\s*<|PREFIX\s+[\w.-]*:\s*<|@base\s*<|BASE\s*<)",
    re.IGNORECASE,
)
_GRAPH_BLOCK = re.compile(
    r"(?:^|[\s.}])(?:GRAPH\s+)?(?:<[^<>\s]*>|[\w.-]*:[\w.-]*)\s*\{", re.I
)
_LINE_TERM = r"(?:<[^<>\s\"{}|^`\\]*>|_:\S+)"
_NT_LINE = re.compile(
    rf"(?:\s|#[^\n]*\n)*{_LINE_TERM}[ \t]+<[^<>\s]*>[ \t]+"
    rf"(?:{_LINE_TERM}|\"(?:[^\"\\\n]|\\.)*\"(?:@[\w-]+|\^\^<[^<>\s]*>)?)"
    rf"[ \t]*({_LINE_TERM})?[ \t]*\."
)
_XML_ROOT = re.compile(
    r"\s*(?:<\?xml[^>]*\?>|<!--.*?-->|<!DOCTYPE(?:[^\[>]|\[.*?\])*>|\s)*<([\w.:-]+)([^>]*)>",
    re.DOTALL | re.IGNORECASE,
)
_RDF_NAMESPACE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_LD_KEY = re.compile(r'"@(?:context|graph|id|type)"\s*:')
_HTML_START = re.compile(
    r"\s*(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body)\b", re.I | re.S
)


def named(name: str) -> Format:
    """Return the format that the user named.

    Raises:
        UsageError: There is no such format.
    """
    try:
        return FORMATS[name]
    except KeyError:
        raise UsageError(
            f"There is no format {name!r}.", hint="Formats: " + ", ".join(FORMATS)
        ) from None


def by_magic(data: bytes) -> Format | None:
    """Return the binary format of a file, or None where it is text.

    Raises:
        NoReader: It is something binary that cannot be read.
    """
    if b"%PDF-" in data[:1024]:
        return FORMATS["pdf"]
    if data.startswith(b"PK\x03\x04") and b"word/" in data:
        return FORMATS["docx"]
    if data.startswith(b"PK\x03\x04"):
        kind = next(what for mark, what in _IN_ZIP if mark in data)
        raise NoReader(f"there is no reader for {kind}")
    for magic, what in _KNOWN_BINARY:
        if data.startswith(magic):
            raise NoReader(f"there is no reader for {what}")
    start = data[:60_000]
    if not is_text(start):
        if is_text(start.replace(b"\0", b"")):
            place = start.index(b"\0")
            raise NoReader(f"it is no text: it holds a NUL, the first at byte {place}")
        raise NoReader("there is no reader for it: it is neither text, PDF nor DOCX")
    return None


def by_text(text: str, name: str) -> Format:
    """Return the format of a text, by its content and then by its name.

    Raises:
        NoReader: It is XML of a kind that cannot be read.
    """
    hint = _BY_EXTENSION.get(PurePath(name).suffix.lower())
    is_xml = name.lower().endswith(_XML_NAMES)
    found = _from_content(text.lstrip("\ufeff"), hint, is_xml=is_xml)
    return found or hint or FORMATS["text"]


def _from_content(text: str, hint: Format | None, *, is_xml: bool) -> Format | None:
    start = text[:4096].lstrip()
    # Prose may hold anything; only what is no prose at all overrides its name.
    prose = hint is not None and hint.name in ("text", "markdown", "csv", "tsv")
    if start.startswith("<"):
        return _angle(text, hint, prose=prose, is_xml=is_xml)
    if start[:1] in ("{", "["):
        return _bracket(text, hint, prose=prose)
    if _PREFIX.match(text[:65_536]) and not prose:
        return _turtle(text, hint)
    if hint is not None and hint.rdf and hint.name in ("rdfxml", "jsonld"):
        return FORMATS["turtle"] if ":" in start else None
    if hint is None and start.startswith("_:") and _NT_LINE.match(text[:65_536]):
        return _lines(text)
    return None


def _angle(
    text: str, hint: Format | None, *, prose: bool, is_xml: bool
) -> Format | None:
    if _HTML_START.match(text[:65_536]):
        return FORMATS["html"]
    if _NT_LINE.match(text[:65_536]):
        if hint is not None and hint.name in ("turtle", "trig", "ntriples", "nquads"):
            return hint
        return None if prose else _lines(text)
    root = _XML_ROOT.match(text[:65_536])
    if root and (
        root[1].endswith(":RDF") or root[1] == "RDF" or _RDF_NAMESPACE in root[2]
    ):
        return FORMATS["rdfxml"]
    if text[:100].lstrip().startswith("<?xml") or is_xml:
        if root and root[1].lower().endswith("html"):
            return FORMATS["html"]
        what = f" (its root is <{root[1]}>)" if root else ""
        raise NoReader(f"there is no reader for XML other than XHTML and RDF/XML{what}")
    return None


def _bracket(text: str, hint: Format | None, *, prose: bool) -> Format | None:
    if hint is not None and hint.name in ("turtle", "trig", "jsonl", "jsonld"):
        return hint
    try:
        _, end = json.JSONDecoder(parse_int=str).raw_decode(text.lstrip())
    except (ValueError, RecursionError):
        return None
    rest = text.lstrip()[end:].strip()
    if rest:
        return FORMATS["jsonl"] if rest[0] in "{[" and not prose else None
    if _LD_KEY.search(text[:65_536]) and _is_jsonld(text):
        return FORMATS["jsonld"]
    return FORMATS["json"]


def _is_jsonld(text: str) -> bool:
    """Say whether the keywords of JSON-LD stand in an object near the top.

    One whose context is at another address can be read as JSON only.
    """
    value = json.loads(text, parse_int=str)
    tops = value[:20] if isinstance(value, list) else [value]
    return any(
        isinstance(top, dict) and {"@context", "@graph", "@id", "@type"} & set(top)
        for top in tops
    ) and not any(isinstance(top, dict) and has_remote_context(top) for top in tops)


def has_remote_context(top: dict[str, Any]) -> bool:
    """Say whether a JSON-LD object has a context that would have to be fetched."""
    context = top.get("@context")
    parts = context if isinstance(context, list) else [context]
    return any(isinstance(part, str) for part in parts)


def _turtle(text: str, hint: Format | None) -> Format:
    if hint is not None and hint.name in ("turtle", "trig"):
        return hint
    return FORMATS["trig"] if _GRAPH_BLOCK.search(text) else FORMATS["turtle"]


def _lines(text: str) -> Format:
    found = _NT_LINE.match(text)
    return FORMATS["nquads"] if found and found[1] else FORMATS["ntriples"]
