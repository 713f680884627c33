"""Words of texts that an accepted proposal took out of use: never evidence again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pyoxigraph import Literal, NamedNode

from aitia import terms
from aitia.methods.passages import Piece
from aitia.model import PassageRecord
from aitia.store import Reader
from aitia.vocab import AITIA, DCTERMS, PROV, RDF

Place = tuple[int, int]
MASK = "…"
"""Stands, with blanks to the same length, in place of words that are out of use."""


@dataclass(frozen=True)
class Withdrawn:
    """The places of texts that are out of use, by document.

    Attributes:
        places: Document → start and end of each stretch.
    """

    places: dict[str, list[Place]] = field(default_factory=dict)

    @classmethod
    def of(cls, store: Reader) -> Withdrawn:
        """Return the places that are out of use now."""
        found: dict[str, list[Place]] = {}
        for quad in store.quads(None, RDF.type, AITIA.Span, terms.GRAPH_CATALOG):
            span = quad.subject
            if isinstance(span, NamedNode) and _is_out(store, span):
                for owner in store.quads(span, DCTERMS.isPartOf):
                    document = getattr(owner.object, "value", "")
                    start = _number(store, span, AITIA.start)
                    end = _number(store, span, AITIA.end)
                    found.setdefault(document, []).append((start, end))
        return cls(found)

    def holds(self, document: str, start: int, end: int) -> bool:
        """Tell whether a stretch of a text shares a character with what is out of use."""
        places = self.places.get(document, ())
        return any(start < last and first < end for first, last in places)

    def masked(self, passage: PassageRecord) -> PassageRecord:
        """Return a passage without its words out of use, all else at its place."""
        text = passage.text
        for first, last in self.places.get(passage.document, ()):
            low = max(first - passage.start, 0)
            high = min(last - passage.start, len(text))
            if low < high:
                text = text[:low] + MASK.ljust(high - low) + text[high:]
        return passage if text == passage.text else replace(passage, text=text)

    def parted(
        self, passage: PassageRecord, pieces: Sequence[Piece]
    ) -> tuple[list[Piece], int]:
        """Return the sentences of a passage in use, and how many are not."""
        kept = [
            piece
            for piece in pieces
            if not self.holds(passage.document, piece.start, piece.end)
        ]
        return kept, len(pieces) - len(kept)


def told(counts: dict[str, int]) -> tuple[str, ...]:
    """Return what a person should know of sentences left out: path → how many."""
    return tuple(
        f"{count} sentence{'' if count == 1 else 's'} of {path} left out: an accepted"
        " proposal withdrew what is said there"
        for path, count in counts.items()
        if count
    )


def _is_out(store: Reader, span: NamedNode) -> bool:
    return next(iter(store.quads(span, PROV.invalidatedAtTime)), None) is not None


def _number(store: Reader, node: NamedNode, predicate: NamedNode) -> int:
    found = next(iter(store.quads(node, predicate, None, terms.GRAPH_CATALOG)), None)
    value = found.object if found else None
    return int(value.value) if isinstance(value, Literal) else -1
