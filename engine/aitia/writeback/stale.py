"""Answers that rest on what is no longer so, each with the path that makes it stale.

An answer is stale while a statement, a quote or another ground behind it is gone: a
fact stands no more where it was read, an accepted proposal withdrew the words, or the
document was retired or gave way to a new version. That a passage was merely looked at
makes nothing stale. It is worked out from the record as it stands, so that taking a
change back ends what the change began; a revision also names, in its own commit, what
it made stale (`aitia:madeStale`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pyoxigraph import Literal, NamedNode

from aitia import lookup, terms
from aitia.resources import query
from aitia.store import Reader, Row
from aitia.vocab import AITIA, RDF
from aitia.writeback.gone import Gone, batches, candidates, gone

MANY: Final = 50
"""Runs above which it takes less time to find all that is stale than to ask for each."""


@dataclass(frozen=True)
class Step:
    """One node on the path from a stale answer to what is gone.

    Attributes:
        iri: Its IRI.
        kind: Local name of its class.
        text: What it says.
    """

    iri: str
    kind: str
    text: str


@dataclass(frozen=True)
class Stale:
    """An answer, or the conclusion of a run that told none, that is stale.

    Attributes:
        node: Its IRI.
        kind: `answer`, `decision` or `abstention`.
        run: IRI of its run.
        question: What was asked.
        text: What was answered.
        reason: Why it is stale, in a sentence.
        since: Since when, ISO 8601 in UTC, or "" where that is not on record.
        path: The shortest way from it to what is gone.
        again: IRI of a run that asked the question again, or "".
    """

    node: str
    kind: str
    run: str
    question: str
    text: str
    reason: str
    since: str
    path: tuple[Step, ...]
    again: str = ""

    @property
    def id(self) -> str:
        """The id of its run, as people type it."""
        return lookup.short(self.run).removeprefix("run:")

    def as_json(self) -> dict[str, Any]:
        """Return the stable layout of `--json`."""
        return {
            "id": self.id,
            "node": self.node,
            "kind": self.kind,
            "run": self.run,
            "question": self.question,
            "text": self.text,
            "reason": self.reason,
            "since": self.since,
            "path": [vars(step) for step in self.path],
            "again": self.again,
        }


@dataclass(frozen=True)
class _End:
    """An answer or conclusion that was reached, with the way to what is gone."""

    node: NamedNode
    kind: str
    row: Row


def stale(reader: Reader, *, asked_again: bool = False, limit: int = 0) -> list[Stale]:
    """Return what is stale, what became so last first.

    Args:
        reader: What to read from.
        asked_again: Also those whose question was asked again since.
        limit: So many at most; 0 for all.
    """
    starts = gone(reader, candidates(reader))
    ways = onwards(reader, starts)
    found = [
        (end, starts[_way(ways, end.node)[-1]])
        for end in _ends(reader, ways)
        if asked_again or "again" not in end.row
    ]
    found.sort(key=lambda item: (item[1].since, item[0].node.value), reverse=True)
    kept = found[: limit or None]
    return list(_told(reader, kept, ways))


def stale_among(reader: Reader, runs: Collection[NamedNode]) -> dict[str, Stale]:
    """Return which of some runs are stale, by IRI; asked again or not.

    Args:
        reader: What to read from.
        runs: The runs.
    """
    if len(runs) > MANY:
        wanted = {run.value for run in runs}
        every = stale(reader, asked_again=True)
        return {item.run: item for item in every if item.run in wanted}
    found: dict[str, Stale] = {}
    for run in runs:
        for item in _of_run(reader, run):
            found[run.value] = item
    return found


def why_stale(reader: Reader, node: NamedNode) -> str:
    """Return why a run, or a part of one, is stale; "" where it is not.

    It rests on what is no longer so; where the question was asked again, that is told.
    """
    run = run_of(node)
    if run is None:
        return ""
    found = next(_of_run(reader, run if run == node else node), None)
    if found is None:
        return ""
    more = f" Asked again in {lookup.short(found.again)}." if found.again else ""
    return found.reason + more


def resting_on(reader: Reader, nodes: Iterable[NamedNode]) -> list[NamedNode]:
    """Return the answers, and conclusions of runs without one, that rest on nodes."""
    ways = onwards(reader, nodes)
    return [end.node for end in _ends(reader, ways)]


def onwards(
    reader: Reader, nodes: Iterable[NamedNode]
) -> dict[NamedNode, NamedNode | None]:
    """Return all that rests on some nodes, each with the cause it was reached from.

    Level by level along `aitia:hasCause`, so that the way back from each is the
    shortest; the nodes themselves have None.
    """
    text = query("writeback", "stale_effects")
    ways: dict[NamedNode, NamedNode | None] = dict.fromkeys(nodes)
    edge = list(ways)
    while edge:
        found = [
            (row["effect"].value, row["node"].value)
            for some in batches(edge)
            for row in reader.select(text, {"node": some})
            if isinstance(row["effect"], NamedNode)
        ]
        edge = []
        for effect, node in sorted(found):  # else ways of one length differ by chance
            if (reached := NamedNode(effect)) not in ways:
                ways[reached] = NamedNode(node)
                edge.append(reached)
    return ways


def backwards(reader: Reader, start: NamedNode) -> dict[NamedNode, NamedNode | None]:
    """Return all that a node rests on, each with the effect it was reached from."""
    causes: dict[NamedNode, list[NamedNode]] = {}
    for row in reader.select(query("why", "behind"), {"start": start}):
        effect, cause = row["effect"], row["cause"]
        if isinstance(effect, NamedNode) and isinstance(cause, NamedNode):
            causes.setdefault(effect, []).append(cause)
    ways: dict[NamedNode, NamedNode | None] = {start: None}
    edge = [start]
    while edge:
        following: list[NamedNode] = []
        for node in edge:
            if node != start and _is_settled(reader, node):
                continue
            for cause in sorted(causes.get(node, ()), key=lambda item: item.value):
                if cause not in ways:
                    ways[cause] = node
                    following.append(cause)
        edge = following
    return ways


def _is_settled(reader: Reader, node: NamedNode) -> bool:
    """Tell whether what lies behind a node does not touch it: see `stale_effects`."""
    return any(
        next(reader.quads(node, RDF.type, kind), None) is not None
        for kind in (AITIA.Conflict, AITIA.Proposal)
    )


def _of_run(reader: Reader, node: NamedNode) -> Iterator[Stale]:
    """Yield what is stale of a run, or of one node of it: once at most."""
    members = [node]
    if run_of(node) == node:
        inside = reader.quads(None, AITIA.inRun, node)
        members = [q.subject for q in inside if isinstance(q.subject, NamedNode)]
    for end in _ends(reader, members):
        back = backwards(reader, end.node)
        starts = gone(reader, back)
        first = next((node for node in back if node in starts), None)
        if first is not None:
            way = _turned(_way(back, first))
            yield from _told(reader, [(end, starts[first])], way)


def _turned(way: list[NamedNode]) -> dict[NamedNode, NamedNode | None]:
    """Return a way from what is gone to an answer as one from the answer back."""
    return dict(zip(reversed(way), [*reversed(way[:-1]), None], strict=True))


def _way(
    ways: Mapping[NamedNode, NamedNode | None], node: NamedNode
) -> list[NamedNode]:
    """Return the way from a node to where the walk began."""
    found = [node]
    while (before := ways[found[-1]]) is not None:
        found.append(before)
    return found


def _ends(reader: Reader, nodes: Iterable[NamedNode]) -> list[_End]:
    """Return the answers among some nodes, and conclusions of runs without one."""
    by_run: dict[str, list[_End]] = {}
    for some in batches(nodes):
        for row in reader.select(query("writeback", "stale_ends"), {"node": some}):
            node, kind = row["node"], row["kind"].value.removeprefix(AITIA.NS)
            if isinstance(node, NamedNode) and "imported" not in row:
                end = _End(node, kind.lower(), row)
                by_run.setdefault(row["run"].value, []).append(end)
    # An answer comes before the decision that it tells.
    return [min(ends, key=lambda end: end.kind) for ends in by_run.values()]


def _told(
    reader: Reader,
    found: Iterable[tuple[_End, Gone]],
    ways: Mapping[NamedNode, NamedNode | None],
) -> Iterator[Stale]:
    from aitia.why.describe import describe

    pairs = [(end, why, _way(ways, end.node)) for end, why in found]
    shown = describe(reader, {node.value for _, _, way in pairs for node in way})
    for end, why, way in pairs:
        path = tuple(
            Step(node.value, shown.kind(node.value), shown.words(node.value))
            for node in way
        )
        yield Stale(
            end.node.value,
            end.kind,
            end.row["run"].value,
            _text(end.row, "question"),
            _text(end.row, "text"),
            why.told(reader, path[-1].text),
            why.since,
            path,
            _text(end.row, "again"),
        )


def _text(row: Row, name: str) -> str:
    value = row.get(name)
    return value.value if isinstance(value, Literal | NamedNode) else ""


def run_of(node: NamedNode) -> NamedNode | None:
    """Return the run that a node is or is part of, or None."""
    run = node.value.partition("/")[0]
    return NamedNode(run) if run.startswith(f"{terms.BASE}run:") else None
