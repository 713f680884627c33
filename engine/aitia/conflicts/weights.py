"""How far the source of a fact or of a text is trusted."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from pyoxigraph import Literal, NamedNode

from aitia import terms
from aitia.settings.sources import REVIEWED, Sources, Weight
from aitia.vocab import AITIA

if TYPE_CHECKING:
    from aitia.methods.base import Reads

_HOLDERS = 20


class Weigher:
    """Weighs documents and graphs by the settings; each is looked up once.

    Attributes:
        reads: What may be read.
        sources: The patterns of the settings.
    """

    def __init__(self, reads: Reads) -> None:
        self.reads = reads
        settings = reads.settings
        self.sources = Sources(settings.sources, settings.source_kinds)
        self._known: dict[NamedNode, Weight] = {}

    def weigh(self, source: NamedNode) -> Weight:
        """Return how far a document, or the graph that a fact stands in, is trusted.

        A fact of the current graph was accepted by review, and counts as such.
        """
        if source not in self._known:
            self._known[source] = self._weigh(source)
        return self._known[source]

    def _weigh(self, source: NamedNode) -> Weight:
        if source == terms.GRAPH_CURRENT:
            return self.sources.of_kind(REVIEWED)
        documents = [source, *self._holders(source)]
        paths = [text for node in documents for text in self._said(node)]
        found = [
            self.sources.weigh(path, [node.value for node in documents])
            for path in paths or [""]
        ]
        return max(found, key=lambda weight: (bool(weight.pattern), weight.value))

    def _holders(self, graph: NamedNode) -> list[NamedNode]:
        """Return the documents that fill a named graph."""
        found = self.reads.store.quads(None, AITIA.containsGraph, graph)
        nodes = (quad.subject for quad in islice(found, _HOLDERS))
        return [node for node in nodes if isinstance(node, NamedNode)]

    def _said(self, node: NamedNode) -> list[str]:
        return [
            quad.object.value
            for predicate in (AITIA.path, AITIA.location)
            for quad in self.reads.store.quads(node, predicate, None)
            if isinstance(quad.object, Literal)
        ]
