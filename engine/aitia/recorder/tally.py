"""How many steps a background writer took on and wrote: a few numbers in a mapped file.

The file is memory that the system keeps when the process is killed, so that what was
taken on and never written can be told afterwards, to the step.
"""

from __future__ import annotations

import mmap
import struct
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from pyoxigraph import NamedNode

from aitia.store import Reader
from aitia.terms import GRAPH_LEDGER
from aitia.vocab import AITIA

FOLDER: Final = "recording"
_FORM: Final = struct.Struct("<5Q")


@dataclass(frozen=True)
class Lost:
    """What a writer that was killed had taken on and not written.

    Attributes:
        steps: How many steps.
        buffer: How many it had announced to hold at most.
    """

    steps: int
    buffer: int

    def __str__(self) -> str:
        what = "step" if self.steps == 1 else "steps"
        return (
            f"{self.steps:,} {what} that the background writer held were lost; it had"
            f" announced at most {self.buffer:,}."
        )


class Tally:
    """The numbers of one run's background writer, kept in a file while it writes."""

    def __init__(self, path: Path, buffer: int) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._file = path.open("w+b")
        self._file.truncate(_FORM.size)
        self._map = mmap.mmap(self._file.fileno(), _FORM.size)
        self._numbers = [buffer, 0, 0, 0, 0]
        self._store()

    @classmethod
    def of(cls, folder: Path, run: NamedNode, buffer: int) -> Self:
        """Begin the tally of a run in a workspace's folder."""
        return cls(place(folder, run), buffer)

    def taken(self) -> None:
        """Count a step that was taken on."""
        self._numbers[1] += 1
        self._store()

    def writing(self, steps: int) -> None:
        """Take note that so many steps are being written in one commit."""
        self._numbers[3] = steps
        self._store()

    def written(self, *, commits: int = 1) -> None:
        """Take note that they are, with how many commits that was."""
        self._numbers[2] += self._numbers[3]
        self._numbers[3] = 0
        self._numbers[4] += commits
        self._store()

    def done(self) -> None:
        """End the tally: everything is written."""
        self._map.close()
        self._file.close()
        with suppress(OSError):
            self._path.unlink()

    def _store(self) -> None:
        _FORM.pack_into(self._map, 0, *self._numbers)


def place(folder: Path, run: NamedNode) -> Path:
    """Return where the tally of a run is."""
    return folder / FOLDER / run.value.rpartition(":")[2]


def lost(reader: Reader, folder: Path, run: NamedNode) -> Lost | None:
    """Return what was lost of a run whose process is gone; None where it had no buffer.

    A commit that was written just before the end, and not counted any more, shows in
    the ledger.
    """
    try:
        raw = place(folder, run).read_bytes()
        buffer, taken, written, writing, commits = _FORM.unpack(raw)
    except (OSError, struct.error):
        return None
    made = sum(1 for _ in reader.quads(None, AITIA.committedFor, run, GRAPH_LEDGER))
    if made > commits:
        written += writing
    return Lost(taken - written, buffer)


def forget(folder: Path, run: NamedNode) -> None:
    """Remove the tally of a run that is ended."""
    place(folder, run).unlink(missing_ok=True)
