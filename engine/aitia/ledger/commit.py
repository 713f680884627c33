"""The one place where triples are written: patch, gate, chain, one atomic write."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from pyoxigraph import NamedNode

from aitia import terms
from aitia.blobs import Blobs
from aitia.errors import ShapeViolation, UsageError
from aitia.ledger import chain, records
from aitia.ledger.history import History
from aitia.model import Admitted, CommitRecord, Patch
from aitia.store import OxigraphStore

if TYPE_CHECKING:
    from aitia.gate import Gate
    from aitia.ledger.sign import Signer
    from aitia.ledger.verify import Check, VerifyReport

BULK: Final = 10_000
"""Adds-only patches above this many quads are written by `bulk_extend`."""
MAX_LINE: Final = 16 * 1024 * 1024 - 4096
"""Bytes of a quad as N-Quads beyond which no dump of the store could be loaded."""

_WRITING: Final = threading.RLock()
"""Oxigraph does not serialise updates between threads; this lock does."""


class Ledger(History):
    """The only writer of the store.

    Attributes:
        after_commit: Called with each new record and whether it was to be durable,
            still under the write lock.
    """

    def __init__(
        self,
        store: OxigraphStore,
        blobs: Blobs,
        gate: Gate | None,
        *,
        durability: str = "process",
        signer: Signer | None = None,
        head_hint: int = 0,
    ) -> None:
        """Hold the writer of `store`.

        Args:
            store: What to write to.
            blobs: Where patches are kept.
            gate: What judges them; None for a ledger that can only be read.
            durability: `process` or `fsync`, see `Settings`.
            signer: What signs each commit, if anything does.
            head_hint: A commit number likely to be near the head.
        """
        super().__init__(store, blobs, head_hint=head_hint)
        self._gate = gate
        self._fsync = durability == "fsync"
        self._signer = signer
        self._newest = self.head() if gate is not None else None
        self.after_commit: Callable[[CommitRecord, bool], None] | None = None

    @property
    def lock(self) -> threading.RLock:
        """The write lock of this process: nothing is committed while it is held."""
        return _WRITING

    def commit(self, patch: Patch, *, durable: bool = False) -> CommitRecord:
        """Put `patch` through the gate and write it with its record in one step.

        Args:
            patch: The change.
            durable: Force it onto the disk before returning, whatever the setting.

        Returns:
            The record; its number is 0 where the patch changes nothing, and then
            nothing was written.

        Raises:
            ShapeViolation: The gate refused it; nothing was written.
            UsageError: The ledger was opened for reading, or a literal is too long.
        """
        with _WRITING:
            admitted = self._admit(patch)
            if not admitted.patch:
                return self._unchanged(admitted)
            return self._write(admitted, durable or self._fsync)

    def commit_or_record(self, patch: Patch, *, durable: bool = False) -> CommitRecord:
        """Commit as `commit` does; where the gate refuses, that goes on record too.

        It stands in the graph of the run that the patch belongs to, or else in the
        catalog.

        Raises:
            ShapeViolation: The gate refused it, which is on record.
            UsageError: The ledger was opened for reading, or a literal is too long.
        """
        try:
            return self.commit(patch, durable=durable)
        except ShapeViolation as error:
            run = patch.cause if _is_run(patch.cause) else None
            graph = terms.run_graph(run) if run else terms.GRAPH_CATALOG
            self.refusal(error, patch, graph, run)
            raise

    def restore(
        self, record: CommitRecord, packed: bytes, *, durable: bool = False
    ) -> None:
        """Put back the next commit of another store's ledger, record and all.

        The patch goes through the gate as any other; what is written beside it is the
        record as it was made there, so that the chain and its head stay the same.

        Args:
            record: The record, next after the head of this ledger.
            packed: The kept patch that it names.
            durable: Force it onto the disk before returning.

        Raises:
            NotIntact: Record and patch do not fit each other or this ledger.
            ShapeViolation: The gate, by today's shapes, refused it.
        """
        from aitia.ledger import restore

        with _WRITING:
            wanted = restore.checked(record, self._newest, packed)
            admitted = self._admit(wanted)
            restore.unchanged(record, wanted, admitted.patch)
            self._put(admitted, record, packed, durable or self._fsync)

    def refusal(
        self,
        error: ShapeViolation,
        patch: Patch,
        graph: NamedNode,
        run: NamedNode | None = None,
    ) -> CommitRecord:
        """Put on record that the gate refused `patch`, with the report.

        Args:
            error: What the gate raised.
            patch: What was proposed.
            graph: Where to record it: the run's graph, or the catalog.
            run: The run it belongs to, if any.
        """
        from aitia.ledger.refusal import refused

        return self.commit(refused(self._store, self._blobs, error, patch, graph, run))

    def verify(
        self,
        *,
        expect_head: str = "",
        signed_by: str = "",
        checks: Iterable[Check] = (),
        notes: Iterable[str] = (),
        alone: bool = True,
        trouble: str = "",
    ) -> VerifyReport:
        """Compare ledger, store and blobs; see `aitia.ledger.verify.verify`."""
        from aitia.ledger.verify import verify

        return verify(
            self._store,
            self._blobs,
            expect_head=expect_head,
            signed_by=signed_by,
            checks=checks,
            notes=notes,
            alone=alone,
            trouble=trouble,
        )

    def _admit(self, patch: Patch) -> Admitted:
        if self._gate is None:
            raise UsageError("This workspace is open for reading only.")
        return self._gate.admit(self._store, patch)

    def _unchanged(self, admitted: Admitted) -> CommitRecord:
        return replace(self._record(admitted, 0, ""), hash="", previous="")

    def _write(self, admitted: Admitted, durable: bool) -> CommitRecord:
        pairs = chain.lines(admitted.patch.adds, admitted.patch.deletes)
        _refuse_long(pairs)
        key = os.urandom(chain.KEY_BYTES)
        root = chain.root_of(chain.leaves(key, pairs))
        number = self._newest.number + 1 if self._newest else 1
        record = self._sealed(self._record(admitted, number, root))
        self._put(admitted, record, chain.pack(key, pairs), durable)
        return record

    def _put(
        self, admitted: Admitted, record: CommitRecord, packed: bytes, durable: bool
    ) -> None:
        """Keep the patch, then write it with its record.

        A crash in between leaves a blob that nothing names, never a commit without
        its patch.
        """
        self._blobs.put(packed, name=record.root)
        if durable:
            self._blobs.flush()
        bulk = len(admitted.patch.adds) > BULK and not admitted.patch.deletes
        try:
            self._store.apply(admitted, records.to_quads(record), bulk=bulk)
            self._newest = record
        except BaseException:
            # An interrupt or a failing disk may come after the write.
            self._newest = self.head()
            raise
        if durable:
            self._store.flush()
        if self.after_commit is not None:
            self.after_commit(record, durable)

    def _record(self, admitted: Admitted, number: int, root: str) -> CommitRecord:
        patch = admitted.patch
        return CommitRecord(
            number=number,
            hash="",
            previous=self._newest.hash if self._newest else chain.START,
            root=root,
            agent=patch.agent.value,
            cause=patch.cause.value if patch.cause else "",
            time=_to_the_millisecond(terms.now()),
            shapes_version=admitted.shapes_version,
            focus_count=sum(admitted.checked.values()),
            added=len(patch.adds),
            deleted=len(patch.deletes),
            unchecked=admitted.unchecked,
            warnings=admitted.warnings,
            focus_digest=chain.focus_digest(admitted.checked.items()),
        )

    def _sealed(self, record: CommitRecord) -> CommitRecord:
        sealed = replace(record, hash=chain.commit_hash(records.fields(record)))
        return self._signer.signed(sealed) if self._signer else sealed


def _is_run(cause: NamedNode | None) -> bool:
    return cause is not None and cause.value.startswith(f"{terms.BASE}run:")


def _refuse_long(pairs: list[tuple[bytes, bytes]]) -> None:
    for _, line in pairs:
        if len(line) > MAX_LINE:
            start = line[:200].decode("utf-8", "ignore")
            raise UsageError(
                f"A literal of {len(line):,} bytes is too long to be kept as a triple:"
                f" {start}…",
                hint="Keep long text as a document; a triple holds at most 16 MiB.",
            )


def _to_the_millisecond(time: datetime) -> datetime:
    return time.replace(microsecond=time.microsecond // 1000 * 1000)
