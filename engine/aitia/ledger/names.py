"""Blob names as they stand in the lines of patches."""

import re
from collections.abc import Iterator
from typing import Final

from aitia.vocab import AITIA

_NAME: Final = re.compile(
    rb"(<" + re.escape(AITIA.NS.encode()) + rb"\w+(?:Blob|Hash)>)? \"([0-9a-f]{64})\""
)


def named(line: bytes) -> Iterator[tuple[str, bool]]:
    """Yield each text in a line that can name a blob, and whether it must name one.

    It must where our own vocabulary says so: a property that ends in Blob or Hash.
    """
    for ours, name in _NAME.findall(line):
        yield name.decode(), bool(ours)
