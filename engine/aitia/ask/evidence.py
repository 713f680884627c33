"""Evidence on record: statements and quotes that a candidate answer rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pyoxigraph import Literal, NamedNode

from aitia import terms
from aitia.ask.session import Session
from aitia.locate import Located, locate
from aitia.lookup.accepted import accepted
from aitia.methods.facts import Fact
from aitia.methods.naming import Naming
from aitia.methods.schema import Schema
from aitia.methods.scoring import Measured
from aitia.model.trace import Evidence
from aitia.vocab import AITIA, DCTERMS

BOUND = "; at most the confidence with which a fact that it rests on was accepted"
STATED = 24
"""Facts of one candidate that are put on record as statements; all are counted."""


def state(
    session: Session, execution: NamedNode, facts: Iterable[Fact]
) -> list[Evidence]:
    """Put facts on record as statements, each with the words it was read from."""
    found = []
    for fact in list(dict.fromkeys(facts))[:STATED]:
        if fact not in session.stated:
            session.stated[fact] = _stated(session, execution, fact)
        evidence = session.stated[fact]
        session.trace.link(execution, AITIA.usedTool, NamedNode(evidence.node))
        found.append(evidence)
    return found


def quote(session: Session, execution: NamedNode, found: Measured) -> Evidence:
    """Put a sentence on record as a quote."""
    piece, passage = found.piece, found.piece.passage
    node = session.trace.quote(
        execution, NamedNode(passage.iri), piece.text, piece.start, piece.end
    )
    return Evidence(
        quote=piece.text,
        document=passage.document,
        title=passage.title,
        path=passage.path,
        start=piece.start,
        end=piece.end,
        passage=passage.iri,
        statement="",
        node=node.value,
    )


def _stated(session: Session, execution: NamedNode, quad: Fact) -> Evidence:
    reads, trace = session.reads, session.trace
    if quad.graph == terms.GRAPH_CURRENT and (
        found := _accepted(session, execution, quad)
    ):
        return found
    text = Naming(reads.schema).fact(quad)
    place = _place(session, quad)
    source = _source(session, quad, place)
    node = trace.statement(execution, quad.quad(), text, source)
    document = place.document if place else source
    exact, start, end = _words(session, document, place)
    words = ""
    if place is not None and place.passage is not None and exact:
        words = trace.quote(execution, place.passage, exact, start, end).value
    return Evidence(
        quote=exact,
        document=document.value,
        title=_said(session, document, DCTERMS.title),
        path=_said(session, document, AITIA.path),
        start=start,
        end=end,
        passage=place.passage.value if place and place.passage else "",
        statement=text,
        node=node.value,
        words=words,
        unseen=isinstance(quad.object, Literal) and not exact,
    )


def _accepted(session: Session, execution: NamedNode, quad: Fact) -> Evidence | None:
    """Put a fact that was accepted on record, with the words it was accepted for."""
    reads = session.reads
    found = accepted(reads.store, quad.subject, quad.predicate, quad.object)
    if found is None:
        return None
    text = Naming(reads.schema).fact(quad)
    node = session.trace.statement(execution, quad.quad(), text, found.statement)
    source = found.document or found.statement
    return Evidence(
        quote=found.quote,
        document=source.value,
        title=_said(session, source, DCTERMS.title),
        path=_said(session, source, AITIA.path),
        start=found.start,
        end=found.end,
        passage=found.passage.value if found.passage else "",
        statement=text,
        node=node.value,
        confidence=found.confidence,
        accepted_by=", ".join(found.reviewers) or "the engine, without a review",
    )


def bounded(sure: float, rule: str, evidence: Iterable[Evidence]) -> tuple[float, str]:
    """Return a confidence that is no higher than that of a fact that it rests on.

    Args:
        sure: The confidence, from 0 to 1.
        rule: How it was computed.
        evidence: What the answer rests on.
    """
    known = [item.confidence for item in evidence if item.confidence is not None]
    least = min(known, default=sure)
    return (least, f"{rule}{BOUND}") if least < sure else (sure, rule)


def _place(session: Session, fact: Fact) -> Located | None:
    """Return where the words of a fact stand.

    A link between records of two files is made of a value in the one that is the
    other's name; the words are those of that value.
    """
    reads = session.reads
    for one in (fact, *_named_by(reads.schema, fact)):
        found = locate(
            reads.store, reads.blobs, one.subject, one.predicate, one.object, one.graph
        )
        if found is not None:
            return found
    return None


def _named_by(schema: Schema, fact: Fact) -> Iterator[Fact]:
    """Return the facts of the same subject whose value is the name of the object."""
    if isinstance(fact.object, NamedNode):
        names = set(schema.labels(fact.object))
        for other in schema.facts(fact.subject):
            if isinstance(other.object, Literal) and other.object.value in names:
                yield other


def _source(session: Session, quad: Fact, place: Located | None) -> NamedNode:
    """Return what a statement was read from: the passage, or the document."""
    if place is not None:
        return place.passage or place.document
    holders = session.reads.store.quads(None, AITIA.containsGraph, quad.graph)
    found = (held.subject for held in holders)
    return next((node for node in found if isinstance(node, NamedNode)), quad.graph)


def _words(
    session: Session, document: NamedNode, place: Located | None
) -> tuple[str, int, int]:
    """Return the exact words of a fact in its document, with their offsets."""
    if place is None:
        return "", 0, 0
    name = _said(session, document, AITIA.textHash)
    text = session.reads.blobs.text(name) if name else ""
    start, end = place.outer_start, place.outer_end
    return text[start:end], start, end


def _said(session: Session, node: NamedNode, predicate: NamedNode) -> str:
    for quad in session.reads.store.quads(node, predicate, None):
        if isinstance(quad.object, Literal):
            return quad.object.value
    return ""


def nodes(evidence: Sequence[Evidence]) -> list[NamedNode]:
    """Return the nodes of evidence in the run, each once: statements and quotes."""
    iris = [iri for item in evidence for iri in (item.node, item.words) if iri]
    return [NamedNode(iri) for iri in dict.fromkeys(iris)]
