"""Content-addressed bytes outside the store: documents, texts, patches, reports.

A blob's name is what its maker says it is: SHA-256 of the content for text and
bytes, the patch's root hash for patches (which erasure can rewrite). Blobs are
compressed, written to a temporary file and moved into place, so that a crash leaves
either a whole blob or none.
"""

import hashlib
import os
import zlib
from collections.abc import Iterator
from pathlib import Path

from aitia.errors import NotFound, NotIntact


class Blobs:
    """A folder of blobs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, data: bytes, *, name: str = "", sync: bool = False) -> str:
        """Keep `data` and return its name.

        Args:
            data: What to keep.
            name: Its name; SHA-256 of `data` in hexadecimal where none is given.
            sync: Force it onto the disk before returning.
        """
        name = name or hashlib.sha256(data).hexdigest()
        path = self._path(name)
        if path.exists():
            return name
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
        with temporary.open("wb") as file:
            file.write(zlib.compress(data, 6))
            if sync:
                file.flush()
                os.fsync(file.fileno())
        temporary.replace(path)
        return name

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

    def __contains__(self, name: str) -> bool:
        return self._path(name).exists()

    def __iter__(self) -> Iterator[str]:
        for path in sorted(self.folder.glob("??/*")):
            if not path.name.endswith(".tmp"):
                yield path.name

    def _path(self, name: str) -> Path:
        return self.folder / name[:2] / name
