"""Conflicts on record: found at ingest, in answers and by a check; standing until ended."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from pyoxigraph import NamedNode

from aitia.conflicts import check_text
from aitia.errors import AmbiguousId, NotFound, SettingsError, UsageError
from aitia.settings.sources import Sources, Weight
from aitia.vocab import AITIA
from aitia_cli.main import cli
from tests.conflict_desk import ONTOLOGY, Desk
from tests.llm_server import ModelServer


def verdict(body: dict[str, Any]) -> dict[str, str]:
    """A contradiction, quoted from the text that was shown last."""
    shown = body["messages"][-1]["content"].split("<data>")[-1].split("</data>")[0]
    return {"relation": "contradicts", "quote": shown.strip(), "reason": "one is free"}


def made_up(body: dict[str, Any]) -> dict[str, str]:
    return verdict(body) | {"quote": "words that stand nowhere"}


def reasons(desk: Desk) -> list[str]:
    return [item.reason for item in desk.workspace.conflicts.standing()]


def test_ingest_tells_what_disagrees_with_what_was_there(tmp_path: Path) -> None:
    with Desk(tmp_path) as desk:
        desk.write("fee.txt", "The fee is 5 euro.\n")
        (tmp_path / "copy.txt").write_text("The fee is 5 euro.\n", "utf-8")
        report = desk.workspace.ingest([tmp_path / "copy.txt"])
        assert not report.conflicts
        # C09: the copy that still says 5 disagrees with the new version.
        (tmp_path / "fee.txt").write_text("The fee is 7 euro.\n", "utf-8")
        (found,) = desk.workspace.ingest([tmp_path / "fee.txt"]).conflicts
        assert found.reason == "7 against 5 euro"
        assert [Path(side.path).name for side in found.sides] == ["fee.txt", "copy.txt"]
        assert not desk.workspace.ingest([tmp_path / "fee.txt"]).conflicts
        assert desk.workspace.validate().conforms
        assert desk.workspace.verify().intact


def test_two_files_of_one_name_conflict_by_what_they_say(tmp_path: Path) -> None:
    with Desk(tmp_path) as desk:
        desk.write("a/report.txt", "Limit is 10. It rains.\n")
        desk.write("b/report.txt", "Limit is 20. It rains.\n")
        desk.write("c/report.txt", "The harbour was built in 1901.\n")
        assert reasons(desk) == ["20 against 10"]


def test_sentences_under_headings_of_their_own_do_not_conflict(tmp_path: Path) -> None:
    with Desk(tmp_path) as desk:
        desk.write("a.md", "# Pump A\n\nThe limit is 10.\n")
        desk.write("b.md", "# Pump B\n\nThe limit is 20.\n")
        assert reasons(desk) == []
        desk.write("c.md", "# Notice\n\nThe limit of pump A is 10.\n")
        desk.write("d.md", "# Other notice\n\nThe limit of pump A is 30.\n")
        assert reasons(desk) == ["30 against 10"]


def test_what_was_named_before_is_not_the_same_thing(tmp_path: Path) -> None:
    with Desk(tmp_path) as desk:
        desk.write(
            "a.txt", "Hill Day (German: Berg) is a film. The film was released in 1938."
        )
        desk.write(
            "b.txt", "Sea Night (German: See) is a film. The film was released in 1940."
        )
        assert reasons(desk) == []
        desk.write("c.txt", "Hill Day is a film. The film was released in 1941.")
        assert reasons(desk) == ["1941 against 1938"]


def test_a_conflict_ends_with_a_side(tmp_path: Path) -> None:
    with Desk(tmp_path) as desk:
        desk.write("a.txt", "The fee is 5 euro.\n")
        desk.write("b.txt", "The fee is 7 euro.\n")
        assert len(reasons(desk)) == 1
        desk.write("b.txt", "The fee is 5 euro.\n")
        assert reasons(desk) == []
        desk.write("b.txt", "The fee is 8 euro.\n")
        assert reasons(desk) == ["8 against 5 euro"]
        desk.workspace.delete(tmp_path / "a.txt")
        assert reasons(desk) == []


def test_statements_conflict_at_ingest_with_their_premises(tmp_path: Path) -> None:
    with Desk(tmp_path) as desk:
        desk.take_in(ONTOLOGY)
        desk.take_in(":board :chair :ada .")
        desk.take_in(":board :chair :ben .", "ben.ttl")
        (found,) = desk.workspace.conflicts.standing()
        assert found.rule == "prp-fp"
        told = {side.text for side in found.sides}
        assert told == {"board: chair = ben", "board: chair = ada"}
        graph = desk.workspace.why(found.node)
        behind = {node.label for node in graph.nodes.values()}
        assert any("FunctionalProperty" in text for text in behind)
        assert desk.workspace.validate().conforms
        desk.take_in(":ada owl:sameAs :ben .")
        assert desk.workspace.conflicts.check().found == []


def test_owl_contradictions_are_conflicts_of_a_check(tmp_path: Path) -> None:
    with Desk(tmp_path) as desk:
        desk.take_in(
            """:Vegan rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :eats ;
                owl:allValuesFrom :Plant ] . :Plant owl:disjointWith :Meat ."""
        )
        desk.take_in(":zoe a :Vegan ; :eats :steak .", "zoe.ttl")
        assert reasons(desk) == []
        desk.take_in(":steak a :Meat ; a :Plant .", "steak.ttl")
        (found,) = desk.workspace.conflicts.standing()
        assert found.rule == "cax-dw"


def test_a_check_finds_each_conflict_once(tmp_path: Path) -> None:
    with Desk(tmp_path, **{"conflicts.at_ingest": False}) as desk:
        desk.write("a.txt", "The fee is 5 euro.\n")
        desk.write("b.txt", "The fee is 7 euro.\n")
        assert reasons(desk) == []
        first = desk.workspace.conflicts.check()
        assert [item.reason for item in first.found] == ["5 against 7 euro"]
        again = desk.workspace.conflicts.check()
        assert (again.found, again.known) == ([], 1)
        answer = desk.workspace.ask("What is the fee?")
        assert answer.conflicts[0].rule == "number"
        (found,) = desk.workspace.conflicts.standing()
        assert len(found.records) == 2
        store = desk.workspace.store
        check = NamedNode(first.run + "/exec/3")
        assert any(store.quads(check, AITIA.produced, NamedNode(first.found[0].node)))
        assert desk.workspace.validate().conforms


def test_what_an_ingest_left_over_is_told(tmp_path: Path) -> None:
    with Desk(tmp_path, **{"conflicts.sentences": 2, "conflicts.facts": 1}) as desk:
        path = tmp_path / "long.txt"
        path.write_text(
            "One is here. Two is there. Three is gone. Four is new.", "utf-8"
        )
        (notice,) = desk.workspace.ingest([path]).notices
        assert "first 2 sentences" in notice


def test_a_dismissed_conflict_stands_no_longer(tmp_path: Path) -> None:
    with Desk(tmp_path) as desk:
        for name, fee in (("a", 5), ("b", 7), ("c", 9)):
            desk.write(f"{name}.txt", f"The fee is {fee} euro.\n")
        conflicts = desk.workspace.conflicts
        first, *others = conflicts.standing()
        assert len(others) == 2
        with pytest.raises(UsageError):
            conflicts.dismiss(first.id, " ")
        with pytest.raises(NotFound):
            conflicts.dismiss("nothing/conflict/1", "of two shops")
        with pytest.raises(AmbiguousId):
            conflicts.dismiss("conflict/1", "of two shops")
        conflicts.dismiss(first.id, "of two shops")
        assert [item.key for item in conflicts.standing()] == [x.key for x in others]
        assert conflicts.standing(dismissed=True)[0].dismissed == "of two shops"
        assert conflicts.check().found == []
        assert desk.workspace.validate().conforms


def test_an_answer_does_not_set_times_against_each_other(tmp_path: Path) -> None:
    graph = """@prefix : <http://example.org/> .
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        :board a :Board ; rdfs:label "Harbour Board" . :chair rdfs:label "chair" .
        <http://example.org/g{n}> :validFrom "{start}-01-01" ; :validUntil "{end}-01-01" .
        <http://example.org/g{n}> {{ :board :chair "{name}" }}"""
    with Desk(tmp_path) as desk:
        for n, name, start, end in (
            (1, "Ada Pell", 2019, 2020),
            (2, "Ben Oduya", 2020, 2021),
        ):
            path = tmp_path / f"g{n}.trig"
            path.write_text(graph.format(n=n, name=name, start=start, end=end), "utf-8")
            desk.workspace.ingest([path])
        answer = desk.workspace.ask("What is the chair of the Harbour Board?")
        assert "Ada Pell" in answer.text
        assert answer.conflicts == ()


def test_what_an_axiom_alone_rules_out_stands_against_it(tmp_path: Path) -> None:
    with Desk(tmp_path) as desk:
        desk.take_in(ONTOLOGY, "ontology.ttl")
        desk.take_in(':ada :age "old" .')
        (found,) = desk.workspace.conflicts.standing()
        assert found.rule == "prp-rng"
        assert {Path(side.path).name for side in found.sides} == {
            "ontology.ttl",
            "file2.ttl",
        }
        assert desk.workspace.conflicts.check().found == []
        desk.take_in(
            ONTOLOGY.replace(":age rdfs:range xsd:integer .", ""), "ontology.ttl"
        )
        assert reasons(desk) == []


def test_a_spent_budget_ends_asking_and_not_the_check(tmp_path: Path) -> None:
    flags: dict[str, object] = {"conflicts.at_ingest": False}
    with Desk(tmp_path, **flags) as desk:
        for name, place in (("a", "gate"), ("b", "door"), ("c", "quay")):
            desk.write(f"{name}.txt", f"Guests of the museum enter by the {place}.\n")
        desk.write("d.txt", "The fee is 5 euro.\n")
        desk.write("e.txt", "The fee is 7 euro.\n")
    flags |= {"model.name": "m", "model.cache": False, "budget.calls": 1}
    with (
        ModelServer(made_up) as server,
        Desk(tmp_path, **flags, **{"model.url": server.url}) as desk,
    ):
        report = desk.workspace.conflicts.check()
        assert [item.rule for item in report.found] == ["number"]
        assert len(server.requests) == 1
        assert any("no model was asked any more" in text for text in report.notices)


# Weights


def test_the_heavier_source_leads_and_is_told(tmp_path: Path) -> None:
    flags = {
        "sources": {
            "policies/*": "official",
            "notes/*": {"kind": "user", "weight": 0.2},
        }
    }
    with Desk(tmp_path, **flags) as desk:
        desk.write("notes/a.txt", "The fee is 5 euro.\n")
        desk.write("policies/z.txt", "The fee is 7 euro.\n")
        (found,) = desk.workspace.conflicts.standing()
        assert found.heaviest is not None
        assert found.heaviest.path.endswith("policies/z.txt")
        answer = desk.workspace.ask("What is the fee?")
        assert answer.text.startswith("The fee is 7 euro.")
        (conflict,) = answer.conflicts
        assert conflict.heaviest == 0
        assert conflict.weights == ("official, weight 1.00", "user, weight 0.20")
        picked = [x for x in answer.tried if x.method == "evidence_selection"]
        assert "goes before" in picked[0].summary
        assert any("By the weights of sources" in text for text in answer.notices)


def test_patterns_fit_paths_their_ends_and_iris() -> None:
    sources = Sources(
        {"*.md": "reviewed", "https://example.org/*": "web", "b/*": {"weight": 0.7}}, {}
    )
    assert sources.weigh("a/x.md") == Weight(0.8, "reviewed", "*.md")
    assert sources.weigh("/home/b/x.txt").value == 0.7
    assert sources.weigh("", ["https://example.org/g"]).kind == "web"
    assert sources.weigh("c/x.txt") == Weight(0.5, "", "")


@pytest.mark.parametrize(
    ("patterns", "kinds"),
    [
        ({"a": "odd"}, {}),
        ({"a": {"weight": 2}}, {}),
        ({"a": {"wait": 1}}, {}),
        ({"a": {}}, {}),
        ({"a": 5}, {}),
        ({}, {"odd": "much"}),
        ({}, {"odd": True}),
    ],
)
def test_weights_without_meaning_are_refused(
    patterns: dict[str, Any], kinds: dict[str, Any]
) -> None:
    with pytest.raises(SettingsError):
        Sources(patterns, kinds)


def test_the_settings_file_weighs_sources(tmp_path: Path) -> None:
    folder = tmp_path / "ws"
    folder.mkdir()
    (folder / "aitia.toml").write_text(
        '[source_kinds]\nlore = 0.1\n[sources]\n"*.txt" = "lore"\n', "utf-8"
    )
    with Desk(tmp_path) as desk:
        desk.write("a.txt", "The fee is 5 euro.\n")
        desk.write("b.txt", "The fee is 7 euro.\n")
        (found,) = desk.workspace.conflicts.standing()
        assert {side.weight.told() for side in found.sides} == {"lore, weight 0.10"}
        assert found.heaviest is None


# A sentence against the texts, and models


def test_a_sentence_is_held_against_the_texts(tmp_path: Path) -> None:
    with Desk(tmp_path) as desk:
        document = desk.write(
            "a.txt", "The fee is 5 euro. The shop is open on Mondays.\n"
        )
        against, *rest = check_text(desk.reads, "The fee is 6 euro.")
        assert (against.judged.verdict, against.judged.by) == ("contradicts", "rules")
        assert against.piece.text == "The fee is 5 euro."
        assert not any(item.judged.contradicts for item in rest)
        (same, *_) = check_text(desk.reads, "The fee is 5 euro.")
        assert same.judged.verdict == "agrees"
        own = check_text(desk.reads, "The fee is 6 euro.", document=document.value)
        assert own == []


def test_a_model_is_asked_where_rules_cannot_tell(tmp_path: Path) -> None:
    flags: dict[str, object] = {"conflicts.at_ingest": False}
    with Desk(tmp_path, **flags) as desk:
        desk.write("a.txt", "Guests of the museum enter free of charge on Sundays.\n")
        desk.write("b.txt", "Guests of the museum buy tickets on Sundays.\n")
    flags |= {"model.name": "m", "model.cache": False}
    with (
        ModelServer(made_up) as server,
        Desk(tmp_path, **flags, **{"model.url": server.url}) as desk,
    ):
        assert desk.workspace.conflicts.check().found == []
        assert len(server.requests) == 1
    with (
        ModelServer(verdict) as server,
        Desk(tmp_path, **flags, **{"model.url": server.url}) as desk,
    ):
        report = desk.workspace.conflicts.check()
        assert [item.rule for item in report.found] == ["model"]
        calls = desk.workspace.store.quads(None, AITIA.replyBlob, None)
        assert len(list(calls)) == 2
        assert desk.workspace.validate().conforms


# The command


def test_the_command_lists_checks_and_dismisses(tmp_path: Path) -> None:
    for name, fee in (("a", 5), ("b", 7)):
        (tmp_path / f"{name}.txt").write_text(f"The fee is {fee} euro.\n", "utf-8")

    def run(*words: str) -> str:
        done = CliRunner().invoke(cli, ["--workspace", str(tmp_path / "ws"), *words])
        assert done.exit_code == 0, done.output
        return done.stdout

    told = run("ingest", str(tmp_path / "a.txt"), str(tmp_path / "b.txt"))
    assert "Sources disagree: 5 against 7 euro" in told
    listed = run("conflicts")
    assert "5 against 7 euro (number)" in listed
    assert "b.txt, characters 0–18 (weight 0.50)" in listed
    (item,) = json.loads(run("conflicts", "list", "--json"))
    assert item["heaviest"] is None
    assert "0 new conflicts" in run("conflicts", "check")
    run("conflicts", "dismiss", item["id"], "--reason", "of two shops")
    assert run("conflicts") == "No conflict stands.\n"
    assert "of two shops" in run("conflicts", "list", "--dismissed")


def test_a_dismissed_conflict_is_not_told_by_an_answer(tmp_path: Path) -> None:
    with Desk(tmp_path) as desk:
        desk.write("a.txt", "The fee of the pool is 5 euro.\n")
        desk.write("b.txt", "The fee of the pool is 7 euro.\n")
        question, conflicts = "What is the fee of the pool?", desk.workspace.conflicts
        assert desk.workspace.ask(question).conflicts
        [item] = conflicts.standing()
        conflicts.dismiss(item.id, "of two pools")
        assert not desk.workspace.ask(question).conflicts
        assert conflicts.standing() == []
        desk.write("c.txt", "The fee of the pool is 9 euro.\n")
        assert desk.workspace.ask(question).conflicts, (
            "other sides are another conflict"
        )


def test_a_dismissed_conflict_of_facts_is_not_told_by_an_answer(
    tmp_path: Path,
) -> None:
    with Desk(tmp_path) as desk:
        about = '<http://e/k4> <http://www.w3.org/2000/01/rdf-schema#label> "Crane 4"'
        for name, tonnes in (("a", 12), ("b", 9)):
            desk.write(f"{name}.ttl", f"{about} ; <http://e/lifts> {tonnes} .\n")
        assert desk.workspace.ask("What does Crane 4 lift?").conflicts
        for item in desk.workspace.conflicts.standing():
            desk.workspace.conflicts.dismiss(item.id, "before and after May")
        assert not desk.workspace.ask("What does Crane 4 lift?").conflicts
