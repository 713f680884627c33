"""The quads of claimed statements: what a model proposes of a document, and no more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.ingest.extraction import naming
from aitia.methods.fact_extraction import Stated
from aitia.methods.facts import Facts
from aitia.model import link
from aitia.vocab import AITIA, RDF

CATALOG = terms.GRAPH_CATALOG
Triple = tuple[NamedNode, NamedNode, NamedNode | Literal]


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
    claimed: Mapping[NamedNode, Triple],
    said: Sequence[tuple[NamedNode, Stated, NamedNode]],
    document: NamedNode,
    run: NamedNode,
    basis: NamedNode,
) -> Iterator[Quad]:
    """Yield the statements that a document claims, each with the quote it rests on.

    Args:
        claimed: Statement → its triple.
        said: Statement, the fact in words, and the quote that states it.
        document: The document whose claims they are.
        run: The run that read them.
        basis: On what ground they rest on the quote.
    """
    for node, stated, quote in said:
        subject, predicate, obj = claimed[node]
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
                yield Quad(node, about, value, CATALOG)
        yield from link(node, AITIA.derivesFrom, quote, CATALOG, basis=basis)
