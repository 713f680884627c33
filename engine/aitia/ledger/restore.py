"""Putting back a commit of another store's ledger, exactly as it was made there."""

from __future__ import annotations

from pyoxigraph import NamedNode, Quad, RdfFormat, parse

from aitia.errors import NotIntact
from aitia.ledger import chain, records
from aitia.model import CommitRecord, Patch


def checked(record: CommitRecord, newest: CommitRecord | None, packed: bytes) -> Patch:
    """Return the patch that a record stands for, once record and patch are proved.

    Args:
        record: The record as it stood in the other ledger.
        newest: The head of the ledger that it is put back into.
        packed: The kept patch.

    Raises:
        NotIntact: It is not the next link of the chain, or not the patch it names.
    """
    expected = (newest.number + 1, newest.hash) if newest else (1, chain.START)
    if (record.number, record.previous) != expected:
        raise _not_intact(record, f"it does not follow commit {expected[0] - 1}")
    if chain.commit_hash(records.fields(record)) != record.hash:
        raise _not_intact(record, "its hash differs")
    try:
        entries = chain.unpack(packed)
    except ValueError as error:
        raise _not_intact(record, str(error)) from error
    if chain.root(entries) != record.root:
        raise _not_intact(record, "its patch was altered")
    return Patch(
        adds=_quads(entries, chain.ADD),
        deletes=_quads(entries, chain.DELETE),
        agent=NamedNode(record.agent),
        cause=NamedNode(record.cause) if record.cause else None,
    )


def unchanged(record: CommitRecord, wanted: Patch, admitted: Patch) -> None:
    """Pass a patch of which the gate left out nothing.

    Raises:
        NotIntact: Some of it stood already or was not there to be deleted.
    """
    if (wanted.adds, wanted.deletes) != (admitted.adds, admitted.deletes):
        raise _not_intact(record, "it does not fit what the commits before it made")


def _quads(entries: list[chain.Entry], op: bytes) -> frozenset[Quad]:
    text = b"\n".join(entry.line for entry in entries if entry.op == op)
    return frozenset(parse(text, format=RdfFormat.N_QUADS))


def _not_intact(record: CommitRecord, why: str) -> NotIntact:
    told = f"Commit {record.number} cannot be restored: {why}."
    return NotIntact(told, [told])
