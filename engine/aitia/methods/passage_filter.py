"""Filter: drops passages that cannot carry an answer, and says why."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from aitia.methods.base import Reads, method
from aitia.methods.keywords import Keywords
from aitia.methods.passages import Hits
from aitia.model import Hit
from aitia.retrieval.words import all_tokens

_FIELD: Final = re.compile(r"\"[^\"\n]{1,80}\"\s*:|^\s*[\[{\]}]")
_DATA: Final = re.compile(
    r"csv|tab-separated|turtle|trig|n-triples|n-quads|rdf\+xml|ld\+json"
)
"""Media types whose passages are facts: the graph answers from them."""


@dataclass(frozen=True)
class Screened:
    """Passages, and the words that they must speak of."""

    keywords: Keywords
    hits: Hits


@method("filter", "Drops passages that share no word and no meaning, and copies.")
def passage_filter(
    reads: Reads, given: Screened, *, floor: float = 0.35, keep: int = 12
) -> Hits:
    """Return the passages that share a word or are nearer than `floor` in meaning.

    Args:
        reads: What may be read.
        given: The passages and the words.
        floor: Cosine under which a passage without a shared word is dropped.
        keep: How many to hand on.
    """
    wanted = {stem for word in given.keywords.words for stem in word.stems}
    seen: set[str] = set()
    kept: list[Hit] = []
    dropped: Counter[str] = Counter()
    for hit in given.hits.hits:
        reason = _against(hit, wanted, seen, floor)
        if reason:
            dropped[reason] += 1
        elif len(kept) < keep:
            kept.append(hit)
        seen.add(hit.passage.text)
    told = ", ".join(f"{count} {reason}" for reason, count in dropped.items())
    return Hits(
        hits=tuple(kept),
        summary=f"{len(kept)} kept" + (f"; dropped: {told}" if told else ""),
        failure="" if kept else "No passage shares a word or the meaning.",
    )


def _against(hit: Hit, wanted: set[str], seen: set[str], floor: float) -> str:
    """Return why a passage is dropped, or ""."""
    passage = hit.passage
    is_json = "json" in passage.media_type and _FIELD.search(passage.text)
    if is_json or _DATA.search(passage.media_type):
        return "records, which the graph answers from"
    if passage.text in seen:
        return "copies"
    text = f"{passage.heading} {passage.title} {passage.text}"
    if not wanted & set(all_tokens(text)) and hit.scores.get("dense", 0.0) < floor:
        return "without a shared word or meaning"
    return ""
