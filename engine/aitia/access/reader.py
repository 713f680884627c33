"""Reading: the newest publication, brought up to date where nobody writes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final

from aitia.access import lock as locks, trouble
from aitia.access.publication import Lease, Publications
from aitia.access.tidy import tidy
from aitia.errors import AitiaError, Locked, NotFound
from aitia.store import OxigraphStore

TAKEOVER_SECONDS: Final = 1.0
"""How long a reader gives whoever took the lock to put its name into the file."""


class ReadAccess:
    """A publication of a workspace's store, open for reading.

    Attributes:
        store: The publication's store.
        position: The newest commit in it, 0 where there is none.
        notice: "" or, beside a writer or where the store could not be read, as of
            which commit one reads.
        trouble: What is wrong with the store itself, as a sentence, or "".
        way_back: How to get it back, where something is wrong with it.
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
        self._publications = Publications(folder / "published")
        if not (folder / "store").is_dir() and not self._publications.exist():
            raise NotFound(
                f"There is no workspace in {folder}.",
                hint="`aitia ingest PATH` makes one; `--workspace DIR` names another.",
            )
        self._folder, self._head_of = folder, head_of
        self._holder = cache(holder)
        self._began = time.monotonic()
        self.notice = self.trouble = self.way_back = ""
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
                if why := trouble.broken(self._folder / "store"):
                    self._tell(lease, trouble.lost(why, self._publications.way_back()))
                return lease
            try:
                done = self._bring_up_to_date()
            except (OSError, RuntimeError, ValueError, AitiaError) as error:
                return self._instead(error)
            if done:
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
        # What fails here leaves the publication as near to the store as it was.
        clean = not lock.stale
        try:
            store = self._opened()
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

    def _opened(self) -> OxigraphStore:
        path = self._folder / "store"
        if self._publications.latest() and (why := trouble.broken(path)):
            raise trouble.lost(why, self._publications.way_back())
        return OxigraphStore(path)

    def _instead(self, error: Exception) -> Lease:
        """Return the newest publication in place of a store that is out of reach.

        Raises:
            AitiaError: There is none.
        """
        lease = self._publications.newest()
        if lease is None:
            told = trouble.sentence(error)
            raise AitiaError(
                f"The workspace in {self._folder} cannot be read: {told}.",
                hint=getattr(error, "hint", "") or self._publications.way_back(),
            ) from error
        self._tell(lease, error)
        return lease

    def _tell(self, lease: Lease, error: Exception) -> None:
        """Say which commit is read, and why not the store itself."""
        told = trouble.sentence(error).rstrip(".")
        if not trouble.refused(error) and not isinstance(error, Locked):
            self.trouble = f"{told}."
            self.way_back = self._publications.way_back()
        elif not isinstance(error, Locked) and locks.is_empty(self._folder / "lock"):
            # Nobody can have written since it was published: it is the store.
            return
        self.notice = f"as of commit {lease.number}, the newest published: {told}"

    def _taking_over(self, holder: locks.Holder) -> bool:
        """Whether the lock's new holder has yet to write its name over a dead one's.

        Bounded, because a process of another machine or container looks dead too.
        """
        recent = time.monotonic() - self._began < TAKEOVER_SECONDS
        return recent and not locks.is_alive(holder)

    def _beside_a_writer(self, late: bool) -> Lease | None:
        """Return what a writer last published; None while another reader publishes."""
        holder = locks.read(self._folder / "lock")
        if not late and (holder is None or holder.doing != locks.WRITING):
            return None
        if holder is not None and self._taking_over(holder):
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
