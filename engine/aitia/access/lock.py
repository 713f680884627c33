"""The write lock of a workspace: a locked file that says who holds it.

The file is empty while the store and its newest publication agree. Whoever takes the
lock writes its name into it, and empties it again when all is published; a name
without a lock on it is that of a process which died before it could publish.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from aitia.errors import Locked

WRITING: Final = "writing"
PUBLISHING: Final = "publishing"
"""What a reader does that brings the newest publication up to date."""

POLL_SECONDS: Final = 0.02
QUIET_SECONDS: Final = 0.3
"""How long a wait may last before it is worth a message."""


@dataclass(frozen=True)
class Holder:
    """Who holds the write lock.

    Attributes:
        pid: Its process.
        command: What the process was called with.
        agent: Who acts, by name.
        since: Since when, ISO 8601 in UTC.
        doing: `WRITING` or `PUBLISHING`.
    """

    pid: int
    command: str
    agent: str
    since: str
    doing: str

    def __str__(self) -> str:
        return (
            f"process {self.pid} ({self.command}) of {self.agent}"
            f" has been {self.doing} since {self.since}"
        )


Waiting = Callable[[Holder | None], None]
"""Told once, when a wait becomes worth telling, who holds the lock."""


class WriteLock:
    """The held lock; `release` frees it."""

    def __init__(self, descriptor: int, stale: bool) -> None:
        self._descriptor: int | None = descriptor
        self.stale = stale
        """Whether the last holder died before it could publish."""
        _held.add(self)

    @classmethod
    def attempt(cls, path: Path, holder: Holder) -> WriteLock | None:
        """Take the lock if it is free, and put `holder` into the file."""
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return None
        stale = os.fstat(descriptor).st_size > 0
        _write(descriptor, holder)
        return cls(descriptor, stale)

    @classmethod
    def take(
        cls,
        path: Path,
        holder: Holder,
        *,
        timeout: float,
        waiting: Waiting | None = None,
    ) -> WriteLock:
        """Take the lock, waiting for it.

        Args:
            path: The lock file.
            holder: Who asks.
            timeout: Seconds to wait at most.
            waiting: Told who holds it, once, if the wait is not a short one.

        Raises:
            Locked: It was not free in time; the message names the holder.
        """
        start, told = time.monotonic(), False
        while True:
            if (lock := cls.attempt(path, holder)) is not None:
                return lock
            waited = time.monotonic() - start
            if waited >= timeout:
                raise _locked(read(path), waited)
            if waited >= QUIET_SECONDS and waiting is not None and not told:
                waiting(read(path))
                told = True
            time.sleep(POLL_SECONDS)

    def release(self, *, clean: bool) -> None:
        """Free the lock.

        Args:
            clean: Whether the newest publication shows all that the store holds; if
                not, the next one to come publishes first.
        """
        if self._descriptor is None:
            return
        if clean:
            os.ftruncate(self._descriptor, 0)
        os.close(self._descriptor)
        self._descriptor = None
        _held.discard(self)

    def drop(self) -> None:
        """Let go of the file without freeing the lock: for a forked child."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


_held: Final[set[WriteLock]] = set()


def _leave_to_parent() -> None:
    for lock in list(_held):
        lock.drop()
    _held.clear()


# A forked child shares the lock's file description: were it to outlive its parent,
# it would hold the workspace shut.
os.register_at_fork(after_in_child=_leave_to_parent)


def this_process(agent: str, command: str, doing: str) -> Holder:
    """Return this process as a holder."""
    since = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return Holder(os.getpid(), command, agent, since, doing)


def read(path: Path) -> Holder | None:
    """Return who is named in the lock file, or None where nobody is, legibly."""
    import json

    try:
        return Holder(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def is_alive(holder: Holder) -> bool:
    """Return whether the holder's process runs on this machine."""
    try:
        os.kill(holder.pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        pass  # somebody else's process, or no number of ours: nothing speaks against it
    return True


def is_free(path: Path) -> bool:
    """Return whether nobody holds the lock just now."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True


def is_empty(path: Path) -> bool:
    """Return whether nobody is named: the newest publication shows everything."""
    try:
        return path.stat().st_size == 0
    except FileNotFoundError:
        return True


def _write(descriptor: int, holder: Holder) -> None:
    import json

    data = json.dumps(asdict(holder)).encode()
    # Never empty in between: an empty file would say that all is published.
    os.pwrite(descriptor, data, 0)
    os.ftruncate(descriptor, len(data))
    os.fsync(descriptor)


def _locked(holder: Holder | None, waited: float) -> Locked:
    who = str(holder) if holder else "another process holds the lock"
    return Locked(
        f"The workspace cannot be written: {who}. Waited {waited:.1f} s.",
        hint="Try again when it is done; lock_timeout sets how long to wait.",
    )
