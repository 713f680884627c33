"""owlrl behind our terms: the only module that imports it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pyoxigraph import Literal, NamedNode, Triple

if TYPE_CHECKING:
    import rdflib


def expand(premises: Iterable[Triple]) -> tuple[set[Triple], tuple[str, ...]]:
    """Return what owlrl adds to `premises`, and the contradictions it met.

    Triples with a literal subject or a blank node, which owlrl makes and RDF or we do
    not allow, are left out. Literals come back exactly as they went in.
    """
    import owlrl
    import rdflib

    graph = rdflib.Graph()
    known: dict[rdflib.Literal, Literal] = {}
    given = set()
    for triple in premises:
        made = (
            rdflib.URIRef(_iri(triple.subject)),
            rdflib.URIRef(triple.predicate.value),
            _to_rdflib(triple.object, known),
        )
        given.add(made)
        graph.add(made)
    rules = owlrl.OWLRL_Semantics(graph, axioms=False, daxioms=False, rdfs=False)
    rules.closure()
    found = (_from_rdflib(made, known) for made in graph if made not in given)
    return {x for x in found if x is not None}, tuple(sorted(rules.error_messages))


def _iri(term: object) -> str:
    return term.value if isinstance(term, NamedNode) else ""


def _to_rdflib(term: object, known: dict[rdflib.Literal, Literal]) -> Any:
    import rdflib

    if not isinstance(term, Literal):
        return rdflib.URIRef(_iri(term))
    if term.language:
        made = rdflib.Literal(term.value, lang=term.language)
    elif term.datatype.value.endswith("#string"):
        made = rdflib.Literal(term.value)
    else:
        kind = rdflib.URIRef(term.datatype.value)
        made = rdflib.Literal(term.value, datatype=kind, normalize=False)
    known[made] = term
    return made


def _from_rdflib(
    made: tuple[Any, Any, Any], known: dict[rdflib.Literal, Literal]
) -> Triple | None:
    import rdflib

    subject, predicate, obj = made
    if not isinstance(subject, rdflib.URIRef) or not isinstance(
        predicate, rdflib.URIRef
    ):
        return None
    if isinstance(obj, rdflib.URIRef):
        end: NamedNode | Literal = NamedNode(str(obj))
    elif obj in known:
        end = known[obj]
    else:
        return None
    return Triple(NamedNode(str(subject)), NamedNode(str(predicate)), end)
