"""Thresholds that a run passed: told, and put on record as alerts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from pyoxigraph import NamedNode, Quad

from aitia import resources, terms
from aitia.model import ENGINE_AGENT, Patch
from aitia.monitor.figures import FAILED, lasted, local
from aitia.vocab import AITIA, PROV, RDF

if TYPE_CHECKING:
    from aitia.settings.acting import AlertSettings
    from aitia.store import Reader, Row, Term
    from aitia.trace import Commit

_ENDED: Final = ("succeeded", FAILED, "abandoned")


@dataclass(frozen=True)
class Alert:
    """A threshold that was passed.

    Attributes:
        watched: The setting, as `alerts.failures`.
        figure: What was measured.
        threshold: The setting's value.
        text: The same in words.
        about: IRI of what it is about.
    """

    watched: str
    figure: float
    threshold: float
    text: str
    about: NamedNode


def watch(
    reader: Reader,
    settings: AlertSettings,
    commit: Commit,
    run: NamedNode,
    *,
    currency: str = "EUR",
) -> list[Alert]:
    """Compare a run that ended with the thresholds, and record what it passed.

    Args:
        reader: What to read from.
        settings: The thresholds; 0 switches one off.
        commit: What the record is handed to: `ledger.commit`.
        run: The run.
        currency: What costs are told in.

    Returns:
        The alerts, to be told as warnings.
    """
    raised = [
        *_failures(reader, settings, run),
        *_slow(reader, settings, run),
        *_refusals(reader, settings, run),
        *_spending(reader, settings, run, currency),
    ]
    if raised:
        quads = frozenset(_quads(run, raised))
        commit(Patch(quads, frozenset(), ENGINE_AGENT, run))
    return raised


def _failures(
    reader: Reader, settings: AlertSettings, run: NamedNode
) -> Iterator[Alert]:
    """Yield an alert where the newest runs that ended all failed."""
    failed = next(reader.quads(run, AITIA.status, AITIA.failed), None)
    if not settings.failures or failed is None:
        return
    rows = reader.select(resources.query("monitor", "runs"))
    states = {row["run"]: local(row["status"].value) for row in rows}
    ended = [state for state in states.values() if state in _ENDED]
    streak = next(
        (place for place, state in enumerate(ended) if state != FAILED), len(ended)
    )
    if streak >= settings.failures:
        yield Alert(
            "alerts.failures",
            streak,
            settings.failures,
            f"The newest {streak:,} runs failed one after the other.",
            run,
        )


def _slow(reader: Reader, settings: AlertSettings, run: NamedNode) -> Iterator[Alert]:
    """Yield an alert where steps of the run took too long."""
    if not settings.slow_seconds:
        return
    rows = _rows(reader, "executions", run)
    took = [(lasted(row) or 0.0, row["method"].value, row["node"]) for row in rows]
    slow = [item for item in took if item[0] > settings.slow_seconds]
    if not slow:
        return
    seconds, method, node = max(slow, key=lambda item: item[0])
    assert isinstance(node, NamedNode)
    steps = "1 step" if len(slow) == 1 else f"{len(slow):,} steps"
    yield Alert(
        "alerts.slow_seconds",
        seconds,
        settings.slow_seconds,
        f"{steps} took more than {settings.slow_seconds:g} s; the longest,"
        f" {method.rpartition(':')[2]}, {seconds:.1f} s.",
        node,
    )


def _refusals(
    reader: Reader, settings: AlertSettings, run: NamedNode
) -> Iterator[Alert]:
    """Yield an alert where too many of the run's batches were refused."""
    if not settings.refusal_rate:
        return
    for row in _rows(reader, "refused", run):
        refused, admitted = (int(row[x].value) for x in ("refused", "admitted"))
        rate = refused / (refused + admitted) if refused else 0.0
        if rate > settings.refusal_rate:
            yield Alert(
                "alerts.refusal_rate",
                rate,
                settings.refusal_rate,
                f"{refused:,} of {refused + admitted:,} batches of operations were"
                f" refused ({rate:.0%}).",
                run,
            )


def _spending(
    reader: Reader, settings: AlertSettings, run: NamedNode, currency: str
) -> Iterator[Alert]:
    """Yield an alert where the calls of models of this day, in UTC, cost too much."""
    if not settings.spending:
        return
    day = terms.now().replace(hour=0, minute=0, second=0, microsecond=0)
    rows = reader.select(
        resources.query("monitor", "spent"), {"since": terms.time(day)}
    )
    spent = sum(
        (Decimal(row["cost"].value) for row in rows if "cost" in row), Decimal()
    )
    unknown = sum("cost" not in row for row in rows)
    if float(spent) > settings.spending:
        besides = f"; the price of {unknown:,} more calls is unknown" if unknown else ""
        yield Alert(
            "alerts.spending",
            float(spent),
            settings.spending,
            f"Calls of models cost {spent.normalize():f} {currency} since"
            f" {day:%Y-%m-%d} 0:00 UTC, more than {settings.spending:g}{besides}.",
            run,
        )


def _rows(reader: Reader, question: str, run: NamedNode) -> list[Row]:
    return reader.select(resources.query("monitor", question), {"run": run})


def _quads(run: NamedNode, raised: list[Alert]) -> Iterator[Quad]:
    """Yield the record of alerts: in the catalog, since the run did not make them."""
    for number, alert in enumerate(raised, 1):
        node = terms.part(run, "alert", number)
        said: dict[NamedNode, Term] = {
            RDF.type: AITIA.Alert,
            AITIA.inRun: run,
            AITIA.about: alert.about,
            AITIA.text: terms.string(alert.text),
            AITIA.watched: terms.string(alert.watched),
            AITIA.threshold: terms.double(alert.threshold),
            AITIA.figure: terms.double(alert.figure),
            PROV.generatedAtTime: terms.time(terms.now()),
        }
        for predicate, value in said.items():
            yield Quad(node, predicate, value, terms.GRAPH_CATALOG)
