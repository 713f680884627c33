"""Evidence selection: which sentences an answer is to be made of.

The best sentence, and those that come near it (`near`) and say something further: of
another document, so that a disagreement is seen, or with words of the question that
the sentences before lack. Where all about something is asked (`around`), also the
sentences that go on from one that was picked ("It was inspected …").

Among those that come near the best, the sentence whose source weighs most goes first,
by the patterns of `[sources]` in aitia.toml; where that changed the order it is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aitia.methods.base import Reads, method
from aitia.methods.rerank import Sentences
from aitia.methods.scoring import RULE, Measured, points_back
from aitia.settings.sources import Sources


@dataclass(frozen=True)
class Ranked:
    """Sentences, best first."""

    sentences: Sentences


@method("evidence_selection", "Picks the sentences that an answer is made of.")
def evidence_selection(
    reads: Reads,
    given: Ranked,
    *,
    near: float = 0.85,
    most: int = 3,
    around: bool = False,
) -> Sentences:
    """Return the best sentence and those near it that say something further."""
    ranked, decided = _weighed(reads, given.sentences.sentences, near)
    chosen: list[Measured] = []
    for item in ranked:
        if len(chosen) < most and (not chosen or _adds(item, chosen, near)):
            chosen.append(item)
    if around:
        chosen += _going_on(ranked, chosen)
    best = chosen[0].confidence if chosen else None
    return Sentences(
        sentences=tuple(chosen),
        summary="; ".join(filter(None, (f"{len(chosen)} sentences", decided))),
        notices=(f"By the weights of sources, {decided}.",) if decided else (),
        failure="" if chosen else "No sentence to choose from.",
        confidence=best,
        confidence_rule=RULE if best is not None else "",
    )


def _weighed(
    reads: Reads, ranked: Sequence[Measured], near: float
) -> tuple[list[Measured], str]:
    """Return sentences with the heavier of those near the best first, and what that did."""
    sources = Sources(reads.settings.sources, reads.settings.source_kinds)
    if not sources or not ranked:
        return list(ranked), ""
    weights = {
        item.piece.passage.iri: sources.weigh(
            item.piece.passage.path, [item.piece.passage.document]
        )
        for item in ranked
    }
    level = near * ranked[0].confidence
    ordered = sorted(
        ranked,
        key=lambda item: (
            item.confidence < level,
            -weights[item.piece.passage.iri].value if item.confidence >= level else 0,
        ),
    )
    first, before = ordered[0].piece.passage, ranked[0].piece.passage
    if first.iri == before.iri:
        return ordered, ""
    told = (
        f"{first.path} ({weights[first.iri].told()}) goes before {before.path} "
        f"({weights[before.iri].told()})"
    )
    return ordered, told


def _going_on(ranked: Sequence[Measured], chosen: Sequence[Measured]) -> list[Measured]:
    """Return the sentences that point back to one that was picked."""
    return [
        item
        for item in ranked
        if item not in chosen
        and points_back(item.piece.text)
        and any(
            item.piece.before == other.piece.text
            and item.piece.passage.iri == other.piece.passage.iri
            for other in chosen
        )
    ]


def _adds(item: Measured, chosen: Sequence[Measured], near: float) -> bool:
    """Tell whether a sentence is good enough and says something further."""
    best = chosen[0]
    if item.confidence < near * best.confidence:
        return False
    if any(item.piece.text == other.piece.text for other in chosen):
        return False
    documents = {other.piece.passage.document for other in chosen}
    lacking = set.intersection(*(set(other.missing) for other in chosen))
    return item.piece.passage.document not in documents or bool(
        lacking - set(item.missing)
    )
