"""The gate's verdict found another way: stock pySHACL and plain queries on everything.

Nothing here uses what aitia.gate computes: shapes are parsed by rdflib, targets found by
pySHACL, rules asked of the whole store in SPARQL or by walking all of it.
"""

import logging
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from graphlib import CycleError, TopologicalSorter
from typing import Any

import pyshacl
import rdflib
from pyoxigraph import (
    BlankNode,
    Literal,
    NamedNode,
    Quad,
    QueryBoolean,
    RdfFormat,
    Store,
    Triple,
    parse,
)
from pyshacl.shapes_graph import ShapesGraph
from rdflib.namespace import RDF, RDFS

from aitia import resources

SH = rdflib.Namespace("http://www.w3.org/ns/shacl#")
NS = "https://w3id.org/aitia/ns#"
PREFIXES = f"""
PREFIX aitia: <{NS}> PREFIX prov: <http://www.w3.org/ns/prov#>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
PREFIX dcterms: <http://purl.org/dc/terms/>
"""
FROM_EFFECT = ("derivesFrom", "usedTool")
FROM_CAUSE = (
    "supports",
    "contradicts",
    "verifies",
    "refutes",
    "triggers",
    "motivates",
    "concludes",
    "produced",
)
SUBCLASS = "urn:x:subClassOf"
Finding = tuple[str, str, str, str]


@contextmanager
def silence() -> Iterator[None]:
    """Keep rdflib and pySHACL quiet about the bad literals that the tests make."""
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(logging.NOTSET)


@cache
def own_shapes() -> rdflib.Graph:
    """aitia's shapes, without those for models, parsed by rdflib."""
    graph = rdflib.Graph()
    for name, text in resources.turtle("shapes").items():
        if name != "model.ttl":
            graph.parse(data=text, format="turtle")
    return graph


@cache
def axioms() -> rdflib.Graph:
    """What the ontology says about classes and the classes of its individuals."""
    whole = rdflib.Graph()
    for text in resources.turtle("ontology").values():
        whole.parse(data=text, format="turtle")
    graph = rdflib.Graph()
    for triple in whole:
        if triple[1] in (RDFS.subClassOf, RDF.type):
            graph.add(triple)
    return graph


def term(value: Any) -> Any:
    """Turn a term of the store into rdflib's."""
    if isinstance(value, NamedNode):
        return rdflib.URIRef(value.value)
    if value.language:
        return rdflib.Literal(value.value, lang=value.language)
    if value.datatype.value.endswith("#string"):
        return rdflib.Literal(value.value)
    kind = rdflib.URIRef(value.datatype.value)
    return rdflib.Literal(value.value, datatype=kind, normalize=False)


def graph_of(quads: Iterable[Quad]) -> rdflib.Graph:
    """Return all quads and the axioms as one graph."""
    graph = rdflib.Graph(bind_namespaces="none")
    for quad in quads:
        graph.add((term(quad.subject), term(quad.predicate), term(quad.object)))
    for triple in axioms():
        graph.add(triple)
    return graph


def shacl(
    quads: Iterable[Quad], shapes: rdflib.Graph | None = None
) -> set[Finding] | None:
    """Return what stock pySHACL finds in everything; None where it raises.

    Class axioms are our ontology's, and those that the shapes bring; rdfs:subClassOf
    in data goes by another name, in data and shapes. Individuals of the ontology, such
    as its strategies, have their class for the sake of what points to them; they are no
    nodes on record unless a quad says something of them.
    """
    found = list(quads)
    described = {str(term(quad.subject)) for quad in found}
    outside = {str(node) for node in axioms().subjects(RDF.type)} - described
    with silence():
        data = graph_of(_renamed(quad) for quad in found)
        for triple in shapes.triples((None, RDFS.subClassOf, None)) if shapes else ():
            data.add(triple)
        try:
            _, report, _ = pyshacl.validate(data, shacl_graph=shapes or own_shapes())
        except Exception:
            return None
        assert isinstance(report, rdflib.Graph)
        results = {finding(report, item) for item in report.objects(None, SH.result)}
        return {result for result in results if result[0] not in outside}


def _renamed(quad: Quad) -> Quad:
    if quad.predicate.value != str(RDFS.subClassOf):
        return quad
    return Quad(quad.subject, NamedNode(SUBCLASS), quad.object, quad.graph_name)


def user_shapes(text: str) -> rdflib.Graph:
    """Parse a user's shapes; where they name rdfs:subClassOf, data is meant."""
    graph = rdflib.Graph()
    for subject, predicate, value in rdflib.Graph().parse(data=text, format="turtle"):
        named = rdflib.URIRef(SUBCLASS) if value == RDFS.subClassOf else value
        graph.add((subject, predicate, named))
    return graph


def finding(report: rdflib.Graph, result: Any) -> Finding:
    """Return a result as focus node, component, value and shape."""
    shape = report.value(result, SH.sourceShape)
    component = str(report.value(result, SH.sourceConstraintComponent))
    return (
        str(report.value(result, SH.focusNode)),
        component.split("#")[1],
        str(report.value(result, SH.value)),
        str(shape) if isinstance(shape, rdflib.URIRef) else "_",
    )


def reported(turtle: str) -> set[Finding]:
    """Return what a refusal's own report says of shapes, in the same form."""
    by_result: dict[object, dict[str, str]] = {}
    inner = set[object]()
    for quad in parse(turtle.encode(), format=RdfFormat.TURTLE):
        name = quad.predicate.value.rsplit("#", 1)[-1]
        blank = isinstance(quad.object, BlankNode | Triple)
        text = "_" if blank else quad.object.value
        by_result.setdefault(quad.subject, {})[name] = text
        if name == "detail":
            inner.add(quad.object)
    return {
        (
            found["focusNode"],
            found["sourceConstraintComponent"].split("#")[1],
            found.get("value", "None"),
            found["sourceShape"],
        )
        for node, found in by_result.items()
        if node not in inner
        and "focusNode" in found
        and not found["sourceConstraintComponent"].endswith(
            "#SPARQLConstraintComponent"
        )
    }


class Whole:
    """All quads of a store, to ask the rules of."""

    def __init__(self, quads: Iterable[Quad]) -> None:
        self.quads = set(quads)
        self.store = Store()
        self.store.extend(self.quads)
        self.ours = [q for q in self.quads if _is_ours(q.graph_name)]
        self.subjects = {q.subject for q in self.quads}

    def ask(self, query: str) -> bool:
        """Answer an ASK query over the union of all graphs."""
        found = self.store.query(PREFIXES + query, use_default_graph_as_union=True)
        assert isinstance(found, QueryBoolean)
        return bool(found)

    def pairs(self, predicate: str) -> set[tuple[Any, Any]]:
        """Return subject and object of every triple of one of our predicates."""
        node = NamedNode(NS + predicate)
        return {
            (q.subject, q.object)
            for q in self.store.quads_for_pattern(None, node, None, None)
        }

    def broken(self) -> set[str]:
        """Return the names of the rules that do not hold."""
        rules = {
            "noDangling": self.dangling(),
            "mirroredCause": self.unmirrored(),
            "noCausalCycle": self.cyclic("hasCause"),
            "noStructuralLoop": any(
                self.cyclic(p) for p in ("subgoalOf", "dependsOn", "partOf", "replaces")
            ),
            "linkStated": self.ask(
                "ASK { ?l aitia:linkFrom ?a ; aitia:linkKind ?k ; aitia:linkTo ?b ."
                " FILTER NOT EXISTS { ?a ?k ?b } }"
            ),
            "quoteInsidePassage": self.ask(
                "ASK { ?q a aitia:Quote ; dcterms:isPartOf ?p . "
                "{ ?q aitia:start ?s . ?p aitia:start ?t FILTER NOT EXISTS"
                " { ?p aitia:start ?u FILTER(?u <= ?s) } FILTER(?s < ?t) } UNION "
                "{ ?q aitia:end ?s . ?p aitia:end ?t FILTER NOT EXISTS"
                " { ?p aitia:end ?u FILTER(?u >= ?s) } FILTER(?s > ?t) } }"
            ),
            "causeBeforeEffect": self.out_of_time(),
            "wellTyped": self.ill_typed(),
            "definedTerm": self.undefined(),
            "covered": self.uncovered(),
        }
        return {name for name, is_broken in rules.items() if is_broken}

    def dangling(self) -> bool:
        return any(
            isinstance(q.object, NamedNode)
            and q.object.value.startswith("urn:aitia:")
            and not q.object.value.startswith("urn:aitia:graph:")
            and q.object not in self.subjects
            for q in self.ours
        )

    def unmirrored(self) -> bool:
        linked = set[tuple[Any, Any]]()
        for predicate in FROM_EFFECT:
            linked |= self.pairs(predicate)
        for predicate in FROM_CAUSE:
            linked |= {(effect, cause) for cause, effect in self.pairs(predicate)}
        return linked != self.pairs("hasCause")

    def cyclic(self, predicate: str) -> bool:
        sorter = TopologicalSorter[Any]()
        for subject, value in self.pairs(predicate):
            sorter.add(subject, value)
        try:
            sorter.prepare()
        except CycleError:
            return True
        return False

    def out_of_time(self) -> bool:
        times: dict[Any, list[datetime]] = {}
        for quad in self.quads:
            name = quad.predicate.value.rsplit("#", 1)[-1]
            value = quad.object
            if name in ("startedAtTime", "endedAtTime", "generatedAtTime"):
                assert not isinstance(value, NamedNode) or name
                text = value.value if isinstance(value, Literal) else ""
                if text.endswith("Z") and isinstance(value, Literal):
                    try:
                        moment = datetime.fromisoformat(text)
                    except ValueError:
                        continue
                    if value.datatype.value.endswith("#dateTime"):
                        times.setdefault(quad.subject, []).append(moment)
        return any(
            effect in times
            and cause in times
            and max(times[effect]) < min(times[cause])
            for effect, cause in self.pairs("hasCause")
        )

    def ill_typed(self) -> bool:
        scratch = Store()
        scratch.extend(self.ours)
        kinds = ("integer", "decimal", "double", "boolean", "dateTime", "date")
        for kind in kinds:
            query = (
                f"{PREFIXES} ASK {{ ?s ?p ?o . FILTER(isLiteral(?o)) ."
                f" FILTER(datatype(?o) = xsd:{kind})"
                f" BIND(xsd:{kind}(str(?o)) AS ?v) FILTER(!BOUND(?v)) }}"
            )
            if scratch.query(query, use_default_graph_as_union=True):
                return True
        return False

    def undefined(self) -> bool:
        defined = {str(s) for s in _ontology_terms()}
        return any(
            isinstance(part, NamedNode)
            and part.value.startswith(NS)
            and part.value not in defined
            for q in self.ours
            for part in (q.subject, q.predicate, q.object)
        )

    def uncovered(self) -> bool:
        with silence():
            data = graph_of(self.quads)
            targeted = {
                node for shape in _stock().shapes for node in shape.focus_nodes(data)
            }
        return any(term(q.subject) not in targeted for q in self.ours)


@cache
def _stock() -> ShapesGraph:
    return ShapesGraph(own_shapes())


@cache
def _ontology_terms() -> frozenset[str]:
    whole = rdflib.Graph()
    for text in resources.turtle("ontology").values():
        whole.parse(data=text, format="turtle")
    return frozenset(str(s) for s in whole.subjects() if str(s).startswith(NS))


def _is_ours(graph: Any) -> bool:
    name = graph.value
    if name in ("urn:aitia:graph:current", "urn:aitia:graph:inferred"):
        return False
    run = name.startswith("urn:aitia:run:") and name.endswith("/trace")
    return bool(name.startswith("urn:aitia:graph:") or run)
