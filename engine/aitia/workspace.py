"""Opens a folder and hands each room its reader, ledger, blobs and indexes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from aitia import settings as settings_module
from aitia.blobs import Blobs
from aitia.errors import NotFound
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
        ledger: What to commit to; refuses to where opened for reading.
        mode: `read` or `write`.
        position: Number of the newest commit seen when it was opened.
        notice: "" or, beside a writer, as of which commit one reads.
    """

    def __init__(
        self,
        folder: Path,
        flags: Mapping[str, Any] | None = None,
        mode: Literal["read", "write"] = "write",
    ) -> None:
        self.folder = folder
        self.mode = mode
        if mode == "read" and not (folder / "store").is_dir():
            raise NotFound(
                f"There is no workspace in {folder}.",
                hint="`aitia ingest PATH` makes one; `--workspace DIR` names another.",
            )
        self.settings, self.sources = settings_module.load(folder, flags)
        folder.mkdir(parents=True, exist_ok=True)
        self.store = OxigraphStore(folder / "store")
        self.blobs = Blobs(folder / "blobs")
        gate = Gate() if mode == "write" else None
        self.ledger = Ledger(
            self.store, self.blobs, gate, durability=self.settings.durability
        )
        head = self.ledger.head()
        self.position = head.number if head else 0
        self.notice = ""

    @classmethod
    def open(
        cls,
        folder: Path | str,
        *,
        mode: Literal["read", "write"] = "write",
        flags: Mapping[str, Any] | None = None,
    ) -> Self:
        """Open the workspace in `folder`; writing makes it where there is none.

        Raises:
            NotFound: Opened for reading, and there is none.
        """
        return cls(Path(folder), flags, mode)

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
