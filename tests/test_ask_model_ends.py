"""How a run with a model ends: once, whatever the model or its server does."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aitia.vocab import AITIA
from tests.llm_server import ModelServer
from tests.model_desk import (
    Graph,
    Player,
    batch,
    conclude,
    goal,
    hypothesis,
    label,
    method,
    opened,
)
from tests.model_pumps import FEEDS, SEARCH, Desk, copy, desk_in, made, told


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("ready"))


@pytest.fixture(scope="module")
def desk(ready: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with desk_in(copy(ready, tmp_path_factory.mktemp("desk") / "ws")) as found:
        yield found


@pytest.fixture
def folder(ready: Path, tmp_path: Path) -> Path:
    return copy(ready, tmp_path / "ws")


def test_a_model_that_never_gives_operations_words_an_answer(desk: Desk) -> None:
    player = Player(["I think it feeds a tank."], "prose", compose=f"{FEEDS[:-1]} [1].")
    with desk.playing(player) as (workspace, _):
        answer = workspace.ask("What does pump A feed?")
        assert (answer.text, answer.mode) == (FEEDS, "generative")
        assert any("no valid operations" in text for text in answer.notices)
        assert any("read by rules" in text for text in answer.notices)


def test_a_contradicted_sentence_makes_the_run_go_on_once(desk: Desk) -> None:
    def wrong(prompt: str) -> Any:
        passage = label(prompt, "Pump A feeds tank B.")
        return batch(conclude(("Pump A has 3 valves.", [passage])))

    def better(prompt: str) -> Any:
        assert "Pump A has 3 valves." in prompt
        assert "contradicted" in prompt
        passage = label(prompt, "Pump A feeds tank B.")
        return batch(
            conclude(
                ("Pump A has 4 valves.", [passage]),
                ("Pump A has 3 valves.", [passage]),
            )
        )

    with desk.playing(Player([batch(SEARCH), wrong, better])) as (
        workspace,
        _,
    ):
        answer = workspace.ask("How many valves has pump A?")
        assert answer.text == "Pump A has 4 valves."
        assert [item.text for item in answer.dropped] == ["Pump A has 3 valves."]
        graph = Graph(workspace, answer.run)
        assert graph.said(AITIA.supportState).count("contradicted") == 2
        assert graph.conclusions() == ["Decision"]


def test_a_spent_budget_is_a_recorded_abort(folder: Path) -> None:
    player = Player([batch(SEARCH)])
    with opened(folder, player, budget__calls=4) as (workspace, server):
        answer = workspace.ask("What does pump A feed?")
        assert answer.aborted
        assert "budget" in answer.reason
        assert len(server.requests) <= 4
        graph = Graph(workspace, answer.run)
        assert graph.conclusions() == ["Abort"]
        assert "budget" in graph.value(graph.of(AITIA.Abort)[0], AITIA.reason)
        assert workspace.validate().conforms


def test_rounds_without_end_are_broken_off(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("aitia.ask.thinking.rounds.ROUNDS", 3)
    note = batch(hypothesis("H1", "It may be so."))
    more = [batch(hypothesis(f"H{at}", f"Guess {at}.")) for at in range(2, 9)]
    with desk.playing(Player([note, *more])) as (workspace, _):
        answer = workspace.ask("What does pump A feed?")
        assert answer.aborted
        assert Graph(workspace, answer.run).conclusions() == ["Abort"]


def test_a_dead_server_leaves_the_offline_answer_marked(folder: Path) -> None:
    with opened(folder, Player()) as (workspace, server):
        server.stop()
        answer = workspace.ask("What does pump A feed?")
        assert answer.text == FEEDS
        assert answer.mode == "extractive"
        assert answer.notice.startswith("No model answered, so rules did: ")
        graph = Graph(workspace, answer.run)
        assert graph.conclusions() == ["Decision"]
        failed = [
            n for n in graph.of(AITIA.MethodExecution) if graph.values(n, AITIA.error)
        ]
        assert any("model_call" in graph.value(n, AITIA.method) for n in failed)


def test_a_server_that_dies_midway_leaves_the_offline_answer(folder: Path) -> None:
    stopped: list[ModelServer] = []

    def last(prompt: str) -> Any:
        return batch(SEARCH)

    def dying(body: dict[str, Any]) -> Any:
        if player.planned >= 1:
            stopped[0].status, stopped[0].fail_first = 503, 10**6
        return player(body)

    player = Player([last])
    with opened(folder, dying, model__retries=0) as (workspace, server):
        stopped.append(server)
        answer = workspace.ask("What does pump A feed?")
        assert (answer.text, answer.mode) == (FEEDS, "extractive")
        assert Graph(workspace, answer.run).conclusions() == ["Decision"]


def test_no_model_is_asked_where_none_is_named(folder: Path) -> None:
    with opened(folder, Player(), model__name="") as (workspace, server):
        assert workspace.ask("What does pump A feed?").mode == "extractive"
        assert server.requests == []


def test_what_the_gate_refuses_is_told_in_its_words(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The judge sees labels, the gate sees triples: each refuses what it can see."""
    monkeypatch.setattr("aitia.ask.thinking.propose.judge", lambda *given: [])
    bad = batch(hypothesis("H1", "It is so.", because=["G1"]))

    def repaired(prompt: str) -> Any:
        assert "Refused, and none of it was done" in prompt
        assert "G1" in prompt.rpartition("Refused, and none")[2]
        assert "urn:aitia" not in prompt
        return batch(SEARCH)

    with desk.playing(Player([bad, repaired, told])) as (workspace, _):
        answer = workspace.ask("What does pump A feed?")
        assert answer.text == FEEDS
        graph = Graph(workspace, answer.run)
        (refusal,) = graph.of(AITIA.RefusedOperation)
        assert graph.value(refusal, AITIA.proposedBy) == "urn:aitia:agent:m"
        report = workspace.blobs.text(graph.value(refusal, AITIA.reportBlob))
        assert "ValidationReport" in report
        assert graph.of(AITIA.Hypothesis) == []


HOSTILE = {
    "empty": "",
    "null": "null",
    "schema": {"type": "object", "properties": {"operations": {"type": "array"}}},
    "half a character": {
        "addresses": ["G1"],
        "rationale": "\ud800",
        "operations": [{"op": "abortRun", "reason": "\udfff"}],
    },
    "two ends": batch(conclude(reason="a"), {"op": "abortRun", "reason": "b"}),
    "itself": batch(goal("G2", "x", depends=["G2"])),
    "cycle": batch(goal("G2", "x", depends=["G3"]), goal("G3", "y", depends=["G2"])),
    "refuted by nobody": batch(conclude(("It is so.", ["Q1"]), accepts=["H1"])),
    "control": batch(hypothesis("H1", "\x1b[31mred\x00\u202e")),
    "markup": batch(hypothesis("H1", '"} ; DROP ALL ; # </script>')),
    "cites the question": batch(conclude(("Pump A feeds tank B.", ["Q1"]))),
    "wrong arguments": batch(method("G1", "metadata_filter", query=["x"], k=-1)),
}


def test_whatever_is_replied_the_run_ends_once(desk: Desk) -> None:
    for name, reply in HOSTILE.items():
        with desk.playing(lambda body, reply=reply: reply) as (workspace, _):
            answer = workspace.ask("What does pump A feed?")
            assert len(Graph(workspace, answer.run).conclusions()) == 1, name
            assert answer.aborted or answer.abstained or answer.sentences, name
    assert not desk.workspace.verify().findings


def test_sources_that_disagree_are_told_beside_the_answer(folder: Path) -> None:
    other = folder.parent / "other.txt"
    other.write_text("Pump A has 6 valves.", "utf-8")

    def end(prompt: str) -> Any:
        passage = label(prompt, "Pump A has 4 valves.")
        return batch(conclude(("Pump A has 4 valves.", [passage])))

    search = method("G1", "metadata_filter", query="how many valves has pump A")
    with opened(folder, Player([batch(search), end])) as (workspace, _):
        workspace.ingest([other], extract=False)
        answer = workspace.ask("How many valves has pump A?")
        assert [item.support for item in answer.sentences] == ["supported"]
        (conflict,) = answer.conflicts
        assert [side.quote for side in conflict.sides] == [
            "Pump A has 4 valves.",
            "Pump A has 6 valves.",
        ]
        assert len(Graph(workspace, answer.run).of(AITIA.Conflict)) == 1
        assert workspace.validate().conforms
