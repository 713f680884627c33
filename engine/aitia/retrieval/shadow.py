"""Index files in a folder that may not be written, shown in one that may."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Final

_REFUSALS: Final = (errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOSPC, errno.EDQUOT)


def refused(error: Exception) -> bool:
    """Tell whether the system did not let a file be made; else the files are at fault."""
    told = str(error)
    known = isinstance(error, OSError) and error.errno in _REFUSALS
    return known or any(
        os.strerror(code) in told or f"code: {code}," in told for code in _REFUSALS
    )


class Shadow:
    """A temporary folder of links to the files of another.

    Attributes:
        folder: Where the links are.
    """

    def __init__(self, shown: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="aitia-index-"))
        self._end = weakref.finalize(self, shutil.rmtree, self.folder, True)
        for path in shown.resolve().iterdir():
            if path.suffix != ".lock":
                (self.folder / path.name).symlink_to(path)

    def remove(self) -> None:
        """Remove the links; what they lead to stays."""
        self._end()
