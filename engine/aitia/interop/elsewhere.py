"""What was decided elsewhere: it is told here, and nothing stands or counts by it.

A file says who proved a name and what was accepted, and nobody here can tell whether
that is so. Only a whole ledger that verifies is put back with what it decided.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from pyoxigraph import DefaultGraph, Literal, NamedNode, Quad

from aitia import terms
from aitia.interop.select import graph_of
from aitia.lookup.stats import area
from aitia.store import OxigraphStore, Reader
from aitia.vocab import AITIA, DCTERMS, PROV, RDF, XSD

_PROVEN: Final = (AITIA.byToken, AITIA.bySignature)
_ENDS: Final = (PROV.invalidatedAtTime, PROV.wasInvalidatedBy)
_NOTHING: Final = Literal("0", datatype=XSD.decimal)
_CATALOG: Final = terms.GRAPH_CATALOG


@dataclass(frozen=True)
class Parted:
    """Quads of a file by what becomes of them.

    Attributes:
        kept: What goes on record as it stands, with no decision that counts here.
        loose: Facts that stood by a decision made elsewhere, or in the name of a
            document that is here and does not state them: to be taken in as a document.
    """

    kept: list[Quad]
    loose: list[Quad]


def parted(quads: Collection[Quad], reader: OxigraphStore) -> Parted:
    """Part the quads of a file; what is decided on here already stays as it is."""
    there, ended = _graphs_here(quads, reader), _spans_here(quads, reader)
    kept, loose = [], []
    for quad in quads:
        graph = quad.graph_name
        if graph == terms.GRAPH_CURRENT or graph in there:
            if quad not in reader and not _decided(quad, reader):
                loose.append(quad)
        elif not (quad.predicate in _ENDS and quad.subject in ended):
            kept.append(_uncounted(quad))
    return Parted(kept, loose)


def _uncounted(quad: Quad) -> Quad:
    """Return a quad as it counts here: nobody was authenticated here, or weighed."""
    value = quad.object
    if quad.predicate == AITIA.authentication and value in _PROVEN:
        value = AITIA.assertedOnly
    elif quad.predicate == AITIA.reviewWeight:
        value = _NOTHING
    return Quad(quad.subject, quad.predicate, value, quad.graph_name)


def _graphs_here(quads: Iterable[Quad], reader: Reader) -> set[object]:
    """Return the graphs of facts that belong to documents on record here."""
    graphs = {q.graph_name for q in quads if area(graph_of(q)) == "current"}
    return {graph for graph in graphs if any(_owners(graph, reader))}


def _owners(graph: object, reader: Reader) -> Iterator[Quad]:
    if isinstance(graph, NamedNode):
        yield from reader.quads(graph, RDF.type, AITIA.Document, _CATALOG)
        yield from reader.quads(None, AITIA.containsGraph, graph, _CATALOG)


def _spans_here(quads: Collection[Quad], reader: Reader) -> set[object]:
    """Return the spans of texts that are here: a file does not withdraw their words."""
    ended = {q.subject for q in quads if q.predicate in _ENDS}
    parts = (q for q in quads if q.predicate == DCTERMS.isPartOf)
    return {
        part.subject
        for part in parts
        if part.subject in ended and any(_owners(part.object, reader))
    }


def _decided(quad: Quad, reader: OxigraphStore) -> bool:
    """Tell whether a fact was stated, or taken out of use, by a decision made here."""
    if not isinstance(quad.subject, NamedNode) or isinstance(
        quad.graph_name, DefaultGraph
    ):
        return False
    about = reader.quads(None, RDF.subject, quad.subject, _CATALOG)
    wanted = (
        (RDF.type, AITIA.Statement),
        (RDF.predicate, quad.predicate),
        (RDF.object, quad.object),
        (AITIA.inGraph, quad.graph_name),
    )
    return any(
        all(Quad(found.subject, p, o, _CATALOG) in reader for p, o in wanted)
        for found in about
    )
