"""Puts documents with known passages into a workspace, through its ledger."""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime

from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.model import CommitRecord, Patch
from aitia.vocab import AITIA, DCTERMS, PROV, RDF
from aitia.workspace import Workspace

CATALOG = terms.GRAPH_CATALOG
AGENT = terms.agent_iri("aitia")
Part = tuple[str, str]
"""Heading and text of a passage."""


def put(
    workspace: Workspace,
    path: str,
    parts: Sequence[Part],
    *,
    media_type: str = "text/plain",
    taken_in: datetime | None = None,
    facts: Iterable[Quad] = (),
) -> NamedNode:
    """Commit one live document with these passages and return its IRI."""
    text = "\n".join(text for _, text in parts)
    content = hashlib.sha256(text.encode()).hexdigest()
    document = terms.document_iri(f"file:///{path}", content)
    when = terms.time(taken_in or terms.now())
    reading = NamedNode(f"urn:aitia:reading:{terms.short_hash(document.value)}")
    said: list[tuple[NamedNode, NamedNode, NamedNode | Literal]] = [
        (AGENT, RDF.type, AITIA.Software),
        (AGENT, RDF.type, AITIA.Agent),
        (
            AGENT,
            NamedNode("http://www.w3.org/2000/01/rdf-schema#label"),
            Literal("aitia"),
        ),
        (reading, RDF.type, AITIA.Reading),
        (reading, AITIA.reader, Literal("shelf")),
        (reading, AITIA.readerVersion, Literal("1")),
        (reading, AITIA.status, AITIA.succeeded),
        (reading, PROV.startedAtTime, when),
        (reading, PROV.endedAtTime, when),
        (reading, PROV.wasAssociatedWith, AGENT),
        (reading, AITIA.location, terms.any_uri(f"file:///{path}")),
        (document, RDF.type, AITIA.Document),
        (document, DCTERMS.title, Literal(path)),
        (document, AITIA.path, Literal(path)),
        (document, AITIA.location, terms.any_uri(f"file:///{path}")),
        (document, AITIA.contentHash, Literal(content)),
        (document, AITIA.textHash, Literal(workspace.blobs.put(text.encode()))),
        (document, DCTERMS.format, Literal(media_type)),
        (document, AITIA.byteLength, terms.integer(len(text.encode()))),
        (document, AITIA.charLength, terms.integer(len(text))),
        (document, PROV.generatedAtTime, when),
        (document, PROV.wasGeneratedBy, reading),
        (document, AITIA.documentState, AITIA.live),
    ]
    at = 0
    for order, (heading, words) in enumerate(parts, start=1):
        passage = terms.passage_iri(document, at, at + len(words))
        said += [
            (passage, RDF.type, AITIA.Passage),
            (passage, DCTERMS.isPartOf, document),
            (passage, AITIA.start, terms.integer(at)),
            (passage, AITIA.end, terms.integer(at + len(words))),
            (passage, AITIA.order, terms.integer(order)),
        ]
        if heading:
            said.append((passage, AITIA.heading, Literal(heading)))
        at += len(words) + 1
    quads = [Quad(s, p, o, CATALOG) for s, p, o in said]
    workspace.ledger.commit(Patch(frozenset([*quads, *facts])))
    return document


def retire(workspace: Workspace, document: NamedNode) -> CommitRecord:
    """Commit that a document is out of use."""
    when = terms.time(terms.now())
    reading = next(workspace.store.quads(document, PROV.wasGeneratedBy, None, CATALOG))
    live = Quad(document, AITIA.documentState, AITIA.live, CATALOG)
    ends = [
        Quad(document, AITIA.documentState, AITIA.retired, CATALOG),
        Quad(document, PROV.invalidatedAtTime, when, CATALOG),
        Quad(document, PROV.wasInvalidatedBy, reading.object, CATALOG),
    ]
    return workspace.ledger.commit(Patch(frozenset(ends), frozenset([live])))


def revive(workspace: Workspace, document: NamedNode) -> CommitRecord:
    """Commit that a document that was out of use is live again."""
    gone = [
        quad
        for predicate in (
            AITIA.documentState,
            PROV.invalidatedAtTime,
            PROV.wasInvalidatedBy,
        )
        for quad in workspace.store.quads(document, predicate, None, CATALOG)
    ]
    live = Quad(document, AITIA.documentState, AITIA.live, CATALOG)
    return workspace.ledger.commit(Patch(frozenset([live]), frozenset(gone)))
