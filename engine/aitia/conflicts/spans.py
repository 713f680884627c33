"""Stretches of text that an accepted proposal withdrew: no longer evidence, no side."""

from __future__ import annotations

from pyoxigraph import Literal, NamedNode

from aitia import terms
from aitia.store import Reader
from aitia.vocab import AITIA, DCTERMS


class Withdrawn:
    """Tells which stretches of documents were withdrawn; each document is read once.

    A withdrawn stretch is a node of the catalog of rank deprecated with `aitia:start`
    and `aitia:end`, part of (dcterms:isPartOf) a document or of one of its passages.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._spans: dict[str, list[tuple[int, int]]] | None = None

    def covers(self, document: str, start: int, end: int) -> bool:
        """Tell whether a stretch of a document lies in or meets a withdrawn one."""
        if self._spans is None:
            self._spans = self._read()
        return any(
            first < end and start < last
            for first, last in self._spans.get(document, ())
        )

    def _read(self) -> dict[str, list[tuple[int, int]]]:
        found: dict[str, list[tuple[int, int]]] = {}
        catalog = terms.GRAPH_CATALOG
        for quad in self._reader.quads(None, AITIA.rank, AITIA.deprecated, catalog):
            node = quad.subject
            if not isinstance(node, NamedNode):
                continue
            start, end = (self._number(node, x) for x in (AITIA.start, AITIA.end))
            for whole in self._wholes(node) if start < end else ():
                found.setdefault(whole, []).append((start, end))
        return found

    def _wholes(self, node: NamedNode) -> set[str]:
        """Return the document that a stretch is part of, directly or by a passage."""
        parts = self._reader.quads(node, DCTERMS.isPartOf, None)
        return {
            quad.object.value.partition("#")[0]
            for quad in parts
            if isinstance(quad.object, NamedNode)
        }

    def _number(self, node: NamedNode, predicate: NamedNode) -> int:
        for quad in self._reader.quads(node, predicate, None, terms.GRAPH_CATALOG):
            if isinstance(quad.object, Literal):
                return int(quad.object.value)
        return 0
