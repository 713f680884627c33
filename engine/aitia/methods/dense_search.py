"""Dense search: passages that are near the question in meaning."""

from __future__ import annotations

from aitia.methods.base import Reads, method
from aitia.methods.found import Search, found, look
from aitia.methods.mentions import Question
from aitia.methods.passages import Hits


@method(
    "dense_search",
    "Finds passages near the question in meaning (embeddings).",
    offered=Search,
)
def dense_search(reads: Reads, given: Question | Search, *, k: int = 20) -> Hits:
    """Return the passages nearest by cosine: `k`, or as many as are asked for."""
    if isinstance(given, Search):
        return found(look(reads, given.query, given.k, "dense"))
    hits = look(reads, given.text, k, "dense")
    told = f"{len(hits)} passages" if hits else "no passage"
    if hits:
        told += f", nearest {hits[0].score:.2f}"
    return Hits(hits=hits, summary=told)
