"""Facts that were accepted: the statement that tells of each, and what it rests on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from urllib.parse import unquote

from pyoxigraph import Literal, NamedNode

from aitia import terms
from aitia.store import Reader, Term
from aitia.vocab import AITIA, DCTERMS, EARL, PROV, RDF, RDFS

CATALOG = terms.GRAPH_CATALOG


@dataclass(frozen=True)
class Accepted:
    """The statement of an accepted fact, with the words that it was accepted for.

    Attributes:
        statement: Its IRI in the catalog.
        proposal: The proposal that it comes from, or None.
        quote: Exact words of its first evidence that has any, or "".
        document: The document that they stand in, or None.
        passage: The passage, or None.
        start: Where they start in the document's text.
        end: Where they end.
        confidence: How sure the fact was when it was accepted; None where not measured.
        reviewers: Names of those whose approval let it in, sorted; none for a fact
            that was accepted without review.
    """

    statement: NamedNode
    proposal: NamedNode | None = None
    quote: str = ""
    document: NamedNode | None = None
    passage: NamedNode | None = None
    start: int = 0
    end: int = 0
    confidence: float | None = None
    reviewers: tuple[str, ...] = ()


def accepted(
    reader: Reader, subject: NamedNode, predicate: NamedNode, value: Term
) -> Accepted | None:
    """Return what tells of a fact that stands because it was accepted; None for none."""
    for quad in reader.quads(None, RDF.subject, subject, CATALOG):
        node = quad.subject
        if isinstance(node, NamedNode) and _tells(reader, node, predicate, value):
            return _with_words(reader, node)
    return None


def _tells(reader: Reader, node: NamedNode, predicate: NamedNode, value: Term) -> bool:
    deprecated = any(reader.quads(node, AITIA.rank, AITIA.deprecated, CATALOG))
    return not deprecated and all(
        any(reader.quads(node, part, term, CATALOG))
        for part, term in (
            (RDF.type, AITIA.Statement),
            (RDF.predicate, predicate),
            (RDF.object, value),
            (AITIA.inGraph, terms.GRAPH_CURRENT),
        )
    )


def _with_words(reader: Reader, node: NamedNode) -> Accepted:
    found = _words(reader, node)
    sure = _text(reader, node, AITIA.confidence)
    return replace(
        found,
        confidence=float(sure) if sure else None,
        reviewers=_reviewers(reader, found.proposal) if found.proposal else (),
    )


def _reviewers(reader: Reader, proposal: NamedNode) -> tuple[str, ...]:
    """Return the names of those who approved a proposal."""
    names: set[str] = set()
    for quad in reader.quads(None, AITIA.reviews, proposal, CATALOG):
        if isinstance(quad.subject, NamedNode):
            verdicts = _nodes(reader, quad.subject, AITIA.hasVerdict)
            if any(any(reader.quads(v, EARL.outcome, EARL.passed)) for v in verdicts):
                people = _nodes(reader, quad.subject, PROV.wasAssociatedWith)
                names.update(_name(reader, person) for person in people)
    return tuple(sorted(names))


def _name(reader: Reader, agent: NamedNode) -> str:
    return _text(reader, agent, RDFS.label) or unquote(agent.value.rpartition(":")[2])


def _words(reader: Reader, node: NamedNode) -> Accepted:
    proposal = next(
        (
            cause
            for cause in _nodes(reader, node, AITIA.derivesFrom)
            if any(reader.quads(cause, RDF.type, AITIA.Proposal))
        ),
        None,
    )
    if proposal is None:
        return Accepted(node)
    evidence = _nodes(reader, proposal, AITIA.hasEvidence)
    for piece in sorted(evidence, key=lambda one: one.value):
        start = _text(reader, piece, AITIA.start)
        ground = next(iter(_nodes(reader, piece, AITIA.derivesFrom)), None)
        if start and ground is not None:
            whole = next(iter(_nodes(reader, ground, DCTERMS.isPartOf)), ground)
            quote = _text(reader, piece, AITIA.text)
            end = int(_text(reader, piece, AITIA.end))
            passage = None if whole == ground else ground
            return Accepted(node, proposal, quote, whole, passage, int(start), end)
    return Accepted(node, proposal)


def _nodes(reader: Reader, node: NamedNode, predicate: NamedNode) -> list[NamedNode]:
    found = (quad.object for quad in reader.quads(node, predicate, None, CATALOG))
    return [value for value in found if isinstance(value, NamedNode)]


def _text(reader: Reader, node: NamedNode, predicate: NamedNode) -> str:
    found = (quad.object for quad in reader.quads(node, predicate, None, CATALOG))
    return next((value.value for value in found if isinstance(value, Literal)), "")
