"""What a run did outside is told, and `why` leads to it, whatever the run ended in."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import NamedNode, Quad

from aitia import terms
from aitia.ask.layout import layout
from aitia.model import ENGINE_AGENT, Patch
from aitia.tools import tool
from aitia.tools.consent import Consents
from aitia.trace import interrupted
from aitia.vocab import AITIA, PROV
from aitia.workspace import Workspace
from aitia_cli.answered import lines
from tests.model_desk import (
    Graph,
    Player,
    batch,
    call,
    canonical,
    conclude,
    label,
    opened,
)
from tests.model_pumps import FEEDS, SEARCH, Desk, copy, desk_in, made, stop

ALLOWED = Consents(["stop"])
STOPPED = "Pump A is stopped."
STOP = call("G1", "stop", pump="A")


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("ready"))


@pytest.fixture(scope="module")
def desk(ready: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with desk_in(copy(ready, tmp_path_factory.mktemp("desk") / "ws")) as found:
        yield found


def nothing_borne_out(prompt: str) -> Any:
    return batch(conclude(("The moon is green.", [label(prompt, STOPPED)])))


def gives_up(_: str) -> Any:
    return batch(conclude(reason="It cannot be told."))


def breaks_off(_: str) -> Any:
    return batch({"op": "abortRun", "reason": "I give up."})


def cites_it(prompt: str) -> Any:
    return batch(conclude((STOPPED, [label(prompt, STOPPED)])))


def cites_another(prompt: str) -> Any:
    return batch(conclude((FEEDS, [label(prompt, "Pump A feeds tank B.")])))


ENDS = {
    "unborne": (nothing_borne_out, "Abstention"),
    "no sentence": (gives_up, "Abstention"),
    "abort": (breaks_off, "Abort"),
    "cited": (cites_it, "Decision"),
    "not cited": (cites_another, "Decision"),
}


@pytest.mark.parametrize("end", ENDS)
def test_a_side_effect_is_told_whatever_the_run_ends_in(desk: Desk, end: str) -> None:
    last, kind = ENDS[end]
    player = Player([batch(SEARCH, STOP), last])
    with desk.playing(player) as (workspace, _):
        answer = workspace.ask("Stop pump A.", tools=[stop], consents=ALLOWED)
        graph = Graph(workspace, answer.run)
        assert graph.conclusions() == [kind]
        told = "\n".join(lines(answer))
        assert "Done outside:\n  stop(pump=“A”): “Pump A is stopped.” — perm" in told
        (done,) = layout(answer)["outside"]
        assert (done["tool"], done["arguments"]) == ("stop", {"pump": "A"})
        assert done["result"] == STOPPED
        assert "allowed for the run, by name" in done["how"]
        assert done["permitted_by"] in told
        assert done["node"] in workspace.why(answer.run).nodes


def test_the_end_that_a_model_chose_leads_to_its_proposal(desk: Desk) -> None:
    for end in (gives_up, breaks_off):
        with desk.playing(Player([batch(SEARCH), end])) as (workspace, _):
            answer = workspace.ask("Stop pump A.")
            assert not answer.outside
            assert "Done outside" not in "\n".join(lines(answer))
            kinds = [x.kind for x in workspace.why(answer.run).nodes.values()]
            assert {"Operation", "Batch", "MethodExecution", "UserInput"} <= {*kinds}
    assert answer.text == "The model ended the run: I give up."


def test_a_call_that_failed_is_told_as_one_that_may_have_been_done(desk: Desk) -> None:
    @tool(side_effect=True)
    def close(pump: str) -> str:
        """Close a pump."""
        raise RuntimeError("the line went dead")

    player = Player([batch(call("G1", "close", pump="A")), gives_up])
    with desk.playing(player) as (workspace, _):
        answer = workspace.ask(
            "Close pump A.", tools=[close], consents=Consents(["close"])
        )
        told = "\n".join(lines(answer))
        assert "failed, and may have been done all the same: “" in told
        assert all(done.node in workspace.why().nodes for done in answer.outside)


def test_what_was_not_permitted_was_not_done(desk: Desk) -> None:
    with desk.playing(Player([batch(STOP), gives_up])) as (workspace, _):
        assert not workspace.ask("Stop pump A.", tools=[stop]).outside


@pytest.mark.parametrize("level", ["full", "decisions"])
def test_a_spent_budget_and_a_replay(ready: Path, tmp_path: Path, level: str) -> None:
    folder = copy(ready, tmp_path / "ws")
    flags = {"budget__calls": 2, "record__level": level}
    with opened(folder, Player([batch(STOP)]), **flags) as (workspace, _):
        answer = workspace.ask("Stop pump A.", tools=[stop], consents=ALLOWED)
        assert answer.aborted
        assert [done.tool for done in answer.outside] == ["stop"]
        assert answer.outside[0].node in workspace.why(answer.run).nodes
        assert "stop" in "\n".join(lines(answer))
        if level != "full":
            return  # only the whole record can be replayed
        first = canonical(workspace, answer.run, but=[AITIA.replays])
        again = workspace.ask(replay=answer.run, tools=[stop])
        assert not again.outside
        assert canonical(workspace, again.run, but=[AITIA.replays]) == first


def test_a_run_that_an_error_breaks_off_names_what_was_done(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    with desk.playing(Player([batch(STOP), gives_up])) as (workspace, _):
        monkeypatch.setattr("aitia.ask.thinking.rounds.conclude", interrupt)
        with pytest.raises(KeyboardInterrupt) as raised:
            workspace.ask("Stop A.", tools=[stop], consents=ALLOWED)
        assert any("stop(pump=“A”)" in x for x in raised.value.__notes__)
        kinds = [node.kind for node in workspace.why().nodes.values()]
        assert "ToolCall" in kinds


def test_a_run_whose_process_died_leads_to_what_it_did(desk: Desk) -> None:
    with desk.playing(Player([batch(STOP), breaks_off])) as (workspace, _):
        answer = workspace.ask("Stop pump A.", tools=[stop], consents=ALLOWED)
        killed = unended(workspace, answer.run)
        interrupted.end(workspace.store, workspace.ledger.commit, killed)
        nodes = workspace.why(killed.value).nodes
        assert answer.outside[0].node in nodes


def unended(workspace: Workspace, run: str) -> NamedNode:
    """Take the end of a run off the record, as if the process had died before it."""
    node = NamedNode(run)
    abort = terms.part(node, "abort")
    quads = set(workspace.store.quads(None, None, None, terms.run_graph(node)))
    gone = {
        quad
        for quad in quads
        if abort in (quad.subject, quad.object)
        or (quad.subject == node and quad.predicate in (PROV.endedAtTime, AITIA.status))
    }
    running = Quad(node, AITIA.status, AITIA.running, terms.run_graph(node))
    patch = Patch(frozenset([running]), frozenset(gone), ENGINE_AGENT, node)
    workspace.ledger.commit(patch)
    return node
