"""Files that the store leaves behind and never reads again."""

from __future__ import annotations

from pathlib import Path
from typing import Final

_LEFT: Final = ("bulk-*.sst", "LOG.old.*")
"""A bulk load that was killed; the log of each earlier opening, 137 kB a time."""


def left_behind(store: Path) -> list[Path]:
    """Return such files of a store's folder."""
    return [path for pattern in _LEFT for path in sorted(store.glob(pattern))]


def tidy(store: Path) -> None:
    """Remove such files. Only whoever has the store open may, and between writes."""
    for path in left_behind(store):
        path.unlink(missing_ok=True)
