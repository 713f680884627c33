"""Reading: the newest publication, brought up to date where nobody writes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from aitia.access import lock as locks
from aitia.access.publication import Lease, Publications
from aitia.access.tidy import tidy
from aitia.errors import Locked, NotFound
from aitia.store import OxigraphStore


class ReadAccess:
    """A publication of a workspace's store, open for reading.

    Attributes:
        store: The publication's store.
        position: The newest commit in it, 0 where there is none.
        notice: "" or, beside a writer, as of which commit one reads.
    """

    def __init__(
        self,
        folder: Path,
        holder: Callable[[], locks.Holder],
        head_of: Callable[[OxigraphStore, int], int],
        *,
        timeout: float,
        fresh: bool = False,
    ) -> None:
        """Open the newest publication.

        Args:
            folder: The workspace.
            holder: Tells who asks, where a publication has to be made.
            head_of: Tells the newest commit of a store, given one that may be near.
            timeout: Seconds to wait for a publication that is being made.
            fresh: Make a new one unless somebody writes, even where none is missing.

        Raises:
            NotFound: There is no workspace in `folder`.
            Locked: Somebody writes and has published nothing yet.
        """
        if not (folder / "store").is_dir():
            raise NotFound(
                f"There is no workspace in {folder}.",
                hint="`aitia ingest PATH` makes one; `--workspace DIR` names another.",
            )
        self._folder, self._head_of = folder, head_of
        self._holder = cache(holder)
        self._publications = Publications(folder / "published")
        self.notice = ""
        self._lease = self._newest(time.monotonic() + timeout, fresh)
        try:
            self.store = OxigraphStore(self._lease.path, read_only=True)
        except BaseException:
            self._lease.release()
            raise
        self.position = self._lease.number

    @contextmanager
    def copy(self) -> Iterator[Path]:
        """Yield the folder of a store that nobody writes to: the publication."""
        yield self._lease.path

    def close(self) -> None:
        """Close the store and let the publication go."""
        self.store.close()
        self._lease.release()

    def _newest(self, deadline: float, fresh: bool) -> Lease:
        while True:
            stale = fresh or not locks.is_empty(self._folder / "lock")
            lease = None if stale else self._publications.newest()
            if lease is not None:
                return lease
            if self._bring_up_to_date():
                fresh = False
            elif (lease := self._beside_a_writer(time.monotonic() > deadline)) is None:
                time.sleep(locks.POLL_SECONDS)
            else:
                return lease

    def _bring_up_to_date(self) -> bool:
        """Publish what the last writer left unpublished, unless the lock is held."""
        lock = locks.WriteLock.attempt(self._folder / "lock", self._holder())
        if lock is None:
            return False
        clean = False
        try:
            store = OxigraphStore(self._folder / "store")
            try:
                tidy(self._folder / "store")
                number = self._head_of(store, self._publications.number())
                self._publications.publish(store, number)
                clean = True
            finally:
                store.close()
        finally:
            lock.release(clean=clean)
        return True

    def _beside_a_writer(self, late: bool) -> Lease | None:
        """Return what a writer last published; None while another reader publishes."""
        holder = locks.read(self._folder / "lock")
        if not late and (holder is None or holder.doing != locks.WRITING):
            return None
        lease = self._publications.newest()
        if lease is None and late:
            raise Locked(
                f"The workspace in {self._folder} cannot be read yet: {holder}."
            )
        if lease is not None:
            who = (
                f"process {holder.pid} is {holder.doing}" if holder else "it is locked"
            )
            self.notice = f"as of commit {lease.number} ({who})"
        return lease
