"""Where a run is recorded to, and what may be asked of its recording."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from aitia.blobs import Blobs
from aitia.errors import UsageError
from aitia.redact import Rules
from aitia.store import Reader
from aitia.trace import Commit
from aitia.vocab import AITIA

MODES: Final = ("call", "batch", "async")
LEVELS: Final = ("full", "decisions")
KINDS: Final = {
    "software": AITIA.Software,
    "person": AITIA.Person,
    "model": AITIA.Model,
}


@dataclass(frozen=True)
class Place:
    """What a recorder needs of the workspace that it records to.

    Attributes:
        reader: Its store.
        blobs: Where long texts go.
        commit: `ledger.commit`.
        commit_or_record: `ledger.commit_or_record`.
        rules: What is a secret: its settings.
        folder: Where it is.
        position: Number of its newest commit.
    """

    reader: Reader
    blobs: Blobs
    commit: Commit
    commit_or_record: Commit
    rules: Rules
    folder: Path
    position: int


def one_of(what: str, value: str, known: tuple[str, ...]) -> None:
    """Refuse a value that is none of the known ones.

    Raises:
        UsageError: It is none.
    """
    if value not in known:
        raise UsageError(f"There is no {what} {value!r}; known: {', '.join(known)}.")
