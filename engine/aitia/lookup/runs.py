"""The runs on record, newest first."""

from __future__ import annotations

from dataclasses import dataclass

from pyoxigraph import NamedNode

from aitia import resources
from aitia.lookup import short
from aitia.lookup.imported import imported
from aitia.store import Reader, Row
from aitia.vocab import AITIA

_CONCLUSIONS = (AITIA.Decision, AITIA.Abstention, AITIA.Abort)


@dataclass(frozen=True)
class Spent:
    """What was spent on models.

    Attributes:
        calls: How often a model was asked.
        cached: How often an earlier reply was used instead, which costs nothing.
        tokens: Tokens read and written; estimated where the server does not count.
        uncounted: Calls whose tokens the server did not count.
        cost: What the calls of known price cost, as a decimal in the currency of the
            prices; None where no call has a known price.
        unpriced: Calls whose price is unknown; they are not in the cost.
    """

    calls: int = 0
    cached: int = 0
    tokens: int = 0
    uncounted: int = 0
    cost: str | None = "0"
    unpriced: int = 0

    def words(self, currency: str) -> str:
        """Return it in words; what is unknown stays unknown."""
        calls = "1 call" if self.calls == 1 else f"{self.calls:,} calls"
        about = "about " if self.uncounted else ""
        cost = "unknown" if self.cost is None else f"{self.cost} {currency}"
        if self.unpriced and self.cost is not None:
            cost += f" and {self.unpriced:,} of unknown price"
        cached = f", {self.cached:,} more from the cache" if self.cached else ""
        return f"{calls}{cached}; {about}{self.tokens:,} tokens; cost {cost}"


@dataclass(frozen=True)
class RunSummary:
    """One run in a list.

    Attributes:
        id: Its id, without `run:`.
        iri: Its IRI.
        question: What it was about.
        status: Local name of its status.
        started: When it started, ISO 8601 in UTC.
        ended: When it ended, or "".
        agent: Id of who asked, or "".
        conclusion: `Decision`, `Abstention`, `Abort`, or "" where there is none.
        answer: What was told to the asker, or why there is no answer.
        imported: Where it came from, where it is none of this workspace's own, or "".
        stale: Why its answer is stale, where that rests on what is no longer so and
            was not asked again, or "".
        spent: What it spent on models.
    """

    id: str
    iri: str
    question: str
    status: str
    started: str
    ended: str
    agent: str
    conclusion: str = ""
    answer: str = ""
    imported: str = ""
    stale: str = ""
    spent: Spent = Spent()


def runs(reader: Reader, *, status: str = "", limit: int = 0) -> list[RunSummary]:
    """Return the runs, newest first.

    Args:
        reader: What to read from.
        status: Only runs of this status, by local name; all where empty.
        limit: At most so many; 0 for all.
    """
    rows = {
        row["run"].value: row
        for row in reader.select(resources.query("lookup", "runs"))
        if not status or row["status"] == NamedNode(AITIA.NS + status)
    }
    chosen = list(rows)[: limit or None]
    told = _conclusions(reader, chosen)
    found = imported(reader)
    return [
        _summary(rows[iri], *told.get(iri, ("", "")), found.get(iri, ""))
        for iri in chosen
    ]


def _conclusions(reader: Reader, runs: list[str]) -> dict[str, tuple[str, str]]:
    """Return run → kind of conclusion and the words told to the asker."""
    if not runs:
        return {}
    bound = {"run": [NamedNode(iri) for iri in runs]}
    found: dict[str, dict[str, str]] = {}
    for row in reader.select(resources.query("lookup", "conclusions"), bound):
        kinds = found.setdefault(row["run"].value, {})
        kinds[row["kind"].value] = row["text"].value
    return {run: _told(kinds) for run, kinds in found.items()}


def _told(kinds: dict[str, str]) -> tuple[str, str]:
    kind = next((kind for kind in _CONCLUSIONS if kind.value in kinds), None)
    concluded = kinds[kind.value] if kind else ""
    answer = kinds.get(AITIA.Answer.value) or concluded
    return (kind.value.removeprefix(AITIA.NS) if kind else ""), answer


def _summary(row: Row, conclusion: str, answer: str, imported: str) -> RunSummary:
    def text(name: str) -> str:
        return row[name].value if name in row else ""

    iri = row["run"].value
    return RunSummary(
        id=short(iri).removeprefix("run:"),
        iri=iri,
        question=text("question"),
        status=text("status").removeprefix(AITIA.NS),
        started=text("started"),
        ended=text("ended"),
        agent=short(text("agent")),
        conclusion=conclusion,
        answer=answer,
        imported=imported,
    )
