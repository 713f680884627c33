"""Quote check: reads the stored text again and compares it with the quoted words."""

from __future__ import annotations

from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode

from aitia.methods.base import Outcome, Reads, method
from aitia.vocab import AITIA


@dataclass(frozen=True)
class Quoted:
    """Words said to stand at a place of a document's stored text.

    Attributes:
        document: The document's IRI.
        exact: The words.
        start: Offset of the first character.
        end: Offset after the last character.
    """

    document: str
    exact: str
    start: int
    end: int


@dataclass(frozen=True)
class Checked(Outcome):
    """How a check came out.

    Attributes:
        passed: True where it held.
        found: What was found, shortened.
    """

    passed: bool = False
    found: str = ""


@method("quote_check", "Reads the stored text again and compares it with a quote.")
def quote_check(reads: Reads, given: Quoted) -> Checked:
    """Return whether the words stand at their place in a live document."""
    document = NamedNode(given.document)
    hashes = [
        quad.object.value
        for quad in reads.store.quads(document, AITIA.textHash, None)
        if isinstance(quad.object, Literal)
    ]
    states = {quad.object for quad in reads.store.quads(document, AITIA.documentState)}
    text = reads.blobs.text(hashes[0]) if hashes else ""
    there = text[given.start : given.end]
    if there != given.exact:
        failure = "The stored text has other words there."
    elif AITIA.live not in states:
        failure = "The document is no longer in use."
    else:
        failure = ""
    return Checked(
        passed=not failure,
        found=there[:200],
        summary=failure or "the words stand there",
        failure=failure,
    )
