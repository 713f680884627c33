"""Asking with a model: rounds, refusals, replanning, and how a run ends."""

import random
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aitia.tools import tool
from aitia.tools.consent import Consents
from aitia.vocab import AITIA
from aitia.workspace import Workspace
from tests.llm_server import ModelServer, dead_url
from tests.model_desk import (
    Graph,
    Player,
    batch,
    call,
    canonical,
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

TEXT = (
    "Pump A feeds tank B. Tank B feeds mixer C. Pump A has 4 valves. "
    "Worn seals make pumps lose pressure."
)
FEEDS = "Pump A feeds tank B."
SEARCH = method("G1", "metadata_filter", query="what pump A feeds")


def told(prompt: str) -> Any:
    """Conclude with what a passage that is shown says."""
    return batch(conclude((FEEDS, [label(prompt, "Pump A feeds tank B.")])))


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with the text taken in, to be copied."""
    folder = tmp_path_factory.mktemp("ready")
    (folder / "pumps.txt").write_text(TEXT, "utf-8")
    with Workspace.open(folder / "ws") as workspace:
        workspace.ingest([folder / "pumps.txt"])
    return folder / "ws"


@pytest.fixture
def folder(ready: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(ready, tmp_path / "ws"))


@tool
def pressure(pump: str) -> dict[str, Any]:
    """Tell the pressure of a pump in bar."""
    return {"pump": pump, "bar": {"A": 3, "B": 5, "C": 8}[pump]}


@tool
def nothing(pump: str) -> list[str]:
    """Tell the faults of a pump."""
    return []


@tool
def broken(pump: str) -> str:
    """Tell the maker of a pump."""
    raise RuntimeError(f"no line to pump {pump}")


@tool(side_effect=True)
def stop(pump: str) -> str:
    """Stop a pump."""
    return f"Pump {pump} is stopped."


def test_an_answer_cites_what_was_found(folder: Path) -> None:
    with opened(folder, Player([batch(SEARCH), told])) as (workspace, _):
        answer = workspace.ask("What does pump A feed?")
        assert (answer.text, answer.mode) == (FEEDS, "generative")
        assert answer.sentences[0].evidence[0].quote == FEEDS
        graph = Graph(workspace, answer.run)
        assert graph.conclusions() == ["Decision"]
        calls = [
            n for n in graph.of(AITIA.MethodExecution) if graph.values(n, AITIA.model)
        ]
        assert len(calls) >= 3
        assert {graph.value(n, AITIA.promptVersion) for n in calls} >= {"plan 1"}
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


def test_a_refused_batch_comes_back_with_the_reasons(folder: Path) -> None:
    bad = batch(method("G1", "no_such_method"), addresses="G9")

    def repaired(prompt: str) -> Any:
        assert "Refused, and none of it was done" in prompt
        assert "G9 was not shown" in prompt
        return batch(SEARCH)

    with opened(folder, Player([bad, repaired, told])) as (workspace, _):
        answer = workspace.ask("What does pump A feed?")
        assert answer.text == FEEDS
        graph = Graph(workspace, answer.run)
        (refusal,) = graph.of(AITIA.RefusedOperation)
        assert "G9 was not shown" in graph.value(refusal, AITIA.reason)
        report = workspace.blobs.text(graph.value(refusal, AITIA.reportBlob))
        assert "ValidationReport" in report
        assert "G9" in workspace.blobs.text(graph.value(refusal, AITIA.patchBlob))


def test_after_three_repairs_the_goal_is_replaced(folder: Path) -> None:
    start = batch(goal("G2", "Find what pump A feeds"))
    bad = batch(method("G2", "metadata_filter", wrong=1), addresses="G2")

    def other(prompt: str) -> Any:
        replaced = label(prompt, "in another way")
        return batch(
            method(replaced, "metadata_filter", query="what pump A feeds"),
            addresses=replaced,
        )

    player = Player([start, bad, bad, bad, bad, other, told])
    with opened(folder, player) as (workspace, _):
        answer = workspace.ask("What does pump A feed?")
        assert answer.text == FEEDS
        graph = Graph(workspace, answer.run)
        assert len(graph.of(AITIA.RefusedOperation)) == 4
        _, failed, new = graph.of(AITIA.Goal)
        assert graph.value(failed, AITIA.status).endswith("failed")
        assert graph.value(new, AITIA.replaces) == failed.value


def test_a_model_that_never_gives_operations_words_an_answer(folder: Path) -> None:
    player = Player(["I think it feeds a tank."], "prose", compose=f"{FEEDS[:-1]} [1].")
    with opened(folder, player) as (workspace, _):
        answer = workspace.ask("What does pump A feed?")
        assert (answer.text, answer.mode) == (FEEDS, "generative")
        assert any("no valid operations" in text for text in answer.notices)
        assert any("read by rules" in text for text in answer.notices)


def test_a_search_that_finds_nothing_is_changed_then_its_goal_replaced(
    folder: Path,
) -> None:
    lost = method("G2", "metadata_filter", query="zebra finches", path="nowhere")

    def gone(prompt: str) -> Any:
        return batch(conclude(reason="Nothing on record speaks of it."))

    player = Player([batch(goal("G2", "Find zebra finches"), lost), gone])
    with opened(folder, player) as (workspace, _):
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


def test_replanning_is_bounded(folder: Path) -> None:
    """A goal is replaced twice at most, however long a model insists."""

    def insist(prompt: str) -> Any:
        open_goals = prompt.partition("Open goals:")[2].partition("\n\n")[0]
        again = [x.split(" ")[0] for x in open_goals.splitlines() if "another way" in x]
        if not again:
            return batch({"op": "abortRun", "reason": "It cannot be found."})
        return batch(call(again[-1], "nothing", pump="A"), addresses=again[-1])

    start = batch(goal("G2", "Find the faults"), call("G2", "nothing", pump="A"))
    with opened(folder, Player([start, insist])) as (workspace, _):
        answer = workspace.ask("Which faults has pump A?", tools=[nothing])
        graph = Graph(workspace, answer.run)
        assert len(graph.of(AITIA.Goal)) == 4
        assert (answer.aborted, graph.conclusions()) == (True, ["Abort"])
        assert "cannot be found" in answer.reason


def test_a_failing_tool_is_tried_again_and_told(folder: Path) -> None:
    def gone(prompt: str) -> Any:
        assert "no line to pump A" in prompt
        return batch(conclude(reason="The maker is not known."))

    start = batch(call("G1", "broken", pump="A"), call("G1", "stop", pump="A"))
    with opened(folder, Player([start, gone])) as (workspace, _):
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


def test_hypotheses_are_tested_by_tools_and_by_methods(folder: Path) -> None:
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
    with opened(folder, player) as (workspace, _):
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
def test_a_strategy_is_recorded_with_its_parents(folder: Path, strategy: str) -> None:
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

    with opened(folder, Player([batch(SEARCH), infer, told])) as (
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


def test_a_contradicted_sentence_makes_the_run_go_on_once(folder: Path) -> None:
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

    with opened(folder, Player([batch(SEARCH), wrong, better])) as (
        workspace,
        _,
    ):
        answer = workspace.ask("How many valves has pump A?")
        assert answer.text == "Pump A has 4 valves."
        assert [item.text for item in answer.dropped] == ["Pump A has 3 valves."]
        graph = Graph(workspace, answer.run)
        assert graph.said(AITIA.supportState).count("contradicted") == 2
        assert graph.conclusions() == ["Decision"]


def test_goals_called_reached_are_checked(folder: Path) -> None:
    def hasty(prompt: str) -> Any:
        return batch(reached("G2"), addresses="G2")

    def checked(prompt: str) -> Any:
        assert "Nothing was found for it." in prompt
        assert "G2 [pending]" in prompt
        return batch(SEARCH)

    player = Player([batch(goal("G2", "Find it")), hasty, checked, told])
    with opened(folder, player) as (workspace, _):
        graph = Graph(workspace, workspace.ask("What does pump A feed?").run)
        node = graph.of(AITIA.Goal)[1]
        assert graph.value(node, AITIA.status).endswith("abandoned")


def test_goals_are_decomposed_when_they_come_up(folder: Path) -> None:
    def deeper(prompt: str) -> Any:
        return batch(
            goal("G3", "Find the passage", parent="G2"),
            method("G3", "metadata_filter", query="what pump A feeds"),
            addresses="G2",
        )

    def up(prompt: str) -> Any:
        return batch(reached("G3"), reached("G2"), *told(prompt)["operations"])

    player = Player([batch(goal("G2", "Find what it feeds")), deeper, up])
    with opened(folder, player) as (workspace, _):
        graph = Graph(workspace, workspace.ask("What does pump A feed?").run)
        root, outer, inner = graph.of(AITIA.Goal)
        assert graph.value(inner, AITIA.subgoalOf) == outer.value
        assert graph.value(outer, AITIA.subgoalOf) == root.value
        states = {
            graph.value(n, AITIA.status).removeprefix(AITIA.NS)
            for n in (root, outer, inner)
        }
        assert states == {"succeeded"}


def slow(delays: dict[str, float]) -> Callable[..., Any]:
    @tool
    def gauge(pump: str) -> dict[str, Any]:
        """Tell the pressure of a pump in bar."""
        time.sleep(delays[pump])
        return {"pump": pump, "bar": ord(pump)}

    return gauge


def test_the_record_does_not_depend_on_which_call_ends_first(folder: Path) -> None:
    names = "ABCDEF"
    start = batch(
        *(
            hypothesis(f"H{at}", f"Pump {x} has {ord(x)} bar.")
            for at, x in enumerate(names, 1)
        ),
        *(call("G1", "gauge", tests=f"H{at}", pump=x) for at, x in enumerate(names, 1)),
        method("G1", "metadata_filter", query="what pump A feeds"),
    )

    def judged(prompt: str) -> Any:
        time.sleep(random.Random(len(records)).random() / 50)
        bar = prompt.partition('"bar": ')[2].partition(",")[0].partition("}")[0]
        return entails(f'"bar": {bar}')

    records: list[list[str]] = []
    for seed in range(3):
        delays = {x: random.Random(f"{seed}{x}").random() / 20 for x in names}
        place = shutil.copytree(folder, folder.parent / str(seed))
        player = Player([start, told], entailment=judged)
        with opened(place, player, model__cache=False) as (workspace, _):
            answer = workspace.ask("What does pump A feed?", tools=[slow(delays)])
            assert answer.text == FEEDS
            # A reply is kept with the seconds that it took.
            replies = [AITIA.replyBlob]
            records.append(canonical(workspace, answer.run, but=replies))
    assert records[0] == records[1] == records[2]


def test_calls_of_one_batch_run_beside_each_other(folder: Path) -> None:
    meeting = threading.Barrier(3, timeout=20)

    @tool
    def meet(pump: str) -> str:
        """Wait for the others."""
        meeting.wait()
        return f"Pump {pump} met the others."

    calls = batch(*(call("G1", "meet", pump=x) for x in "ABC"))

    def end(prompt: str) -> Any:
        text = "Pump B met the others."
        return batch(conclude((text, [label(prompt, text)])))

    with opened(folder, Player([calls, end])) as (workspace, _):
        answer = workspace.ask("Do the pumps meet?", tools=[meet])
        assert answer.text == "Pump B met the others."


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
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("aitia.ask.thinking.rounds.ROUNDS", 3)
    note = batch(hypothesis("H1", "It may be so."))
    more = [batch(hypothesis(f"H{at}", f"Guess {at}.")) for at in range(2, 9)]
    with opened(folder, Player([note, *more])) as (workspace, _):
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


def test_kept_decompositions_and_searches_name_their_source(folder: Path) -> None:
    player = Player([batch(SEARCH), told])
    with opened(folder, player) as (workspace, server):
        first = Graph(workspace, workspace.ask("What does pump A feed?").run)
        asked = len(server.requests)
        second = Graph(workspace, workspace.ask("What does pump A feed?").run)
        assert len(server.requests) == asked
        sources = second.said(AITIA.cachedFrom)
        assert sources
        assert all(iri.startswith(first.run.value) for iri in sources)
        kept = [
            n
            for n in second.of(AITIA.MethodExecution)
            if second.values(n, AITIA.cachedFrom)
        ]
        methods = {second.value(n, AITIA.method).rpartition(":")[2] for n in kept}
        assert methods >= {"model_call", "metadata_filter"}
        answer = workspace.ask(replay=second.run.value)
        assert canonical(workspace, answer.run, but=[AITIA.replays]) == canonical(
            workspace, second.run.value
        )
        more = folder.parent / "more.txt"
        more.write_text("Pump D feeds tank E.", "utf-8")
        workspace.ingest([more], extract=False)
        player.planned = 1
        third = Graph(workspace, workspace.ask("What does pump A feed?").run)
        searches = [
            n
            for n in third.of(AITIA.MethodExecution)
            if third.value(n, AITIA.method).endswith("metadata_filter")
        ]
        assert not any(third.values(n, AITIA.cachedFrom) for n in searches)


def test_earlier_runs_are_context_and_never_evidence(folder: Path) -> None:
    player = Player([batch(SEARCH), told])
    with opened(folder, player, memory__chars=2000) as (workspace, server):
        first = workspace.ask("What does pump A feed?", session="desk")
        player.planned = 0
        second = workspace.ask("What does pump A feed again?", session="desk")
        graph = Graph(workspace, second.run)
        assert graph.said(AITIA.relatedTo) == [first.run]
        assert any("they are no evidence" in prompt for prompt in server.prompts)
        causes = {node.iri for node in workspace.why(second.run).nodes.values()}
        assert not any(iri.startswith(first.run) for iri in causes)


def test_events_tell_what_is_committed(folder: Path) -> None:
    events: list[Any] = []
    with opened(folder, Player([batch(SEARCH), told])) as (workspace, _):

        def listen(event: Any) -> None:
            if event.kind == "step":
                head = workspace.ledger.head()
                assert head is not None
                assert event.commit <= head.number
            events.append(event)

        answer = workspace.ask("What does pump A feed?", told=listen)
        graph = Graph(workspace, answer.run)
        told_of = {event.node for event in events if event.kind == "step"}
        assert {node.value for node in graph.of(AITIA.MethodExecution)} <= told_of
        assert events[-1].of in {"Decision", "MethodExecution"}


def test_consent_is_asked_only_where_something_changes(folder: Path) -> None:
    def end(prompt: str) -> Any:
        text = "Pump A is stopped."
        return batch(conclude((text, [label(prompt, text)])))

    asked: list[str] = []

    def yes(item: Any, arguments: Any) -> bool:
        asked.append(item.name)
        return True

    start = batch(call("G1", "pressure", pump="A"), call("G1", "stop", pump="A"))
    with opened(folder, Player([start, end])) as (workspace, _):
        answer = workspace.ask(
            "Stop pump A.", tools=[pressure, stop], consents=Consents(ask=yes)
        )
        assert answer.text == "Pump A is stopped."
        assert asked == ["stop"]


def test_the_dead_address_of_the_tests_is_dead() -> None:
    assert dead_url().startswith("http://127.0.0.1:")
