"""Which quads an export takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from pyoxigraph import NamedNode, Quad

from aitia import terms
from aitia.lookup.stats import area
from aitia.store import Reader

AREAS: Final[Mapping[str, frozenset[str] | None]] = {
    "all": None,
    "knowledge": frozenset({"current", "catalog"}),
    "current": frozenset({"current"}),
    "catalog": frozenset({"catalog"}),
    "runs": frozenset({"runs"}),
    "ledger": frozenset({"ledger"}),
    "inferred": frozenset({"inferred"}),
}
"""What can be exported → the areas of the store it takes; None for all."""


def of_areas(reader: Reader, what: str) -> Iterator[Quad]:
    """Yield the quads of one of `AREAS`."""
    areas = AREAS[what]
    if areas is None:
        yield from reader.quads()
        return
    wanted = _remembering(lambda graph: area(graph) in areas)
    yield from (quad for quad in reader.quads() if wanted(graph_of(quad)))


def of_run(reader: Reader, run: NamedNode) -> Iterator[Quad]:
    """Yield a run's graph, and all that the catalog says of what the run refers to."""
    told: set[NamedNode] = set()
    edge: set[NamedNode] = set()
    for quad in reader.quads(None, None, None, terms.run_graph(run)):
        edge.update(_named(quad))
        yield quad
    while edge:
        told |= edge
        following: set[NamedNode] = set()
        for node in edge:
            for quad in reader.quads(node, None, None, terms.GRAPH_CATALOG):
                following.update(_named(quad))
                yield quad
        edge = following - told


def graph_of(quad: Quad) -> str:
    """Return the IRI of the graph that a quad stands in, "" for the default graph."""
    return quad.graph_name.value if isinstance(quad.graph_name, NamedNode) else ""


def _named(quad: Quad) -> Iterator[NamedNode]:
    yield from (x for x in (quad.subject, quad.object) if isinstance(x, NamedNode))


def _remembering(test: Callable[[str], bool]) -> Callable[[str], bool]:
    known: dict[str, bool] = {}

    def remembered(graph: str) -> bool:
        if graph not in known:
            known[graph] = test(graph)
        return known[graph]

    return remembered
