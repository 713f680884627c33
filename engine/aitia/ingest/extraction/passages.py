"""Which passages of a document are still to be read, and in what portions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pyoxigraph import NamedNode

from aitia import terms
from aitia.blobs import Blobs
from aitia.ingest import look
from aitia.methods.arguments import NodeRef
from aitia.methods.base import registered
from aitia.methods.fact_extraction import fact_extraction
from aitia.model import PassageRecord
from aitia.retrieval.passages import load, of_document
from aitia.store import Reader
from aitia.vocab import AITIA, DCTERMS

PORTION = 2400
"""Characters of the passages that one prompt holds: the facts that they state, with
their quotes, are about as long, and must fit into one reply."""
_DATA = re.compile(r"csv|tab-separated|json|turtle|trig|n-triples|n-quads|rdf\+xml")
"""Media types whose facts are stated as they are; no model need read them."""


def to_read(
    reader: Reader, blobs: Blobs, document: NamedNode, *, again: bool
) -> list[NodeRef]:
    """Return the passages of a document's prose that no run has read yet, in order.

    Args:
        reader: What is on record.
        blobs: The documents' texts.
        document: The document.
        again: Those that were read as well.
    """
    if _DATA.search(look.text(reader, document, DCTERMS.format, None)):
        return []
    done = set() if again else set(_read(reader, document))
    wanted = sorted(set(of_document(reader, document.value)) - done)
    prose = [iri for iri in wanted if not _is_record(reader, iri)]
    records = sorted(load(reader, blobs, prose), key=lambda item: item.start)
    return [_node(item) for item in records if any(map(str.isalpha, item.text))]


def portions(passages: Sequence[NodeRef]) -> Iterator[list[NodeRef]]:
    """Yield the passages in portions that one prompt can hold, in order."""
    portion: list[NodeRef] = []
    size = 0
    for item in passages:
        if portion and size + len(item.text) > PORTION:
            yield portion
            portion, size = [], 0
        portion.append(item)
        size += len(item.text)
    if portion:
        yield portion


def _read(reader: Reader, document: NamedNode) -> Iterator[str]:
    """Yield the passages that earlier runs read.

    Those of a run that broke off count where the reading itself succeeded and all that
    it quoted was handed on.
    """
    method = terms.method_iri(registered(fact_extraction).name)
    for run in look.subjects(reader, AITIA.about, document):
        ended = any(reader.quads(run, AITIA.status, AITIA.succeeded))
        for step in look.subjects(reader, AITIA.method, method, terms.run_graph(run)):
            if ended or _came_through(reader, step):
                for passage in look.nodes(reader, step, AITIA.usedTool, None):
                    yield passage.value


def _came_through(reader: Reader, step: NamedNode) -> bool:
    """Say whether a reading succeeded and each of its quotes carries a statement."""
    if not any(reader.quads(step, AITIA.status, AITIA.succeeded)):
        return False
    made = look.nodes(reader, step, AITIA.produced, None)
    quotes = [node for node in made if any(reader.quads(node, AITIA.exact))]
    return all(any(reader.quads(None, AITIA.derivesFrom, quote)) for quote in quotes)


def _is_record(reader: Reader, passage: str) -> bool:
    """Say whether a passage is a record, such as a table's row."""
    return any(reader.quads(NamedNode(passage), AITIA.describes))


def _node(item: PassageRecord) -> NodeRef:
    about = " > ".join(filter(None, (item.title, item.heading)))
    return NodeRef(
        node=item.iri,
        text=item.text,
        document=item.document,
        start=item.start,
        end=item.end,
        about=about,
    )
