"""Opens a folder and hands each room its reader, ledger, blobs and indexes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from aitia import settings as settings_module
from aitia.blobs import Blobs
from aitia.gate import Gate
from aitia.ledger import Ledger
from aitia.store import OxigraphStore


class Workspace:
    """An open workspace.

    Attributes:
        folder: Where it is.
        settings: The settings in force.
        store: What to read from.
        blobs: Documents, texts, patches, reports.
        ledger: What to commit to; None where opened for reading.
    """

    def __init__(self, folder: Path, flags: Mapping[str, Any] | None = None) -> None:
        self.folder = folder
        self.settings, self.sources = settings_module.load(folder, flags)
        folder.mkdir(parents=True, exist_ok=True)
        self.store = OxigraphStore(folder / "store")
        self.blobs = Blobs(folder / "blobs")
        self.ledger = Ledger(self.store, self.blobs, Gate())

    @classmethod
    def open(
        cls, folder: Path | str, *, flags: Mapping[str, Any] | None = None
    ) -> Self:
        """Open the workspace in `folder`, making it where there is none."""
        return cls(Path(folder), flags)

    def close(self) -> None:
        """Close the store."""
        del self.store, self.ledger

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
