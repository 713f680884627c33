"""How runs went: times, failures, refusals, tokens and cost, per method and model."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from pyoxigraph import NamedNode

from aitia import resources
from aitia.lookup import short
from aitia.lookup.runs import Spent
from aitia.monitor.spending import cached, spent
from aitia.vocab import AITIA

if TYPE_CHECKING:
    from aitia.store import Reader, Row

FAILED = "failed"


@dataclass(frozen=True)
class Timing:
    """How long things took, in seconds; None where nothing ended.

    Attributes:
        median: The value in the middle: nearest rank, half of them took no longer.
        p95: 95 of 100 took no longer: nearest rank.
        longest: The longest.
        total: All together.
    """

    median: float | None = None
    p95: float | None = None
    longest: float | None = None
    total: float = 0.0


@dataclass(frozen=True)
class MethodFigures:
    """How one method or tool went.

    Attributes:
        method: Its name.
        executions: How often it was executed.
        failed: How often it failed.
        seconds: How long it took.
    """

    method: str
    executions: int
    failed: int
    seconds: Timing


@dataclass(frozen=True)
class ModelFigures:
    """How calls of one model went. Replies taken from the cache cost nothing.

    Attributes:
        model: Its name.
        calls: How often it was asked.
        failed: How often no usable reply came.
        cached: How often an earlier reply was used instead; not among the calls.
        input_tokens: Tokens read, as far as the server counted them.
        output_tokens: Tokens written, likewise.
        uncounted: Calls whose tokens the server did not count.
        cost: What the calls of known price cost, in the currency of the prices; None
            where no call has a known price.
        unpriced: Calls whose price is unknown; they are not in the cost.
        seconds: How long the calls took, waiting included.
    """

    model: str
    calls: int
    failed: int
    cached: int
    input_tokens: int
    output_tokens: int
    uncounted: int
    cost: Decimal | None
    unpriced: int
    seconds: Timing


@dataclass(frozen=True)
class AlertTold:
    """An alert on record.

    Attributes:
        watched: The setting whose threshold was passed.
        figure: What was measured.
        threshold: The threshold then.
        text: The same in words.
        time: When it was raised, ISO 8601 in UTC.
        run: Id of the run it was raised after, or "".
    """

    watched: str
    figure: float
    threshold: float
    text: str
    time: str
    run: str


@dataclass(frozen=True)
class RunFigures:
    """How runs went.

    Attributes:
        runs: How many are looked at.
        of: How many there are.
        statuses: Status → runs.
        conclusions: `Decision`, `Abstention`, `Abort` → runs.
        refused: Batches of operations that were refused.
        admitted: Batches that were admitted.
        seconds: How long the runs took.
        methods: Per method, the one that took longest in all first.
        models: Per model, by name.
        alerts: The alerts raised after these runs, newest first.
        spent: What they spent on models, all together.
    """

    runs: int
    of: int
    statuses: dict[str, int]
    conclusions: dict[str, int]
    refused: int
    admitted: int
    seconds: Timing
    methods: list[MethodFigures] = field(default_factory=list)
    models: list[ModelFigures] = field(default_factory=list)
    alerts: list[AlertTold] = field(default_factory=list)
    spent: Spent = field(default_factory=Spent)


def figures(reader: Reader, *, last: int = 0) -> RunFigures:
    """Return how the runs went.

    Args:
        reader: What to read from.
        last: Only the newest so many; 0 for all.
    """
    rows = reader.select(resources.query("monitor", "runs"))
    by_run = {row["run"]: row for row in reversed(rows)}
    runs = list(reversed(by_run))[: last or None]
    chosen = None if len(runs) == len(by_run) else runs
    told = [by_run[run] for run in runs]
    refused = _about(reader, "refused", chosen)
    calls = _about(reader, "model_calls", chosen)
    return RunFigures(
        runs=len(runs),
        of=len(by_run),
        statuses=dict(Counter(local(row["status"].value) for row in told)),
        conclusions=dict(
            Counter(
                local(row["conclusion"].value) for row in told if "conclusion" in row
            )
        ),
        refused=sum(int(row["refused"].value) for row in refused),
        admitted=sum(int(row["admitted"].value) for row in refused),
        seconds=timing(filter(None, map(lasted, told))),
        methods=_methods(_about(reader, "executions", chosen)),
        models=models(calls),
        alerts=[_alert(row) for row in _about(reader, "alerts", chosen)],
        spent=spent(calls),
    )


def layout(found: RunFigures) -> dict[str, Any]:
    """Return the figures as they are told in JSON; a cost as text, none of it lost."""
    told = asdict(found)
    for model in told["models"]:
        model["cost"] = None if model["cost"] is None else f"{model['cost']:f}"
    return told


def _about(reader: Reader, question: str, runs: Sequence[object] | None) -> list[Row]:
    """Return the rows of a question about some runs, or about all for None."""
    bind = None
    if runs is not None:
        bind = {"run": [run for run in runs if isinstance(run, NamedNode)]}
    return reader.select(resources.query("monitor", question), bind)


def local(iri: str) -> str:
    """Return the local name of one of our terms."""
    return iri.removeprefix(AITIA.NS)


def lasted(row: Row) -> float | None:
    """Return the seconds from start to end of a row, or None where it goes on."""
    if "ended" not in row:
        return None
    began, ended = (datetime.fromisoformat(row[x].value) for x in ("started", "ended"))
    return (ended - began).total_seconds()


def timing(seconds: Iterable[float]) -> Timing:
    """Return how long things took."""
    found = sorted(seconds)
    if not found:
        return Timing()
    return Timing(_rank(found, 0.5), _rank(found, 0.95), found[-1], sum(found))


def _rank(ordered: Sequence[float], share: float) -> float:
    """Return the value that a share of an ordered list does not pass: nearest rank."""
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def _methods(rows: Iterable[Row]) -> list[MethodFigures]:
    grouped: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        grouped[short(row["method"].value).removeprefix("method:")].append(row)
    made = [
        MethodFigures(
            method,
            len(found),
            sum(local(row["status"].value) == FAILED for row in found),
            timing(x for x in map(lasted, found) if x is not None),
        )
        for method, found in grouped.items()
    ]
    return sorted(made, key=lambda item: (-item.seconds.total, item.method))


def models(rows: Iterable[Row]) -> list[ModelFigures]:
    """Return how calls went, per model by name."""
    grouped: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        grouped[row["name"].value].append(row)
    return [_model(name, found) for name, found in sorted(grouped.items())]


def _model(name: str, rows: Sequence[Row]) -> ModelFigures:
    asked = [row for row in rows if not cached(row)]
    costs = [Decimal(row["cost"].value) for row in asked if "cost" in row]
    counted = [row for row in asked if "read" in row and "written" in row]
    return ModelFigures(
        model=name,
        calls=len(asked),
        failed=sum(local(row["status"].value) == FAILED for row in asked),
        cached=len(rows) - len(asked),
        input_tokens=sum(int(row["read"].value) for row in asked if "read" in row),
        output_tokens=sum(
            int(row["written"].value) for row in asked if "written" in row
        ),
        uncounted=len(asked) - len(counted),
        cost=sum(costs, Decimal(0)) if costs else None,
        unpriced=len(asked) - len(costs),
        seconds=timing(
            float(row["seconds"].value) for row in asked if "seconds" in row
        ),
    )


def _alert(row: Row) -> AlertTold:
    return AlertTold(
        watched=row["watched"].value,
        figure=float(row["figure"].value),
        threshold=float(row["threshold"].value),
        text=row["text"].value,
        time=row["time"].value,
        run=short(row["run"].value).removeprefix("run:") if "run" in row else "",
    )
