"""Statements that cannot both hold: by which rule, from which premises, at what time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyoxigraph import NamedNode, Triple

from aitia.conflicts import check_statement
from aitia.vocab import OWL, RDF
from tests.conflict_desk import ONTOLOGY, Desk, node, term, year

FACTS = """
:board a :Board ; :chair :ada ; :office "Room 1" ; :employs :ben .
:ada a :Member ; :email "ada@example.org" ; :age 50 ; :height 1.7 ; :parent :eve ;
    :birthDate "1970-05-03"^^xsd:date .
:ben a :Person ; :friend :ada ; owl:differentFrom :bob ; :deathDate "2020-01-02"^^xsd:date .
:tom a :Cat .
:team a :Team ; :captain :ada , :ben .
:x a :Thing ; :serial "1" . :y a :Thing ; :serial "2" . :z a :Thing ; :serial "3" .
:w a :Thing ; :serial "4" . :x :color "red" , "blue" . :y :color "red" .
"""


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with Desk(tmp_path_factory.mktemp("conflicts")) as made:
        made.take_in(ONTOLOGY, "ontology.ttl")
        made.take_in(FACTS, "facts.ttl")
        made.workspace.add_shapes(
            """@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix : <http://example.org/> .
            :S a sh:NodeShape ; sh:targetClass :Member ; sh:property :SP .
            :SP a sh:PropertyShape ; sh:path :age ; sh:maxCount 1 ;
                sh:message "One age." .""",
            name="people",
        )
        yield made


CONFLICTS = [
    ("board", "chair", ":ben", "prp-fp", False),
    ("board", "deputy", ":ben", "prp-fp", False),
    ("ada", "height", 1.8, "prp-fp", True),
    ("ben", "email", "ada@example.org", "prp-ifp", False),
    ("board", "office", "Room 2", "cls-maxc2", True),
    ("team", "captain", ":kim", "", None),
    ("ada", "age", 51, "sh:maxCount", True),
    ("ada", "a", ":Board", "cax-dw", True),
    ("tom", "a", ":Dog", "cax-dw", True),
    ("tom", "a", ":Fish", "", None),
    ("board", "employs", ":board", "cax-dw", True),
    ("ben", "age", "old", "prp-rng", True),
    ("ben", "age", ":ada", "prp-rng", True),
    ("team", "chair", "Ada", "prp-rng", True),
    ("ben", "sameAs", ":bob", "eq-diff1", True),
    ("bob", "sameAs", ":ben", "eq-diff1", True),
    ("eve", "parent", ":ada", "prp-asyp", True),
    ("eve", "parent", ":eve", "prp-irp", True),
    ("ben", "enemy", ":ada", "prp-pdw", True),
    ("ada", "deathDate", "1960-01-01", "date-order", True),
    ("ada", "deathDate", "2030-01-01", "", None),
    ("ada", "birthDate", "1970-05-04", "date-once", True),
    ("x", "serial", "9", "one-value", False),
    ("y", "color", "green", "", None),
    ("ada", "height", 1.70, "", None),
    ("ada", "knows", ":ben", "", None),
]


@pytest.mark.parametrize(
    ("subject", "predicate", "value", "rule", "certain"), CONFLICTS
)
def test_each_rule_finds_its_conflict_and_no_other(
    desk: Desk,
    subject: str,
    predicate: str,
    value: str | float,
    rule: str,
    certain: bool | None,
) -> None:
    found = desk.check(subject, predicate, value)
    assert [item.rule for item in found][:1] == ([rule] if rule else []), found
    if rule:
        assert found[0].certain is certain
        assert found[0].reason
        assert found[0].sides[0].object == term(value)


def test_a_conflict_names_the_axioms_that_it_follows_from(desk: Desk) -> None:
    (found,) = desk.check("board", "deputy", ":ben")
    functional = Triple(node("chair"), RDF.type, OWL.FunctionalProperty)
    assert functional in found.premises
    assert Triple(node("board"), node("chair"), node("ada")) in found.premises
    assert any(t.subject == node("deputy") for t in found.premises[2:])


def test_a_statement_that_takes_anothers_place_does_not_conflict_with_it(
    desk: Desk,
) -> None:
    old = Triple(node("board"), node("chair"), node("ada"))
    assert not check_statement(
        desk.reads, node("board"), node("chair"), node("ben"), ignoring=[old]
    )


def test_owl_finds_what_no_rule_of_its_own_is_for(tmp_path: Path) -> None:
    with Desk(tmp_path) as desk:
        desk.take_in(
            """:Vegan rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :eats ;
                owl:allValuesFrom :Plant ] . :Plant owl:disjointWith :Meat .
            :zoe a :Vegan . :steak a :Meat ."""
        )
        assert desk.check("zoe", "eats", ":steak") == []
        (found,) = desk.check("zoe", "eats", ":steak", deep=True)
        assert found.rule == "cax-dw"
        assert found.sides[0].predicate == node("eats")
        assert "Plant" in found.reason
        assert desk.check("zoe", "eats", ":kale", deep=True) == []


# World time


def test_two_chairs_in_two_years_do_not_conflict(tmp_path: Path) -> None:
    with Desk(tmp_path) as desk:
        desk.take_in(ONTOLOGY)
        desk.take_in(
            """:board :chair :ada .
            :s a rdf:Statement ; rdf:subject :board ; rdf:predicate :chair ;
                rdf:object :ada ; :startDate "2019"^^xsd:gYear ; :endDate "2021"^^xsd:gYear ."""
        )
        assert desk.check("board", "chair", ":ben", year(2021)) == []
        assert desk.check("board", "chair", ":ben", year(None, 2019)) == []
        assert [x.rule for x in desk.check("board", "chair", ":ben", year(2020))] == [
            "prp-fp"
        ]
        assert desk.check("board", "chair", ":ben")


def test_a_named_graph_tells_when_its_statements_hold(tmp_path: Path) -> None:
    path = tmp_path / "years.trig"
    path.write_text(
        """@prefix : <http://example.org/> .
        @prefix owl: <http://www.w3.org/2002/07/owl#> .
        :chair a owl:FunctionalProperty .
        :g19 :validFrom "2019-01-01" ; :validUntil "2020-01-01" .
        :g20 :validFrom "2020-01-01" .
        :g19 { :board :chair :ada } :g20 { :board :chair :ben }""",
        "utf-8",
    )
    with Desk(tmp_path) as desk:
        assert not desk.workspace.ingest([path]).conflicts
        assert desk.check("board", "chair", ":kim", year(2018, 2019)) == []
        (found,) = desk.check("board", "chair", ":kim", year(2019, 2020))
        assert found.sides[1].object == node("ada")


def test_event_nodes_of_other_times_share_what_belongs_to_one(tmp_path: Path) -> None:
    with Desk(tmp_path) as desk:
        desk.take_in(
            """:heads a owl:InverseFunctionalProperty .
            :term1 :heads :board ; :person :ada ; :memberDuring :i1 .
            :i1 :hasBeginning :b1 ; :hasEnd :e1 .
            :b1 :inXSDDate "2019-01-01"^^xsd:date . :e1 :inXSDDate "2020-01-01"^^xsd:date .
            :term2 :person :ben ; :from 2020 . :term3 :person :kim ; :from 2019 ."""
        )
        assert desk.check("term2", "heads", ":board") == []
        assert [x.rule for x in desk.check("term3", "heads", ":board")] == ["prp-ifp"]


def test_more_than_a_limit_counts_at_one_time(tmp_path: Path) -> None:
    with Desk(tmp_path) as desk:
        desk.take_in(ONTOLOGY)
        desk.take_in(""":team a :Team ; :captain :a , :b .
            :a a :Person . :b a :Person . :c a :Person . :d a :Dog .""")
        (found,) = desk.check("team", "captain", ":c")
        assert found.rule == "cls-maxqc3"
        assert len(found.sides) == 3
        assert desk.check("team", "captain", ":d") == []


def test_what_is_the_same_is_one_value(tmp_path: Path) -> None:
    with Desk(tmp_path) as desk:
        desk.take_in(ONTOLOGY)
        desk.take_in(":board :chair :ada . :ada owl:sameAs :lovelace .")
        assert desk.check("board", "chair", ":lovelace") == []


def test_things_that_share_a_name_are_not_one_thing(tmp_path: Path) -> None:
    with Desk(tmp_path) as desk:
        desk.take_in(ONTOLOGY)
        desk.take_in(':m1 rdfs:label "Mercury" ; a :Cat ; :height 1.0 .')
        desk.take_in(':m2 rdfs:label "Mercury" ; a :Dog ; :height 2.0 .')
        assert desk.check("m2", "height", 2.0) == []
        assert desk.check("m2", "a", ":Dog") == []


def test_the_store_and_the_new_statement_stay_apart(desk: Desk) -> None:
    before = len(desk.workspace.store)
    desk.check("board", "chair", ":ben", deep=True)
    assert len(desk.workspace.store) == before
    assert isinstance(node("board"), NamedNode)
