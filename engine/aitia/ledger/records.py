"""Commit records as they stand in the ledger graph, and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.model import CommitRecord
from aitia.store import OxigraphStore
from aitia.vocab import AITIA, RDF


def fields(record: CommitRecord) -> tuple[str, ...]:
    """Return the fields that the hash of a commit covers, in order."""
    return (
        str(record.number),
        record.previous,
        record.agent,
        terms.time(record.time).value,
        record.cause,
        record.shapes_version,
        str(record.focus_count),
        record.focus_digest,
        record.root,
    )


def to_quads(record: CommitRecord) -> list[Quad]:
    """Return the quads that put a commit on record; nothing else may stand there."""
    node = terms.commit_iri(record.number)
    pairs: list[tuple[NamedNode, NamedNode | Literal]] = [
        (RDF.type, AITIA.Commit),
        (AITIA.number, terms.integer(record.number)),
        (AITIA.hash, terms.string(record.hash)),
        (AITIA.previousHash, terms.string(record.previous)),
        (AITIA.root, terms.string(record.root)),
        (AITIA.committedBy, NamedNode(record.agent)),
        (AITIA.committedAt, terms.time(record.time)),
        (AITIA.shapesVersion, terms.string(record.shapes_version)),
        (AITIA.focusCount, terms.integer(record.focus_count)),
        (AITIA.focusDigest, terms.string(record.focus_digest)),
    ]
    if record.cause:
        pairs.append((AITIA.committedFor, NamedNode(record.cause)))
    if record.signature:
        pairs.append((AITIA.signature, terms.string(record.signature)))
        pairs.append((AITIA.signedBy, terms.string(record.signed_by)))
    return [Quad(node, p, o, terms.GRAPH_LEDGER) for p, o in pairs]


def from_quads(quads: Iterable[Quad]) -> CommitRecord:
    """Return the record that `quads`, all of one commit, state.

    Raises:
        ValueError: A field is missing or has no meaning.
    """
    found = {quad.predicate: quad.object.value for quad in quads}  # type: ignore[union-attr]
    try:
        return CommitRecord(
            number=int(found[AITIA.number]),
            hash=found[AITIA.hash],
            previous=found[AITIA.previousHash],
            root=found[AITIA.root],
            agent=found[AITIA.committedBy],
            cause=found.get(AITIA.committedFor, ""),
            time=datetime.fromisoformat(found[AITIA.committedAt]),
            shapes_version=found[AITIA.shapesVersion],
            focus_count=int(found[AITIA.focusCount]),
            focus_digest=found[AITIA.focusDigest],
            signature=found.get(AITIA.signature, ""),
            signed_by=found.get(AITIA.signedBy, ""),
        )
    except KeyError as error:
        raise ValueError(f"{error.args[0]} is missing") from error


def at(store: OxigraphStore, number: int) -> CommitRecord | None:
    """Return the record of one commit, or None where there is none."""
    found = list(of_commit(store, number))
    return from_quads(found) if found else None


def of_commit(store: OxigraphStore, number: int) -> Iterator[Quad]:
    """Return what the ledger graph states about one commit."""
    return store.quads(terms.commit_iri(number), None, None, terms.GRAPH_LEDGER)


def head_number(store: OxigraphStore, hint: int = 0) -> int:
    """Return the number of the newest commit, 0 where there is none.

    Commits are numbered without gaps, so the head is found by doubling and halving
    instead of reading every number. (A gap is for `verify` to find.)

    Args:
        store: Where to look.
        hint: A number that is likely to be at or just below the head.
    """
    low = hint if hint and _exists(store, hint) else 0
    step = 1
    while _exists(store, low + step):
        low, step = low + step, step * 2
    high = low + step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _exists(store, middle) else (low, middle)
    return low


def _exists(store: OxigraphStore, number: int) -> bool:
    return any(True for _ in of_commit(store, number))
