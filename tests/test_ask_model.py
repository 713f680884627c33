"""Rounds with a model: proposed, judged, carried out, checked, replanned."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aitia.reason import prompts
from aitia.vocab import AITIA
from tests.model_desk import (
    Graph,
    Player,
    batch,
    call,
    conclude,
    contradicts,
    entails,
    goal,
    hypothesis,
    label,
    method,
    opened,
    reached,
)
from tests.model_pumps import (
    FEEDS,
    SEARCH,
    Desk,
    broken,
    copy,
    desk_in,
    made,
    nothing,
    pressure,
    stop,
    told,
)


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


def test_an_answer_cites_what_was_found(desk: Desk) -> None:
    with desk.playing(Player([batch(SEARCH), told])) as (workspace, _):
        answer = workspace.ask("What does pump A feed?")
        assert (answer.text, answer.mode) == (FEEDS, "generative")
        assert answer.sentences[0].evidence[0].quote == FEEDS
        graph = Graph(workspace, answer.run)
        assert graph.conclusions() == ["Decision"]
        calls = [
            n for n in graph.of(AITIA.MethodExecution) if graph.values(n, AITIA.model)
        ]
        assert len(calls) >= 3
        assert {graph.value(n, AITIA.promptVersion) for n in calls} >= {
            " ".join(prompts.PLAN)
        }
        assert all(graph.values(n, AITIA.replyBlob) for n in calls)
        plan = next(n for n in calls if "plan" in graph.value(n, AITIA.promptVersion))
        assert graph.values(plan, AITIA.shown)


def test_each_round_takes_few_commits(folder: Path) -> None:
    """The engine's own part of a round is at most five gated commits."""
    rounds = [batch(SEARCH) for _ in range(4)]
    commits = {}
    for count in (1, 4):
        player = Player([*rounds[:count], told])
        place = shutil.copytree(folder, folder.parent / str(count))
        with opened(place, player) as (workspace, _):
            before = workspace.ledger.head()
            workspace.ask("What does pump A feed?")
            after = workspace.ledger.head()
            assert before is not None
            assert after is not None
            commits[count] = after.number - before.number
    assert (commits[4] - commits[1]) / 3 <= 5
    assert commits[1] / 3 <= 5


def test_a_refused_batch_comes_back_with_the_reasons(desk: Desk) -> None:
    bad = batch(method("G1", "no_such_method"), addresses="G9")

    def repaired(prompt: str) -> Any:
        assert "Refused, and none of it was done" in prompt
        assert "G9 was not shown" in prompt
        return batch(SEARCH)

    with desk.playing(Player([bad, repaired, told])) as (workspace, _):
        answer = workspace.ask("What does pump A feed?")
        assert answer.text == FEEDS
        graph = Graph(workspace, answer.run)
        (refusal,) = graph.of(AITIA.RefusedOperation)
        assert "G9 was not shown" in graph.value(refusal, AITIA.reason)
        report = workspace.blobs.text(graph.value(refusal, AITIA.reportBlob))
        assert "ValidationReport" in report
        assert "G9" in workspace.blobs.text(graph.value(refusal, AITIA.patchBlob))


def test_after_three_repairs_the_goal_is_replaced(desk: Desk) -> None:
    start = batch(goal("G2", "Find what pump A feeds"))
    bad = batch(method("G2", "metadata_filter", wrong=1), addresses="G2")

    def other(prompt: str) -> Any:
        replaced = label(prompt, "in another way")
        return batch(
            method(replaced, "metadata_filter", query="what pump A feeds"),
            addresses=replaced,
        )

    player = Player([start, bad, bad, bad, bad, other, told])
    with desk.playing(player) as (workspace, _):
        answer = workspace.ask("What does pump A feed?")
        assert answer.text == FEEDS
        graph = Graph(workspace, answer.run)
        assert len(graph.of(AITIA.RefusedOperation)) == 4
        _, failed, new = graph.of(AITIA.Goal)
        assert graph.value(failed, AITIA.status).endswith("failed")
        assert graph.value(new, AITIA.replaces) == failed.value


def test_a_search_that_finds_nothing_is_changed_then_its_goal_replaced(
    desk: Desk,
) -> None:
    lost = method("G2", "metadata_filter", query="zebra finches", path="nowhere")

    def gone(prompt: str) -> Any:
        return batch(conclude(reason="Nothing on record speaks of it."))

    player = Player([batch(goal("G2", "Find zebra finches"), lost), gone])
    with desk.playing(player) as (workspace, _):
        answer = workspace.ask("Where do zebra finches nest?")
        assert answer.abstained
        graph = Graph(workspace, answer.run)
        assert graph.conclusions() == ["Abstention"]
        tries = [
            node
            for node in graph.of(AITIA.MethodExecution)
            if graph.values(node, AITIA.attempt) in (["2"], ["3"])
            and "model_call" not in graph.value(node, AITIA.method)
        ]
        assert len(tries) == 2
        assert all(graph.values(node, AITIA.replaces) for node in tries)
        first = graph.value(tries[0], AITIA.input)
        assert "nowhere" not in first
        goals = graph.of(AITIA.Goal)
        assert graph.value(goals[2], AITIA.replaces) == goals[1].value
        triggers = [q.object for q in graph.quads if q.predicate == AITIA.triggers]
        assert goals[2] in triggers


def test_replanning_is_bounded(desk: Desk) -> None:
    """A goal is replaced twice at most, however long a model insists."""

    def insist(prompt: str) -> Any:
        open_goals = prompt.partition("Open goals:")[2].partition("\n\n")[0]
        again = [x.split(" ")[0] for x in open_goals.splitlines() if "another way" in x]
        if not again:
            return batch({"op": "abortRun", "reason": "It cannot be found."})
        return batch(call(again[-1], "nothing", pump="A"), addresses=again[-1])

    start = batch(goal("G2", "Find the faults"), call("G2", "nothing", pump="A"))
    with desk.playing(Player([start, insist])) as (workspace, _):
        answer = workspace.ask("Which faults has pump A?", tools=[nothing])
        graph = Graph(workspace, answer.run)
        assert len(graph.of(AITIA.Goal)) == 4
        assert (answer.aborted, graph.conclusions()) == (True, ["Abort"])
        assert "cannot be found" in answer.reason


def test_a_failing_tool_is_tried_again_and_told(desk: Desk) -> None:
    def gone(prompt: str) -> Any:
        assert "no line to pump A" in prompt
        return batch(conclude(reason="The maker is not known."))

    start = batch(call("G1", "broken", pump="A"), call("G1", "stop", pump="A"))
    with desk.playing(Player([start, gone])) as (workspace, _):
        answer = workspace.ask("Who made pump A?", tools=[broken, stop])
        graph = Graph(workspace, answer.run)
        calls = graph.of(AITIA.ToolCall)
        assert [graph.value(node, AITIA.attempt) for node in calls] == [
            "1",
            "2",
            "1",
        ] or [graph.value(node, AITIA.attempt) for node in calls] == ["1", "1", "2"]
        refused = [t for n in calls for t in graph.values(n, AITIA.error)]
        assert any("--allow stop" in text for text in refused)
        assert answer.abstained


def test_hypotheses_are_tested_by_tools_and_by_methods(desk: Desk) -> None:
    def judged(prompt: str) -> Any:
        if "3 bar" in prompt.split("Texts:")[0]:
            return entails('"bar": 3')
        return contradicts('"bar": 3')

    start = batch(
        hypothesis("H1", "Pump A has 9 bar."),
        hypothesis("H2", "Pump A feeds tank B."),
        hypothesis("H3", "Pump A is blue."),
        call("G1", "pressure", tests="H1", pump="A"),
        method("G1", "metadata_filter", tests="H2", query="what pump A feeds"),
    )

    def end(prompt: str) -> Any:
        assert "H3 [open]" in prompt
        return batch(conclude((FEEDS, ["H2"]), accepts=["H2"], rejects=["H1"]))

    player = Player([start, end], entailment=judged)
    with desk.playing(player) as (workspace, _):
        answer = workspace.ask("What does pump A feed?", tools=[pressure])
        graph = Graph(workspace, answer.run)
        states = [
            graph.value(node, AITIA.hypothesisState).removeprefix(AITIA.NS)
            for node in graph.of(AITIA.Hypothesis)
        ]
        assert states == ["refuted", "verified", "open"]
        assert answer.sentences[0].support == "supported"
        assert graph.said(AITIA.accepts)
        assert graph.said(AITIA.rejects)


@pytest.mark.parametrize("strategy", ["deduction", "abduction"])
def test_a_strategy_is_recorded_with_its_parents(desk: Desk, strategy: str) -> None:
    def infer(prompt: str) -> Any:
        passage = label(prompt, "Pump A feeds tank B.")
        return batch(
            hypothesis(
                "H1",
                FEEDS,
                strategy=strategy,
                reason="The text says so.",
                because=[passage],
            )
        )

    with desk.playing(Player([batch(SEARCH), infer, told])) as (
        workspace,
        _,
    ):
        graph = Graph(workspace, workspace.ask("What does pump A feed?").run)
        (step,) = [
            n
            for n in graph.of(AITIA.MethodExecution)
            if graph.values(n, AITIA.strategy)
        ]
        assert graph.value(step, AITIA.strategy) == AITIA.NS + strategy
        assert "The text says so." in graph.value(step, AITIA.parameters)
        assert any("#char=" in iri for iri in graph.values(step, AITIA.usedTool))
        follows = graph.value(step, AITIA.status).endswith("succeeded")
        assert follows == (strategy == "deduction")


def test_goals_called_reached_are_checked(desk: Desk) -> None:
    def hasty(prompt: str) -> Any:
        return batch(reached("G2"), addresses="G2")

    def checked(prompt: str) -> Any:
        assert "Nothing was found for it." in prompt
        assert "G2 [pending]" in prompt
        return batch(SEARCH)

    player = Player([batch(goal("G2", "Find it")), hasty, checked, told])
    with desk.playing(player) as (workspace, _):
        graph = Graph(workspace, workspace.ask("What does pump A feed?").run)
        node = graph.of(AITIA.Goal)[1]
        assert graph.value(node, AITIA.status).endswith("abandoned")


def test_goals_are_decomposed_when_they_come_up(desk: Desk) -> None:
    def deeper(prompt: str) -> Any:
        return batch(
            goal("G3", "Find the passage", parent="G2"),
            method("G3", "metadata_filter", query="what pump A feeds"),
            addresses="G2",
        )

    def up(prompt: str) -> Any:
        return batch(reached("G3"), reached("G2"), *told(prompt)["operations"])

    player = Player([batch(goal("G2", "Find what it feeds")), deeper, up])
    with desk.playing(player) as (workspace, _):
        graph = Graph(workspace, workspace.ask("What does pump A feed?").run)
        root, outer, inner = graph.of(AITIA.Goal)
        assert graph.value(inner, AITIA.subgoalOf) == outer.value
        assert graph.value(outer, AITIA.subgoalOf) == root.value
        states = {
            graph.value(n, AITIA.status).removeprefix(AITIA.NS)
            for n in (root, outer, inner)
        }
        assert states == {"succeeded"}


def test_what_waits_for_an_unreached_goal_is_not_carried_out(desk: Desk) -> None:
    start = batch(
        goal("G2", "Find the faults"),
        goal("G3", "Tell the pressure", depends=["G2"]),
        call("G3", "pressure", pump="A"),
        call("G2", "nothing", pump="A"),
    )

    def end(prompt: str) -> Any:
        assert "A goal before it was not reached: Find the faults" in prompt
        return batch(conclude(reason="It is not known."))

    with desk.playing(Player([start, end])) as (workspace, _):
        answer = workspace.ask("Why has pump A so little?", tools=[pressure, nothing])
        graph = Graph(workspace, answer.run)
        called = {graph.value(n, AITIA.method) for n in graph.of(AITIA.ToolCall)}
        assert called == {"urn:aitia:method:nothing"}


def test_a_hypothesis_bears_out_nothing_and_itself_least_of_all(desk: Desk) -> None:
    text = "Pump A is blue."
    start = batch(
        hypothesis("H1", text),
        hypothesis("H2", "Pump A feeds tank B."),
        method("G1", "claim_check", tests="H1", sentence=text, evidence=["H1"]),
        method("G1", "entailment_check", tests="H1", sentence=FEEDS, texts=["H2"]),
        method("G1", "composition", sentences=[text]),
        method("G1", "computation", expression="6 * 7"),
    )

    def cite(prompt: str) -> Any:
        assert "H1 [open]" in prompt
        made_up = label(prompt, f"{text}")
        cited = [made_up, "H1", label(prompt, "42"), "Q1", "G1"]
        return batch(conclude((text, cited[:4]), ("It is 42.", [cited[2]])))

    def give_up(prompt: str) -> Any:
        return batch(conclude(reason="Nothing on record tells it."))

    with desk.playing(Player([start, cite, give_up])) as (workspace, _):
        answer = workspace.ask("What colour has pump A?")
        assert answer.abstained
        graph = Graph(workspace, answer.run)
        assert set(graph.said(AITIA.supportState)) == {"unsupported"}


def test_a_reckoning_with_what_was_found_can_be_cited(desk: Desk) -> None:
    start = batch(call("G1", "pressure", pump="A"), call("G1", "pressure", pump="C"))

    def reckon(prompt: str) -> Any:
        low, high = label(prompt, '"bar": 3'), label(prompt, '"bar": 8')
        return batch(method("G1", "computation", expression="3 + 8", uses=[low, high]))

    def end(prompt: str) -> Any:
        return batch(conclude(("Together they have 11 bar.", [label(prompt, "= 11")])))

    def judged(prompt: str) -> Any:
        return entails("11")

    with desk.playing(Player([start, reckon, end], entailment=judged)) as (
        workspace,
        _,
    ):
        answer = workspace.ask("How much have A and C together?", tools=[pressure])
        assert [item.support for item in answer.sentences] == ["supported"]


def test_a_goal_that_failed_leaves_the_answer_in_part(desk: Desk) -> None:
    start = batch(
        goal("G2", "Find the maker"), goal("G3", "Find what it feeds"), SEARCH
    )

    def end(prompt: str) -> Any:
        return batch(
            reached("G2", "failed", reason="No text names it."),
            *told(prompt)["operations"],
        )

    with desk.playing(Player([start, end])) as (workspace, _):
        answer = workspace.ask("What does pump A feed, and who made it?")
        assert answer.text == FEEDS
        assert answer.reason == "Not reached: Find the maker"
