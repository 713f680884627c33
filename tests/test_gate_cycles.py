"""A change closes a cycle exactly where the whole graph has one afterwards."""

from graphlib import CycleError, TopologicalSorter

import pytest
from hypothesis import given, settings, strategies as st
from pyoxigraph import NamedNode, Quad

from aitia import terms
from aitia.gate import cycles
from aitia.gate.overlay import Overlay
from aitia.model import Admitted, Patch
from aitia.store import OxigraphStore
from aitia.vocab import AITIA

Edge = tuple[int, int]
edges = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=25)


def quad(edge: Edge) -> Quad:
    effect, cause = (NamedNode(f"urn:n:{number}") for number in edge)
    return Quad(effect, AITIA.hasCause, cause, terms.GRAPH_CATALOG)


def cyclic(found: set[Edge]) -> bool:
    sorter = TopologicalSorter[int]()
    for effect, cause in found:
        sorter.add(effect, cause)
    try:
        sorter.prepare()
    except CycleError:
        return True
    return False


@pytest.mark.parametrize("patience", [0, 1, 64])
@given(before=edges, adds=edges, deletes=st.sets(st.integers(0, 24)))
@settings(deadline=None, max_examples=150)
def test_a_cycle_is_found_where_there_is_one(
    patience: int, before: list[Edge], adds: list[Edge], deletes: set[int]
) -> None:
    acyclic: set[Edge] = set()
    for edge in before:
        if not cyclic({*acyclic, edge}):
            acyclic.add(edge)
    gone = {edge for n, edge in enumerate(sorted(acyclic)) if n in deletes}
    fresh = set(adds) - acyclic
    store = OxigraphStore()
    stored = frozenset(map(quad, acyclic))
    store.apply(Admitted(Patch(stored), ""), [])
    overlay = Overlay(store, map(quad, fresh), map(quad, gone - fresh), {})
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(cycles, "PATIENCE", patience)
        found = list(cycles.closed(overlay, AITIA.hasCause, map(quad, fresh)))
    assert bool(found) is cyclic((acyclic - gone) | fresh)
    for path in found:
        assert path[0] == path[-1]
