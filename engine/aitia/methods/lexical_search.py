"""Lexical search: passages that share words with the question."""

from __future__ import annotations

from aitia.methods.base import Reads, method
from aitia.methods.keywords import Keywords
from aitia.methods.passages import Hits


@method("lexical_search", "Finds passages that share words with the question (BM25).")
def lexical_search(reads: Reads, given: Keywords, *, k: int = 20) -> Hits:
    """Return the `k` passages with the best word match."""
    hits = tuple(reads.indexes.search(given.query, k=k, mode="lexical"))
    best = f"{len(hits)} passages" if hits else "no passage shares a word"
    return Hits(hits=hits, summary=best)
