"""Importing an export of the whole into an empty workspace: nothing is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby

from pyoxigraph import Literal, Quad

from aitia import terms
from aitia.blobs import Blobs
from aitia.errors import NotIntact, ReadError
from aitia.interop import record as import_record
from aitia.interop.incoming import Incoming
from aitia.ledger import Ledger, chain, records
from aitia.model import CommitRecord, Patch
from aitia.vocab import AITIA, RDFS

Told = Callable[[int, int], None]
"""Is told how many commits are put back, and of how many."""


def history(incoming: Incoming) -> list[CommitRecord]:
    """Return the commits that a file has the records of, in order.

    Raises:
        ReadError: A record is damaged.
    """
    quads = sorted(
        (quad for quad in incoming.quads if quad.graph_name == terms.GRAPH_LEDGER),
        key=str,
    )
    try:
        found = [
            records.from_quads(list(group))
            for _, group in groupby(quads, key=lambda quad: quad.subject)
        ]
    except ValueError as error:
        raise ReadError(f"A record of the ledger is damaged: {error}.") from error
    return sorted(found, key=lambda record: record.number)


def is_whole(incoming: Incoming, commits: list[CommitRecord]) -> bool:
    """Return whether a file encloses the patch of each of its commits."""
    numbers = [record.number for record in commits]
    return numbers == list(range(1, len(commits) + 1)) and all(
        record.root in incoming.blobs for record in commits
    )


def replay(
    incoming: Incoming,
    commits: list[CommitRecord],
    ledger: Ledger,
    blobs: Blobs,
    told: Told = lambda done, whole: None,
) -> None:
    """Put back every commit as it was made: the same quads, chain and head.

    Raises:
        NotIntact: The patches do not come to what the file states, or a record or
            patch is not what it was. Found before anything is written.
        ShapeViolation: A patch does not conform by today's shapes; the commits
            before it are in.
    """
    _refuse_other(incoming, commits)
    roots = {record.root for record in commits}
    for name, content in incoming.blobs.items():
        if name not in roots:
            blobs.put(content, name=name)
    for done, record in enumerate(commits, 1):
        last = done == len(commits)
        ledger.restore(record, incoming.blobs[record.root], durable=last)
        told(done, len(commits))


def at_once(
    incoming: Incoming,
    kept: Iterable[Quad],
    ledger: Ledger,
    blobs: Blobs,
    agent: str,
) -> CommitRecord:
    """Put back quads of a file as one commit, and the import on record.

    Without its ledger nothing proves what a file says: its runs are marked as
    imported.

    Args:
        incoming: The file.
        kept: What of it goes on record.
        ledger: What to commit to.
        blobs: Where texts are kept.
        agent: Name of who imports.

    Raises:
        ShapeViolation: It does not conform; nothing is in.
    """
    for name in incoming.names() & incoming.blobs.keys():
        blobs.put(incoming.blobs[name], name=name)
    started, activity = terms.now(), import_record.new_activity()
    who = terms.agent_iri(agent)
    quads = set(kept)
    known = any(q.subject == who and q.predicate == RDFS.label for q in quads)
    number = len(quads)
    quads.update(import_record.marks(quads, activity))
    quads.update(import_record.activity(activity, who, incoming.path, started, number))
    if not known:
        quads.update(import_record.introduced(who, agent))
    return ledger.commit(
        Patch(frozenset(quads), agent=who, cause=activity), durable=True
    )


def _refuse_other(incoming: Incoming, commits: Iterable[CommitRecord]) -> None:
    """Pass a file whose patches come to exactly what it states."""
    standing: set[bytes] = set()
    for record in commits:
        for entry in chain.unpack(incoming.blobs[record.root]):
            if entry.op == chain.ADD:
                standing.add(entry.line)
            elif entry.op == chain.DELETE:
                standing.discard(entry.line)
    stated = {
        terms.nquad(quad).encode()
        for quad in incoming.quads
        if quad.graph_name != terms.GRAPH_LEDGER
    }
    if odd := sorted(standing ^ stated):
        line = odd[0].decode()
        where = "states" if odd[0] in stated else "lacks"
        told = f"{incoming.path} {where} what its own ledger does not say: {line}"
        raise NotIntact(told, [told])


def texts_named(quads: Iterable[Quad]) -> set[str]:
    """Return the names of the texts that documents on record have."""
    return {
        quad.object.value
        for quad in quads
        if quad.predicate == AITIA.textHash and isinstance(quad.object, Literal)
    }
