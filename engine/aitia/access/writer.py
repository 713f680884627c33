"""Writing: the lock, the open store, and what readers are shown of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from aitia.access import trouble
from aitia.access.lock import Holder, Waiting, WriteLock
from aitia.access.publication import Publications
from aitia.access.tidy import tidy
from aitia.errors import AitiaError, Locked, NotFound
from aitia.store import OxigraphStore

PUBLISH_SECONDS: Final = 5.0
"""A long write publishes at most this often…"""
PUBLISH_SHARE: Final = 0.05
"""…and spends at most this share of its time on it."""


class WriteAccess:
    """The open store of a workspace, held by this process alone.

    Attributes:
        store: The store.
        published: The newest commit that readers see.
    """

    def __init__(
        self,
        folder: Path,
        holder: Holder,
        head_of: Callable[[OxigraphStore, int], int],
        settle: Callable[[], None],
        *,
        timeout: float,
        waiting: Waiting | None = None,
    ) -> None:
        """Take the lock and open the store, making both where there are none.

        Args:
            folder: The workspace.
            holder: Who asks.
            head_of: Tells the newest commit of a store, given one that may be near.
            settle: Forces onto the disk what commits point to; called before the store
                is, for to publish is to flush it.
            timeout: Seconds to wait for another writer.
            waiting: Told once who holds the lock, if the wait is not a short one.

        Raises:
            Locked: Another process is writing.
            NotIntact: The store ends before what was published of it, or is gone.
            AitiaError: It cannot be opened, or the folder cannot be written.
        """
        try:
            self._take(folder, holder, timeout, waiting)
        except OSError as error:
            raise AitiaError(
                f"The workspace in {folder} cannot be written:"
                f" {trouble.sentence(error)}.",
                hint="Reading goes on working: search, why, runs, verify.",
            ) from error
        self._head_of, self._settle = head_of, settle
        try:
            self.store = self._opened(folder / "store")
        except BaseException:
            self._release()
            raise
        try:
            self._start()
        except BaseException:
            self.store.close()
            self._release()
            raise

    def _take(
        self, folder: Path, holder: Holder, timeout: float, waiting: Waiting | None
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._publications = Publications(folder / "published")
        self._lock: WriteLock | None = WriteLock.take(
            folder / "lock", holder, timeout=timeout, waiting=waiting
        )
        self._clean = not self._lock.stale
        self.published = self._publications.number()

    def _opened(self, path: Path) -> OxigraphStore:
        """Open the store; a new one only where nothing of an old one is published."""
        hint = self._publications.way_back()
        if self._publications.latest() and (why := trouble.broken(path)):
            raise trouble.lost(why, hint)
        try:
            return OxigraphStore(path)
        except Locked:
            raise
        except AitiaError as error:
            raise trouble.unopened(error, hint) from error

    def publish(self) -> None:
        """Let readers see all that is committed. Nothing may be committed meanwhile."""
        start = time.monotonic()
        self._settle()
        self.published = self._head_of(self.store, self.published)
        self._publications.publish(self.store, self.published)
        self._clean = True
        end = time.monotonic()
        self._due = end + max(PUBLISH_SECONDS, (end - start) / PUBLISH_SHARE)

    @contextmanager
    def copy(self) -> Iterator[Path]:
        """Yield the folder of a store that nobody writes to: what was last published.

        Raises:
            NotFound: Nothing is published yet.
        """
        lease = self._publications.newest()
        if lease is None:
            raise NotFound("Nothing is published yet.")
        try:
            yield lease.path
        finally:
            lease.release()

    def committed(self, durable: bool) -> None:
        """Take note of a commit; publish it if it ended a run, or if it is time.

        The commit is kept whether or not it can be published; `close` tries again, and
        tells if that fails too.
        """
        self._clean = False
        if durable or time.monotonic() >= self._due:
            with suppress(OSError):
                self.publish()

    def close(self) -> None:
        """Publish what is not yet published, and give the folder free.

        Raises:
            AitiaError: What was committed is kept, but could not be published.
        """
        if self._lock is None:
            return
        try:
            if not self._clean:
                self.publish()
        except OSError as error:
            raise AitiaError(
                "What was committed is kept, but readers cannot see it yet:"
                f" {trouble.sentence(error)}.",
                hint="The next command that can write publishes it.",
            ) from error
        finally:
            self.store.close()
            self._release()

    def _start(self) -> None:
        published = self._publications.latest()
        if (head := self._head_of(self.store, self.published)) < published:
            hint = self._publications.way_back()
            raise trouble.cut_back(head, published, hint)
        tidy(self._folder / "store")
        self._due = time.monotonic() + PUBLISH_SECONDS
        if not self._clean or not self._publications.exist():
            self.publish()

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release(clean=self._clean)
            self._lock = None
