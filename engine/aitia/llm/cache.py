"""What was found out once and may be used again, in one file of the workspace."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path
from typing import Final

FILE: Final = "cache.sqlite"
_TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS kept"
    " (kind TEXT, key TEXT, text TEXT, PRIMARY KEY (kind, key)) WITHOUT ROWID"
)


class Cache:
    """Texts by kind and key. Safe to use from several threads at once.

    It holds nothing that cannot be had again: a file that is damaged is begun anew,
    and one that cannot be used is done without.

    Attributes:
        trouble: Why it could not be used, the last time that it could not, or "".
    """

    def __init__(self, folder: Path) -> None:
        """Use the cache in a folder; the file is made when something is kept.

        Args:
            folder: The workspace's folder.
        """
        self._path, self._lock = folder / FILE, threading.Lock()
        self._open: sqlite3.Connection | None = None
        self.trouble = ""

    def get(self, kind: str, key: str) -> str | None:
        """Return what is kept under a key, or None."""
        query = "SELECT text FROM kept WHERE kind = ? AND key = ?"
        with self._lock:
            if self._open is None and not self._path.exists():
                return None
            found = self._run(query, (kind, key))
        return str(found[0][0]) if found else None

    def put(self, kind: str, key: str, text: str) -> None:
        """Keep a text, in place of what is there."""
        order = "INSERT OR REPLACE INTO kept VALUES (?, ?, ?)"
        with self._lock:
            self._run(order, (kind, key, text))

    def close(self) -> None:
        """Give the file free. Safe to call twice."""
        with self._lock:
            self._shut()

    def _shut(self) -> None:
        if self._open is not None:
            self._open.close()
        self._open = None

    def _run(self, order: str, given: tuple[str, ...]) -> list[tuple[str, ...]]:
        try:
            return self._rows(order, given)
        except sqlite3.OperationalError as error:
            # Busy, full or not to be written is not damaged: what is there stays.
            self.trouble = f"{self._path} could not be used: {error}."
            return []

    def _rows(self, order: str, given: tuple[str, ...]) -> list[tuple[str, ...]]:
        try:
            return self._connection().execute(order, given).fetchall()
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            self._shut()
            self._path.unlink(missing_ok=True)
            return self._connection().execute(order, given).fetchall()

    def _connection(self) -> sqlite3.Connection:
        if self._open is None:
            self._open = sqlite3.connect(
                self._path, isolation_level=None, check_same_thread=False
            )
            # It can be had again: no commit needs to wait for the disk.
            self._open.execute("PRAGMA synchronous = OFF")
            self._open.execute(_TABLE)
        return self._open
