"""What runs spent on models: tokens and cost, a run at a time or all together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from pyoxigraph import NamedNode

from aitia import resources
from aitia.lookup.runs import Spent

if TYPE_CHECKING:
    from aitia.store import Reader, Row


def spent(rows: Iterable[Row]) -> Spent:
    """Return what calls of models used and cost; kept replies cost nothing.

    Args:
        rows: The calls, as `model_calls.rq` finds them.
    """
    calls = list(rows)
    asked = [row for row in calls if not cached(row)]
    costs = [Decimal(row["cost"].value) for row in asked if "cost" in row]
    known = sum(costs, Decimal(0)) if costs or not asked else None
    return Spent(
        calls=len(asked),
        cached=len(calls) - len(asked),
        tokens=sum(int(row["used"].value) for row in asked if "used" in row),
        uncounted=sum("read" not in row or "written" not in row for row in asked),
        cost=None if known is None else f"{known:f}",
        unpriced=len(asked) - len(costs),
    )


def by_run(reader: Reader, runs: Sequence[NamedNode]) -> Mapping[NamedNode, Spent]:
    """Return what each of these runs spent."""
    if not runs:
        return {}
    found: dict[object, list[Row]] = defaultdict(list)
    for row in reader.select(
        resources.query("monitor", "model_calls"), {"run": list(runs)}
    ):
        found[row["run"]].append(row)
    return {run: spent(found.get(run, ())) for run in runs}


def cached(row: Row) -> bool:
    """Tell whether a reply was one from the cache: it used no tokens."""
    return "cached" in row or ("used" in row and row["used"].value == "0")
