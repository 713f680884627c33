"""The ontology is complete in two languages, in OWL 2 RL, and free of contradiction."""

import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from rdflib import OWL, RDF, RDFS, SKOS, XSD, BNode, Graph, Literal, Namespace, URIRef
from rdflib.term import Node

from aitia import resources
from aitia.model.links import LINKS
from tests.graphs import to_rdflib
from tests.strategies import world

AITIA = Namespace("https://w3id.org/aitia/ns#")
PROV = Namespace("http://www.w3.org/ns/prov#")
ERROR = URIRef("http://www.daml.org/2002/03/agents/agent-ont#error")
PROV_AXIOMS = Path(__file__).parent / "suites" / "ontology" / "prov.ttl"

OURS = Graph().parse(data=resources.text("ontology", "aitia.ttl"))
EXTERNAL = Graph().parse(data=resources.text("ontology", "external.ttl"))
KNOWN = OURS + EXTERNAL
ALIGNMENTS = Graph().parse(data=resources.text("ontology", "alignments.ttl"))
TERMS = sorted(
    term
    for term in set(OURS.subjects(RDF.type, None))
    if isinstance(term, URIRef) and term.startswith(AITIA)
)

# Every axiom the ontology may use; OWL 2 RL knows them all, and none needs a class
# expression without a name.
KINDS = {
    OWL.Class,
    OWL.ObjectProperty,
    OWL.DatatypeProperty,
    OWL.AnnotationProperty,
    OWL.NamedIndividual,
    OWL.SymmetricProperty,
    OWL.AsymmetricProperty,
    OWL.IrreflexiveProperty,
}
AXIOMS = {
    RDF.type,
    RDFS.subClassOf,
    RDFS.subPropertyOf,
    RDFS.domain,
    RDFS.range,
    OWL.inverseOf,
    RDFS.label,
    SKOS.definition,
    AITIA.effectEnd,
    AITIA.defaultBasis,
}
USES = {AITIA.appliesWhen, AITIA.failsWhen}  # of strategies alone
DATATYPES = {
    XSD[name]
    for name in [
        "string",
        "boolean",
        "integer",
        "decimal",
        "double",
        "dateTime",
        "anyURI",
    ]
}


def above(term: Node, predicate: URIRef) -> set[Node]:
    """The term and all that it is a sub-term of."""
    found = KNOWN.transitive_objects(term, predicate)
    return {node for node in found if node is not None}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("predicate", [RDFS.label, SKOS.definition])
def test_every_term_is_told_once_in_each_language(
    predicate: URIRef, language: str
) -> None:
    told = Counter(
        subject
        for subject, value in OURS.subject_objects(predicate)
        if isinstance(value, Literal) and value.language == language
    )
    assert {term: told[term] for term in TERMS if told[term] != 1} == {}


def test_chinese_is_chinese_and_definitions_differ() -> None:
    definitions = [str(value) for value in OURS.objects(None, SKOS.definition)]
    assert [text for text, n in Counter(definitions).items() if n > 1] == []
    chinese = [
        str(value)
        for predicate in (RDFS.label, SKOS.definition)
        for value in OURS.objects(None, predicate)
        if isinstance(value, Literal) and value.language == "zh"
    ]
    assert [text for text in chinese if not re.search(r"[一-鿿]", text)] == []


def test_only_axioms_of_owl_2_rl_between_named_terms() -> None:
    assert {
        node for triple in OURS for node in triple if isinstance(node, BNode)
    } == set()
    for term in TERMS:
        kinds = set(OURS.objects(term, RDF.type))
        allowed = AXIOMS | USES if AITIA.Strategy in kinds else AXIOMS
        assert set(OURS.predicates(term, None)) <= allowed, term
        individual = OWL.NamedIndividual in kinds
        assert kinds <= KINDS or individual, term
    ranges = {
        value
        for term in OURS.subjects(RDF.type, OWL.DatatypeProperty)
        for value in OURS.objects(term, RDFS.range)
    }
    assert ranges <= DATATYPES


def test_ends_of_every_property_are_declared() -> None:
    classes = set(KNOWN.subjects(RDF.type, OWL.Class))
    for predicate in (RDFS.subClassOf, RDFS.domain):
        assert set(OURS.objects(None, predicate)) <= classes
    properties = {
        subject
        for kind in (OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty)
        for subject in KNOWN.subjects(RDF.type, kind)
    }
    assert set(OURS.objects(None, RDFS.subPropertyOf)) <= properties
    ranged = {term for term in properties if (term, RDFS.range, None) in OURS}
    values = set(OURS.subjects(RDF.type, OWL.DatatypeProperty))
    assert values <= ranged


def test_no_class_is_both_activity_and_entity() -> None:
    for term in OURS.subjects(RDF.type, OWL.Class):
        assert not {PROV.Activity, PROV.Entity} <= above(term, RDFS.subClassOf), term


def test_every_class_of_prov_is_aligned_or_names_link_ends_only() -> None:
    tops = {PROV.Entity, PROV.Activity, PROV.Agent, PROV.Plan, PROV.Influence}
    tops |= {PROV.Bundle, PROV.Collection, SKOS.Concept}
    unaligned = {
        str(term).removeprefix(AITIA)
        for term in OURS.subjects(RDF.type, OWL.Class)
        if not tops & above(term, RDFS.subClassOf)
    }
    assert unaligned == {"Traceable", "Motivated", "Undertaking", "Occurrence"}


def test_causal_links_have_one_effect_end_and_basis_as_the_code_says() -> None:
    declared = {}
    for term in OURS.subjects(AITIA.effectEnd, None):
        ends = list(OURS.objects(term, AITIA.effectEnd))
        bases = list(OURS.objects(term, AITIA.defaultBasis))
        assert len(ends) == len(bases) == 1, term
        declared[str(term)] = (ends[0] == AITIA.subjectEnd, str(bases[0]))
        wider = above(term, RDFS.subPropertyOf)
        expected = AITIA.hasCause if ends[0] == AITIA.subjectEnd else AITIA.causes
        assert expected in wider
        assert not {AITIA.hasCause, AITIA.causes} <= wider
    assert declared == {
        kind.value: (how.effect_is_subject, how.basis.value)
        for kind, how in LINKS.items()
    }


def test_signed_links_are_those_that_cite_or_test() -> None:
    signs = {
        str(kind.value).removeprefix(AITIA): how.sign for kind, how in LINKS.items()
    }
    assert {name: sign for name, sign in signs.items() if sign} == {
        "supports": 1,
        "contradicts": -1,
        "verifies": 1,
        "refutes": -1,
    }


def test_mappings_name_declared_terms_and_stay_out_of_the_axioms() -> None:
    matches = {SKOS.closeMatch, SKOS.exactMatch, SKOS.broadMatch, SKOS.relatedMatch}
    assert set(ALIGNMENTS.predicates()) <= matches
    assert set(ALIGNMENTS.subjects()) <= set(TERMS)
    assert not [value for value in ALIGNMENTS.objects() if isinstance(value, Literal)]


def closed(*extra: Graph) -> tuple[Graph, list[str]]:
    """The OWL 2 RL closure of the ontology and `extra`, and the errors it found."""
    import owlrl

    graph = Graph().parse(PROV_AXIOMS)
    for part in (KNOWN, ALIGNMENTS, *extra):
        graph += part
    for told in (RDFS.label, SKOS.definition):
        graph.remove((None, told, None))  # words take time and change nothing
    owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(graph)
    # owlrl holds that "0.0" is no double, which it is.
    found = (str(message) for message in graph.objects(None, ERROR))
    return graph, [text for text in found if not text.startswith("Lexical value")]


def test_a_witness_of_every_class_and_property_contradicts_nothing() -> None:
    witnesses = Graph()
    for number, term in enumerate(TERMS):
        node, other = URIRef(f"urn:w:{number}:a"), URIRef(f"urn:w:{number}:b")
        if (term, RDF.type, OWL.Class) in OURS:
            witnesses.add((node, RDF.type, term))
        elif (term, RDF.type, OWL.ObjectProperty) in OURS:
            witnesses.add((node, term, other))
    graph, errors = closed(witnesses)
    assert errors == []
    assert list(graph.subjects(RDF.type, OWL.Nothing)) == []


def test_the_closure_gives_the_cause_of_every_link() -> None:
    links = Graph()
    for kind in LINKS:
        links.add(
            (URIRef("urn:from"), URIRef(kind.value), URIRef(f"urn:to:{kind.value}"))
        )
    graph, _ = closed(links)
    for kind, how in LINKS.items():
        ends = (URIRef("urn:from"), URIRef(f"urn:to:{kind.value}"))
        effect, cause = ends if how.effect_is_subject else reversed(ends)
        assert (effect, AITIA.hasCause, cause) in graph
        assert (effect, PROV.wasInfluencedBy, cause) in graph


@pytest.mark.parametrize(
    "wrong",
    [
        "aitia:Document rdfs:subClassOf prov:Activity . <urn:x> a aitia:Document .",
        "<urn:x> a aitia:Claim , aitia:Run .",
        "<urn:x> aitia:derivesFrom <urn:x> .",
        "<urn:g> a aitia:Goal . <urn:g> aitia:usedTool <urn:y> .",
    ],
)
def test_the_closure_finds_a_contradiction(wrong: str) -> None:
    prefixes = f"@prefix aitia: <{AITIA}> . @prefix prov: <{PROV}> . "
    prefixes += f"@prefix rdfs: <{RDFS}> . "
    assert closed(Graph().parse(data=prefixes + wrong))[1] != []


def test_a_random_world_contradicts_nothing() -> None:
    assert closed(to_rdflib(world(Random(7), 1)))[1] == []
