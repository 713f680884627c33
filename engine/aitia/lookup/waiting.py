"""How many proposals wait for a review; counted at every turn, so counted cheaply."""

from __future__ import annotations

from aitia.store import Reader
from aitia.terms import GRAPH_CATALOG
from aitia.vocab import AITIA


def waiting(reader: Reader) -> int:
    """Return how many proposals wait for a review."""
    state = (AITIA.proposalState, AITIA.needsReview)
    return sum(1 for _ in reader.quads(None, *state, GRAPH_CATALOG))


def sentence(count: int) -> str:
    """Return that in words; "" where none waits."""
    if not count:
        return ""
    told = "1 proposal waits" if count == 1 else f"{count:,} proposals wait"
    return f"{told} for a review (`aitia review list`)"
