"""Who and what a run has to do with, stated in the catalog: once, whichever run says it."""

from __future__ import annotations

from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.store import Reader
from aitia.trace.stating import Stating
from aitia.vocab import AITIA, RDF, RDFS


class Cataloguing(Stating):
    """Gathers quads about one run, and about the agents and methods it names."""

    def __init__(self, run: NamedNode, reader: Reader) -> None:
        """Make ready to state.

        Args:
            run: The run's IRI.
            reader: The store, for what is on record of agents and methods.
        """
        super().__init__(run)
        self._reader = reader

    def method(self, name: str, competence: str) -> None:
        """Record a method in the catalog; a changed competence replaces the old."""
        node = terms.method_iri(name)
        self.introduce(node, AITIA.Method, name)
        self._in_place(node, AITIA.competence, terms.string(competence))

    def tool(self, name: str, competence: str, side_effect: bool) -> None:
        """Record a tool in the catalog; what changed of it replaces the old."""
        node = terms.method_iri(name)
        self.introduce(node, AITIA.Tool, name)
        self._in_place(node, AITIA.competence, terms.string(competence))
        self._in_place(node, AITIA.sideEffect, terms.boolean(side_effect))

    def _in_place(self, node: NamedNode, predicate: NamedNode, value: Literal) -> None:
        """State in the catalog what a node has, in place of what it had."""
        new = Quad(node, predicate, value, terms.GRAPH_CATALOG)
        old = self._reader.quads(node, predicate, None, terms.GRAPH_CATALOG)
        self._deletes.update(set(old) - {new})
        self._adds.add(new)

    def introduce(self, node: NamedNode, kind: NamedNode, label: str) -> None:
        """State who or what a node of the catalog is, unless it is known."""
        graph = terms.GRAPH_CATALOG
        if next(self._reader.quads(node, RDF.type, kind, graph), None) is None:
            self._adds.add(Quad(node, RDF.type, kind, graph))
        if next(self._reader.quads(node, RDFS.label, None, graph), None) is None:
            self._adds.add(Quad(node, RDFS.label, terms.string(label), graph))
