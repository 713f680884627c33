"""Rerank: cuts passages into sentences and orders them by how well they answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from aitia.methods.base import Outcome, Reads, method
from aitia.methods.cues import read_cues
from aitia.methods.keywords import Keywords
from aitia.methods.passages import Hits, Piece, pieces
from aitia.methods.scoring import RULE, Measured, measure, rarity
from aitia.retrieval.words import all_tokens


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


@method("rerank", "Orders the sentences of passages by how well they answer.")
def rerank(
    reads: Reads, given: ToRank, *, embedded: int = 24, keep: int = 8
) -> Sentences:
    """Return the sentences that answer best.

    Args:
        reads: What may be read.
        given: The passages and the words.
        embedded: How many sentences, those with most words in common, are compared by
            meaning; the others count as not alike.
        keep: How many to hand on.
    """
    words, hits = given.keywords.words, given.hits.hits
    weights = rarity(words, hits)
    wants = read_cues(given.keywords.question).wants
    found = _likely(given.keywords, [p for hit in hits for p in pieces(hit.passage)])
    near = _alike(reads, given.keywords.question, found[:embedded])
    measured = [
        measure(words, weights, wants, piece, near[at] if at < len(near) else 0.0)
        for at, piece in enumerate(found)
    ]
    measured.sort(key=lambda item: (-item.confidence, item.piece.passage.iri))
    best = measured[0] if measured else None
    return Sentences(
        sentences=tuple(measured[:keep]),
        summary=best.piece.text[:160] if best else "no sentence",
        failure="" if best else "The passages have no sentence.",
        confidence=best.confidence if best else None,
        confidence_rule=RULE if best else "",
    )


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
    vectors = reads.indexes.embed([question, *(piece.text for piece in found)])
    return [float(value) for value in vectors[1:] @ vectors[0]]
