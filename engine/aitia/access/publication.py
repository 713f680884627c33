"""Backups of the store that readers read while a writer writes.

published/current               names the newest one
published/<commit>-<id>/store   the backup, made of hard links
published/<commit>-<id>/lock    held shared by each reader, so that it stays
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from aitia.access import trouble
from aitia.store import OxigraphStore

_POINTER: Final = "current"
_UNFINISHED: Final = "unfinished-"
_ATTEMPTS: Final = 100


class Lease:
    """A publication that is kept for as long as somebody reads it.

    Attributes:
        path: The folder of the backup.
        number: The newest commit in it, 0 where there is none.
    """

    def __init__(self, path: Path, number: int, descriptor: int) -> None:
        self.path, self.number = path, number
        self._descriptor: int | None = descriptor

    def release(self) -> None:
        """Let it be removed."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


class Publications:
    """The folder of published backups."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def newest(self) -> Lease | None:
        """Return the newest publication, leased, or None where there is none."""
        for _ in range(_ATTEMPTS):
            name = self._current()
            if not name:
                return None
            with contextlib.suppress(FileNotFoundError, BlockingIOError):
                return self._lease(name)
        return None

    def number(self) -> int:
        """Return the newest commit that is published, 0 where there is none."""
        return _number(self._current())

    def exist(self) -> bool:
        """Return whether anything is published."""
        return bool(self._current())

    def latest(self) -> int:
        """Return the highest commit of any publication that is there, or 0."""
        return max((_number(name) for name in self._names()), default=0)

    def way_back(self) -> str:
        """Return how the store is got back from what is published, as a hint."""
        store, number = self.folder.parent / "store", self.latest()
        if not number:
            return "Restore the workspace from a backup."
        name = max(self._names(), key=lambda name: (_number(name), name))
        kept = self.folder / name / "store"
        return (
            f"A publication of commit {number} is in {kept}: move {store} aside, then"
            f" `cp -a {kept} {store}`; or restore a backup of the workspace."
        )

    def publish(self, store: OxigraphStore, number: int) -> None:
        """Make a backup of `store` the newest publication; remove what is unread.

        Only the holder of the write lock may call this.

        Args:
            store: The open store.
            number: Its newest commit.

        Raises:
            NotIntact: A later commit is published: what is published is all that is
                left of it, and stays.
        """
        if number < self.latest():
            raise trouble.cut_back(number, self.latest(), self.way_back())
        self.folder.mkdir(exist_ok=True)
        identity = os.urandom(4).hex()
        unfinished = self.folder / f"{_UNFINISHED}{identity}"
        unfinished.mkdir()
        (unfinished / "lock").touch()
        store.backup(unfinished / "store")
        name = f"{number}-{identity}"
        unfinished.rename(self.folder / name)
        pointer = self.folder / f"{_UNFINISHED}{_POINTER}"
        pointer.write_text(name, encoding="ascii")
        pointer.replace(self.folder / _POINTER)
        self.sweep()

    def sweep(self) -> list[str]:
        """Remove what no reader reads and what was left unfinished; return names.

        Only the holder of the write lock may call this.
        """
        return [name for name in self.left_over() if self._remove(name)]

    def left_over(self) -> list[str]:
        """Return the names of all publications but the newest."""
        current = self._current()
        return [name for name in self._names() if name != current]

    def _names(self) -> list[str]:
        if not self.folder.is_dir():
            return []
        return sorted(path.name for path in self.folder.iterdir() if path.is_dir())

    def _current(self) -> str:
        try:
            name = (self.folder / _POINTER).read_text(encoding="ascii").strip()
        except (FileNotFoundError, UnicodeDecodeError):
            return ""
        return name if (self.folder / name).is_dir() else ""

    def _lease(self, name: str) -> Lease:
        """Hold a publication; fails where it is being removed."""
        path = self.folder / name
        descriptor = os.open(path / "lock", os.O_RDONLY | os.O_CLOEXEC)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
            # The name is gone if it was removed before the lock was ours.
            (path / "lock").stat()
        except OSError:
            os.close(descriptor)
            raise
        return Lease(path / "store", _number(name), descriptor)

    def _remove(self, name: str) -> bool:
        """Remove one publication unless somebody reads it."""
        from shutil import rmtree

        path = self.folder / name
        with _unread(path / "lock") as unread:
            if unread:
                # The name goes first: whoever comes later finds nothing half there.
                gone = self.folder / f"{_UNFINISHED}{os.urandom(4).hex()}"
                path.rename(gone)
                rmtree(gone)
        return unread


def _number(name: str) -> int:
    head = name.partition("-")[0]
    return int(head) if head.isdigit() else 0


@contextlib.contextmanager
def _unread(path: Path) -> Iterator[bool]:
    """Yield whether no reader holds the lock of a publication, holding it if so."""
    if not path.exists():
        yield True
        return
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        free = True
    except BlockingIOError:
        free = False
    try:
        yield free
    finally:
        os.close(descriptor)
