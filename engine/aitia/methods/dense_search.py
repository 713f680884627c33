"""Dense search: passages that are near the question in meaning."""

from __future__ import annotations

from aitia.methods.base import Reads, method
from aitia.methods.mentions import Question
from aitia.methods.passages import Hits


@method("dense_search", "Finds passages near the question in meaning (embeddings).")
def dense_search(reads: Reads, given: Question, *, k: int = 20) -> Hits:
    """Return the `k` passages nearest by cosine."""
    hits = tuple(reads.indexes.search(given.text, k=k, mode="dense"))
    told = f"{len(hits)} passages" if hits else "no passage"
    if hits:
        told += f", nearest {hits[0].score:.2f}"
    return Hits(hits=hits, summary=told)
