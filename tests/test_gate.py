"""What the gate lets in, what it refuses, and how it says so."""

from collections.abc import Iterable
from datetime import UTC, datetime
from random import Random

import pytest
from hypothesis import given, settings, strategies as st
from pyoxigraph import BlankNode, Literal, NamedNode, Quad

from aitia import terms
from aitia.errors import ShapeViolation, UsageError
from aitia.gate import Gate, library, line
from aitia.gate.judgement import BATCH
from aitia.gate.literals import is_ill_typed
from aitia.model import Admitted, Origin, Patch, Violation, causal
from aitia.store import OxigraphStore
from aitia.vocab import AITIA, PROV, RDF, RDFS, XSD
from tests.strategies import world
from tests.world_catalog import Maker

CATALOG = terms.GRAPH_CATALOG
ANN = terms.agent_iri("Ann")
E = "http://e/"
SHOP = """
@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix e: <http://e/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
e:Order a sh:NodeShape ; sh:targetClass e:Order ;
    sh:property [ sh:path e:total ; sh:minCount 1 ; sh:maxCount 1 ; sh:datatype xsd:int ] .
"""


def ex(name: str) -> NamedNode:
    return NamedNode(E + name)


class Desk:
    """A store behind a gate."""

    def __init__(self, user_shapes: dict[str, str] | None = None) -> None:
        self.gate = Gate(user_shapes)
        self.store = OxigraphStore()

    def change(
        self,
        adds: Iterable[Quad] = (),
        deletes: Iterable[Quad] = (),
        origin: Origin = Origin.ENGINE,
    ) -> Admitted:
        patch = Patch(frozenset(adds), frozenset(deletes), origin=origin)
        admitted = self.gate.admit(self.store, patch)
        self.store.apply(admitted, [])
        return admitted

    def refused(
        self,
        adds: Iterable[Quad] = (),
        deletes: Iterable[Quad] = (),
        origin: Origin = Origin.ENGINE,
    ) -> ShapeViolation:
        before = set(self.store.quads())
        with pytest.raises(ShapeViolation) as caught:
            self.change(adds, deletes, origin)
        assert set(self.store.quads()) == before
        return caught.value

    def document(self) -> NamedNode:
        """Put a document on record, whose graph takes users' data."""
        made = Maker(Random(3))
        made.document(0)
        self.change(made.quads)
        return made.documents[0]


def person(name: str = "Ann", node: NamedNode = ANN) -> list[Quad]:
    return [
        Quad(node, RDF.type, AITIA.Person, CATALOG),
        Quad(node, RDFS.label, terms.string(name), CATALOG),
    ]


def rules(error: ShapeViolation) -> set[str]:
    return {violation.rule for violation in error.violations}


# What is judged


def test_a_patch_is_reduced_to_what_it_changes() -> None:
    desk = Desk()
    assert len(desk.change(person()).patch.adds) == 2
    again = desk.change(person(), [Quad(ANN, RDFS.label, Literal("gone"), CATALOG)])
    assert again.patch == Patch(frozenset())


def test_what_is_added_and_deleted_at_once_stays() -> None:
    desk = Desk()
    desk.change(person())
    assert not desk.change(person(), person()).patch
    assert len(list(desk.store.quads(ANN))) == 2


def test_literals_are_judged_as_the_store_will_hold_them() -> None:
    desk = Desk()
    node = NamedNode(terms.BASE + "session:1")
    label = Quad(node, RDFS.label, terms.string("s"), CATALOG)
    desk.change([label, Quad(node, RDF.type, AITIA.Session, CATALOG)])
    doc = desk.document()
    odd = Quad(ex("a"), ex("n"), Literal("007", datatype=XSD.integer), doc)
    (kept,) = desk.change([odd]).patch.adds
    assert kept.object == terms.integer(7)
    assert not desk.change([odd]).patch.adds


def test_admitted_tells_what_was_checked_and_what_no_shape_spoke_of() -> None:
    desk = Desk()
    doc = desk.document()
    quads = [Quad(ex(f"s{n}"), ex("p"), terms.integer(n), doc) for n in range(5)]
    admitted = desk.change([*quads, *person()])
    assert admitted.unchecked == 5
    assert admitted.checked["https://w3id.org/aitia/shapes#Agent"] == 1
    assert admitted.shapes_version == desk.gate.version


def test_a_large_patch_is_judged_in_batches_and_refused_as_a_whole() -> None:
    desk = Desk()
    many = [
        quad
        for n in range(BATCH + 10)
        for quad in person(f"n{n}", terms.agent_iri(f"n{n}"))
    ]
    bad = Quad(terms.agent_iri(f"n{BATCH + 5}"), RDFS.label, terms.string(""), CATALOG)
    error = desk.refused([*many, bad])
    assert {v.focus for v in error.violations} == {bad.subject.value}  # type: ignore[union-attr]
    assert sum(desk.change(many).checked.values()) == BATCH + 10


# What a refusal says


def test_a_refusal_names_node_rule_find_and_mend_and_tells_all_at_once() -> None:
    desk = Desk()
    error = desk.refused(
        [
            *person(),
            Quad(ANN, RDFS.label, terms.string("Anna"), CATALOG),
            Quad(terms.agent_iri("Bob"), RDF.type, AITIA.Person, CATALOG),
        ]
    )
    by_focus = {violation.focus: violation for violation in error.violations}
    ann = by_focus[ANN.value]
    assert ann.focus_label in ("Ann", "Anna")
    assert ann.rule == "one label"
    assert ann.found == "has 2 values as label, at most 1 allowed"
    assert "exactly one name" in ann.mend
    assert ann.shape == "https://w3id.org/aitia/shapes#oneLabel"
    assert by_focus["urn:aitia:agent:Bob"].focus_label == "Person Bob"
    for violation in error.violations:
        assert line(violation) in str(error)
    assert error.report.count("a sh:ValidationResult") == 2


def test_text_from_outside_stays_on_its_line() -> None:
    violation = Violation(
        "urn:x", "rule", "mend", focus_label="a\nb\x1b[31m", found="x"
    )
    assert "\n" not in line(violation)


def test_warnings_do_not_block_and_are_told() -> None:
    mild = SHOP.replace(
        "sh:datatype xsd:int", "sh:maxInclusive 5 ; sh:severity sh:Warning"
    )
    desk = Desk({"shop": mild})
    doc = desk.document()
    admitted = desk.change(
        [
            Quad(ex("o"), RDF.type, ex("Order"), doc),
            Quad(ex("o"), ex("total"), terms.integer(9), doc),
        ]
    )
    (warning,) = admitted.warnings
    assert warning.severity == "Warning"
    assert warning.found == 'has "9" (integer) as total, which is not 5 or less'


def test_what_cannot_be_judged_is_refused() -> None:
    shapes = """
    @prefix sh: <http://www.w3.org/ns/shacl#> . @prefix e: <http://e/> .
    e:S a sh:NodeShape ; sh:targetSubjectsOf e:from ;
        sh:property [ sh:path e:from ; sh:lessThanOrEquals e:to ] ."""
    desk = Desk({"s": shapes})
    doc = desk.document()
    soon = Literal("soon", datatype=XSD.dateTime)
    quads = [
        Quad(ex("x"), ex("from"), soon, doc),
        Quad(ex("x"), ex("to"), terms.time(terms.now()), doc),
    ]
    (violation,) = desk.refused(quads).violations
    assert violation.found.startswith("cannot be judged")


# Our own graphs


def test_every_subject_in_our_graphs_needs_a_shape() -> None:
    desk = Desk()
    stray = Quad(NamedNode(terms.BASE + "thing:1"), RDFS.label, Literal("x"), CATALOG)
    assert rules(desk.refused([stray])) == {"covered by a shape"}
    desk.change(person())
    (kind,) = desk.store.quads(ANN, RDF.type)
    assert rules(desk.refused(deletes=[kind])) == {"covered by a shape"}


@pytest.mark.parametrize(
    "quad",
    [
        Quad(BlankNode("b"), RDFS.label, Literal("x"), CATALOG),
        Quad(ANN, RDFS.seeAlso, BlankNode("b"), CATALOG),
        Quad(ANN, RDFS.label, Literal("x")),
        Quad(ANN, RDFS.label, Literal("x"), BlankNode("g")),
    ],
)
def test_what_the_store_cannot_keep_is_refused(quad: Quad) -> None:
    assert rules(Desk().refused([quad])) == {"storable"}


def test_nobody_writes_the_ledger_by_a_patch() -> None:
    node = terms.commit_iri(1)
    forged = Quad(node, RDF.type, AITIA.Commit, terms.GRAPH_LEDGER)
    assert "the ledger writes itself" in rules(Desk().refused([forged]))


def test_a_reference_among_our_own_nodes_must_lead_somewhere() -> None:
    desk = Desk()
    desk.change(person())
    nowhere = NamedNode(terms.BASE + "doc:nowhere")
    loose = Quad(ANN, RDFS.seeAlso, nowhere, CATALOG)
    assert rules(desk.refused([loose])) == {"no dangling reference"}
    desk.change([Quad(ANN, RDFS.seeAlso, ex("page"), CATALOG)])


def test_a_node_that_others_point_to_cannot_go() -> None:
    desk = Desk()
    doc = desk.document()
    gone = [q for q in desk.store.quads(doc) if q.graph_name == CATALOG]
    assert "no dangling reference" in rules(desk.refused(deletes=gone))


def test_a_misspelt_term_of_ours_is_refused() -> None:
    desk = Desk()
    slip = Quad(ANN, NamedNode(AITIA.NS + "lable"), terms.string("x"), CATALOG)
    assert rules(desk.refused([*person(), slip])) == {"defined term"}


def test_an_ill_typed_value_of_ours_is_refused() -> None:
    desk = Desk()
    node = NamedNode(terms.BASE + "source:1")
    quads = [
        Quad(node, RDF.type, AITIA.Source, CATALOG),
        Quad(node, RDFS.label, terms.string("s"), CATALOG),
        Quad(node, AITIA.weight, Literal("1e3", datatype=XSD.decimal), CATALOG),
    ]
    assert "well typed" in rules(desk.refused(quads))


def test_a_causal_link_and_its_mirror_stand_and_fall_together() -> None:
    desk = Desk()
    quads = world(Random(5), 1)
    desk.change(quads)
    mirror = next(q for q in sorted(quads, key=str) if q.predicate == AITIA.hasCause)
    assert "mirrored cause" in rules(desk.refused(deletes=[mirror]))
    link = next(q for q in sorted(quads, key=str) if q.predicate == AITIA.usedTool)
    assert "mirrored cause" in rules(desk.refused(deletes=[link]))


def test_two_links_of_one_patch_can_close_a_cycle() -> None:
    desk = Desk()
    quads = world(Random(5), 2)
    desk.change(quads)
    claims = [
        q.subject
        for q in sorted(quads, key=str)
        if q.predicate == RDF.type and q.object in (AITIA.Claim, AITIA.Hypothesis)
    ]
    one, two = claims[:2]
    assert isinstance(one, NamedNode)
    assert isinstance(two, NamedNode)
    there = causal(one, AITIA.derivesFrom, two, CATALOG)
    back = causal(two, AITIA.derivesFrom, one, CATALOG)
    error = desk.refused([*there, *back])
    assert "no causal cycle" in rules(error)


def test_an_effect_is_not_over_before_its_cause_begins() -> None:
    desk = Desk()
    quads = world(Random(5), 1)
    desk.change(quads)
    ends = next(
        q
        for q in sorted(quads, key=str)
        if q.predicate == PROV.endedAtTime and "/exec/" in q.subject.value  # type: ignore[union-attr]
    )
    early = Literal("1999-01-01T00:00:00Z", datatype=XSD.dateTime)
    moved = Quad(ends.subject, ends.predicate, early, ends.graph_name)
    assert rules(desk.refused([moved], [ends]))


def test_inferred_triples_are_outside() -> None:
    desk = Desk()
    desk.change(person())
    quad = Quad(ANN, RDFS.label, terms.string("Anna"), terms.GRAPH_INFERRED)
    desk.change([quad])
    desk.change([Quad(ANN, RDFS.seeAlso, ex("page"), CATALOG)])


# What was so before


def test_a_node_that_broke_a_new_shape_already_can_still_be_changed() -> None:
    desk = Desk()
    doc = desk.document()
    desk.change(
        [
            Quad(ex("o"), RDF.type, ex("Order"), doc),
            Quad(ex("o"), ex("note"), terms.string("old"), doc),
        ]
    )
    desk.gate.user_shapes["shop"] = SHOP
    desk.change([Quad(ex("o"), ex("note"), terms.string("new"), doc)])
    total = [Quad(ex("o"), ex("total"), terms.integer(n), doc) for n in (1, 2)]
    assert rules(desk.refused(total)) == {"Order"}
    desk.change(total[:1])
    desk.refused(deletes=total[:1])


def test_one_who_makes_it_worse_is_blamed() -> None:
    desk = Desk()
    doc = desk.document()
    total = [Quad(ex("o"), ex("total"), terms.integer(n), doc) for n in range(3)]
    desk.change([Quad(ex("o"), RDF.type, ex("Order"), doc), *total[:2]])
    desk.gate.user_shapes["shop"] = SHOP
    desk.refused(total[2:])
    desk.change(deletes=total[1:2])


# Users' data and models


@pytest.mark.parametrize(
    ("subject", "predicate", "value", "rule"),
    [
        (ex("a"), AITIA.derivesFrom, ex("b"), "no term of ours"),
        (ex("a"), RDF.type, AITIA.Decision, "no term of ours"),
        (NamedNode(terms.BASE + "run:x"), RDFS.label, Literal("x"), "no node of ours"),
        (AITIA.Decision, RDFS.label, Literal("x"), "no axiom about our terms"),
        (ex("A"), RDFS.subClassOf, AITIA.Decision, "no axiom about our terms"),
        (ex("p"), RDFS.subPropertyOf, AITIA.hasCause, "no axiom about our terms"),
    ],
)
@pytest.mark.parametrize("origin", [Origin.ENGINE, Origin.USER])
def test_nobody_forges_our_record_by_a_file(
    subject: NamedNode,
    predicate: NamedNode,
    value: NamedNode | Literal,
    rule: str,
    origin: Origin,
) -> None:
    desk = Desk()
    doc = desk.document()
    quad = Quad(subject, predicate, value, doc)
    assert rule in rules(desk.refused([quad], origin=origin))
    report = desk.gate.check_file([Quad(subject, predicate, value)])
    assert not report.conforms
    assert rule in {violation.rule for violation in report.violations}


@pytest.mark.parametrize(
    "graph",
    [CATALOG, terms.GRAPH_LEDGER, terms.run_graph(terms.run_iri("x")), ANN],
)
def test_a_file_names_no_graph_of_ours(graph: NamedNode) -> None:
    report = Gate().check_file([Quad(ex("a"), ex("p"), ex("b"), graph)])
    assert {violation.rule for violation in report.violations} == {"no graph of ours"}


def test_a_users_patch_stays_out_of_our_graphs() -> None:
    desk = Desk()
    assert "no graph of ours" in rules(desk.refused(person(), origin=Origin.USER))


def test_users_data_stands_in_a_graph_that_a_document_has() -> None:
    desk = Desk()
    doc = desk.document()
    graph = ex("graph")
    quad = Quad(ex("a"), ex("p"), ex("b"), graph)
    assert rules(desk.refused([quad])) == {"declared graph"}
    desk.change([quad, Quad(doc, AITIA.containsGraph, graph, CATALOG)])


def proposal(*more: tuple[NamedNode, NamedNode | Literal]) -> tuple[Desk, list[Quad]]:
    """A desk with a run on record, and a hypothesis that a model proposes for it."""
    desk = Desk()
    quads = world(Random(11), 1)
    desk.change(quads)
    runs = [q.subject for q in quads if q.object == AITIA.Run]
    run = runs[0]
    assert isinstance(run, NamedNode)
    graph, node = terms.run_graph(run), terms.part(run, "hyp", 77)
    passage = next(q.subject for q in quads if q.object == AITIA.Passage)
    assert isinstance(passage, NamedNode)
    stated: list[tuple[NamedNode, NamedNode | Literal]] = [
        (RDF.type, AITIA.Hypothesis),
        (AITIA.inRun, run),
        (AITIA.text, terms.string("perhaps")),
        (AITIA.hypothesisState, AITIA.open),
        *more,
    ]
    return desk, [
        *(Quad(node, predicate, value, graph) for predicate, value in stated),
        *causal(node, AITIA.derivesFrom, passage, graph),
    ]


def test_a_model_may_propose_what_a_closed_shape_lists() -> None:
    desk, quads = proposal()
    desk.change(quads, origin=Origin.MODEL)


@pytest.mark.parametrize(
    "more",
    [
        (ex("unknown"), Literal("x")),
        (AITIA.confidence, terms.double(0.9)),
        (RDFS.label, terms.string("x")),
        (AITIA.hypothesisState, AITIA.verified),
        (RDF.type, AITIA.Decision),
    ],
)
def test_a_model_is_denied_everything_else(
    more: tuple[NamedNode, NamedNode | Literal],
) -> None:
    desk, quads = proposal(more)
    desk.refused(quads, origin=Origin.MODEL)


def test_a_model_deletes_nothing_and_describes_nothing_unlisted() -> None:
    desk, quads = proposal()
    (gone, *_) = desk.store.quads(None, RDFS.label)
    error = desk.refused(quads, [gone], origin=Origin.MODEL)
    assert "a model only adds" in rules(error)
    stray = Quad(ex("a"), ex("p"), ex("b"), ex("g"))
    error = desk.refused([*quads, stray], origin=Origin.MODEL)
    assert {"permitted to a model", "no graph of ours"} <= rules(error)


# Files as they stand


def test_a_file_is_judged_with_the_datatypes_it_has() -> None:
    desk = Desk({"shop": SHOP})
    doc = desk.document()
    kind = Quad(ex("o"), RDF.type, ex("Order"), doc)
    good = Quad(
        ex("o"), ex("total"), Literal("5", datatype=NamedNode(XSD.NS + "int")), doc
    )
    wide = Quad(ex("o"), ex("total"), terms.integer(5), doc)
    assert desk.gate.check_file([kind, good], document=doc).conforms
    assert not desk.gate.check_file([kind, wide], document=doc).conforms
    desk.change([kind, good])
    assert next(desk.store.quads(ex("o"), ex("total"))).object == terms.integer(5)


def test_a_file_is_judged_with_what_its_nodes_point_to() -> None:
    shapes = (
        SHOP + "e:By a sh:NodeShape ; sh:targetObjectsOf e:by ; sh:class e:Customer ."
    )
    desk = Desk({"shop": shapes})
    doc = desk.document()
    desk.change([Quad(ex("c"), RDF.type, ex("Customer"), doc)])
    points = [Quad(ex("o"), ex("by"), ex("c"))]
    assert not desk.gate.check_file(points).conforms
    assert desk.gate.check_file(points, desk.store).conforms


def test_ill_typed_literals_of_a_file_are_warned_of_by_subject_and_value() -> None:
    bad = Literal("yesterday", datatype=XSD.dateTime)
    report = Gate().check_file([Quad(ex("x"), ex("d"), bad)])
    assert report.conforms
    (warning,) = report.violations
    assert warning.severity == "Warning"
    assert E + "x" in line(warning)
    assert "yesterday" in line(warning)


@pytest.mark.parametrize(
    ("text", "kind", "ill"),
    [
        ("2024-02-30", "date", True),
        ("2024-02-29", "date", False),
        ("2023-02-29", "date", True),
        ("-0044-03-15", "date", False),
        ("2024-05-01T10:00:00Z", "date", True),
        ("2024-05-01T24:00:00Z", "dateTime", False),
        ("2024-05-01T10:00:00+14:00", "dateTime", False),
        ("2024-05-01T10:00:00+14:30", "dateTime", True),
        ("yesterday", "dateTime", True),
        ("007", "integer", False),
        ("1.0", "integer", True),
        ("1e3", "decimal", True),
        ("1e3", "double", False),
        ("INF", "double", False),
        ("yes", "boolean", True),
        ("256", "unsignedByte", True),
        ("-1", "nonNegativeInteger", True),
        ("9" * 5000, "integer", False),
        ("9" * 5000, "long", True),
        ("P1Y2M", "duration", False),
        ("P", "duration", True),
        ("PT", "dayTimeDuration", True),
        ("a b", "anyURI", True),
        ("abc=", "base64Binary", False),
        ("abc", "hexBinary", True),
        ("anything", "unheardOf", False),
    ],
)
def test_ill_typed_literals_are_known(text: str, kind: str, ill: bool) -> None:
    assert is_ill_typed(Literal(text, datatype=NamedNode(XSD.NS + kind))) is ill


@given(st.integers(), st.floats(allow_nan=True), st.booleans(), st.datetimes())
@settings(deadline=None)
def test_what_we_write_ourselves_is_well_typed(
    whole: int, real: float, truth: bool, when: datetime
) -> None:
    made = (
        terms.integer(whole),
        Literal(real),
        terms.boolean(truth),
        terms.time(when.replace(tzinfo=UTC)),
    )
    assert not any(map(is_ill_typed, made))


# Versions


def test_the_version_follows_every_text() -> None:
    assert Gate().version == Gate({}).version
    assert Gate({"shop": SHOP}).version != Gate().version
    assert Gate({"shop": SHOP}).version != Gate({"other": SHOP}).version
    assert Gate({"shop": SHOP}).version != Gate({"shop": SHOP + "\n"}).version


def test_own_shapes_have_nothing_that_the_lint_finds() -> None:
    from aitia import resources
    from aitia.gate.index import Index
    from aitia.gate.lint import lint
    from aitia.gate.shapes import read

    index = Index(
        triple
        for name, text in resources.turtle("shapes").items()
        for triple in read(text, name)
    )
    assert lint(index, for_gate=True) == []


def test_a_users_class_axioms_in_data_change_no_verdict() -> None:
    desk = Desk({"shop": SHOP})
    doc = desk.document()
    desk.change(
        [
            Quad(ex("Gift"), RDFS.subClassOf, ex("Order"), doc),
            Quad(ex("g"), RDF.type, ex("Gift"), doc),
        ]
    )
    axiom = "e:Gift <http://www.w3.org/2000/01/rdf-schema#subClassOf> e:Order ."
    desk = Desk({"shop": SHOP + axiom})
    doc = desk.document()
    desk.refused([Quad(ex("g"), RDF.type, ex("Gift"), doc)])


def test_shapes_of_a_user_do_not_speak_for_aitia() -> None:
    for text, told in (
        (
            "<https://w3id.org/aitia/shapes#Agent> a sh:NodeShape ;"
            " sh:targetClass e:X ; sh:deactivated true .",
            "aitia's own",
        ),
        (
            f"e:X <{RDFS.subClassOf.value}> <{AITIA.Decision.value}> . e:S a"
            " sh:NodeShape ; sh:targetClass e:X ; sh:nodeKind sh:IRI .",
            "class axiom",
        ),
    ):
        with pytest.raises(UsageError, match=told):
            library.check("x", SHOP + text)
