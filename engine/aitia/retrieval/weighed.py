"""Passages that fit a query nearly as well, ordered by how far their sources are trusted.

Only where `[sources]` in aitia.toml says whom to trust. A hit's `scores` tell its weight
as `weight`, and the rank that it would have without as `unweighted_rank` where that is
another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from aitia.model import Hit
from aitia.settings import Settings
from aitia.settings.sources import Sources

NEAR: Final = 0.95
"""Share of a hit's score from which on another fits nearly as well: with reciprocal
rank fusion about three places."""


def weighed(hits: Sequence[Hit], settings: Settings) -> list[Hit]:
    """Return hits with the heavier first among those that fit nearly as well.

    Args:
        hits: What was found, best first.
        settings: What says whom to trust.
    """
    sources = Sources(settings.sources, settings.source_kinds)
    if not sources:
        return list(hits)
    heavy = {
        hit.passage.iri: sources.weigh(hit.passage.path, [hit.passage.document]).value
        for hit in hits
    }
    ordered = [
        hit
        for some in _groups(hits)
        for hit in sorted(some, key=lambda hit: -heavy[hit.passage.iri])
    ]
    return [
        _placed(hit, rank, heavy[hit.passage.iri])
        for rank, hit in enumerate(ordered, start=1)
    ]


def _groups(hits: Sequence[Hit]) -> Iterator[list[Hit]]:
    """Yield hits in order, those together that come near the first of them."""
    group: list[Hit] = []
    for hit in hits:
        if group and hit.score < NEAR * group[0].score:
            yield group
            group = []
        group.append(hit)
    if group:
        yield group


def _placed(hit: Hit, rank: int, weight: float) -> Hit:
    scores = {**hit.scores, "weight": weight}
    if rank != hit.rank:
        scores["unweighted_rank"] = hit.rank
    return replace(hit, rank=rank, scores=scores)
