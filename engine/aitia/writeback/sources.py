"""Where the evidence of a proposal comes from: weights, and which of it is independent.

Copies of one text are one source, also with other spacing, letter case or look-alike
letters, with a few words altered, with numbers between them, or with more text around
them; so are versions of one document. What write-back itself made is no source: a
proposal, a document of accepted words, and what was taken in after a proposal and says
its words only. Neither is what a run concluded without any document behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Final

from pyoxigraph import Literal, NamedNode

from aitia import lookup, terms
from aitia.errors import AitiaError
from aitia.methods.words import is_spaceless
from aitia.retrieval import passages
from aitia.settings.sources import Sources, Weight
from aitia.vocab import AITIA, PROV
from aitia.writeback.bearing import Borne
from aitia.writeback.characters import as_it_looks
from aitia.writeback.desk import CATALOG, Desk
from aitia.writeback.draft import Cited
from aitia.writeback.evidence import document_of

SHINGLE: Final = 5
"""Words that follow one another and are compared as one."""
COPY: Final = 0.8
"""Share of the shorter text's shingles in the other from which on texts are copies
(containment: Broder, On the resemblance and containment of documents, 1997)."""
_CHARS: Final = 200_000
_WORDS: Final = re.compile(r"\w+")
_MANY: Final = 10
"""Words without numbers from which on texts are compared without their numbers."""
_SPACELESS: Final = 2
"""Characters that are compared as one where no space parts words."""
_BARE: Final = frozenset(
    {
        AITIA.Abstention,
        AITIA.Answer,
        AITIA.Claim,
        AITIA.Conflict,
        AITIA.Decision,
        AITIA.Gap,
        AITIA.Hypothesis,
    }
)
"""What a run concludes: it is no source without a document or fact behind it."""


@dataclass(frozen=True)
class Sourced:
    """A piece of evidence with where it comes from.

    Attributes:
        cited: The evidence.
        document: The document that it is, is part of or rests on, or None.
        path: Its path, or the address, or the IRI of what is no document.
        weight: How far it is trusted, and why.
        key: What tells independent sources apart.
        borne: How far its words carry the proposal.
        unsourced: Why it is no source at all, or "".
    """

    cited: Cited
    document: NamedNode | None
    path: str
    weight: Weight
    key: str
    borne: Borne = field(default_factory=Borne)
    unsourced: str = ""

    @property
    def counts(self) -> bool:
        """Whether it is a source that is at hand."""
        return self.cited.reached and not self.unsourced


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
            Sourced(
                cited,
                document,
                path or iris[0],
                weight,
                (same or text).key,
                unsourced=_unsourced(desk, cited, document, text),
            )
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
    return list(dict.fromkeys(item.key for item in evidence if item.counts))


def revised_from(desk: Desk, document: NamedNode) -> NamedNode | None:
    """Return the proposal whose acceptance made a document, or None."""
    for revision in desk.subjects(AITIA.wrote, document):
        if proposal := desk.node(revision, AITIA.carriesOut):
            return proposal
    return None


def _unsourced(
    desk: Desk, cited: Cited, document: NamedNode | None, text: _Text
) -> str:
    """Return why a piece of evidence is no source, or ""."""
    kinds = desk.kinds(cited.ground) if cited.ground else set[NamedNode]()
    if AITIA.Proposal in kinds:
        return "a proposal is no source"
    if kinds & {AITIA.Abstention, AITIA.Gap}:
        return "that nothing was found is no source"
    if document is not None and revised_from(desk, document) is not None:
        return "it says what was accepted before"
    if kinds & _BARE and document is None:
        return "no document stands behind it"
    since = _since(desk, document)
    for proposal, words, made in _proposed_texts(desk):
        later = since is None or since > made
        if later and text.is_within(words):
            return f"it says the words of {lookup.short(proposal.value)} only"
    return ""


def _since(desk: Desk, document: NamedNode | None) -> datetime | None:
    """Return when a document was taken in; None for what is not on record yet."""
    told = desk.text(document, PROV.generatedAtTime) if document else ""
    return datetime.fromisoformat(told) if told else None


def _proposed_texts(
    desk: Desk,
) -> Iterator[tuple[NamedNode, list[str], datetime]]:
    for quad in desk.store.quads(None, AITIA.proposedText, None, CATALOG):
        node, value = quad.subject, quad.object
        if isinstance(node, NamedNode) and isinstance(value, Literal):
            when = desk.text(node, PROV.generatedAtTime)
            made = datetime.fromisoformat(when) if when else terms.now()
            yield node, plain_words(value.value), made


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
        return plain_words(text)

    @cached_property
    def key(self) -> str:
        """What tells it apart: the hash of its words, or the name of what has none."""
        if not self.words:
            return f"node:{self._else}"
        return f"text:{terms.short_hash(*self.words, length=16)}"

    def is_copy_of(self, other: _Text) -> bool:
        """Tell whether both are one source."""
        if self.key == other.key or self._same_place(other):
            return True
        one, two = sorted((self.words, other.words), key=len)
        if contained(one, two) >= COPY:
            return True
        one, two = (
            [word for word in words if not word.isnumeric()] for words in (one, two)
        )
        return min(len(one), len(two)) >= _MANY and contained(one, two) >= COPY

    def is_within(self, words: Sequence[str]) -> bool:
        """Tell whether it has hardly any words but these."""
        return bool(self.words) and contained(self.words, words) >= COPY

    def _same_place(self, other: _Text) -> bool:
        return bool(self._location) and self._location == other._location


def plain_words(text: str) -> list[str]:
    """Return the words of a text as they look: in no case, without what is not seen.

    Of a script without spaces each character is a word.
    """
    found: list[str] = []
    for run in _WORDS.findall(as_it_looks(text)):
        found += run if is_spaceless(run) else [run]
    return found


def contained(part: Sequence[str], whole: Sequence[str]) -> float:
    """Return which share of one text's shingles stands in another, from 0 to 1."""
    singles = sum(len(word) == 1 for word in part)
    spaceless = singles > len(part) / 2
    most = _SPACELESS if spaceless else SHINGLE
    size = min(most, max(len(part), 1))
    wanted = _shingles(part, size)
    return len(wanted & _shingles(whole, size)) / len(wanted) if wanted else 0.0


def _shingles(words: Sequence[str], size: int) -> set[tuple[str, ...]]:
    return {tuple(words[at : at + size]) for at in range(len(words) - size + 1)}


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
