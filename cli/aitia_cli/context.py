"""What every verb is handed: where the workspace is, and how to open it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aitia.workspace import Workspace


@dataclass(frozen=True)
class Context:
    """The options of the whole command.

    Attributes:
        folder: The workspace folder.
        flags: Settings given as flags; None where not given.
        debug: Show tracebacks.
    """

    folder: Path
    flags: dict[str, Any]
    debug: bool

    def write(self) -> Workspace:
        """Open the workspace for writing, making it where there is none."""
        from aitia.workspace import Workspace

        return Workspace.open(self.folder, flags=self.flags)

    def read(self) -> Workspace:
        """Open the workspace for reading.

        Raises:
            NotFound: There is no workspace in that folder.
        """
        from aitia.workspace import Workspace

        return Workspace.open(self.folder, flags=self.flags)
