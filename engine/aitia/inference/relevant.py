"""The part of the current knowledge that OWL 2 RL can draw anything from.

Every rule needs an axiom. A triple whose property or class no axiom speaks of, and
whose ends nothing is the same as, can be no premise; leaving it out loses nothing
and spares the reasoner, which is slow, most of the data.
"""

from __future__ import annotations

from collections.abc import Iterable

from pyoxigraph import Literal, NamedNode, Quad, Triple

from aitia.lookup.stats import area
from aitia.store import Reader
from aitia.vocab import OWL, RDF, RDFS

_VOCABULARIES = (RDF.NS, RDFS.NS, OWL.NS)
_DECLARATIONS = frozenset(
    {
        RDF.Property,
        RDF.List,
        RDF.Statement,
        RDFS.Class,
        RDFS.Datatype,
        OWL.Class,
        OWL.Restriction,
        OWL.ObjectProperty,
        OWL.DatatypeProperty,
        OWL.AnnotationProperty,
        OWL.NamedIndividual,
        OWL.Ontology,
    }
)


def current(reader: Reader) -> list[Triple]:
    """Return the triples of the current knowledge, each once."""
    known: dict[object, bool] = {}
    found: dict[Triple, None] = {}
    for quad in reader.quads():
        graph = quad.graph_name
        if graph not in known:
            name = graph.value if isinstance(graph, NamedNode) else ""
            known[graph] = area(name) == "current"
        if known[graph] and _is_plain(quad):
            found[quad.triple] = None
    return list(found)


def relevant(triples: Iterable[Triple], same: Iterable[NamedNode] = ()) -> set[Triple]:
    """Return those of `triples` that can be a premise.

    Args:
        triples: The current knowledge.
        same: Further nodes of which everything matters, as they were found to be
            the same as others.
    """
    whole = list(triples)
    spoken_of = _spoken_of(whole)
    equal = {end for t in whole if t.predicate == OWL.sameAs for end in _ends(t)}
    equal.update(same)
    return {
        triple
        for triple in whole
        if _is_axiom(triple)
        or triple.predicate in spoken_of
        or (triple.predicate == RDF.type and triple.object in spoken_of)
        or not equal.isdisjoint(_ends(triple))
    }


def _is_plain(quad: Quad) -> bool:
    return isinstance(quad.subject, NamedNode) and isinstance(
        quad.object, NamedNode | Literal
    )


def _spoken_of(triples: Iterable[Triple]) -> set[NamedNode]:
    """Return the terms that axioms speak of."""
    ends = {end for triple in triples if _is_axiom(triple) for end in _ends(triple)}
    return {end for end in ends if not _is_built_in(end)}


def _is_axiom(triple: Triple) -> bool:
    """Tell whether a triple says of classes or properties what rules can use.

    That something is a class or a property at all is no such thing.
    """
    predicate, obj = triple.predicate, triple.object
    if predicate == RDF.type:
        return obj not in _DECLARATIONS and _is_built_in(obj)
    if predicate in (RDFS.label, RDFS.comment, RDFS.seeAlso, RDFS.isDefinedBy):
        return False
    return predicate.value.startswith(_VOCABULARIES)


def _is_built_in(term: object) -> bool:
    return isinstance(term, NamedNode) and term.value.startswith(_VOCABULARIES)


def _ends(triple: Triple) -> set[NamedNode]:
    return {x for x in (triple.subject, triple.object) if isinstance(x, NamedNode)}
