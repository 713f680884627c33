"""From a triple of a document's graph to the words of its file.

The passage that describes the triple's subject says where to look; the format says
how: a field of a JSON object, a cell under its column's name, a literal or IRI in an
RDF statement. What is found is checked against the value, so that a place is told
only where the words are there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

from pyoxigraph import Literal, NamedNode

from aitia import terms
from aitia.blobs import Blobs
from aitia.locate import injson, inrdf, intable
from aitia.locate.target import Target
from aitia.store import Reader
from aitia.vocab import AITIA, DCTERMS, RDF, RDFS

CATALOG = terms.GRAPH_CATALOG
_JSON = frozenset({"application/json", "application/jsonl"})
_TABLE = {"text/csv": "", "text/tab-separated-values": "\t"}
_PROPERTY = terms.DATA + "p/"
Term = NamedNode | Literal


@dataclass(frozen=True)
class Located:
    """Where the words of a fact are, in the stored text of its document.

    Attributes:
        document: The document.
        passage: The passage that the words lie in; None where they lie in none.
        start: Offset of the first character of the value's words.
        end: Offset after their last character.
        outer_start: Offset where what shows the value for what it is starts: the
            field's name, the row, the statement.
        outer_end: Offset after its end.
    """

    document: NamedNode
    passage: NamedNode | None
    start: int
    end: int
    outer_start: int
    outer_end: int


@dataclass(frozen=True)
class _Passage:
    iri: NamedNode
    start: int
    end: int


def locate(
    reader: Reader,
    blobs: Blobs,
    subject: NamedNode,
    predicate: NamedNode,
    obj: Term,
    graph: NamedNode,
) -> Located | None:
    """Return where the words of a triple are, or None where they cannot be told.

    Args:
        reader: What is on record.
        blobs: Where the documents' texts are kept.
        subject: The triple's subject.
        predicate: Its predicate; a link `urn:data:ref/…` stands for its field.
        obj: Its object.
        graph: The graph it stands in: a document's, or one that a document contains.
    """
    for document in _documents(reader, graph):
        found = _in_document(reader, blobs, document, subject, predicate, obj)
        if found is not None:
            return found
    return None


def _in_document(
    reader: Reader,
    blobs: Blobs,
    document: NamedNode,
    subject: NamedNode,
    predicate: NamedNode,
    obj: Term,
) -> Located | None:
    name = _text(reader, document, AITIA.textHash)
    media = _text(reader, document, DCTERMS.format)
    if not name or name not in blobs:
        return None
    text = _stored(blobs, name)
    target = Target(_field(predicate), _forms(reader, obj), predicate == RDF.type)
    for described, tail in _ancestors(reader, subject, document):
        passages = sorted(
            _passages(reader, described, document), key=lambda item: item.start
        )
        if not passages:
            continue
        span = _find(text, media, passages, tail, target)
        if span is None:
            return None
        start, end, outer_start, outer_end = span
        inside = next((p for p in passages if p.start <= start and end <= p.end), None)
        inside = inside or _around(reader, document, start, end)
        passage = inside.iri if inside else None
        return Located(document, passage, start, end, outer_start, outer_end)
    return None


@lru_cache(maxsize=4)
def _stored(blobs: Blobs, name: str) -> str:
    """Return a stored text; facts are looked up many at a time in few documents."""
    return blobs.text(name)


def _find(
    text: str, media: str, passages: list[_Passage], tail: list[str], target: Target
) -> tuple[int, int, int, int] | None:
    start, end = passages[0].start, passages[-1].end
    if media in _JSON:
        return injson.find(text, start, end, tail, target)
    if media in _TABLE:
        return intable.find(text, start, end, target, _TABLE[media])
    for passage in passages:
        found = inrdf.find(text, passage.start, passage.end, target)
        if found is not None:
            return found
    return None


def _documents(reader: Reader, graph: NamedNode) -> Iterator[NamedNode]:
    if _text(reader, graph, AITIA.textHash):
        yield graph
    for quad in reader.quads(None, AITIA.containsGraph, graph, CATALOG):
        found = quad.subject
        if not isinstance(found, NamedNode):
            continue
        if any(reader.quads(found, AITIA.documentState, AITIA.live, CATALOG)):
            yield found


def _ancestors(
    reader: Reader, subject: NamedNode, document: NamedNode
) -> Iterator[tuple[NamedNode, list[str]]]:
    """Yield the subject and, where it stands in a record, that record and the way.

    The way is the names of fields and, in lists and maps, keys or numbers.
    """
    node, way, seen = subject, list[str](), set[NamedNode]()
    while node not in seen:
        yield node, list(way)
        seen.add(node)
        for quad in reader.quads(None, None, node, document):
            name = quad.predicate.value
            if isinstance(quad.subject, NamedNode) and name.startswith(_PROPERTY):
                tail = name[len(_PROPERTY) :]
                plain = node.value == f"{quad.subject.value}/{tail}"
                last = [] if plain else [unquote(node.value.rpartition("/")[2])]
                node, way = quad.subject, [unquote(tail), *last, *way]
                break


def _passages(
    reader: Reader, described: NamedNode, document: NamedNode
) -> Iterator[_Passage]:
    for quad in reader.quads(None, AITIA.describes, described, CATALOG):
        iri = quad.subject
        if isinstance(iri, NamedNode) and iri.value.startswith(document.value + "#"):
            start, _, end = iri.value.rpartition("#char=")[2].partition(",")
            yield _Passage(iri, int(start), int(end))


def _around(
    reader: Reader, document: NamedNode, start: int, end: int
) -> _Passage | None:
    """Return the passage of any record of the document that holds a place."""
    for quad in reader.quads(None, DCTERMS.isPartOf, document, CATALOG):
        if isinstance(quad.subject, NamedNode):
            first, _, last = quad.subject.value.rpartition("#char=")[2].partition(",")
            if int(first) <= start and end <= int(last):
                return _Passage(quad.subject, int(first), int(last))
    return None


def _field(predicate: NamedNode) -> str:
    """Return the field's name for a property of the scheme, else the whole IRI."""
    for base in (_PROPERTY, terms.DATA + "ref/"):
        if predicate.value.startswith(base):
            return unquote(predicate.value[len(base) :])
    return predicate.value


def _forms(reader: Reader, obj: Term) -> tuple[str, ...]:
    """Return how a value may be written: itself, or a resource's label and key."""
    if isinstance(obj, Literal):
        return (obj.value,)
    labels = [
        quad.object.value
        for quad in reader.quads(obj, RDFS.label, None, None)
        if isinstance(quad.object, Literal)
    ]
    return (obj.value, *labels)


def _text(reader: Reader, subject: Any, predicate: NamedNode) -> str:
    for quad in reader.quads(subject, predicate, None, CATALOG):
        if isinstance(quad.object, Literal):
            return quad.object.value
    return ""
