"""The figures of runs as Prometheus reads them, in its text format.

Everything is read from the record each time, so that counters only ever grow as the
record does, whichever process asks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    Metric,
    SummaryMetricFamily,
)
from prometheus_client.registry import Collector

if TYPE_CHECKING:
    from aitia.lookup.stats import Stats
    from aitia.monitor.figures import RunFigures


def exposition(found: RunFigures, stats: Stats) -> str:
    """Return the figures of all runs, and of the store, in Prometheus' text format.

    Args:
        found: How all runs went.
        stats: How much is on record.
    """
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Told(found, stats))
    return generate_latest(registry).decode()


class _Told(Collector):
    """Hands figures over in the shape that the client library writes."""

    def __init__(self, found: RunFigures, stats: Stats) -> None:
        self._found, self._stats = found, stats

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics."""
        yield from self._of_runs()
        yield from self._of_methods()
        yield from self._of_models()
        yield from self._of_store()

    def _of_runs(self) -> Iterator[Metric]:
        found = self._found
        runs = GaugeMetricFamily("aitia_runs", "Runs by status.", labels=["status"])
        for status, count in sorted(found.statuses.items()):
            runs.add_metric([status], count)
        yield runs
        ends = CounterMetricFamily(
            "aitia_conclusions", "Runs by how they ended.", labels=["kind"]
        )
        for kind, count in sorted(found.conclusions.items()):
            ends.add_metric([kind], count)
        yield ends
        ended = sum(found.conclusions.values())
        yield SummaryMetricFamily(
            "aitia_run_seconds", "How long runs took.", ended, found.seconds.total
        )
        batches = CounterMetricFamily(
            "aitia_operation_batches", "Batches of operations.", labels=["outcome"]
        )
        batches.add_metric(["admitted"], found.admitted)
        batches.add_metric(["refused"], found.refused)
        yield batches
        alerts = CounterMetricFamily("aitia_alerts", "Alerts.", labels=["watched"])
        for watched, count in sorted(Counter(x.watched for x in found.alerts).items()):
            alerts.add_metric([watched], count)
        yield alerts

    def _of_methods(self) -> Iterator[Metric]:
        done = CounterMetricFamily(
            "aitia_executions", "Executions of methods.", labels=["method", "outcome"]
        )
        took = SummaryMetricFamily(
            "aitia_execution_seconds", "How long they took.", labels=["method"]
        )
        for item in sorted(self._found.methods, key=lambda item: item.method):
            done.add_metric([item.method, "failed"], item.failed)
            done.add_metric([item.method, "other"], item.executions - item.failed)
            took.add_metric([item.method], item.executions, item.seconds.total)
        yield done
        yield took

    def _of_models(self) -> Iterator[Metric]:
        calls = CounterMetricFamily(
            "aitia_model_calls", "Calls of models.", labels=["model", "outcome"]
        )
        tokens = CounterMetricFamily(
            "aitia_model_tokens",
            "Tokens, as far as servers counted them.",
            labels=["model", "direction"],
        )
        cost = CounterMetricFamily(
            "aitia_model_cost",
            "Cost of the calls of known price, in the currency of the prices.",
            labels=["model"],
        )
        unpriced = CounterMetricFamily(
            "aitia_model_calls_unpriced", "Calls of unknown price.", labels=["model"]
        )
        took = SummaryMetricFamily(
            "aitia_model_call_seconds", "How long calls took.", labels=["model"]
        )
        for item in self._found.models:
            name = item.model
            calls.add_metric([name, "failed"], item.failed)
            calls.add_metric([name, "answered"], item.calls - item.failed)
            calls.add_metric([name, "cached"], item.cached)
            tokens.add_metric([name, "input"], item.input_tokens)
            tokens.add_metric([name, "output"], item.output_tokens)
            if item.cost is not None:
                cost.add_metric([name], float(item.cost))
            unpriced.add_metric([name], item.unpriced)
            took.add_metric([name], item.calls, item.seconds.total)
        yield from (calls, tokens, cost, unpriced, took)

    def _of_store(self) -> Iterator[Metric]:
        head = GaugeMetricFamily("aitia_ledger_commits", "Commits in the ledger.")
        head.add_metric([], self._stats.head)
        yield head
        quads = GaugeMetricFamily("aitia_quads", "Quads by area.", labels=["area"])
        for area, count in sorted(self._stats.graphs.items()):
            quads.add_metric([area], count)
        yield quads
        size = GaugeMetricFamily("aitia_disk_bytes", "On disk.", labels=["folder"])
        for folder, count in sorted(self._stats.bytes.items()):
            size.add_metric([folder], count)
        yield size
