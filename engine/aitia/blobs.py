"""Content-addressed bytes outside the store: documents, texts, patches, reports.

A blob's name is what its maker says it is: SHA-256 of the content for text and
bytes, the patch's root hash for patches (which erasure can rewrite). Blobs are
compressed, written to a temporary file and moved into place, so that a crash leaves
either a whole blob or none.
"""

import hashlib
import os
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from aitia.errors import NotFound, NotIntact

_LEVEL: Final = 6
_CHUNK: Final = 1 << 20
_ONE_BY_ONE: Final = 200
"""Of more files than this all of the disk is synced at once."""
_NAME: Final = re.compile(r"[0-9a-z]+")
_UNFINISHED: Final = ".tmp"


class Blobs:
    """A folder of blobs.

    Attributes:
        folder: Where they are.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._unsynced: set[Path] = set()

    def put(self, data: bytes, *, name: str = "") -> str:
        """Keep `data` and return its name; `flush` forces it onto the disk.

        A blob of that name that is there already stays, unless it is damaged.

        Args:
            data: What to keep.
            name: Its name; SHA-256 of `data` in hexadecimal where none is given.
        """
        name = name or hashlib.sha256(data).hexdigest()
        path = self._path(name)
        if not self._holds(path, data):
            _write(path, data)
            self._unsynced.add(path)
        return name

    def flush(self) -> None:
        """Force onto the disk what was kept since the last time."""
        kept, self._unsynced = self._unsynced, set()
        pending = list(kept)
        if len(pending) > _ONE_BY_ONE:
            os.sync()
            return
        folders = {path.parent for path in pending}
        for path in (*pending, *folders, *([self.folder] if pending else [])):
            _sync(path)

    def get(self, name: str) -> bytes:
        """Return the blob of that name.

        Raises:
            NotFound: There is none.
            NotIntact: It is damaged.
        """
        try:
            return zlib.decompress(self._path(name).read_bytes())
        except FileNotFoundError as error:
            raise NotFound(f"There is no blob {name}.") from error
        except zlib.error as error:
            told = f"The blob {name} is damaged."
            raise NotIntact(told, [told]) from error

    def text(self, name: str) -> str:
        """Return the blob of that name as text."""
        return self.get(name).decode("utf-8")

    def kept_since(self, name: str) -> float:
        """Return when a blob was put here, in seconds since 1970; 0 if it is not."""
        try:
            return self._path(name).stat().st_mtime
        except (FileNotFoundError, NotFound):
            return 0.0

    def remove(self, name: str) -> None:
        """Remove a blob that nothing names any more."""
        self._path(name).unlink(missing_ok=True)

    def unfinished(self) -> list[Path]:
        """Return the files that an interrupted `put` left."""
        return sorted(self.folder.glob(f"??/*{_UNFINISHED}"))

    def __contains__(self, name: str) -> bool:
        try:
            return self._path(name).exists()
        except NotFound:
            return False

    def __iter__(self) -> Iterator[str]:
        for path in sorted(self.folder.glob("??/*")):
            if path.suffix != _UNFINISHED:
                yield path.name

    def _path(self, name: str) -> Path:
        # Names are read back from triples: none may lead out of the folder.
        if not _NAME.fullmatch(name):
            raise NotFound(f"There is no blob {name!r}.")
        return self.folder / name[:2] / name

    def _holds(self, path: Path, data: bytes) -> bool:
        try:
            return zlib.decompress(path.read_bytes()) == data
        except (FileNotFoundError, zlib.error):
            return False


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    unique = f"{os.getpid()}-{os.urandom(4).hex()}"
    temporary = path.with_name(f"{path.name}.{unique}{_UNFINISHED}")
    packer, view = zlib.compressobj(_LEVEL), memoryview(data)
    with temporary.open("wb") as file:
        for start in range(0, len(data), _CHUNK):
            file.write(packer.compress(view[start : start + _CHUNK]))
        file.write(packer.flush())
    temporary.replace(path)


def _sync(path: Path) -> None:
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        # Removed since: then there is nothing to keep.
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
