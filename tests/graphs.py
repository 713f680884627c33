"""From the store's terms to rdflib's, as the checker needs them."""

from collections.abc import Iterable

from pyoxigraph import Literal, Quad
from rdflib import Graph, Literal as RdflibLiteral, URIRef

XSD_STRING = "http://www.w3.org/2001/XMLSchema#string"


def to_rdflib(quads: Iterable[Quad]) -> Graph:
    """Return the union of the quads' graphs, with plain strings, as they are written."""
    graph = Graph(bind_namespaces="none")
    for quad in quads:
        graph.add((term(quad.subject), term(quad.predicate), term(quad.object)))
    return graph


def term(value: object) -> URIRef | RdflibLiteral:
    """Return one term; its lexical form stays as it is."""
    if not isinstance(value, Literal):
        return URIRef(value.value)  # type: ignore[attr-defined]
    if value.language:
        return RdflibLiteral(value.value, lang=value.language)
    if value.datatype.value == XSD_STRING:
        return RdflibLiteral(value.value)
    datatype = URIRef(value.datatype.value)
    return RdflibLiteral(value.value, datatype=datatype, normalize=False)
