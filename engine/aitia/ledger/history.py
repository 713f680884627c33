"""Reading the ledger: head, records, changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pyoxigraph import Quad, RdfFormat, parse

from aitia.blobs import Blobs
from aitia.errors import NotFound, NotIntact
from aitia.ledger import chain, leftover, records
from aitia.ledger.names import named
from aitia.model import CommitRecord
from aitia.store import OxigraphStore


class History:
    """The ledger of a store, for reading."""

    def __init__(
        self, store: OxigraphStore, blobs: Blobs, *, head_hint: int = 0
    ) -> None:
        self._store, self._blobs, self._hint = store, blobs, head_hint

    def head(self) -> CommitRecord | None:
        """Return the newest commit, None where there is none."""
        number = records.head_number(self._store, self._hint)
        return self.at(number) if number else None

    def at(self, number: int) -> CommitRecord:
        """Return one commit by its number.

        Raises:
            NotFound: There is no such commit.
            NotIntact: Its record is damaged.
        """
        try:
            found = records.at(self._store, number)
        except ValueError as error:
            told = f"The record of commit {number} is damaged: {error}."
            raise NotIntact(told, [told]) from error
        if found is None:
            raise NotFound(f"There is no commit {number}.")
        return found

    def records(
        self,
        *,
        since: int = 0,
        newest_first: bool = False,
    ) -> Iterator[CommitRecord]:
        """Return the commits after number `since`, oldest first unless asked.

        Raises:
            NotIntact: A record is damaged.
        """
        head = records.head_number(self._store, max(since, self._hint))
        numbers = range(since + 1, head + 1)
        for number in reversed(numbers) if newest_first else numbers:
            yield self.at(number)

    def changes(
        self, since: int
    ) -> Iterator[tuple[CommitRecord, list[Quad], list[Quad]]]:
        """Return each commit after number `since` with what it added and deleted.

        Raises:
            NotIntact: A record or a kept patch is damaged or missing.
        """
        for record in self.records(since=since):
            entries = self.patch(record)
            yield (
                record,
                _quads(entries, chain.ADD),
                _quads(entries, chain.DELETE),
            )

    def patch(self, record: CommitRecord) -> list[chain.Entry]:
        """Return the lines of the patch that a commit made.

        Raises:
            NotIntact: The kept patch is damaged or missing.
        """
        try:
            return chain.unpack(self._blobs.get(record.root))
        except (NotFound, NotIntact, ValueError) as error:
            told = f"The patch of commit {record.number} is damaged: {error}"
            raise NotIntact(told, [told]) from error

    def leftovers(self) -> leftover.Leftovers:
        """Return the blobs that no commit names, and what may be thought of each.

        Reads every kept patch. Meaningful only while nobody writes.

        Raises:
            NotIntact: A record or a kept patch is damaged or missing.
        """
        wanted: set[str] = set()
        for record in self.records():
            wanted.add(record.root)
            for entry in self.patch(record):
                wanted.update(name for name, _ in named(entry.line))
        found = [name for name in self._blobs if name not in wanted]
        head = self.head()
        return leftover.judge(
            self._blobs,
            found,
            head.time if head else None,
            lambda: map(self.patch, self.records()),
        )


def _quads(entries: Sequence[chain.Entry], op: bytes) -> list[Quad]:
    text = b"\n".join(entry.line for entry in entries if entry.op == op)
    return list(parse(text, format=RdfFormat.N_QUADS))
