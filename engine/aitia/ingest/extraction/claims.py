"""The quads of claimed statements: what a model proposes of a document, and no more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.ingest.extraction import naming
from aitia.methods.fact_extraction import Stated
from aitia.methods.facts import Facts
from aitia.model import link
from aitia.vocab import AITIA, RDF

CATALOG = terms.GRAPH_CATALOG
Triple = tuple[NamedNode, NamedNode, NamedNode | Literal]


@dataclass(frozen=True)
class Claimed:
    """A statement that a document claims.

    Attributes:
        node: Its IRI.
        triple: What it states.
        stated: The same in words.
        quote: The quote that it rests on.
    """

    node: NamedNode
    triple: Triple
    stated: Stated
    quote: NamedNode


def triple(facts: Facts, stated: Stated) -> Triple:
    """Return an extracted fact as terms."""
    thing = stated.kind == "thing"
    return (
        naming.thing(facts, stated.subject),
        naming.predicate(facts, stated.predicate),
        naming.thing(facts, stated.object) if thing else naming.value(stated.object),
    )


def iri(claimed: Triple, document: NamedNode) -> NamedNode:
    """Return the IRI of what a document claims."""
    subject, predicate, obj = (str(term) for term in claimed)
    return terms.statement_iri(subject, predicate, obj, str(document))


def quads(
    item: Claimed, document: NamedNode, run: NamedNode, basis: NamedNode
) -> Iterator[Quad]:
    """Yield the quads of a statement that a document claims.

    Args:
        item: The statement.
        document: The document whose claim it is.
        run: The run that read it.
        basis: On what ground it rests on its quote.
    """
    subject, predicate, obj = item.triple
    stated = item.stated
    start, end = naming.validity(stated.valid_from, stated.valid_until)
    values: list[tuple[NamedNode, NamedNode | Literal | None]] = [
        (RDF.type, AITIA.Statement),
        (AITIA.inRun, run),
        (RDF.subject, subject),
        (RDF.predicate, predicate),
        (RDF.object, obj),
        (AITIA.inGraph, document),
        (AITIA.rank, AITIA.normal),
        (AITIA.text, terms.string(stated.text)),
        (AITIA.validFrom, start),
        (AITIA.validUntil, end),
    ]
    for about, value in values:
        if value is not None:
            yield Quad(item.node, about, value, CATALOG)
    yield from link(item.node, AITIA.derivesFrom, item.quote, CATALOG, basis=basis)
