"""The course of a run: side by side, kept, remembered, told, recorded in part."""

import asyncio
import random
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from aitia.ask.thinking.retries import changes
from aitia.methods.arguments import NodeRef, arguments as read
from aitia.methods.base import offered
from aitia.reason.operations import RunMethod
from aitia.tools import tool
from aitia.tools.consent import Consents
from aitia.vocab import AITIA
from tests.model_desk import (
    Graph,
    Player,
    batch,
    call,
    canonical,
    conclude,
    entails,
    goal,
    hypothesis,
    label,
    method,
    opened,
)
from tests.model_pumps import (
    FEEDS,
    SEARCH,
    Desk,
    copy,
    desk_in,
    made,
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


def test_calls_of_one_batch_run_beside_each_other(desk: Desk) -> None:
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

    with desk.playing(Player([calls, end])) as (workspace, _):
        answer = workspace.ask("Do the pumps meet?", tools=[meet])
        assert answer.text == "Pump B met the others."


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


def test_what_changes_something_outside_is_never_done_from_a_kept_plan(
    folder: Path,
) -> None:
    stopping = batch(
        call("G1", "stop", pump="A"), method("G1", "dense_search", query="A")
    )
    player = Player([stopping, told, batch(SEARCH), told])
    with opened(folder, player) as (workspace, _):
        workspace.ask("What does pump A feed?", tools=[stop])
        second = workspace.ask(
            "What does pump A feed?", tools=[stop], consents=Consents(["stop"])
        )
        assert player.planned == 4
        assert "stop" not in Graph(workspace, second.run).methods()


def test_a_kept_plan_is_good_for_the_same_memory_and_tools_only(folder: Path) -> None:
    question = "What does pump A feed?"
    player = Player([batch(SEARCH), told] * 4)
    with opened(folder, player, memory__chars=2000) as (workspace, _):
        workspace.ask(question)
        workspace.ask(question, session="night")
        assert player.planned == 4
        workspace.ask(question, session="night")
        assert player.planned == 6
        workspace.ask(question, session="night", tools=[stop])
        assert player.planned == 8


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


def test_events_tell_what_is_committed(desk: Desk) -> None:
    events: list[Any] = []
    with desk.playing(Player([batch(SEARCH), told])) as (workspace, _):

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
        pieces = [event.text for event in events if event.kind == "piece"]
        assert pieces == [f"{FEEDS}\n"]


def test_consent_is_asked_only_where_something_changes(desk: Desk) -> None:
    def end(prompt: str) -> Any:
        text = "Pump A is stopped."
        return batch(conclude((text, [label(prompt, text)])))

    asked: list[str] = []

    def yes(item: Any, arguments: Any) -> bool:
        asked.append(item.name)
        return True

    start = batch(call("G1", "pressure", pump="A"), call("G1", "stop", pump="A"))
    with desk.playing(Player([start, end])) as (workspace, _):
        answer = workspace.ask(
            "Stop pump A.", tools=[pressure, stop], consents=Consents(ask=yes)
        )
        assert answer.text == "Pump A is stopped."
        assert asked == ["stop"]


@pytest.mark.parametrize("watched", [False, True])
@pytest.mark.parametrize("changing", [False, True])
def test_what_changed_outside_is_on_record_before_a_reply_is_waited_for(
    desk: Desk, changing: bool, watched: bool
) -> None:
    """What only looked is committed with the next proposal, a commit less a round."""
    seen: list[int] = []

    def end(prompt: str) -> Any:
        run = workspace.runs()[0].iri
        seen.append(len(Graph(workspace, run).of(AITIA.ToolCall)))
        text = '"bar": 3'
        return batch(conclude(("Pump A has 3 bar.", [label(prompt, text)])))

    start = [call("G1", "pressure", pump="A")]
    if changing:
        start.append(call("G1", "stop", pump="A"))
    says = Player([batch(*start), end], entailment=entails('"bar": 3'))
    with desk.playing(says) as (workspace, _):
        answer = workspace.ask(
            "What is the pressure?",
            tools=[pressure, stop],
            consents=Consents(["stop"]),
            told=(lambda event: None) if watched else None,
        )
        assert len(Graph(workspace, answer.run).of(AITIA.ToolCall)) == len(start)
    assert seen == [len(start) if changing or watched else 0]


def test_goals_that_wait_for_no_other_are_worked_on_beside_each_other(
    desk: Desk,
) -> None:
    meeting = threading.Barrier(2, timeout=20)
    done: list[str] = []

    @tool
    def meet(pump: str) -> str:
        """Wait for the other goal's call, where there is one."""
        if pump != "C":
            meeting.wait()
        done.append(pump)
        return f"Pump {pump} was met."

    goals = [goal("G2", "Meet A"), goal("G3", "Meet B")]
    last = goal("G4", "Meet C", depends=["G2", "G3"])
    calls = [call("G4", "meet", pump="C")]
    calls += [call(g, "meet", pump=p) for g, p in (("G2", "A"), ("G3", "B"))]

    def end(prompt: str) -> Any:
        text = "Pump C was met."
        return batch(conclude((text, [label(prompt, text)])))

    with desk.playing(Player([batch(*goals, last, *calls), end])) as (workspace, _):
        assert workspace.ask("Met?", tools=[meet]).text == "Pump C was met."
    assert done[-1] == "C"


@pytest.mark.parametrize("level", ["full", "decisions"])
def test_less_can_be_recorded_and_proposals_stay(folder: Path, level: str) -> None:
    with opened(folder, Player([batch(SEARCH), told]), record__level=level) as (
        workspace,
        _,
    ):
        answer = workspace.ask("What does pump A feed?")
        assert answer.text == FEEDS
        graph = Graph(workspace, answer.run)
        assert len(graph.of(AITIA.Batch)) == len(graph.of(AITIA.Operation)) == 2
        assert workspace.validate().conforms


def test_a_run_without_a_model_is_replayed_without_one(folder: Path) -> None:
    with opened(folder, Player(), model__name="") as (workspace, _):
        first = workspace.ask("What does pump A feed?")
        again = workspace.ask(replay=first.run)
        assert (again.text, again.mode) == (FEEDS, "extractive")
        told_again = canonical(workspace, again.run, but=[AITIA.replays])
        assert told_again == canonical(workspace, first.run)


def test_questions_can_be_asked_inside_an_event_loop(desk: Desk) -> None:
    calls = batch(call("G1", "pressure", pump="A"), call("G1", "pressure", pump="B"))

    async def ask() -> str:
        return desk.workspace.ask("What does pump A feed?", tools=[pressure]).text

    with desk.playing(Player([calls, batch(SEARCH), told])):
        assert asyncio.run(ask()) == FEEDS


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        (
            "metadata_filter",
            {"query": "q", "path": "x"},
            ["metadata_filter", "hypothetical_answer"],
        ),
        ("lexical_search", {"query": "q"}, ["dense_search", "recursive_retrieval"]),
        (
            "dense_search",
            {"query": "q", "k": 40},
            ["lexical_search", "recursive_retrieval"],
        ),
        (
            "hypothetical_answer",
            {"query": "q"},
            ["hypothetical_answer", "metadata_filter"],
        ),
        (
            "recursive_retrieval",
            {"question": "q"},
            ["recursive_retrieval", "hypothetical_answer"],
        ),
        (
            "graph_search",
            {"thing": "a", "property": "b"},
            ["graph_search", "recursive_retrieval"],
        ),
        ("summary", {"texts": ["P1"]}, []),
    ],
)
def test_what_is_tried_next_differs_from_what_failed(
    name: str, given: dict[str, Any], expected: list[str]
) -> None:
    operation = RunMethod(op="runMethod", goal="G1", method=name, arguments=given)
    found = list(changes(operation, "Find it"))
    assert [chosen for chosen, _ in found] == expected
    for chosen, arguments in found:
        assert (chosen, arguments) != (name, given)
        assert arguments.get("k", 0) <= 50
        resolve = {"P1": NodeRef("P1")}.__getitem__
        read(offered()[chosen], arguments, resolve)


def test_a_strategy_of_a_method_is_recorded_with_its_reason(desk: Desk) -> None:
    def infer(prompt: str) -> Any:
        passage = label(prompt, FEEDS)
        step = method(
            "G1",
            "inference_step",
            conclusion=FEEDS,
            premises=[passage],
            strategy="deduction",
        )
        return batch({**step, "strategy": "deduction", "reason": "It says so."})

    with desk.playing(Player([batch(SEARCH), infer, told])) as (workspace, server):
        graph = Graph(workspace, workspace.ask("What does pump A feed?").run)
        plans = [prompt for prompt in server.prompts if "You plan" in prompt]
        assert "- deduction: A conclusion that must hold" in plans[0]
        assert "Fails: A condition is not met" in plans[0]
        (step,) = [
            n
            for n in graph.of(AITIA.MethodExecution)
            if graph.values(n, AITIA.strategy)
        ]
        assert graph.value(step, AITIA.method).endswith("inference_step")
        assert graph.value(step, AITIA.strategy) == AITIA.deduction.value
        assert '"reason": "It says so."' in graph.value(step, AITIA.parameters)
        assert any("#char=" in iri for iri in graph.values(step, AITIA.usedTool))
