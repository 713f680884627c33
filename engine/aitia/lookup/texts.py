"""The texts that are kept beside the record: prompts, replies, patches, reports."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pyoxigraph import Literal, NamedNode

from aitia.blobs import Blobs
from aitia.errors import NotFound, NotIntact
from aitia.store import Reader
from aitia.vocab import AITIA

_HASH: Final = re.compile(r"[0-9a-f]{64}")
NAMING: Final = (
    AITIA.promptBlob,
    AITIA.replyBlob,
    AITIA.reasoningBlob,
    AITIA.inputBlob,
    AITIA.outputBlob,
    AITIA.patchBlob,
    AITIA.reportBlob,
    AITIA.evidenceBlob,
)
"""Properties that name such a text, in the order in which they are shown."""


@dataclass(frozen=True)
class Kept:
    """A text that is kept beside the record.

    Attributes:
        blob: Its name: SHA-256 of its bytes.
        what: Local name of the property that names it, or "".
        bytes: How long it is.
        text: It, as text; "" where it is none.
        problem: Why it cannot be shown, or "".
    """

    blob: str
    what: str = ""
    bytes: int = 0
    text: str = ""
    problem: str = ""


def is_name(text: str) -> bool:
    """Tell whether a text has the form of a blob's name."""
    return _HASH.fullmatch(text) is not None


def kept(blobs: Blobs, name: str, what: str = "") -> Kept:
    """Return what is kept under a name; what is no text is told by its length."""
    try:
        data = blobs.get(name)
    except (NotFound, NotIntact, OSError) as error:
        return Kept(name, what, problem=str(error))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        return Kept(name, what, len(data), problem="it is no text")
    return Kept(name, what, len(data), text)


def named_by(reader: Reader, blobs: Blobs, node: NamedNode) -> Iterator[Kept]:
    """Yield the texts that a node names, each once."""
    for prop in NAMING:
        values = {quad.object for quad in reader.quads(node, prop)}
        for name in sorted(x.value for x in values if isinstance(x, Literal)):
            yield kept(blobs, name, prop.value.rpartition("#")[2])
