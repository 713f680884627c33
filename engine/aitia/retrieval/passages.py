"""Passages and documents read out of the store, with the passages' exact text."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from pyoxigraph import Literal, NamedNode

from aitia.blobs import Blobs
from aitia.errors import NotFound, NotIntact
from aitia.model import PassageRecord
from aitia.store import Reader
from aitia.terms import GRAPH_CATALOG
from aitia.vocab import AITIA, DCTERMS, PROV, RDF

_CHARS_KEPT: Final = 16_000_000
"""Characters of texts kept in memory, the last one used whatever its length."""


@dataclass(frozen=True)
class DocumentRecord:
    """What a search needs to know of a document.

    Attributes:
        iri: The document's IRI.
        live: Whether this version is in use.
        text_hash: Name of the blob of its text, or "".
        title: Its title, or "".
        path: Its path as given, or "".
        location: Where it was read from, as a URL, or "".
        media_type: Its media type, or "".
        generated: When it was taken in, ISO 8601 in UTC, or "".
    """

    iri: str
    live: bool
    text_hash: str = ""
    title: str = ""
    path: str = ""
    location: str = ""
    media_type: str = ""
    generated: str = ""


def document(store: Reader, iri: str) -> DocumentRecord:
    """Return what the catalog says of a document; an unknown one is not live."""
    found = _properties(store, NamedNode(iri))
    return DocumentRecord(
        iri,
        found.get(AITIA.documentState) == AITIA.live.value,
        found.get(AITIA.textHash, ""),
        found.get(DCTERMS.title, ""),
        found.get(AITIA.path, ""),
        found.get(AITIA.location, ""),
        found.get(DCTERMS.format, ""),
        found.get(PROV.generatedAtTime, ""),
    )


def live_documents(store: Reader) -> Iterator[DocumentRecord]:
    """Return the documents whose state is live."""
    quads = store.quads(None, AITIA.documentState, AITIA.live, GRAPH_CATALOG)
    for quad in quads:
        if isinstance(quad.subject, NamedNode):
            yield document(store, quad.subject.value)


def of_document(store: Reader, iri: str) -> Iterator[str]:
    """Return the IRIs of a document's passages."""
    quads = store.quads(None, DCTERMS.isPartOf, NamedNode(iri), GRAPH_CATALOG)
    for quad in quads:
        if isinstance(quad.subject, NamedNode) and is_passage(store, quad.subject):
            yield quad.subject.value


def is_passage(store: Reader, node: NamedNode) -> bool:
    """Tell whether the catalog knows `node` as a passage."""
    found = store.quads(node, RDF.type, AITIA.Passage, GRAPH_CATALOG)
    return next(iter(found), None) is not None


class Texts:
    """Texts of documents, those last used kept in memory up to a size.

    Attributes:
        blobs: What holds them.
    """

    def __init__(self, blobs: Blobs) -> None:
        self.blobs = blobs
        self._kept: OrderedDict[str, str] = OrderedDict()

    def get(self, text_hash: str) -> str:
        """Return a text by the name of its blob.

        Raises:
            NotFound: There is no such blob.
        """
        if text_hash not in self._kept:
            self._kept[text_hash] = self.blobs.text(text_hash)
            while len(self._kept) > 1 and self._size() > _CHARS_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(text_hash)
        return self._kept[text_hash]

    def _size(self) -> int:
        return sum(map(len, self._kept.values()))


class Library:
    """Reads passages from one state of the store, each document's text once.

    Attributes:
        store: What says where passages are.
        texts: What holds the texts.
        unread: Document → a sentence on why its text cannot be read; None where such a
            text is an error.
    """

    def __init__(
        self, store: Reader, texts: Texts, unread: dict[str, str] | None = None
    ) -> None:
        self.store, self.texts, self.unread = store, texts, unread
        self._documents: dict[str, DocumentRecord] = {}

    def document(self, iri: str) -> DocumentRecord:
        """Return a document, read once; one whose text is not kept here is not live.

        An export without its texts leaves such documents: they can be cited and not
        searched, and `verify` names the texts that are missing.
        """
        if iri not in self._documents:
            found = document(self.store, iri)
            kept = not found.text_hash or found.text_hash in self.texts.blobs
            self._documents[iri] = replace(found, live=found.live and kept)
            if found.live and not kept and self.unread is not None:
                told = unreadable(found, "is missing")
                self.unread[iri] = f"{told} {told.hint}"
        return self._documents[iri]

    def passage(self, iri: str) -> PassageRecord | None:
        """Return a passage with its text; None where it is unknown or not live.

        Raises:
            NotIntact: The text is damaged, and `unread` is None.
        """
        found = _properties(self.store, NamedNode(iri))
        if RDF.type not in found or DCTERMS.isPartOf not in found:
            return None
        owner = self.document(found[DCTERMS.isPartOf])
        if not owner.live:
            return None
        start, end = int(found[AITIA.start]), int(found[AITIA.end])
        text = self._text(owner)
        if text is None:
            return None
        return PassageRecord(
            iri,
            owner.iri,
            text[start:end],
            start,
            end,
            found.get(AITIA.heading, ""),
            int(found[AITIA.page]) if AITIA.page in found else None,
            owner.title,
            owner.path,
            owner.media_type,
            found.get(AITIA.describes, ""),
            owner.generated,
        )

    def _text(self, owner: DocumentRecord) -> str | None:
        try:
            return self.texts.get(owner.text_hash)
        except (NotFound, NotIntact, OSError, ValueError) as error:
            told = unreadable(owner, "is damaged")
            if self.unread is None:
                raise told from error
            self.unread[owner.iri] = f"{told} {told.hint}"
            return None

    def live(self) -> Iterator[str]:
        """Return the IRIs of the passages of all live documents."""
        for item in live_documents(self.store):
            if self.document(item.iri).live:
                yield from of_document(self.store, item.iri)


def unreadable(owner: DocumentRecord, what: str) -> NotIntact:
    """Return the error for a document whose text cannot be read."""
    name = owner.path or owner.location or owner.title or owner.iri
    told = f"The text of {name} {what} (blob {owner.text_hash})."
    error = NotIntact(told, [told])
    error.hint = (
        f"Restore that blob from a backup, or `aitia delete {owner.iri}` and `aitia"
        f" ingest {owner.path or 'it'}` again. Other documents are searched as before."
    )
    return error


def load(store: Reader, blobs: Blobs, iris: Iterable[str]) -> list[PassageRecord]:
    """Return the passages of live documents among `iris`, in their order.

    Raises:
        NotIntact: The text of a document is damaged.
    """
    wanted = list(iris)
    library = Library(store, Texts(blobs))
    # Passages of one document are read together, so that its text is unpacked once.
    found = {iri: library.passage(iri) for iri in sorted(wanted)}
    return [record for iri in wanted if (record := found[iri]) is not None]


def _properties(store: Reader, node: NamedNode) -> dict[NamedNode, str]:
    """Return what the catalog says of a node; of several values the first seen."""
    found: dict[NamedNode, str] = {}
    for quad in store.quads(node, None, None, GRAPH_CATALOG):
        value = _value(quad.object)
        if quad.predicate == RDF.type and value != AITIA.Passage.value:
            continue
        found.setdefault(quad.predicate, value)
    return found


def _value(term: object) -> str:
    return term.value if isinstance(term, NamedNode | Literal) else ""
