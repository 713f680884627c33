"""Every shape is named, told in plain words, fired by valid data and broken by a case."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from rdflib import OWL, RDF, RDFS, SH, SKOS, XSD, Graph, Literal, Namespace, URIRef
from rdflib.term import Node

from aitia.resources import turtle
from tests.graphs import to_rdflib
from tests.shape_suite import (
    ONTOLOGY,
    SHAPE,
    Case,
    broken,
    cases,
    edit,
    found,
    names,
    shapes,
    valid,
)
from tests.strategies import seeds, sizes, world

AITIA = Namespace("https://w3id.org/aitia/ns#")
EARL = Namespace("http://www.w3.org/ns/earl#")
RULES, MODEL_RULES = shapes(), shapes(model=True)
JUDGE, MODEL_JUDGE = shapes(), shapes(model=True)  # pySHACL adds to what it is given
SUITES = {
    "shapes": (JUDGE, "valid.ttl", "cases.txt"),
    "model": (MODEL_JUDGE, "model.ttl", "model_cases.txt"),
}
TARGETS = (SH.targetClass, SH.targetSubjectsOf, SH.targetObjectsOf)

# What a shape may use. The gate derives from it what each verdict reads; no sh:sparql,
# no recursive path, no sequence, no count over a shared node.
TERMS = {
    *TARGETS,
    RDF.type,
    RDFS.label,
    *(
        SH[name]
        for name in ["message", "path", "property", "or", "closed", "inversePath"]
    ),
    *(
        SH[name]
        for name in ["minCount", "maxCount", "datatype", "nodeKind", "class", "in"]
    ),
    *(SH[name] for name in ["pattern", "minLength", "maxLength", "equals", "disjoint"]),
    *(SH[name] for name in ["minInclusive", "maxInclusive", "lessThan"]),
}
# Links that are followed backwards, each only from an end where few of them meet.
BACKWARDS = [
    "produced",
    "verifies",
    "refutes",
    "motivates",
    "triggers",
    "concludes",
    "conclusion",
]
BACKWARDS += ["supports", "contradicts"]


def parametrized() -> Iterator[object]:
    for suite, (_, _, file) in SUITES.items():
        for number, case in enumerate(cases(file)):
            yield pytest.param(suite, case, id=f"{suite}-{number}-{case.shape}")


@pytest.mark.parametrize(("suite", "case"), list(parametrized()))
def test_case_breaks_exactly_its_shape(suite: str, case: Case) -> None:
    graph = case.apply(valid(SUITES[suite][1]))
    assert found(graph, model=suite == "model") == {case.shape}


@pytest.mark.parametrize("suite", SUITES)
def test_pyshacl_itself_says_the_same(
    suite: str, request: pytest.FixtureRequest
) -> None:
    rules, world_file, file = SUITES[suite]
    step = 1 if request.config.getoption("--full") else 20
    for case in cases(file)[::step]:
        assert broken(case.apply(valid(world_file)), rules) == {case.shape}


@pytest.mark.parametrize("suite", SUITES)
def test_every_shape_is_fired_by_the_valid_world_and_broken_by_a_case(
    suite: str,
) -> None:
    rules, world_file, file = SUITES[suite]
    with watched() as seen:
        assert broken(valid(world_file), rules) == set()
    told = set(names(rules))
    assert {name for name in told if not seen[name].values} == set()
    helpers = helper_names(rules)
    for name in helpers:
        assert seen[name].passed, f"{name} never holds in the valid world"
    some = {case.shape: case for case in cases(file)}
    with watched() as seen:
        for name in sorted(some):
            if has_alternatives(rules, name):
                broken(some[name].apply(valid(world_file)), rules)
    assert {name for name in helpers if not seen[name].failed} == set()
    assert told - helpers == set(some)


class Seen:
    """How a shape fared: values it looked at, verdicts it gave."""

    def __init__(self) -> None:
        self.values = self.passed = self.failed = 0


@contextmanager
def watched() -> Iterator[dict[str, Seen]]:
    """Watch pySHACL's shapes give their verdicts."""
    from pyshacl.shape import Shape

    seen: dict[str, Seen] = defaultdict(Seen)
    original = Shape.validate

    def validate(self, executor, graph, focus=None, _evaluation_path=None):  # type: ignore[no-untyped-def]
        holds, report = original(self, executor, graph, focus, _evaluation_path)
        nodes = focus if focus is not None else self.focus_nodes(graph)
        told = seen[str(self.node).removeprefix(SHAPE)]
        absent = (self.node, SH.maxCount, Literal(0)) in self.sg.graph
        for values in self.value_nodes(graph, nodes).values():
            told.values += len(values) or absent
        told.passed += holds
        told.failed += not holds
        return holds, report

    with patch.object(Shape, "validate", validate):
        yield seen


def helper_names(rules: Graph) -> set[str]:
    """Shapes that only serve as alternatives of others: they report nothing themselves."""
    reporting: set[Node] = set()
    pending = {node for p in TARGETS for node in rules.subjects(p, None)}
    while pending:
        reporting |= pending
        pending = {o for s in pending for o in rules.objects(s, SH.property)}
    return {name for name, iri in names(rules).items() if iri not in reporting}


def has_alternatives(rules: Graph, name: str) -> bool:
    return (URIRef(SHAPE + name), SH["or"], None) in rules


# What a shape must have and may use


@pytest.mark.parametrize("rules", [RULES, MODEL_RULES], ids=["shapes", "model"])
def test_every_shape_has_an_iri_a_name_and_a_message(rules: Graph) -> None:
    shaping = (SH.path, SH.property, *TARGETS)
    nodes = {node for p in shaping for node in rules.subjects(p, None)}
    assert nodes <= set(names(rules).values())
    for predicate in (RDFS.label, SH.message):
        told = Counter(rules.subjects(predicate, None))
        assert {name for name, iri in names(rules).items() if told[iri] != 1} == set()
        texts = Counter(str(text) for text in rules.objects(None, predicate))
        assert [text for text, number in texts.items() if number > 1] == []
    for text in rules.objects(None, SH.message):
        assert re.fullmatch(r"[A-Z].{10,}\.", str(text)), text


@pytest.mark.parametrize("rules", [RULES, MODEL_RULES], ids=["shapes", "model"])
def test_shapes_read_only_what_the_gate_can_follow(rules: Graph) -> None:
    lists = {RDF.first, RDF.rest}
    assert set(rules.predicates()) - lists <= TERMS
    backwards = set(rules.objects(None, SH.inversePath))
    assert backwards <= {AITIA[name] for name in BACKWARDS}
    for path in set(rules.objects(None, SH.path)) - set(
        rules.subjects(SH.inversePath, None)
    ):
        assert isinstance(path, URIRef), "a path is one step"
    for iri in names(rules).values():
        assert iri not in below(rules, iri), f"{iri} refers to itself"


def below(rules: Graph, shape: Node) -> set[Node]:
    """The shapes that a shape refers to."""
    found: set[Node] = set()
    pending = [shape]
    while pending:
        node = pending.pop()
        direct = set(rules.objects(node, SH.property))
        for head in rules.objects(node, SH["or"]):
            direct |= set(rules.items(head))
        pending += direct - found
        found |= direct
    return found


def test_no_shape_reads_what_grows_with_every_run() -> None:
    """Statements, methods and agents are shared: their links to runs pile up."""
    for owner in (AITIA.Statement, AITIA.Document, AITIA.Passage, AITIA.Agent):
        targeted = [
            node
            for node in RULES.subjects(SH.targetClass, owner)
            for node in (node, *below(RULES, node))
        ]
        paths = {path for node in targeted for path in RULES.objects(node, SH.path)}
        assert not paths & {AITIA.inRun, AITIA.hasCause, AITIA.supports}
        assert not [path for path in paths if not isinstance(path, URIRef)]


# Shapes and ontology say the same


def test_every_class_has_a_shape() -> None:
    classes = set(ONTOLOGY.subjects(RDF.type, OWL.Class))
    lists = {
        term for term in classes if (term, RDFS.subClassOf, SKOS.Concept) in ONTOLOGY
    }
    ends = "Traceable Usable Ground Product Result Checkable Motive Motivated"
    ends += " Undertaking Occurrence Conclusion"  # what ends a run is one of its three
    narrower = {AITIA.Person, AITIA.Software, AITIA.Model, AITIA.ToolCall}
    expected = classes - lists - narrower - {AITIA[name] for name in ends.split()}
    assert expected <= set(RULES.objects(None, SH.targetClass))


def test_every_property_has_a_shape() -> None:
    kinds = (OWL.ObjectProperty, OWL.DatatypeProperty)
    properties = {p for kind in kinds for p in ONTOLOGY.subjects(RDF.type, kind)}
    read = set(RULES.objects(None, SH.path)) | set(RULES.objects(None, SH.inversePath))
    assert properties - read == {AITIA.causes}  # never stated


def test_ends_of_links_are_those_of_the_ontology() -> None:
    for target, end in (
        (SH.targetSubjectsOf, RDFS.domain),
        (SH.targetObjectsOf, RDFS.range),
    ):
        for shape, link in RULES.subject_objects(target):
            kind = RULES.value(shape, SH["class"])
            if kind is not None and (shape, SH.path, None) not in RULES:
                assert kind == ONTOLOGY.value(link, end), (shape, link)
    for shape, path in RULES.subject_objects(SH.path):
        kind, backwards = (
            RULES.value(shape, SH["class"]),
            RULES.value(path, SH.inversePath),
        )
        link, end = (backwards, RDFS.domain) if backwards else (path, RDFS.range)
        if kind is not None and str(link).startswith(AITIA):
            wider = set(ONTOLOGY.transitive_objects(kind, RDFS.subClassOf))
            assert ONTOLOGY.value(link, end) in wider, shape


def test_datatypes_are_those_of_the_ontology() -> None:
    for rules in (RULES, MODEL_RULES):
        for shape, datatype in rules.subject_objects(SH.datatype):
            path = rules.value(shape, SH.path)
            declared = ONTOLOGY.value(path, RDFS.range)
            assert declared in (None, datatype), shape


def test_lists_of_values_are_those_of_the_ontology() -> None:
    partial = {  # these take some of a list on purpose
        "readingStatus",
        "verdictOutcome",
        "opinionRank",
        *helper_names(RULES),
    }
    for name, iri in names(RULES).items():
        head = RULES.value(iri, SH["in"])
        if head is None:
            continue
        values = set(RULES.items(head))
        path = RULES.value(iri, SH.path)
        known = set(ONTOLOGY.subjects(RDF.type, ONTOLOGY.value(path, RDFS.range)))
        if path == AITIA.linkKind:
            known = set(ONTOLOGY.subjects(AITIA.effectEnd, None))
        if str(path).startswith(EARL):
            continue
        assert values <= known, name
        assert name in partial or values == known, name


# Random worlds


@pytest.mark.parametrize("seed", range(3))
def test_a_random_world_conforms(seed: int) -> None:
    assert broken(to_rdflib(world(Random(seed), 3)), JUDGE) == set()


@pytest.mark.full
@settings(max_examples=100, deadline=None)
@given(seed=seeds(), size=sizes())
def test_every_random_world_conforms(seed: int, size: int) -> None:
    assert broken(to_rdflib(world(Random(seed), size)), JUDGE) == set()


WEIRD = [
    Literal("garbage", datatype=XSD.dateTime),
    Literal("2026-01-01T24:00:00Z", datatype=XSD.dateTime),
    Literal("99999-01-01T00:00:00Z", datatype=XSD.dateTime),
    Literal("seven", datatype=XSD.integer),
    Literal("NaN", datatype=XSD.double),
    Literal("INF", datatype=XSD.double),
    Literal("two", datatype=XSD.decimal),
    Literal("maybe", datatype=XSD.boolean),
    Literal("words"),
    Literal("Wörter", lang="de"),
    URIRef("urn:x:nothing"),
]


@pytest.mark.filterwarnings("ignore")  # rdflib warns of each ill-typed literal
@pytest.mark.parametrize("value", WEIRD, ids=str)
def test_no_value_makes_the_checker_fail(value: Node) -> None:
    graph = Graph() + valid()
    for subject, predicate in {(s, p) for s, p, _ in graph if p != RDF.type}:
        graph.add((subject, predicate, value))
    assert len(broken(graph, JUDGE)) > 100


def test_a_long_input_belongs_in_a_blob() -> None:
    graph = Graph() + valid()
    edit(graph, '= :exec1 aitia:input "%s" .' % ("x" * 4000))
    assert broken(graph, JUDGE) == set()
    edit(graph, '= :exec1 aitia:input "%s" .' % ("x" * 4001))
    assert broken(graph, JUDGE) == {"executionInput"}


def test_the_files_are_those_the_gate_knows() -> None:
    areas = ["claim", "common", "knowledge", "ledger", "model", "proposal", "run"]
    assert sorted(turtle("shapes")) == [f"{area}.ttl" for area in areas]
