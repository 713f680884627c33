"""The quads of a document in the catalog: itself, its reading, its passages."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.ingest.content import Options
from aitia.ingest.passages import Cut
from aitia.vocab import AITIA, DCTERMS, PROV, RDF, RDFS

CATALOG = terms.GRAPH_CATALOG
_HEADING_CHARS = 500


@dataclass
class Reading:
    """The reading of one file.

    Attributes:
        iri: Its IRI.
        location: What was read.
        agent: Who asked for it.
        started: When it started.
        ended: When it ended.
        reader: Name of the reader, or "".
        version: Version of the package that read, or "".
        options: How it was asked to be read, as JSON, or "".
        warnings: What a person should know about it.
        error: Why it failed, or "".
    """

    iri: NamedNode
    location: str
    agent: NamedNode
    started: datetime
    ended: datetime
    reader: str = ""
    version: str = ""
    options: str = ""
    warnings: Sequence[str] = ()
    error: str = ""


@dataclass
class Record:
    """What is stated of a document.

    Attributes:
        iri: Its IRI.
        title: Its title.
        path: Its path as given.
        location: Its address.
        content_hash: SHA-256 of its bytes as kept.
        text_hash: Name of the blob of its text.
        media_type: Its media type.
        byte_length: How many bytes it has.
        char_length: How many characters its text has.
        encoding: What its text was read by, or "".
        guessed: That was a guess.
        pages: How many pages it has, or None.
        redactions: How many secrets were masked.
        rewritten: How many literals the store rewrote, or None where it holds no RDF.
        facts: How many quads it brought, or None where it holds no records.
        original_kept: Its bytes are kept.
        graphs: Named graphs that it fills.
        revision_of: The version before, or None.
        same_as: Other documents with the same bytes.
    """

    iri: NamedNode
    title: str
    path: str
    location: str
    content_hash: str
    text_hash: str
    media_type: str
    byte_length: int
    char_length: int
    encoding: str = ""
    guessed: bool = False
    pages: int | None = None
    redactions: int = 0
    rewritten: int | None = None
    facts: int | None = None
    original_kept: bool = True
    graphs: Iterable[NamedNode] = ()
    revision_of: NamedNode | None = None
    same_as: Sequence[NamedNode] = field(default_factory=list)


def agent(iri: NamedNode, name: str) -> Iterator[Quad]:
    """Yield what puts an agent on record."""
    yield Quad(iri, RDF.type, AITIA.Person, CATALOG)
    yield Quad(iri, RDFS.label, terms.string(name), CATALOG)


def reading(made: Reading) -> Iterator[Quad]:
    """Yield the quads of a reading."""
    state = AITIA.failed if made.error else AITIA.succeeded
    values: list[tuple[NamedNode, NamedNode | Literal]] = [
        (RDF.type, AITIA.Reading),
        (AITIA.status, state),
        (AITIA.location, terms.any_uri(made.location)),
        (PROV.startedAtTime, terms.time(made.started)),
        (PROV.endedAtTime, terms.time(made.ended)),
        (PROV.wasAssociatedWith, made.agent),
        *((AITIA.warning, terms.string(text)) for text in made.warnings),
    ]
    for predicate, text in (
        (AITIA.reader, made.reader),
        (AITIA.readerVersion, made.version),
        (AITIA.readingOptions, made.options),
        (AITIA.error, made.error),
    ):
        if text:
            values.append((predicate, terms.string(text)))
    for predicate, value in values:
        yield Quad(made.iri, predicate, value, CATALOG)


def document(record: Record, reading_iri: NamedNode, when: datetime) -> Iterator[Quad]:
    """Yield the quads of a document that is taken in."""
    values: list[tuple[NamedNode, NamedNode | Literal]] = [
        (RDF.type, AITIA.Document),
        (DCTERMS.title, terms.string(record.title)),
        (AITIA.path, terms.string(record.path)),
        (AITIA.location, terms.any_uri(record.location)),
        (AITIA.contentHash, terms.string(record.content_hash)),
        (AITIA.textHash, terms.string(record.text_hash)),
        (DCTERMS.format, terms.string(record.media_type)),
        (AITIA.byteLength, terms.integer(record.byte_length)),
        (AITIA.charLength, terms.integer(record.char_length)),
        (PROV.generatedAtTime, terms.time(when)),
        (PROV.wasGeneratedBy, reading_iri),
        (AITIA.documentState, AITIA.live),
        *((AITIA.containsGraph, graph) for graph in record.graphs),
        *((AITIA.sameContentAs, other) for other in record.same_as),
        *_optional(record),
    ]
    for predicate, value in values:
        yield Quad(record.iri, predicate, value, CATALOG)


def passage(of: NamedNode, made: Cut, order: int) -> Iterator[Quad]:
    """Yield the quads of a passage."""
    iri = terms.passage_iri(of, made.start, made.end)
    yield Quad(iri, RDF.type, AITIA.Passage, CATALOG)
    yield Quad(iri, DCTERMS.isPartOf, of, CATALOG)
    yield Quad(iri, AITIA.start, terms.integer(made.start), CATALOG)
    yield Quad(iri, AITIA.end, terms.integer(made.end), CATALOG)
    yield Quad(iri, AITIA.order, terms.integer(order), CATALOG)
    if made.heading:
        heading = one_line(made.heading)[:_HEADING_CHARS]
        yield Quad(iri, AITIA.heading, terms.string(heading), CATALOG)
    if made.page is not None:
        yield Quad(iri, AITIA.page, terms.integer(made.page), CATALOG)
    if made.describes is not None:
        yield Quad(iri, AITIA.describes, made.describes, CATALOG)


def out_of_use(
    iri: NamedNode, state: NamedNode, activity: NamedNode, when: datetime
) -> tuple[list[Quad], list[Quad]]:
    """Return what to add and what to delete to put a live document out of use."""
    adds = [
        Quad(iri, AITIA.documentState, state, CATALOG),
        Quad(iri, PROV.invalidatedAtTime, terms.time(when), CATALOG),
        Quad(iri, PROV.wasInvalidatedBy, activity, CATALOG),
    ]
    return adds, [Quad(iri, AITIA.documentState, AITIA.live, CATALOG)]


def options_text(options: Options) -> str:
    """Return how a file was asked to be read, as JSON; "" where nothing was named."""
    values = {"format": options.format, "key": options.key, "context": options.context}
    kept = {name: value for name, value in values.items() if value}
    return json.dumps(kept, sort_keys=True, ensure_ascii=False) if kept else ""


def one_line(text: str) -> str:
    """Return text on one line, without control characters."""
    printable = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(printable.split())


def _optional(record: Record) -> Iterator[tuple[NamedNode, NamedNode | Literal]]:
    if record.encoding:
        yield AITIA.encoding, terms.string(record.encoding)
        yield AITIA.encodingGuessed, terms.boolean(record.guessed)
    if record.pages is not None:
        yield AITIA.pageCount, terms.integer(record.pages)
    if record.redactions:
        yield AITIA.redactions, terms.integer(record.redactions)
    if record.rewritten is not None:
        yield AITIA.rewrittenLiterals, terms.integer(record.rewritten)
    if record.facts is not None:
        yield AITIA.quadCount, terms.integer(record.facts)
    if not record.original_kept:
        yield AITIA.originalKept, terms.boolean(False)
    if record.revision_of is not None:
        yield PROV.wasRevisionOf, record.revision_of
