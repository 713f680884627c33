"""What the gate lets in, what it refuses, and how it says so."""

from random import Random

import pytest
from pyoxigraph import BlankNode, Literal, NamedNode, Quad

from aitia import terms
from aitia.gate import Gate, line
from aitia.gate.judgement import BATCH
from aitia.model import Patch, Violation, causal
from aitia.vocab import AITIA, PROV, RDF, RDFS, XSD
from tests.gate_desk import ANN, CATALOG, SHOP, Desk, ex, person, rules
from tests.strategies import world

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
