"""What documents claim by what was read in their texts, to be held against the rest.

A claimed statement is no fact: its triple stands in no graph. In a conflict the words
that it was read from stand for it, so that the conflict ends with them.
"""

from __future__ import annotations

from collections.abc import Iterator

from pyoxigraph import Literal, NamedNode

from aitia import terms
from aitia.methods.facts import Fact
from aitia.methods.passages import Piece
from aitia.model import PassageRecord
from aitia.retrieval.passages import document
from aitia.store import Reader, Term
from aitia.vocab import AITIA, DCTERMS, OWL, RDF, RDFS

_CATALOG = terms.GRAPH_CATALOG
_AXIOMS = (RDFS.NS, OWL.NS)


class Claims:
    """The claimed statements of documents in use.

    Attributes:
        store: What to read from.
    """

    def __init__(self, store: Reader) -> None:
        self.store = store
        self._live: dict[NamedNode, bool] = {}

    def of(self, owner: NamedNode) -> Iterator[Fact]:
        """Yield what a document claims."""
        yield from self._read(self._subjects(AITIA.inGraph, owner))

    def matching(
        self, subject: NamedNode | None, predicate: NamedNode | None, obj: Term | None
    ) -> Iterator[Fact]:
        """Yield the claims that match; None matches everything, but not in all three."""
        if predicate is not None and predicate.value.startswith(_AXIOMS):
            return
        bound = [
            (part, value)
            for part, value in (
                (RDF.subject, subject),
                (RDF.object, obj),
                (RDF.predicate, predicate),
            )
            if value is not None
        ]
        if not bound:
            return
        wanted = (subject, predicate, obj)
        for fact in self._read(self._subjects(*bound[0])):
            told = (fact.subject, fact.predicate, fact.object)
            if all(w in (None, t) for w, t in zip(wanted, told, strict=True)):
                yield fact

    def piece(self, fact: Fact) -> Piece | None:
        """Return the words that a claim was read from; None for what is no claim."""
        node = _node(fact)
        stands = self.store.quads(fact.subject, fact.predicate, fact.object, fact.graph)
        if not self._is_claim(node) or next(iter(stands), None) is not None:
            return None
        for quad in self.store.quads(node, AITIA.derivesFrom, None, _CATALOG):
            quote = quad.object
            if isinstance(quote, NamedNode) and (found := self._words(fact, quote)):
                return found
        return None

    def _words(self, fact: Fact, quote: NamedNode) -> Piece | None:
        exact, start, end = (
            self._text(quote, part) for part in (AITIA.exact, AITIA.start, AITIA.end)
        )
        owners = (q.object for q in self.store.quads(quote, DCTERMS.isPartOf))
        passage = next((x.value for x in owners if isinstance(x, NamedNode)), "")
        if not (exact and start and end and passage):
            return None
        record = document(self.store, fact.graph.value)
        place = PassageRecord(passage, fact.graph.value, "", 0, 0, path=record.path)
        return Piece(place, exact, int(start), int(end))

    def _subjects(self, predicate: NamedNode, value: Term) -> Iterator[NamedNode]:
        for quad in self.store.quads(None, predicate, value, _CATALOG):
            if isinstance(quad.subject, NamedNode):
                yield quad.subject

    def _read(self, nodes: Iterator[NamedNode]) -> Iterator[Fact]:
        for node in nodes:
            if not self._is_claim(node):
                continue
            parts = [
                next(
                    (q.object for q in self.store.quads(node, part, None, _CATALOG)),
                    None,
                )
                for part in (RDF.subject, RDF.predicate, RDF.object, AITIA.inGraph)
            ]
            subject, predicate, obj, graph = parts
            if (
                isinstance(subject, NamedNode)
                and isinstance(predicate, NamedNode)
                and isinstance(obj, NamedNode | Literal)
                and isinstance(graph, NamedNode)
                and self._in_use(graph)
            ):
                yield Fact(subject, predicate, obj, graph)

    def _is_claim(self, node: NamedNode) -> bool:
        """Tell whether a node is a statement that a run read, and holds as one."""
        return all(
            next(iter(self.store.quads(node, predicate, value, _CATALOG)), None)
            for predicate, value in (
                (RDF.type, AITIA.Statement),
                (AITIA.inRun, None),
                (AITIA.rank, AITIA.normal),
            )
        )

    def _in_use(self, owner: NamedNode) -> bool:
        if owner not in self._live:
            live = self.store.quads(owner, AITIA.documentState, AITIA.live, _CATALOG)
            self._live[owner] = next(iter(live), None) is not None
        return self._live[owner]

    def _text(self, node: NamedNode, predicate: NamedNode) -> str:
        for quad in self.store.quads(node, predicate):
            if isinstance(quad.object, Literal):
                return quad.object.value
        return ""


def _node(fact: Fact) -> NamedNode:
    return terms.statement_iri(
        str(fact.subject), str(fact.predicate), str(fact.object), str(fact.graph)
    )
