"""Lexical search: passages that share words with the question."""

from __future__ import annotations

from aitia.methods.base import Reads, method
from aitia.methods.found import Search, look
from aitia.methods.keywords import Keywords
from aitia.methods.passages import Hits


@method(
    "lexical_search",
    "Finds passages that share words with the question (BM25).",
    offered=Search,
)
def lexical_search(reads: Reads, given: Keywords | Search, *, k: int = 20) -> Hits:
    """Return the passages with the best word match: `k`, or as many as are asked for."""
    most = given.k if isinstance(given, Search) else k
    hits = look(reads, given.query, most, "lexical")
    best = f"{len(hits)} passages" if hits else "no passage shares a word"
    return Hits(hits=hits, summary=best)
