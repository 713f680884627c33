"""Rerank: cuts passages into sentences and orders them by how well they answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from aitia.methods.answer_types import asked_type
from aitia.methods.arguments import NodeRef
from aitia.methods.base import Outcome, Reads, method
from aitia.methods.found import as_hits
from aitia.methods.keywords import Keyword, Keywords, keywords
from aitia.methods.mentions import Question
from aitia.methods.passages import Hits, Piece, pieces
from aitia.methods.scoring import RULE, Measured, Sought, measure, points_back, rarity
from aitia.methods.withdrawn import Withdrawn, told
from aitia.methods.words import content, is_spaceless
from aitia.model import Hit
from aitia.retrieval.words import all_tokens

LIKE: Final = 0.5
"""Cosine from which one word stands for another. Measured with the packaged model over
68 pairs: of 34 that mean nearly the same 22 lie above, of 34 others 4."""


@dataclass(frozen=True)
class Sentences(Outcome):
    """Sentences, best first."""

    sentences: tuple[Measured, ...] = field(default=())

    def told(self) -> dict[str, Any]:
        """Return what the record keeps: places, words and measures."""
        return {
            "sentences": [
                {
                    "passage": item.piece.passage.iri,
                    "start": item.piece.start,
                    "end": item.piece.end,
                    "exact": item.piece.text[:200],
                    "measures": {k: round(v, 4) for k, v in item.measures.items()},
                    "confidence": round(item.confidence, 4),
                    "missing": item.missing,
                }
                for item in self.sentences
            ],
            "summary": self.summary,
        }


@dataclass(frozen=True)
class ToRank:
    """Passages and the words that their sentences are measured against."""

    keywords: Keywords
    hits: Hits


@dataclass(frozen=True)
class ToOrder:
    """A question, and the passages whose sentences may answer it."""

    question: str
    passages: tuple[NodeRef, ...]


@method(
    "rerank",
    "Orders the sentences of passages by how well they answer.",
    offered=ToOrder,
)
def rerank(
    reads: Reads, given: ToRank | ToOrder, *, embedded: int = 24, keep: int = 8
) -> Sentences:
    """Return the sentences that answer best.

    Args:
        reads: What may be read.
        given: The passages and the words.
        embedded: How many sentences, those with most words in common, are compared by
            meaning; the others count as not alike.
        keep: How many to hand on.
    """
    asked, hits = _asked(reads, given)
    words = asked.words
    sought = Sought(words, rarity(words, hits), asked_type(asked.question), {})
    there, notices = _in_use(reads, hits)
    found = _likely(asked, there)
    near = _alike(reads, asked.question, found[:embedded])
    first = [
        measure(sought, piece, near[at] if at < len(near) else 0.0)
        for at, piece in enumerate(found)
    ]
    first.sort(key=_order)
    like = likeness(reads, words, first[:keep])
    measured = [
        measure(replace(sought, like=like), item.piece, item.measures["alike"])
        for item in first[:keep]
    ]
    measured.sort(key=_order)
    best = measured[0] if measured else None
    return Sentences(
        sentences=tuple(measured),
        summary=best.piece.text[:160] if best else "no sentence",
        failure="" if best else "The passages have no sentence.",
        confidence=best.confidence if best else None,
        confidence_rule=RULE if best else "",
        notices=notices,
    )


def _in_use(reads: Reads, hits: Sequence[Hit]) -> tuple[list[Piece], tuple[str, ...]]:
    """Return the sentences of passages, but those that were withdrawn, and how many."""
    out, kept = Withdrawn.of(reads.store), list[Piece]()
    counts: dict[str, int] = {}
    for hit in hits:
        passage = hit.passage
        some, left = out.parted(passage, list(pieces(passage)))
        kept += some
        counts[passage.path] = counts.get(passage.path, 0) + left
    return kept, told(counts)


def _asked(reads: Reads, given: ToRank | ToOrder) -> tuple[Keywords, tuple[Hit, ...]]:
    if isinstance(given, ToRank):
        return given.keywords, given.hits.hits
    return keywords(reads, Question(given.question)), as_hits(given.passages)


def _order(item: Measured) -> tuple[float, str, int]:
    return (-item.confidence, item.piece.passage.iri, item.piece.start)


def likeness(
    reads: Reads, words: Sequence[Keyword], found: Sequence[Measured]
) -> dict[tuple[str, str], float]:
    """Return which words of sentences stand for words of the question they lack.

    Names, numbers and ids stand for nothing but themselves.
    """
    lacking = {text for item in found for text in item.missing}
    open_words = [
        word.text
        for word in words
        if word.text in lacking and word.weight <= 1 and not is_spaceless(word.text)
    ]
    there = {
        word.stems[0]: word.text
        for item in found
        for word in content(item.piece.text)
        if not word.naming and len(word.stems) == 1
    }
    if not open_words or not there:
        return {}
    vectors = reads.indexes.embed([*open_words, *there.values()])
    table = vectors[: len(open_words)] @ vectors[len(open_words) :].T
    return {
        (word, stem): float(table[row][column])
        for row, word in enumerate(open_words)
        for column, stem in enumerate(there)
        if table[row][column] >= LIKE
    }


def _likely(keywords: Keywords, found: Sequence[Piece]) -> list[Piece]:
    """Return the sentences with those that share most words first."""
    wanted = {stem for word in keywords.words for stem in word.stems}
    shared = {
        id(piece): len(wanted & set(all_tokens(piece.text)))
        + 0.5 * len(wanted & set(all_tokens(piece.passage.heading)))
        for piece in found
    }
    return sorted(found, key=lambda piece: -shared[id(piece)])


def _alike(reads: Reads, question: str, found: Sequence[Piece]) -> list[float]:
    if not found:
        return []
    texts = [
        f"{piece.before} {piece.text}" if points_back(piece.text) else piece.text
        for piece in found
    ]
    vectors = reads.indexes.embed([question, *texts])
    return [float(value) for value in vectors[1:] @ vectors[0]]
