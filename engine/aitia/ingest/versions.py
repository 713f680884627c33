"""What is on record about a location and about bytes: versions and copies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pyoxigraph import NamedNode

from aitia import terms
from aitia.ingest import look
from aitia.store import Reader
from aitia.vocab import AITIA, DCTERMS, PROV

CATALOG = terms.GRAPH_CATALOG


@dataclass(frozen=True)
class Known:
    """A document on record.

    Attributes:
        iri: Its IRI.
        path: Its path as given.
        location: Its address.
        title: Its title.
        content_hash: SHA-256 of its bytes as kept.
        options: How it was asked to be read, as JSON, or "".
    """

    iri: NamedNode
    path: str
    location: str
    title: str
    content_hash: str
    options: str


def live_at(reader: Reader, location: str) -> Known | None:
    """Return the live document of a location, or None."""
    place = terms.any_uri(location)
    for iri in look.subjects(reader, AITIA.location, place, CATALOG):
        if is_live(reader, iri):
            return known(reader, iri)
    return None


def was_retired(reader: Reader, location: str) -> bool:
    """Say whether a document of that location was retired, by a person or as gone."""
    found = look.subjects(reader, AITIA.location, terms.any_uri(location), CATALOG)
    return any(
        any(reader.quads(iri, AITIA.documentState, AITIA.retired, CATALOG))
        for iri in found
    )


def live(reader: Reader) -> Iterator[Known]:
    """Yield every live document."""
    for iri in look.subjects(reader, AITIA.documentState, AITIA.live, CATALOG):
        yield known(reader, iri)


def same_bytes(reader: Reader, content_hash: str) -> list[Known]:
    """Return the live documents with these bytes, by path."""
    digest = terms.string(content_hash)
    found = look.subjects(reader, AITIA.contentHash, digest, CATALOG)
    documents = [iri for iri in found if is_live(reader, iri)]
    return sorted((known(reader, iri) for iri in documents), key=lambda item: item.path)


def is_live(reader: Reader, iri: NamedNode) -> bool:
    """Say whether a document is in use."""
    return any(reader.quads(iri, AITIA.documentState, AITIA.live, CATALOG))


def exists(reader: Reader, iri: NamedNode) -> bool:
    """Say whether there is a document of that IRI, in use or not."""
    return any(reader.quads(iri, AITIA.documentState, None, CATALOG))


def known(reader: Reader, iri: NamedNode) -> Known:
    """Return what is on record about a document."""
    reading = next(look.nodes(reader, iri, PROV.wasGeneratedBy, CATALOG), None)
    options = _text(reader, reading, AITIA.readingOptions) if reading else ""
    return Known(
        iri,
        _text(reader, iri, AITIA.path),
        _text(reader, iri, AITIA.location),
        _text(reader, iri, DCTERMS.title),
        _text(reader, iri, AITIA.contentHash),
        options,
    )


def new_iri(reader: Reader, location: str, content_hash: str) -> NamedNode:
    """Return an IRI for a new version.

    Bytes that come back to a location after others make a version of their own, so
    the IRI that they had before is not used again.
    """
    iri = terms.document_iri(location, content_hash)
    number = 1
    while exists(reader, iri):
        number += 1
        iri = terms.document_iri(location, f"{content_hash}:{number}")
    return iri


def _text(reader: Reader, subject: NamedNode, predicate: NamedNode) -> str:
    return look.text(reader, subject, predicate, CATALOG)
