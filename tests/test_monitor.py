"""How runs went: figures, alerts, and the form that Prometheus reads."""

import json
from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, strategies as st
from prometheus_client.parser import text_string_to_metric_families
from pyoxigraph import Literal, NamedNode, Quad

from aitia import Workspace, terms
from aitia.errors import UsageError
from aitia.llm.calls import Call, Message, Reply
from aitia.model import ENGINE_AGENT, Patch
from aitia.model.trace import Goal
from aitia.monitor import Alert, figures, watch
from aitia.monitor.figures import timing
from aitia.settings.acting import AlertSettings
from aitia.trace import RunTrace
from aitia.trace.model_call import record_call
from aitia.vocab import AITIA, PROV, RDF
from aitia_cli.main import cli
from tests.llm_server import ModelServer

OFF = {"failures": 0, "slow_seconds": 0, "refusal_rate": 0, "spending": 0}
CALL = Call("plan", "1", (Message("user", "Go on."),))


class Shop:
    """A workspace in which runs are made that went in different ways."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace

    def run(
        self,
        *,
        replies: tuple[Reply, ...] = (),
        seconds: float = 0.0,
        error: str = "",
        fails: bool = False,
        refused: int = 0,
        admitted: int = 0,
    ) -> NamedNode:
        """Make a run of one goal that is given up, or that abstains."""
        workspace = self.workspace
        trace = RunTrace(workspace.ledger.commit, workspace.store, workspace.blobs)
        trace.begin("Go on.", "ada", workspace.position)
        trace.method("model_call", "Asks a model.")
        trace.method("lookup", "Looks it up.")
        asked = trace.asked("Go on.")
        goal = trace.node(AITIA.Goal, "goal")
        trace.goal(Goal(goal, 1, "Go on.", "Asked.", "", ""), [asked])
        for reply in replies:
            with trace.execution("model_call", goal, {}, {}) as running:
                running.returns({}, "")
            record_call(trace, running, CALL, reply)
        with trace.execution("lookup", goal, {}, {}) as running:
            running.finished = running.started + timedelta(seconds=seconds)
            if error:
                running.failed(error)
            running.returns({}, "")
        for number in range(1, admitted + 1):
            self._admitted(trace, running.node, goal, number)
        trace.step()
        for number in range(1, refused + 1):
            self._refused(trace, number)
        if fails:
            trace.abort("It broke off.")
        else:
            made = trace.conclude(AITIA.Abstention, "abstention", goal)
            trace.say(made, AITIA.reason, terms.string("Nothing was found."))
            trace.say(made, AITIA.tried, running.node)
            trace.state(goal, AITIA.failed)
            trace.end(succeeded=True)
        return trace.run

    def _admitted(
        self, trace: RunTrace, call: NamedNode, goal: NamedNode, number: int
    ) -> None:
        batch = trace.node(AITIA.Batch, "batch")
        trace.link(call, AITIA.produced, batch)
        trace.say(batch, AITIA.addresses, goal)
        trace.say(batch, AITIA.rationale, terms.string("Because."))
        operation = trace.node(AITIA.Operation, "op")
        trace.say(operation, AITIA.inBatch, batch)
        trace.say(operation, AITIA.operationKind, AITIA.setGoalStatus)
        trace.say(operation, AITIA.order, terms.integer(number))
        trace.say(operation, AITIA.arguments, terms.string("{}"))
        trace.link(batch, AITIA.motivates, operation)

    def _refused(self, trace: RunTrace, number: int) -> None:
        node = terms.part(trace.run, "refusal", number)
        blob = terms.string(self.workspace.blobs.put(b"{}"))
        said: dict[NamedNode, NamedNode | Literal] = {
            RDF.type: AITIA.RefusedOperation,
            AITIA.inRun: trace.run,
            AITIA.reason: terms.string("It is no label."),
            AITIA.proposedBy: trace.agent,
            PROV.generatedAtTime: terms.time(terms.now()),
            AITIA.patchBlob: blob,
            AITIA.reportBlob: blob,
        }
        quads = {Quad(node, p, v, trace.graph) for p, v in said.items()}
        self.workspace.ledger.commit(
            Patch(frozenset(quads), frozenset(), ENGINE_AGENT, trace.run)
        )

    def watch(self, run: NamedNode, **settings: Any) -> list[Alert]:
        """Compare a run with only these thresholds."""
        thresholds = AlertSettings(**{**OFF, **settings})
        ledger, store = self.workspace.ledger, self.workspace.store
        return watch(store, thresholds, ledger.commit, run)


def reply(model: str = "big", **fields: Any) -> Reply:
    given = {"input_tokens": 100, "output_tokens": 20, "cost": Decimal("0.0125")}
    return Reply("ok", model=model, seconds=1.5, **{**given, **fields})


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    with Workspace.open(tmp_path / "ws") as workspace:
        yield Shop(workspace)
        assert workspace.validate().conforms


def test_figures_are_told_per_method_and_model(shop: Shop) -> None:
    shop.run(replies=(reply(), reply(cost=None)), seconds=2.0)
    shop.run(
        replies=(reply("small", input_tokens=None, cost=None),), error="no", fails=True
    )
    found = figures(shop.workspace.store)
    assert (found.runs, found.of) == (2, 2)
    assert found.statuses == {"succeeded": 1, "failed": 1}
    assert found.conclusions == {"Abstention": 1, "Abort": 1}
    lookup = next(item for item in found.methods if item.method == "lookup")
    assert (lookup.executions, lookup.failed) == (2, 1)
    assert lookup.seconds.longest == pytest.approx(2.0)
    big, small = found.models
    assert (big.model, big.calls, big.input_tokens, big.output_tokens) == (
        "big",
        2,
        200,
        40,
    )
    assert (big.cost, big.unpriced, big.uncounted) == (Decimal("0.0125"), 1, 0)
    assert big.seconds.median == pytest.approx(1.5)
    assert (small.cost, small.unpriced, small.uncounted) == (None, 1, 1)


def test_a_reply_from_the_cache_costs_nothing(shop: Shop) -> None:
    kept = reply(cached="0" * 64, tokens=0, cost=Decimal(9))
    run = shop.run(replies=(reply(tokens=120), kept))
    (big,) = figures(shop.workspace.store).models
    assert (big.calls, big.cached, big.input_tokens) == (1, 1, 100)
    assert big.cost == Decimal("0.0125")
    assert shop.watch(run, spending=5.0) == []


def test_only_the_newest_runs_are_looked_at_where_that_is_asked(shop: Shop) -> None:
    shop.run(error="no", fails=True)
    shop.run()
    found = figures(shop.workspace.store, last=1)
    assert (found.runs, found.of) == (1, 2)
    assert found.statuses == {"succeeded": 1}
    assert [item.failed for item in found.methods] == [0]


def test_refused_batches_are_counted_beside_admitted_ones(shop: Shop) -> None:
    run = shop.run(refused=2, admitted=1)
    shop.run(admitted=1)
    found = figures(shop.workspace.store)
    assert (found.refused, found.admitted) == (2, 2)
    (alert,) = shop.watch(run, refusal_rate=0.5)
    assert alert.figure == pytest.approx(2 / 3)
    assert alert.text == "2 of 3 batches of operations were refused (67%)."
    assert shop.watch(run, refusal_rate=0.7) == []


def test_failures_one_after_the_other_raise_an_alert(shop: Shop) -> None:
    first = shop.run(fails=True)
    assert shop.watch(first, failures=2) == []
    second = shop.run(fails=True)
    (alert,) = shop.watch(second, failures=2)
    assert alert.text == "The newest 2 runs failed one after the other."
    third = shop.run()
    assert shop.watch(third, failures=1) == []


def test_a_slow_step_raises_an_alert_about_it(shop: Shop) -> None:
    run = shop.run(seconds=90.0)
    (alert,) = shop.watch(run, slow_seconds=60.0)
    assert "the longest, lookup, 90.0 s" in alert.text
    assert alert.about.value.startswith(f"{run.value}/exec/")
    assert shop.watch(run, slow_seconds=100.0) == []


def test_spending_of_the_day_raises_an_alert(shop: Shop) -> None:
    shop.run(replies=(reply(cost=Decimal(3)),))
    run = shop.run(replies=(reply(cost=Decimal("2.5")), reply(cost=None)))
    (alert,) = shop.watch(run, spending=5.0)
    assert "cost 5.5 EUR since" in alert.text
    assert "the price of 1 more calls is unknown" in alert.text
    assert shop.watch(run, spending=6.0) == []


def test_an_alert_is_on_record_and_no_threshold_means_none(shop: Shop) -> None:
    run = shop.run(seconds=90.0, fails=True)
    assert shop.watch(run) == []
    raised = shop.watch(run, slow_seconds=60.0, failures=1)
    assert [alert.watched for alert in raised] == [
        "alerts.failures",
        "alerts.slow_seconds",
    ]
    told = figures(shop.workspace.store).alerts
    assert {alert.watched for alert in told} == {
        "alerts.failures",
        "alerts.slow_seconds",
    }
    assert {alert.run for alert in told} == {run.value.rpartition(":")[2]}
    nodes = shop.workspace.store.quads(None, RDF.type, AITIA.Alert, None)
    assert len(list(nodes)) == 2


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with two runs and an alert, closed."""
    folder = tmp_path_factory.mktemp("monitor") / "ws"
    with Workspace.open(folder) as workspace:
        shop = Shop(workspace)
        shop.run(replies=(reply(), reply("small", cost=None)), refused=1, admitted=3)
        shop.watch(shop.run(fails=True, seconds=70.0), slow_seconds=60.0)
    return folder


def stats(folder: Path, *words: str, code: int = 0) -> str:
    done = CliRunner().invoke(cli, ["--workspace", str(folder), "stats", *words])
    assert done.exit_code == code, done.output
    return done.stdout


def test_the_verb_tells_how_runs_went(folder: Path) -> None:
    told = stats(folder, "--runs")
    assert "runs: 1 failed, 1 succeeded" in told
    assert "refused: 1 of 4 batches of operations (25%)" in told
    rows = {line.split()[0]: line for line in told.splitlines() if line.strip()}
    assert "0.0125 EUR" in rows["big"]
    assert "unknown" in rows["small"]
    assert "70.000" in rows["lookup"]
    assert "alerts: 1" in told
    assert "(the newest of 2)" in stats(folder, "--runs", "--last", "1")


def test_the_verb_tells_the_same_as_json(folder: Path) -> None:
    told = json.loads(stats(folder, "--runs", "--json"))
    assert told == json.loads(stats(folder, "--runs", "--format", "json"))
    assert [(item["model"], item["cost"]) for item in told["models"]] == [
        ("big", "0.0125"),
        ("small", None),
    ]


def test_prometheus_reads_what_it_is_told(folder: Path) -> None:
    text = stats(folder, "--format", "prometheus")
    families = {item.name: item for item in text_string_to_metric_families(text)}
    values = {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in families.values()
        for sample in family.samples
    }
    assert values["aitia_runs", ("status", "failed")] == 1
    assert values["aitia_conclusions_total", ("kind", "Abort")] == 1
    assert values["aitia_model_cost_total", ("model", "big")] == 0.0125
    assert ("aitia_model_cost_total", ("model", "small")) not in values
    assert values["aitia_model_calls_unpriced_total", ("model", "small")] == 1
    assert values["aitia_alerts_total", ("watched", "alerts.slow_seconds")] == 1
    refused = ("aitia_operation_batches_total", ("outcome", "refused"))
    assert values[refused] == 1
    assert values["aitia_execution_seconds_sum", ("method", "lookup")] >= 70
    assert all(item.documentation for item in families.values())
    assert values[("aitia_ledger_commits",)] > 0


def test_flags_that_do_not_go_together_are_wrong_usage(folder: Path) -> None:
    stats(folder, "--last", "3", code=2)
    stats(folder, "--format", "prometheus", "--runs", code=2)


def test_no_run_is_said_and_is_no_error(tmp_path: Path) -> None:
    with Workspace.open(tmp_path / "ws"):
        pass
    assert "runs: none" in stats(tmp_path / "ws", "--runs")
    assert "aitia_quads" in stats(tmp_path / "ws", "--format", "prometheus")


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=50))
def test_times_are_ordered_and_are_among_those_measured(seconds: list[float]) -> None:
    found = timing(seconds)
    assert found.median is not None
    assert found.p95 is not None
    assert found.longest == max(seconds)
    assert min(seconds) <= found.median <= found.p95 <= found.longest
    assert {found.median, found.p95} <= set(seconds)
    assert sum(x <= found.median for x in seconds) * 2 >= len(seconds)


def test_asking_raises_alerts_and_tells_them(tmp_path: Path) -> None:
    flags = {"alerts.slow_seconds": 1e-9}
    with Workspace.open(tmp_path / "ws", flags=flags) as workspace:
        answer = workspace.ask("Who founded the shop?")
        (alert,) = workspace.alerts
        assert alert.about.value.startswith(f"{answer.run}/")
        assert workspace.validate().conforms
    done = CliRunner().invoke(
        cli,
        ["--workspace", str(tmp_path / "ws"), "ask", "Who founded the shop?"],
        env={"AITIA_ALERTS_SLOW_SECONDS": "0.000000001"},
    )
    assert done.exit_code == 5
    assert "steps took more than 1e-09 s" in done.stderr


def test_a_run_that_breaks_off_raises_its_alert_and_its_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("the disk is gone")

    flags = {"alerts.failures": 1}
    with Workspace.open(tmp_path / "ws", flags=flags) as workspace:
        monkeypatch.setattr("aitia.ask.run.perceive", broken)
        with pytest.raises(RuntimeError, match="the disk is gone"):
            workspace.ask("Who founded the shop?")
        (alert,) = workspace.alerts
        assert alert.watched == "alerts.failures"
        with pytest.raises(UsageError):
            workspace.ask("?")
        assert len(workspace.alerts) == 1


def test_reading_a_document_with_a_model_is_watched_too(tmp_path: Path) -> None:
    (tmp_path / "d.txt").write_text("Pump A feeds tank B.\n", "utf-8")
    with ModelServer({"facts": []}) as server:
        done = CliRunner().invoke(
            cli,
            [
                *("--workspace", str(tmp_path / "ws"), "ingest"),
                *("--llm-url", server.url, "--model", "m", str(tmp_path / "d.txt")),
            ],
            env={"AITIA_ALERTS_SLOW_SECONDS": "0.000000001"},
        )
    assert done.exit_code == 0, done.output
    assert "more than 1e-09 s" in done.stderr
