"""Passages that methods look for: one search, its bounds, and its outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

from annotated_types import Ge, Le

from aitia.methods.arguments import NodeRef
from aitia.methods.base import Reads
from aitia.methods.passages import Hits
from aitia.model import Hit, PassageRecord

MOST: Final = 50
LONGEST: Final = 1000  # characters of a query; more is cut

Count = Annotated[int, Ge(1), Le(MOST)]
"""How many passages to return."""


@dataclass(frozen=True)
class Search:
    """A query, and how many passages to return."""

    query: str
    k: Count = 10


def look(
    reads: Reads, query: str, k: int, mode: str = "fused", filters: Any = None
) -> tuple[Hit, ...]:
    """Return the passages that fit a query best; none where it has no word."""
    short = query[:LONGEST]
    if not any(char.isalnum() for char in short):
        return ()
    return tuple(reads.indexes.search(short, k=k, mode=mode, filters=filters))


def found(hits: Sequence[Hit], **more: Any) -> Hits:
    """Return passages as the outcome of a search."""
    told = f"{len(hits)} passages" if hits else "no passage"
    failure = "" if hits else "No passage was found."
    return Hits(hits=tuple(hits), summary=told, failure=failure, **more)


def as_hits(nodes: Sequence[NodeRef]) -> tuple[Hit, ...]:
    """Return passages that a model names as if a search had found them, in order."""
    return tuple(
        Hit(
            PassageRecord(
                iri=item.node,
                document=item.document,
                text=item.text,
                start=item.start,
                end=item.end,
                heading=item.about,
            ),
            1.0 / rank,
            rank,
        )
        for rank, item in enumerate(nodes, start=1)
    )
