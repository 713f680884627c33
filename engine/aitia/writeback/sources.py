"""Where the evidence of a proposal comes from: weights, and which of it is independent.

Copies of one text are one source, also with other spacing or letter case, or with a
few words altered; so are versions of one document. A document that write-back itself
made is no source: what it says is what was accepted before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from pyoxigraph import NamedNode

from aitia import terms
from aitia.errors import AitiaError
from aitia.retrieval import passages
from aitia.settings.sources import Sources, Weight
from aitia.vocab import AITIA
from aitia.writeback.desk import Desk
from aitia.writeback.draft import Cited
from aitia.writeback.evidence import document_of

SHINGLE: Final = 5
"""Words that follow one another and are compared as one."""
COPY: Final = 0.8
"""Share of shingles in common (Jaccard) from which on texts are copies."""
_CHARS: Final = 200_000
_WORDS: Final = re.compile(r"\w+")


@dataclass(frozen=True)
class Sourced:
    """A piece of evidence with where it comes from.

    Attributes:
        cited: The evidence.
        document: The document that it is, is part of or rests on, or None.
        path: Its path, or the address, or the IRI of what is no document.
        weight: How far it is trusted, and why.
        key: What tells independent sources apart.
    """

    cited: Cited
    document: NamedNode | None
    path: str
    weight: Weight
    key: str


def sourced(desk: Desk, evidence: Sequence[Cited]) -> list[Sourced]:
    """Return evidence with where each piece comes from; copies share their key."""
    settings = desk.reads.settings
    weights = Sources(settings.sources, settings.source_kinds)
    found: list[Sourced] = []
    texts: list[_Text] = []
    for cited in evidence:
        document = document_of(desk, cited.ground) if cited.ground else None
        text = _Text(desk, cited, document)
        same = next((other for other in texts if other.is_copy_of(text)), None)
        if same is None:
            texts.append(text)
        path, iris = _place(desk, cited, document)
        weight = weights.weigh(path, iris)
        found.append(
            Sourced(cited, document, path or iris[0], weight, (same or text).key)
        )
    return found


def weigh(desk: Desk, document: NamedNode) -> Weight:
    """Return how far a document, or the graph of a fact, is trusted."""
    settings = desk.reads.settings
    record = passages.document(desk.store, document.value)
    known = Sources(settings.sources, settings.source_kinds)
    return known.weigh(record.path, [document.value, record.location])


def keys(evidence: Sequence[Sourced]) -> list[str]:
    """Return the keys of the independent sources that can be reached."""
    return list(dict.fromkeys(item.key for item in evidence if item.cited.reached))


def revised_from(desk: Desk, document: NamedNode) -> NamedNode | None:
    """Return the proposal whose acceptance made a document, or None."""
    for revision in desk.subjects(AITIA.wrote, document):
        if proposal := desk.node(revision, AITIA.carriesOut):
            return proposal
    return None


class _Text:
    """The text that a piece of evidence is from, to be compared with others."""

    def __init__(self, desk: Desk, cited: Cited, document: NamedNode | None) -> None:
        self._desk = desk
        self._location = ""
        name = cited.blob
        if document is not None:
            record = passages.document(desk.store, document.value)
            name, self._location = record.text_hash, record.location
        self._name = name
        ground = cited.ground.value if cited.ground else cited.address or cited.text
        self._else = document.value if document else ground

    @cached_property
    def words(self) -> list[str]:
        """Its words, without case; none where the text is not at hand."""
        if not self._name:
            return []
        try:
            text = self._desk.reads.blobs.text(self._name)[:_CHARS]
        except (AitiaError, OSError, UnicodeDecodeError):
            return []
        return _WORDS.findall(text.casefold())

    @cached_property
    def key(self) -> str:
        """What tells it apart: the hash of its words, or the name of what has none."""
        if not self.words:
            return f"node:{self._else}"
        return f"text:{terms.short_hash(*self.words, length=16)}"

    @cached_property
    def shingles(self) -> frozenset[tuple[str, ...]]:
        """Its words, as many at a time as `SHINGLE`, or all where it has fewer."""
        size = min(SHINGLE, max(len(self.words), 1))
        last = max(len(self.words) - size + 1, 0)
        return frozenset(tuple(self.words[at : at + size]) for at in range(last))

    def is_copy_of(self, other: _Text) -> bool:
        """Tell whether both are one source."""
        if self.key == other.key or self._same_place(other):
            return True
        both = self.shingles | other.shingles
        return bool(both) and len(self.shingles & other.shingles) >= COPY * len(both)

    def _same_place(self, other: _Text) -> bool:
        return bool(self._location) and self._location == other._location


def _place(
    desk: Desk, cited: Cited, document: NamedNode | None
) -> tuple[str, list[str]]:
    """Return the path of the source of evidence, and the IRIs that it has."""
    if document is not None:
        record = passages.document(desk.store, document.value)
        return record.path, [document.value, record.location]
    iris = [cited.address] if cited.address else []
    if cited.ground is not None:
        iris.append(cited.ground.value)
    return "", iris or [cited.text]
