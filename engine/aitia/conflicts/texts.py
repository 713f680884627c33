"""Sentences that contradict: candidates by search, then the contradiction check.

Held against each other are sentences of different documents. A sentence that begins
with a word for something named before it is left out, as are the passages that show
records: what these state stands as facts. Where a sentence says of too little what it
is about ("The limit is 10"), the headings it stands under must not tell two things
apart; where it speaks of something named before ("The film was released in 1938"), the
names that its passage begins with must not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from pyoxigraph import NamedNode

from aitia.conflicts import spans
from aitia.llm.calls import BudgetSpent
from aitia.methods.contradiction.rules import CANNOT_TELL, UNRELATED, judge
from aitia.methods.contradiction.sentences import Said, read
from aitia.methods.contradiction_check import (
    Judged,
    Pair,
    by_rule,
    contradiction_check,
)
from aitia.methods.passages import Piece, pieces
from aitia.model import PassageRecord
from aitia.retrieval import passages as library
from aitia.terms import short_hash
from aitia.trace.heard import Heard, Listening

if TYPE_CHECKING:
    from aitia.methods.base import Reads

NEAR: Final = 6
"""Passages that the search gives for one sentence."""
SHARED: Final = 0.5
"""Share of the shorter sentence's terms that a candidate has."""
LONGEST: Final = 600
"""Characters above which a piece of text is a table or a list, and no sentence."""
SAYS_ENOUGH: Final = 2
"""Terms from which a sentence says what it is about by itself."""

SUBJECT: Final = 6
"""Words of a sentence without "is" or "was" that are taken for its subject."""
_NAMED_BEFORE: Final = re.compile(
    r"(?:the|our|their|its|both|each)\s+((?:[\w’'-]+\s+){0,2}[\w’'-]+)", re.I
)
"""A definite description at the start of a sentence, and its first words."""
_ASIDE: Final = re.compile(r"[(（][^)）]*[)）]?")

Decide = Callable[[Piece, Piece], Judged | None]


@dataclass(frozen=True)
class TextFound:
    """A sentence that bears on another.

    Attributes:
        claim: The sentence that was checked, where it is one of a document.
        piece: The sentence that was found.
        judged: How they stand to each other.
        search: The query by which it was found.
    """

    claim: Piece | None
    piece: Piece
    judged: Judged
    search: str = ""

    @cached_property
    def key(self) -> str:
        """What is the same for the same two sentences, whichever was checked."""
        both = [place(x) for x in (self.claim, self.piece) if x is not None]
        return short_hash(*sorted(both), length=16)


def place(piece: Piece) -> str:
    """Return where a sentence stands, as one text."""
    return f"{piece.passage.document}#char={piece.start},{piece.end}"


class Shelf:
    """The sentences of the documents in use; each passage is cut once.

    Attributes:
        reads: What may be read.
    """

    def __init__(self, reads: Reads) -> None:
        self.reads = reads
        self._library = library.Library(reads.store, library.Texts(reads.blobs), {})
        self._cut: dict[str, list[Piece]] = {}
        self._first: dict[str, Piece | None] = {}
        self._spans = spans.Withdrawn(reads.store)

    def of_document(self, document: str) -> Iterator[Piece]:
        """Yield the sentences of a document that can be held against others."""
        for iri in sorted(library.of_document(self.reads.store, document)):
            passage = self._library.passage(iri)
            if passage is not None:
                yield from self.of_passage(passage)

    def of_passage(self, passage: PassageRecord) -> list[Piece]:
        """Return the sentences of a passage that can be held against others."""
        if passage.iri not in self._cut:
            found = [] if passage.describes else list(pieces(passage))
            self._first[passage.iri] = found[0] if found else None
            self._cut[passage.iri] = [item for item in found if self._tells(item)]
        return self._cut[passage.iri]

    def near(self, text: str, mode: str = "lexical", k: int = NEAR) -> list[Piece]:
        """Return the sentences of the passages that a search gives for a sentence."""
        hits = self.reads.indexes.search(text[:LONGEST], k, mode)
        return [piece for hit in hits for piece in self.of_passage(hit.passage)]

    def topic(self, piece: Piece) -> frozenset[str]:
        """Return the names of what a sentence speaks of by a word for it, where it does.

        These are the names in the subject of the sentence that its passage begins with;
        none where it is that sentence.
        """
        match = _NAMED_BEFORE.match(piece.text)
        first = self._first.get(piece.passage.iri)
        if match is None or first is None or first.start == piece.start:
            return frozenset()
        if read(match[1], inside=True).names:
            return frozenset()
        slot = read(first.text).slot
        subject = slot[0].text if slot else " ".join(first.text.split()[:SUBJECT])
        called = {word.lower() for word in match[1].split()}
        return read(_ASIDE.sub(" ", subject), inside=True).names - called

    def _tells(self, piece: Piece) -> bool:
        said = read(piece.text)
        return (
            len(piece.text) <= LONGEST
            and not said.points_back
            and not piece.text.rstrip().endswith(("?", "？"))
            and bool(said.frame)
            and not self._spans.covers(piece.passage.document, piece.start, piece.end)
        )


def check_text(
    reads: Reads,
    text: str,
    *,
    document: str = "",
    about: str = "",
    ignoring: Collection[str] = (),
    most: int = 8,
    ask: bool = True,
) -> list[TextFound]:
    """Return the sentences on record that contradict a sentence or agree with it.

    Args:
        reads: What may be read.
        text: The sentence.
        document: IRI of the document it stands in, which is not held against it.
        about: Heading and title it stands under, or "".
        ignoring: Places (`place`) of sentences that count as gone.
        most: Candidates that are judged at most, those with most words in common.
        ask: Whether a model may be asked, where one is configured.

    Returns:
        Those that contradict first; `judged.contradicts` is False for mere odds.
    """
    shelf, said = Shelf(reads), read(text)
    found = [
        piece
        for piece in shelf.near(text, mode="fused", k=2 * NEAR)
        if piece.passage.document != document and place(piece) not in ignoring
    ]
    found.sort(key=lambda piece: -_shared(said, read(piece.text)))
    judged = [
        TextFound(None, piece, _judge_one(reads, text, about, piece, ask), text)
        for piece in found[:most]
    ]
    told = [x for x in judged if x.judged.verdict not in (UNRELATED, CANNOT_TELL)]
    return sorted(told, key=lambda x: (not x.judged.contradicts, x.judged.verdict))


def _judge_one(reads: Reads, text: str, about: str, piece: Piece, ask: bool) -> Judged:
    pair = Pair(text, piece.text, about, heading(piece))
    if apart(read(text), about, read(piece.text), heading(piece)):
        return Judged(verdict=UNRELATED, reason="they stand under other headings")
    return contradiction_check(reads, pair, ask=ask)


def contradictions(
    shelf: Shelf, claims: Iterable[Piece], decide: Decide
) -> Iterator[TextFound]:
    """Yield the sentences of other documents that contradict some sentences.

    Args:
        shelf: The sentences there are.
        claims: Those that are checked.
        decide: Judges two sentences; None where it cannot tell.
    """
    seen: set[frozenset[str]] = set()
    for claim in claims:
        for piece in shelf.near(claim.text):
            both = frozenset((place(claim), place(piece)))
            if both in seen or not _comparable(shelf, claim, piece):
                continue
            seen.add(both)
            judged = decide(claim, piece)
            if judged is not None and judged.contradicts:
                yield TextFound(claim, piece, judged, claim.text)


def _comparable(shelf: Shelf, claim: Piece, piece: Piece) -> bool:
    """Tell whether two sentences of different documents may be about the same thing."""
    said, other = read(claim.text), read(piece.text)
    topics = shelf.topic(claim), shelf.topic(piece)
    return not (all(topics) and topics[0].isdisjoint(topics[1])) and (
        piece.passage.document != claim.passage.document
        and _shared(said, other) >= SHARED
        and not apart(said, heading(claim), other, heading(piece))
    )


@dataclass
class Decider:
    """Judges two sentences: by rules, then by what is configured.

    Attributes:
        reads: What may be read.
        left: How many pairs a model may still be asked about.
        asked: The pairs that a model was asked about, with what was asked.
        spent: Why no model was asked any more, or "".
    """

    reads: Reads
    left: int
    asked: list[tuple[TextFound, tuple[Heard, ...]]] = field(default_factory=list)
    spent: str = ""

    def __call__(self, claim: Piece, piece: Piece) -> Judged | None:
        """Return how two sentences stand to each other; None where none can tell."""
        ruling = judge(read(claim.text), read(piece.text))
        if ruling is not None:
            return by_rule(ruling)
        may_ask = self.left > 0 and self.reads.models is not None
        if not self.reads.settings.conflicts.nli and not may_ask:
            return None
        listening = Listening(self.reads.models) if self.reads.models else None
        reads = replace(self.reads, models=listening)
        pair = Pair(claim.text, piece.text, heading(claim), heading(piece))
        try:
            found = contradiction_check(reads, pair, ask=may_ask)
        except BudgetSpent as error:
            self.left, self.spent = 0, str(error)
            found = contradiction_check(reads, pair, ask=False)
        if listening is not None and listening.heard:
            self.left -= 1
            told = TextFound(claim, piece, found, claim.text)
            self.asked.append((told, tuple(listening.heard)))
        return found


def heading(piece: Piece) -> str:
    """Return the headings that a sentence stands under."""
    return piece.passage.heading


def apart(said: Said, about: str, other: Said, other_about: str) -> bool:
    """Tell whether headings part what two sentences are about that say too little of it."""
    little = min(len(said.frame), len(other.frame)) < SAYS_ENOUGH
    if not little or not about or not other_about:
        return False
    return read(about).frame != read(other_about).frame


def sentences(shelf: Shelf, documents: Sequence[NamedNode]) -> Iterator[Piece]:
    """Yield the sentences of documents, each wording once."""
    seen: set[str] = set()
    for document in documents:
        for piece in shelf.of_document(document.value):
            words = " ".join(piece.text.split())
            if words not in seen:
                seen.add(words)
                yield piece


def _shared(one: Said, other: Said) -> float:
    """Return the share of the shorter frame's terms that the other has."""
    least = min(len(one.frame), len(other.frame))
    return len(one.frame & other.frame) / least if least else 0.0
