"""Lexical search: passages that share words with the question."""

from __future__ import annotations

from aitia.methods.base import Reads, method
from aitia.methods.found import Search, found, look
from aitia.methods.keywords import Keywords
from aitia.methods.passages import Hits


@method(
    "lexical_search",
    "Finds passages that share words with the question (BM25).",
    offered=Search,
)
def lexical_search(reads: Reads, given: Keywords | Search, *, k: int = 20) -> Hits:
    """Return the passages with the best word match: `k`, or as many as are asked for."""
    if isinstance(given, Search):
        return found(look(reads, given.query, given.k, "lexical"))
    hits = look(reads, given.query, k, "lexical")
    best = f"{len(hits)} passages" if hits else "no passage shares a word"
    return Hits(hits=hits, summary=best)
