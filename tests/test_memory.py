"""Earlier runs as context: those of the session, those like the question; no evidence."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings as hypothesis_settings, strategies as st
from pyoxigraph import NamedNode

from aitia import Workspace, terms
from aitia.errors import UsageError
from aitia.memory import Recalled, join, recall, relate
from aitia.memory.likeness import likeness
from aitia.methods.base import Reads
from aitia.model.trace import Goal
from aitia.settings.acting import MemorySettings
from aitia.trace import RunTrace
from aitia.vocab import AITIA
from aitia_cli.main import cli
from tests.ask_worlds import taken_in


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """Two runs of ask, and four that broke off, two of them in the session `desk`."""
    with Workspace.open(taken_in(tmp_path_factory.mktemp("memory"))) as workspace:
        workspace.ask("What is the status of order K-101?")
        workspace.ask("Who founded the shop?")
        broken_off(workspace, "Is the kettle in stock?", "desk", "the line went dead")
        broken_off(workspace, "Paint the door blue.", "", "no paint")
        broken_off(workspace, "What does the blue door cost?", "desk", "no price")
        broken_off(workspace, "Close the desk.", "Other Desk", "not open")
        yield workspace


def broken_off(workspace: Workspace, question: str, session: str, why: str) -> None:
    trace = RunTrace(workspace.ledger.commit, workspace.store, workspace.blobs)
    trace.begin(question, "ada", workspace.position)
    join(trace, session)
    trace.asked(question)
    trace.abort(why)


def reads(workspace: Workspace, **memory: Any) -> Reads:
    settings = replace(workspace.settings, memory=MemorySettings(**memory))
    return Reads(workspace.store, workspace.blobs, workspace.indexes, settings)


def told(workspace: Workspace, question: str, session: str = "", **memory: Any) -> str:
    return recall(reads(workspace, **memory), question, session).text


def test_a_run_that_resembles_the_question_is_recalled(world: Workspace) -> None:
    text = told(world, "What is the status of order K-102?")
    assert "asked: What is the status of order K-101?" in text
    assert "- decided: " in text
    assert "pending" in text
    assert "kettle" not in text


def test_what_failed_is_recalled_too(world: Workspace) -> None:
    text = told(world, "Who was it that founded the shop?")
    assert "- abstained: " in text
    assert "- broke off: no paint" in told(world, "Paint the door in blue.")


def test_a_low_score_is_not_told_as_a_refutation(world: Workspace) -> None:
    trace = RunTrace(world.ledger.commit, world.store, world.blobs)
    trace.begin("Is the door green?", "ada", world.position)
    asked = trace.asked("Is the door green?")
    goal, order = trace.node(AITIA.Goal, "goal"), 1
    trace.goal(Goal(goal, order, "Look", "It was asked.", "", ""), [asked])
    for text, sure in (("The door is green.", 0.43), ("The door is red.", None)):
        with trace.execution("confidence_check", goal, {}, {}) as running:
            pass
        node = trace.produced(running.node, AITIA.Hypothesis, "hyp", text)
        trace.state(node, AITIA.refuted, AITIA.hypothesisState)
        trace.link(running.node, AITIA.refutes, node)
        trace.sure(node, sure, "a score" if sure else "")
        if sure is None:
            seen = trace.produced(
                running.node, AITIA.Observation, "observation", "blue"
            )
            trace.link(seen, AITIA.contradicts, node)
    trace.step()
    trace.abort("no light")
    text = told(world, "Is the door green?")
    assert "- not established (scored 0.43): The door is green." in text
    assert "- found not to hold: The door is red." in text


def test_a_session_is_recalled_newest_first(world: Workspace) -> None:
    text = told(world, "And what of it?", "desk", similar=0)
    asked = [
        line.partition("asked: ")[2] for line in text.splitlines() if "asked" in line
    ]
    assert asked == ["What does the blue door cost?", "Is the kettle in stock?"]
    assert told(world, "And what of it?", "no such session", similar=0) == ""
    assert told(world, "And what of it?", similar=0) == ""


def test_a_budget_is_kept_and_what_is_left_out_is_counted(world: Workspace) -> None:
    whole = recall(reads(world, similar=0), "And?", "desk")
    assert (len(whole.runs), whole.left_out) == (2, 0)
    small = recall(reads(world, similar=0, chars=len(whole.text) - 1), "And?", "desk")
    assert (len(small.runs), small.left_out) == (1, 1)
    assert recall(reads(world, chars=0), "And?", "desk") == Recalled()


def test_a_run_is_related_to_those_it_was_told_of_and_rests_on_none(
    world: Workspace,
) -> None:
    found = recall(reads(world), "What is the status of order K-103?")
    trace = RunTrace(world.ledger.commit, world.store, world.blobs)
    trace.begin("What is the status of order K-103?", "ada", world.position)
    relate(trace, found)
    trace.abort("The test is over.")
    related = {
        quad.object
        for quad in world.store.quads(trace.run, AITIA.relatedTo, None, None)
    }
    assert related == set(found.runs) != set()
    for run in found.runs:
        part = f"{run.value}/"
        for cause in world.store.quads(None, AITIA.hasCause, None, trace.graph):
            assert not str(cause.object).startswith(f"<{part}")
    assert world.validate().conforms


def test_a_run_that_goes_on_is_not_recalled(world: Workspace) -> None:
    trace = RunTrace(world.ledger.commit, world.store, world.blobs)
    trace.begin("Count the umbrellas.", "ada", world.position)
    trace.asked("Count the umbrellas.")
    trace.step()
    assert "umbrellas" not in told(world, "Count the umbrellas!")
    trace.abort("The test is over.")
    assert "umbrellas" in told(world, "Count the umbrellas!")


def test_a_question_resembles_its_other_wordings_most(world: Workspace) -> None:
    earlier = [
        "Can order K-101 be cancelled?",
        "Please call off K-101.",
        "订单 K-101 可以取消吗?",
        "What is the capital of France?",
    ]
    same, other, chinese, far = likeness(earlier[0], earlier, world.indexes)
    assert same == pytest.approx(1.0)
    assert same > other > far
    assert chinese > far
    (again,) = likeness("订单可以取消吗?", ["订单可以取消吗?"], world.indexes)
    assert again == pytest.approx(1.0)


@given(st.text(max_size=40), st.lists(st.text(max_size=40), max_size=4))
@hypothesis_settings(deadline=None, max_examples=25)
def test_likeness_is_from_0_to_1_for_any_texts(
    world: Workspace, question: str, earlier: list[str]
) -> None:
    found = likeness(question, earlier, world.indexes)
    assert len(found) == len(earlier)
    assert all(0 <= how <= 1 for how in found)


def test_a_session_needs_a_name_that_can_be_seen(world: Workspace) -> None:
    trace = RunTrace(world.ledger.commit, world.store, world.blobs)
    with pytest.raises(UsageError):
        join(trace, " \n")


def test_sessions_are_listed_with_their_runs(world: Workspace) -> None:
    other, own = world.sessions()
    assert (other.name, len(other.runs)) == ("Other Desk", 1)
    assert (own.name, own.about) == ("desk", "What does the blue door cost?")
    assert own.first < own.last
    assert own.agents == ["ada"]
    assert own.iri == terms.session_iri("desk").value
    assert NamedNode(own.runs[0]) in recall(reads(world), "?", "desk").runs


def test_the_verb_lists_sessions_and_the_runs_of_one(world: Workspace) -> None:
    def run(*words: str, code: int = 0) -> str:
        args = ["--workspace", str(world.folder), "sessions", *words]
        done = CliRunner().invoke(cli, args)
        assert done.exit_code == code, done.output
        return done.stdout if code == 0 else done.stderr

    world.publish()
    assert "Other Desk" in run()
    assert "Is the kettle in stock?" in run("desk")
    (found,) = json.loads(run("desk", "--json"))
    assert len(found["runs"]) == 2
    assert "no session 'nobody'" in run("nobody", code=1)
