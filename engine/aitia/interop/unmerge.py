"""Gives merged triples their graphs back: whose record is it?"""

from __future__ import annotations

from collections.abc import Iterable

from pyoxigraph import DefaultGraph, NamedNode, Quad

from aitia import terms
from aitia.vocab import AITIA

_RUN = f"{terms.BASE}run:"
_COMMIT = f"{terms.BASE}commit:"


class Graphs:
    """Finds the graph of a record of ours by its subject.

    What is part of a run stands in the run's graph, a commit in the ledger, all else
    in the catalog. People's own facts say nothing of the graph they stood in.
    """

    def __init__(self, quads: Iterable[Quad]) -> None:
        self._runs: dict[str, str] = {}
        self._links: dict[str, str] = {}
        for quad in quads:
            if not isinstance(quad.object, NamedNode):
                continue
            subject, obj = _iri(quad.subject), quad.object.value
            if quad.predicate == AITIA.inRun:
                self._runs[subject] = obj
            elif quad.predicate in (AITIA.linkFrom, AITIA.linkTo):
                run = _run_in(obj)
                if run:
                    self._links[subject] = run

    def of(self, quad: Quad) -> Quad:
        """Return the quad in its graph; in none where it is a fact of people's."""
        subject = _iri(quad.subject)
        if not subject.startswith(terms.BASE):
            return quad
        run = self._runs.get(subject) or self._links.get(subject) or _run_in(subject)
        if run:
            return moved(quad, terms.run_graph(NamedNode(run)))
        if subject.startswith(_COMMIT):
            return moved(quad, terms.GRAPH_LEDGER)
        return moved(quad, terms.GRAPH_CATALOG)


def moved(quad: Quad, graph: NamedNode | DefaultGraph) -> Quad:
    """Return the quad in another graph."""
    return Quad(quad.subject, quad.predicate, quad.object, graph)


def _run_in(iri: str) -> str:
    """Return the run that an IRI is a part of, or ""."""
    return iri.partition("/")[0] if iri.startswith(_RUN) else ""


def _iri(term: object) -> str:
    return term.value if isinstance(term, NamedNode) else ""
