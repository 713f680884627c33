"""Finding commits: by who made them, what for, when, and what they touched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice

from pyoxigraph import NamedNode, Quad, RdfFormat, parse

from aitia.ledger import chain
from aitia.ledger.history import History
from aitia.model import CommitRecord


@dataclass(frozen=True)
class Wanted:
    """Which commits are wanted; what is None or 0 does not matter.

    Attributes:
        agent: Made by this agent.
        cause: Made for this run, reading or import.
        since: Made at this time or later.
        until: Made before this time.
        node: Touching this node, as subject, predicate, object or graph. Every patch
            that the other conditions leave has to be read for that.
        limit: How many at most.
    """

    agent: NamedNode | None = None
    cause: NamedNode | None = None
    since: datetime | None = None
    until: datetime | None = None
    node: NamedNode | None = None
    limit: int = 0


def log(history: History, wanted: Wanted) -> Iterator[CommitRecord]:
    """Yield the commits that are wanted, newest first, with their counts.

    Raises:
        NotIntact: A record or a kept patch is damaged or missing.
    """
    found = _found(history, wanted)
    return islice(found, wanted.limit) if wanted.limit else found


def _found(history: History, wanted: Wanted) -> Iterator[CommitRecord]:
    for record in history.records(newest_first=True):
        if not _fits(record, wanted):
            continue
        entries = history.patch(record)
        if wanted.node is None or any(_touches(e, wanted.node) for e in entries):
            yield replace(
                record,
                added=sum(1 for entry in entries if entry.op == chain.ADD),
                deleted=sum(1 for entry in entries if entry.op == chain.DELETE),
            )


def _fits(record: CommitRecord, wanted: Wanted) -> bool:
    return (
        (wanted.agent is None or record.agent == wanted.agent.value)
        and (wanted.cause is None or record.cause == wanted.cause.value)
        and (wanted.since is None or record.time >= wanted.since)
        and (wanted.until is None or record.time < wanted.until)
    )


def _touches(entry: chain.Entry, node: NamedNode) -> bool:
    if str(node).encode() not in entry.line:
        return False
    # The name may stand in a text only.
    quads = parse(entry.line, format=RdfFormat.N_QUADS)
    return any(node in _terms(quad) for quad in quads)


def _terms(quad: Quad) -> tuple[object, ...]:
    return (quad.subject, quad.predicate, quad.object, quad.graph_name)
