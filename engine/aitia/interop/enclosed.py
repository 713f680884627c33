"""What RDF cannot carry, enclosed in an export as comments at its end.

N-Quads and TriG of a whole workspace end with its texts, documents and patches: lines
of the form `# blob NAME DATA`, each a piece of a zlib stream in base64, in order. To
every other tool they are comments; `import` restores the workspace from them.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator
from itertools import groupby
from typing import BinaryIO, Final

from aitia.blobs import Blobs
from aitia.errors import ReadError

MARK: Final = b"# blob "
_HEAD: Final = b"# Texts, documents and patches, for `aitia import`.\n"
_PIECE: Final = 48_000


def write(blobs: Blobs, out: BinaryIO) -> int:
    """Write every blob to `out`; return how many there are."""
    count = 0
    for name in blobs:
        if count == 0:
            out.write(_HEAD)
        data = zlib.compress(blobs.get(name), 9)
        for start in range(0, len(data), _PIECE):
            piece = base64.b64encode(data[start : start + _PIECE])
            out.write(MARK + name.encode() + b" " + piece + b"\n")
        count += 1
    return count


def read(text: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of each blob that an export encloses.

    Raises:
        ReadError: One of them is damaged.
    """
    marked = (line for line in text.splitlines() if line.startswith(MARK))
    parted = (line[len(MARK) :].partition(b" ") for line in marked)
    for name, pieces in groupby(parted, key=lambda parts: parts[0]):
        shown = name.decode("ascii", "replace")
        try:
            data = b"".join(base64.b64decode(x[2], validate=True) for x in pieces)
            yield shown, zlib.decompress(data)
        except (ValueError, zlib.error) as error:
            raise ReadError(f"The enclosed blob {shown} is damaged: {error}") from error
