"""Several rankings made into one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

K: Final = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009)."""

Ranking = Sequence[tuple[str, float]]
"""IRIs with their scores, best first."""


@dataclass(frozen=True)
class Fused:
    """One item of a fused ranking.

    Attributes:
        iri: What was ranked.
        score: Sum of 1 / (K + rank) over the rankings it is in.
        scores: `<name>` and `<name>_rank` for each ranking it is in, and `fused`.
    """

    iri: str
    score: float
    scores: Mapping[str, float]


def reciprocal_rank(rankings: Mapping[str, Ranking]) -> list[Fused]:
    """Return the items of all rankings by reciprocal rank fusion, best first.

    Equal scores are ordered by IRI, so that the same rankings give the same list.
    """
    scores: dict[str, dict[str, float]] = {}
    for name, ranking in rankings.items():
        for rank, (iri, score) in enumerate(ranking, start=1):
            told = scores.setdefault(iri, {})
            told[name], told[f"{name}_rank"] = score, rank
            told["fused"] = told.get("fused", 0.0) + 1 / (K + rank)
    items = [Fused(iri, told["fused"], told) for iri, told in scores.items()]
    return sorted(items, key=lambda item: (-item.score, item.iri))


def single(name: str, ranking: Ranking) -> list[Fused]:
    """Return one ranking in the form of a fused one, with its own scores."""
    return [
        Fused(iri, score, {name: score, f"{name}_rank": rank})
        for rank, (iri, score) in enumerate(ranking, start=1)
    ]
