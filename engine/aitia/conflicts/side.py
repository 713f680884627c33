"""One side of a conflict, as people read it: its words, where they stand, its weight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyoxigraph import Literal, NamedNode

from aitia import terms
from aitia.conflicts.weights import Weigher
from aitia.locate import Located, locate
from aitia.lookup.accepted import accepted
from aitia.methods.facts import Fact, Facts
from aitia.methods.passages import Piece
from aitia.settings.sources import Weight
from aitia.store import Reader
from aitia.vocab import AITIA

if TYPE_CHECKING:
    from aitia.methods.base import Reads


@dataclass(frozen=True)
class Side:
    """One side of a conflict.

    Attributes:
        text: What it says: the exact words of a text, or a fact in words.
        document: IRI of the document, or of the graph that the fact stands in.
        path: The document's path as given, or "".
        start: Offset of the first character of the words in the stored text.
        end: Offset after the last character; 0 where no words are known.
        passage: IRI of the passage that the words stand in, or "".
        fact: The fact, or None for words of a text.
        version: IRI of the version in the catalog, where the fact was accepted, or "".
        weight: How far its source is trusted.
    """

    text: str
    document: str
    path: str
    weight: Weight
    start: int = 0
    end: int = 0
    passage: str = ""
    fact: Fact | None = None
    version: str = ""

    @property
    def key(self) -> str:
        """What tells this side from every other."""
        if self.fact is not None:
            return self.fact.told()
        return f"{self.document}#char={self.start},{self.end}"

    def as_json(self) -> dict[str, Any]:
        """Return the stable layout of `--json`."""
        fact = self.fact
        return {
            "text": self.text,
            "statement": fact.told() if fact is not None else "",
            "document": self.document,
            "path": self.path,
            "passage": self.passage,
            "start": self.start,
            "end": self.end,
            "weight": self.weight.value,
            "kind": self.weight.kind,
            "pattern": self.weight.pattern,
        }


class Sides:
    """Makes sides; sources are looked up once."""

    def __init__(self, reads: Reads) -> None:
        self.reads = reads
        self.weigher = Weigher(reads)
        self.facts = Facts(reads.store)

    def of_piece(self, piece: Piece) -> Side:
        """Return a sentence of a text as a side."""
        passage = piece.passage
        return Side(
            text=piece.text,
            document=passage.document,
            path=passage.path,
            weight=self.weigher.weigh(NamedNode(passage.document)),
            start=piece.start,
            end=piece.end,
            passage=passage.iri,
        )

    def of_fact(self, fact: Fact) -> Side:
        """Return a fact as a side, with the words it was read from where they are found."""
        if fact.graph == terms.GRAPH_CURRENT:
            return self._accepted(fact)
        place = self._located(fact)
        document = place.document if place else fact.graph
        return Side(
            text=self.told(fact),
            document=document.value,
            path=text_of(self.reads.store, document, AITIA.path),
            weight=self.weigher.weigh(fact.graph if place is None else document),
            start=place.outer_start if place else 0,
            end=place.outer_end if place else 0,
            passage=place.passage.value if place and place.passage else "",
            fact=fact,
        )

    def _accepted(self, fact: Fact) -> Side:
        """Return an accepted fact as a side, with the words it was accepted for."""
        store = self.reads.store
        found = accepted(store, fact.subject, fact.predicate, fact.object)
        document = found.document if found and found.document else fact.graph
        return Side(
            text=self.told(fact),
            document=document.value,
            path=text_of(store, document, AITIA.path),
            weight=self.weigher.weigh(fact.graph),
            start=found.start if found else 0,
            end=found.end if found else 0,
            passage=found.passage.value if found and found.passage else "",
            fact=fact,
            version=found.statement.value if found else "",
        )

    def told(self, fact: Fact) -> str:
        """Return a fact in words: "board: chair = ada"."""
        return (
            f"{self.facts.label(fact.subject)}: {self.facts.label(fact.predicate)} = "
            f"{self._value(fact)}"
        )

    def _value(self, fact: Fact) -> str:
        value = fact.object
        return value.value if isinstance(value, Literal) else self.facts.label(value)

    def _located(self, fact: Fact) -> Located | None:
        return locate(
            self.reads.store,
            self.reads.blobs,
            fact.subject,
            fact.predicate,
            fact.object,
            fact.graph,
        )


def text_of(reader: Reader, node: NamedNode, predicate: NamedNode) -> str:
    """Return a text that is said of a node, or ""."""
    for quad in reader.quads(node, predicate, None):
        if isinstance(quad.object, Literal):
            return quad.object.value
    return ""
