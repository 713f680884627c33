"""The JSON-LD context gives every term a short name and loses nothing."""

import json
from collections.abc import Iterable
from random import Random
from typing import Any, NoReturn

import pytest
from pyld import jsonld
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, parse, serialize
from rdflib import OWL, RDF, Graph

from aitia import contextgen, resources
from aitia.vocab import AITIA, DCTERMS, PROV, RDF as RDF_TERMS, XSD
from tests.strategies import world

CONTEXT = json.loads(resources.text("ontology", "context.jsonld"))
NAMES: dict[str, Any] = CONTEXT["@context"]


def refuse(url: str, _options: object = None) -> NoReturn:
    raise AssertionError(f"{url} was asked for")


OFFLINE = {"documentLoader": refuse, "graph": True}
SUBJECT, GRAPH = NamedNode("urn:aitia:x"), NamedNode("urn:g:1")
OTHER = NamedNode("urn:aitia:y")
ODD = [
    Quad(SUBJECT, AITIA.text, Literal("Wörter", language="de"), GRAPH),
    Quad(SUBJECT, AITIA.text, Literal("words"), GRAPH),
    Quad(SUBJECT, AITIA.start, Literal("seven", datatype=XSD.integer), GRAPH),
    Quad(SUBJECT, AITIA.start, Literal("7"), GRAPH),
    Quad(SUBJECT, AITIA.start, Literal("7", datatype=XSD.integer), GRAPH),
    Quad(SUBJECT, AITIA.start, OTHER, GRAPH),
    Quad(SUBJECT, AITIA.status, OTHER, GRAPH),
    Quad(SUBJECT, AITIA.status, NamedNode("urn:x:succeeded"), GRAPH),
    Quad(SUBJECT, AITIA.status, Literal("succeeded"), GRAPH),
    Quad(SUBJECT, AITIA.derivesFrom, Literal("urn:aitia:y"), GRAPH),
    Quad(SUBJECT, NamedNode("urn:data:p/start"), Literal("x"), GRAPH),
    Quad(SUBJECT, NamedNode("http://www.w3.org/ns/oa#start"), Literal("x"), GRAPH),
    Quad(SUBJECT, RDF_TERMS.type, NamedNode("urn:x:Document"), GRAPH),
    Quad(SUBJECT, RDF_TERMS.type, PROV.Entity, GRAPH),
    Quad(SUBJECT, RDF_TERMS.object, Literal("5", datatype=XSD.integer), GRAPH),
    Quad(SUBJECT, RDF_TERMS.object, OTHER, OTHER),
    Quad(SUBJECT, DCTERMS.title, Literal("no graph")),
]


def compacted(quads: list[Quad]) -> Any:
    nquads = (serialize(quads, format=RdfFormat.N_QUADS) or b"").decode()
    expanded = jsonld.from_rdf(nquads, {"format": "application/n-quads"})
    return jsonld.compact(expanded, CONTEXT, OFFLINE)


def lines(quads: Iterable[Quad], *, digits: int = 17) -> list[str]:
    return sorted({str(rounded(quad, digits)) for quad in quads})


def rounded(quad: Quad, digits: int) -> Quad:
    value = quad.object
    if isinstance(value, Literal) and value.datatype == XSD.double:
        text = f"{float(value.value):.{digits}g}"
        value = Literal(text, datatype=XSD.double)
    return Quad(quad.subject, quad.predicate, value, quad.graph_name)


@pytest.mark.parametrize(
    "quads", [ODD, world(Random(5), 3)], ids=["odd values", "a random world"]
)
def test_round_trip_loses_nothing(quads: list[Quad]) -> None:
    document = compacted(quads)
    nquads = jsonld.to_rdf(
        document, {"documentLoader": refuse, "format": "application/n-quads"}
    )
    # PyLD rewrites doubles and keeps some 13 digits of them; the store's parser does not.
    again = parse(nquads, format=RdfFormat.N_QUADS)
    assert lines(again, digits=12) == lines(quads, digits=12)
    again = parse(json.dumps(document), format=RdfFormat.JSON_LD)
    assert lines(again) == lines(quads)


def test_a_node_reads_well() -> None:
    run = NamedNode("urn:aitia:run:7/trace")
    quads = [
        Quad(SUBJECT, RDF_TERMS.type, AITIA.Claim, run),
        Quad(SUBJECT, AITIA.text, Literal("The fee is 5 euro."), run),
        Quad(SUBJECT, AITIA.order, Literal("1", datatype=XSD.integer), run),
        Quad(SUBJECT, AITIA.supportState, AITIA.supported, run),
        Quad(SUBJECT, AITIA.derivesFrom, OTHER, run),
        Quad(SUBJECT, AITIA.confidence, Literal("0.5", datatype=XSD.double), run),
    ]
    (graph,) = compacted(quads)["@graph"]
    assert graph == {
        "id": "urn:aitia:run:7/trace",
        "@graph": [
            {
                "id": "urn:aitia:x",
                "type": "Claim",
                "text": "The fee is 5 euro.",
                "order": "1",
                "supportState": "supported",
                "derivesFrom": ["urn:aitia:y"],
                "confidence": "0.5",
            }
        ],
    }


def test_a_world_needs_no_long_name() -> None:
    keys: set[str] = set()

    def gather(value: Any) -> None:
        if isinstance(value, dict):
            keys.update(key for key in value if key != "@context")
            for key in value.keys() - {"@context"}:
                gather(value[key])
        elif isinstance(value, list):
            for item in value:
                gather(item)

    gather(compacted(world(Random(5), 3)))
    assert {key for key in keys if ":" in key} == set()


def test_every_term_of_ours_has_its_own_name() -> None:
    ontology = Graph().parse(data=resources.text("ontology", "aitia.ttl"))
    for term in set(ontology.subjects(RDF.type, None)):
        name = str(term).removeprefix(AITIA.NS)
        if name == str(term):
            continue  # the ontology itself
        defined = NAMES[name]
        iri = defined if isinstance(defined, str) else defined["@id"]
        assert iri == f"aitia:{name}"
        if (term, RDF.type, OWL.ObjectProperty) in ontology:
            assert defined["@type"] in {"@id", "@vocab"}, name


def test_the_context_is_generated_from_ontology_and_shapes() -> None:
    assert contextgen.render() == resources.text("ontology", "context.jsonld")
