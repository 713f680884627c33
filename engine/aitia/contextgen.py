"""Writes ontology/context.jsonld from the ontology; `python -m aitia.vocabgen` runs it.

A term gets the shortest name that no earlier vocabulary took: ours first, then PROV and
the others. What is a link, what a value of which datatype, comes from the ontology, and
for terms of others from the shapes; a link that no shape limits to one is always a list.
"""

import json
from collections.abc import Iterable
from pathlib import Path

from pyoxigraph import BlankNode, NamedNode, Quad, RdfFormat, parse

from aitia.resources import turtle

TARGET = Path(__file__).parents[2] / "ontology" / "context.jsonld"
NAMESPACES = {
    "aitia": "https://w3id.org/aitia/ns#",
    "prov": "http://www.w3.org/ns/prov#",
    "dcterms": "http://purl.org/dc/terms/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "earl": "http://www.w3.org/ns/earl#",
}
PREFIX_ONLY = {
    "cito": "http://purl.org/spar/cito/",
    "dqv": "http://www.w3.org/ns/dqv#",
    "oa": "http://www.w3.org/ns/oa#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "sh": "http://www.w3.org/ns/shacl#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
_RDF, _RDFS, _OWL = NAMESPACES["rdf"], NAMESPACES["rdfs"], PREFIX_ONLY["owl"]
_SH, _XSD, _SKOS = PREFIX_ONLY["sh"], PREFIX_ONLY["xsd"], PREFIX_ONLY["skos"]
_UNNAMED = {_RDF + "type"}  # JSON-LD has a keyword for it


class _Graph:
    """Triples of several Turtle files, by subject and predicate."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._values: dict[tuple[str, str], set[str]] = {}
        self.subjects: set[str] = set()
        for text in texts:
            for quad in parse(text.encode(), format=RdfFormat.TURTLE):
                self._add(quad)

    def _add(self, quad: Quad) -> None:
        subject, value = quad.subject, quad.object
        if isinstance(subject, (NamedNode, BlankNode)):
            key = (subject.value, quad.predicate.value)
            self._values.setdefault(key, set()).add(getattr(value, "value", ""))
            self.subjects.add(subject.value)

    def get(self, subject: str, predicate: str) -> set[str]:
        """Return the values of a property, as text."""
        return self._values.get((subject, predicate), set())


def render() -> str:
    """Return the text that ontology/context.jsonld must have."""
    terms = _Graph(turtle("ontology").values())
    shapes = _Graph(turtle("shapes").values())
    context: dict[str, object] = {"@version": 1.1, "id": "@id", "type": "@type"}
    context |= {**NAMESPACES, **PREFIX_ONLY}
    for prefix, namespace in NAMESPACES.items():
        for iri in sorted(t for t in terms.subjects if t.startswith(namespace)):
            name = iri.removeprefix(namespace)
            if iri not in _UNNAMED and name not in context:
                context[name] = _definition(f"{prefix}:{name}", iri, terms, shapes)
    return json.dumps({"@context": context}, indent=1, ensure_ascii=False) + "\n"


def _definition(short: str, iri: str, terms: _Graph, shapes: _Graph) -> object:
    kinds = terms.get(iri, _RDF + "type")
    judging = [s for s in shapes.subjects if iri in shapes.get(s, _SH + "path")]
    ranged = bool(terms.get(iri, _RDFS + "range"))
    if _OWL + "ObjectProperty" in kinds or (
        ranged and _OWL + "AnnotationProperty" in kinds
    ):
        return _link(short, iri, terms, shapes, judging)
    if _OWL + "DatatypeProperty" in kinds or judging:
        return _value(short, iri, terms, shapes, judging)
    return short


def _link(
    short: str, iri: str, terms: _Graph, shapes: _Graph, judging: list[str]
) -> dict[str, str]:
    """A link: to a term of a list by its name, to anything else by its IRI."""
    listed = any(
        _SKOS + "Concept" in terms.get(kind, _RDFS + "subClassOf")
        for kind in terms.get(iri, _RDFS + "range")
    ) or any(shapes.get(shape, _SH + "in") for shape in judging)
    definition = {"@id": short, "@type": "@vocab" if listed else "@id"}
    limited = any("1" in shapes.get(shape, _SH + "maxCount") for shape in judging)
    return definition if limited or listed else {**definition, "@container": "@set"}


def _value(
    short: str, iri: str, terms: _Graph, shapes: _Graph, judging: list[str]
) -> object:
    """A value: with its datatype, unless that is a plain string or open."""
    datatypes = terms.get(iri, _RDFS + "range").union(
        *(shapes.get(shape, _SH + "datatype") for shape in judging)
    )
    kinds = set().union(*(shapes.get(shape, _SH + "nodeKind") for shape in judging))
    if kinds == {_SH + "IRI"}:
        return {"@id": short, "@type": "@id"}
    if len(datatypes) != 1 or datatypes == {_XSD + "string"}:
        return short
    return {"@id": short, "@type": "xsd:" + datatypes.pop().removeprefix(_XSD)}
