"""Fusion: several rankings of passages made into one, by reciprocal rank."""

from __future__ import annotations

from dataclasses import dataclass

from aitia.methods.base import Reads, method
from aitia.methods.passages import Hits
from aitia.model import Hit
from aitia.retrieval.fusion import reciprocal_rank


@dataclass(frozen=True)
class Rankings:
    """Rankings by name."""

    lexical: Hits
    dense: Hits


@method("fusion", "Makes several rankings of passages into one, by reciprocal rank.")
def fusion(reads: Reads, given: Rankings) -> Hits:
    """Return the passages of all rankings, those that stand high in most first."""
    named = {"lexical": given.lexical.hits, "dense": given.dense.hits}
    passages = {hit.passage.iri: hit.passage for hits in named.values() for hit in hits}
    fused = reciprocal_rank(
        {
            name: [(hit.passage.iri, hit.score) for hit in hits]
            for name, hits in named.items()
        }
    )
    hits = tuple(
        Hit(passages[item.iri], item.score, rank, item.scores)
        for rank, item in enumerate(fused, start=1)
    )
    return Hits(hits=hits, summary=f"{len(hits)} passages")
