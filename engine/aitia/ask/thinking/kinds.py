"""Enumerations as the ontology has them, for what a model is asked to choose from."""

from __future__ import annotations

from functools import cache
from typing import Final

from pyoxigraph import Literal, NamedNode, RdfFormat, Store

from aitia import resources
from aitia.vocab import RDF, SKOS

FILE: Final = "aitia.ttl"


@cache
def _ontology() -> Store:
    store = Store()
    text = resources.text("ontology", FILE)
    store.load(text.encode(), RdfFormat.TURTLE)
    return store


@cache
def kinds(of: NamedNode) -> dict[str, str]:
    """Return the individuals of a class: local name → definition in English."""
    store = _ontology()
    found = {
        quad.subject.value: _definition(store, quad.subject)
        for quad in store.quads_for_pattern(None, RDF.type, of, None)
        if isinstance(quad.subject, NamedNode)
    }
    return {iri.rpartition("#")[2]: found[iri] for iri in sorted(found)}


def _definition(store: Store, node: NamedNode) -> str:
    texts = (
        quad.object
        for quad in store.quads_for_pattern(node, SKOS.definition, None, None)
    )
    return next(
        (x.value for x in texts if isinstance(x, Literal) and x.language == "en"), ""
    )
