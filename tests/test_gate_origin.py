"""Who may say what: users' data, what models propose, files as they stand."""

from datetime import UTC, datetime
from random import Random

import pytest
from hypothesis import given, settings, strategies as st
from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.errors import UsageError
from aitia.gate import Gate, library, line
from aitia.gate.literals import is_ill_typed
from aitia.model import Origin, causal
from aitia.vocab import AITIA, RDF, RDFS, XSD
from tests.gate_desk import ANN, CATALOG, SHOP, Desk, E, ex, person, rules
from tests.strategies import world

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


def test_a_new_version_of_a_file_is_judged_without_the_old_one() -> None:
    desk = Desk({"shop": SHOP})
    doc = desk.document()
    kind = Quad(ex("o"), RDF.type, ex("Order"), doc)
    old, new = (Quad(ex("o"), ex("total"), terms.integer(n), doc) for n in (1, 2))
    desk.change([kind, old])
    state = next(desk.store.quads(doc, AITIA.documentState))
    fresh = Quad(
        ex("o"), ex("total"), Literal("2", datatype=NamedNode(XSD.NS + "int")), doc
    )
    check = desk.gate.check_file
    assert not check([kind, fresh], desk.store, document=doc).conforms
    assert check([kind, fresh], desk.store, [old, state], doc).conforms
    desk.change([new], [old])
