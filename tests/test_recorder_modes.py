"""When what is recorded is committed, what a crash loses, and what is left out."""

import re
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import NamedNode

from aitia import Recorder, ShapeViolation, UsageError, Workspace
from aitia.doctor import examine
from aitia.model import CommitRecord, Patch
from aitia.recorder import tally
from aitia.vocab import AITIA
from aitia.why.render.tree import tree
from tests.starting import child, line

MODES = ("call", "batch", "async")


def story(r: Recorder) -> None:
    """A run with a bit of everything."""
    form = {"income": 4000}
    r.observe(form, "a form")
    pays = r.hypothesize("Ada can pay", because=form)
    with r.call("outer", given=form) as outer:
        with r.call("inner", given={"of": form}) as inner:
            inner.returns([1])
        outer.returns({"all": 1})
    with r.call("fails") as call:
        call.fails("no answer")
    r.support(pays, outer.result, confidence=0.5, rule="half of them pay")
    r.decide("granted", accepts=pays, because=[inner.result])


def record_of(workspace: Workspace, run: NamedNode) -> Counter[str]:
    """What is on record of a run, apart from its id, its times and its links' ids."""
    graph = NamedNode(f"{run.value}/trace")
    key = run.value.rpartition(":")[2]
    lines: Counter[str] = Counter()
    for quad in workspace.store.quads(None, None, None, graph):
        text = str(quad).replace(key, "RUN")
        if "XMLSchema#dateTime" in text or "ledgerPosition" in text:
            continue
        lines[re.sub(r"urn:aitia:link:[0-9a-f]+", "LINK", text)] += 1
    return lines


def test_the_modes_leave_the_same_record(tmp_path: Path) -> None:
    with Workspace.open(tmp_path / "workspace") as workspace:
        records = []
        for mode in MODES:
            with workspace.record("a loan", agent="a", mode=mode) as r:
                story(r)
            records.append(record_of(workspace, r.run.iri))
        assert records[0] == records[1] == records[2]
        assert workspace.validate().violations == ()
        assert workspace.verify().findings == ()


def commits(workspace: Workspace) -> int:
    head = workspace.ledger.head()
    return head.number if head else 0


def test_each_call_is_on_record_when_it_returns(tmp_path: Path) -> None:
    with (
        Workspace.open(tmp_path / "workspace") as workspace,
        workspace.record("a loan", agent="a") as r,
    ):
        node = r.observe("a form")
        assert any(workspace.store.quads(node.iri))
        before = commits(workspace)
        r.decide("granted", because=node)
        assert commits(workspace) == before + 1


def test_a_batch_is_one_commit_at_flush_and_one_at_the_end(tmp_path: Path) -> None:
    with Workspace.open(tmp_path / "workspace") as workspace:
        with workspace.record("a loan", agent="a", mode="batch") as r:
            nodes = [r.observe(f"form {number}") for number in range(5)]
            assert commits(workspace) == 0
            r.flush()
            assert commits(workspace) == 1
            assert all(any(workspace.store.quads(node.iri)) for node in nodes)
            r.decide("granted", because=nodes)
            assert commits(workspace) == 1
        assert commits(workspace) == 2


def slip(r: Recorder) -> None:
    """Say something behind the recorder's back that the gate refuses."""
    with r.run.alone() as trace:
        trace.say(r.run.goal, AITIA.order, trace.graph)


@pytest.mark.parametrize("flushed", [True, False])
def test_a_refused_batch_leaves_nothing_but_that_it_broke_off(
    flushed: bool, tmp_path: Path
) -> None:
    with Workspace.open(tmp_path / "workspace") as workspace:

        def broken() -> None:
            with workspace.record("a loan", agent="a", mode="batch") as r:
                seen = r.observe("a form")
                slip(r)
                if flushed:
                    r.flush()
                r.decide("granted", because=seen)

        with pytest.raises(ShapeViolation, match="order"):
            broken()
        [run] = workspace.runs()
        assert (run.status, run.conclusion) == ("failed", "Abort")
        assert "record was refused" in run.answer
        assert len(list(workspace.store.quads(None, None, AITIA.RefusedOperation))) == 1
        assert not any(workspace.store.quads(None, None, AITIA.Observation))
        assert workspace.validate().violations == ()


def test_a_refusal_in_the_background_is_told_at_the_next_call(tmp_path: Path) -> None:
    with Workspace.open(tmp_path / "workspace") as workspace:

        def broken() -> None:
            with workspace.record("a loan", agent="a", mode="async") as r:
                first = r.observe("a form")
                slip(r)
                r.observe("refused")
                r.flush()
                r.decide("granted", because=first)

        with pytest.raises(
            ShapeViolation, match="taken on earlier could not be written"
        ):
            broken()
        [run] = workspace.runs()
        assert (run.status, run.conclusion) == ("failed", "Abort")
        assert len(list(workspace.store.quads(None, None, AITIA.RefusedOperation))) == 1
        assert workspace.validate().violations == ()
        assert not list((tmp_path / "workspace" / tally.FOLDER).iterdir())


def test_the_background_writer_holds_no_more_than_it_announced(tmp_path: Path) -> None:
    with Workspace.open(tmp_path / "workspace") as workspace:
        go = threading.Event()
        real = workspace.ledger.commit

        def slowly(patch: Patch, *, durable: bool = False) -> CommitRecord:
            go.wait(10)
            return real(patch, durable=durable)

        go.set()
        workspace.ledger.commit = slowly  # type: ignore[method-assign]
        with workspace.record("a loan", agent="a", mode="async", buffer=3) as r:
            go.clear()
            done = threading.Event()

            def work() -> None:
                for number in range(4):
                    r.observe(f"form {number}")
                done.set()

            thread = threading.Thread(target=work)
            thread.start()
            assert not done.wait(0.3)
            lost = tally.lost(workspace.store, workspace.folder, r.run.iri)
            assert lost == tally.Lost(3, 3)
            go.set()
            thread.join()
            assert done.is_set()
            r.decide("granted", because="form 3")
        assert workspace.runs()[0].status == "succeeded"


@pytest.mark.parametrize("buffer", [0, -1, True, 2.5])
def test_a_buffer_is_a_number_of_steps(buffer: Any, tmp_path: Path) -> None:
    with Workspace.open(tmp_path / "workspace") as workspace:
        if buffer == 0:
            assert workspace.record("a", agent="a", mode="async").run.buffer == 256
            return
        with pytest.raises(UsageError, match="at least one step"):
            workspace.record("a loan", agent="a", mode="async", buffer=buffer)


def killed(folder: Path, mode: str, steps: int) -> int:
    """Let a process record until it has told of so many steps, and kill it."""
    with child("records", folder, mode) as process:
        told = 0
        while told < steps:
            told = int(line(process))
        process.kill()
        assert process.stdout is not None
        rest = [
            x for x in process.stdout.read().splitlines(keepends=True) if x[-1] == "\n"
        ]
        process.wait()
    return int(rest[-1]) if rest else told


@pytest.mark.parametrize("steps", [1, 40])
@pytest.mark.parametrize("mode", MODES)
def test_what_a_kill_loses(mode: str, steps: int, tmp_path: Path) -> None:
    folder = tmp_path / "workspace"
    told = killed(folder, mode, steps)
    with Workspace.open(folder) as workspace:
        kept = len(list(workspace.store.quads(None, None, AITIA.Observation)))
        assert workspace.verify().findings == ()
        assert workspace.validate().violations == ()
        if mode == "batch":
            assert kept == 0
            return
        [run] = workspace.runs()
        lost = tally.lost(workspace.store, folder, NamedNode(run.iri))
        if mode == "call":
            assert kept >= told
            assert lost is None
        else:
            assert lost is not None
            assert lost.buffer == 16
            assert lost.steps <= 16
            assert kept + lost.steps >= told
            # The process may have been killed before it could tell of its last step.
            assert kept + lost.steps <= told + 1
    mended(folder, lost)


@pytest.mark.full
@pytest.mark.parametrize("steps", range(2, 120, 6))
def test_what_many_kills_lose(steps: int, tmp_path: Path) -> None:
    test_what_a_kill_loses("async", steps, tmp_path)


def mended(folder: Path, lost: tally.Lost | None) -> None:
    """`doctor --fix` ends the run, and says how much was lost."""
    told = list(examine(folder, fix=True))
    [runs] = [x for x in told if x.about == "interrupted runs"]
    with Workspace.open(folder, mode="read") as workspace:
        [run] = workspace.runs()
        assert (run.status, run.conclusion) == ("failed", "Abort")
        if lost is not None and lost.steps:
            assert str(lost) in runs.text
            assert str(lost) in run.answer
            stated = workspace.store.quads(NamedNode(run.iri), AITIA.notRecorded)
            assert [int(q.object.value) for q in stated] == [lost.steps]  # type: ignore[union-attr]
        assert workspace.validate().violations == ()


def test_a_decision_outlives_the_process_that_made_it(tmp_path: Path) -> None:
    folder = tmp_path / "workspace"
    script = (
        "import os, sys; from aitia import Workspace\n"
        "w = Workspace.open(sys.argv[1])\n"
        "r = w.record('a loan', agent='a')\n"
        "r.decide('granted', because=r.observe('a form'))\n"
        "os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, folder], check=False)
    assert done.returncode == -9
    list(examine(folder, fix=True))
    with Workspace.open(folder, mode="read") as workspace:
        [run] = workspace.runs()
        assert (run.status, run.conclusion, run.answer) == (
            "failed",
            "Decision",
            "granted",
        )
        assert workspace.validate().violations == ()


def test_only_what_a_decision_rests_on(tmp_path: Path) -> None:
    with Workspace.open(tmp_path / "workspace") as workspace:
        with workspace.record("a loan", agent="a", level="decisions") as r:
            form = {"income": 4000}
            r.observe(form, "a form")
            hint = r.hypothesize("Ada can pay", because=form)
            with r.call("clean", given=form) as clean:
                clean.returns(["cleaned"])
            with r.call("enrich", given=clean.result) as enrich:
                enrich.returns(["enriched"])
            with r.call("score", given=enrich.result) as score:
                score.returns(["score"])
            with r.call("unused") as unused:
                unused.returns("nothing rests on this")
            r.decide("granted", because=score.result, accepts=hint)
        graph = workspace.why("last")
        kinds = Counter(node.kind for node in graph.nodes.values())
        assert kinds["MethodExecution"] == 2  # what saw the form, and the score
        done = [x for x in graph.nodes.values() if x.kind == "MethodExecution"]
        [scored] = [x for x in done if "score" in x.label]
        assert scored.unrecorded == 2
        [past] = [x for x in graph.links if x.effect == scored.iri and x.reason]
        assert graph.nodes[past.cause].label == "a form"
        assert past.reason == "through 2 steps that were not recorded"
        told = tree(graph)
        assert "2 steps behind it were not recorded" in told
        run = r.run.iri
        left = workspace.store.quads(run, AITIA.notRecorded)
        assert [str(quad.object.value) for quad in left] == ["3"]  # type: ignore[union-attr]
        level = workspace.store.quads(run, AITIA.recordingLevel)
        assert [quad.object for quad in level] == [AITIA.decisionsOnly]
        assert workspace.validate().violations == ()


def test_the_setting_says_what_is_recorded(tmp_path: Path) -> None:
    flags = {"record.level": "decisions"}
    with Workspace.open(tmp_path / "workspace", flags=flags) as workspace:
        with workspace.record("a loan", agent="a") as r:
            story(r)
        assert any(workspace.store.quads(r.run.iri, AITIA.notRecorded))
        with workspace.record("a loan", agent="a", level="full") as r:
            story(r)
        assert not any(workspace.store.quads(r.run.iri, AITIA.notRecorded))
