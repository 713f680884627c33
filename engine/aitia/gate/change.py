"""A patch as the store will hold it, parted by whose data it is."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Final

from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Quad, Store, Triple

from aitia.gate.graphs import is_ours, is_user
from aitia.gate.overlay import Quads
from aitia.gate.result import Result
from aitia.gate.rulebook import STORABLE
from aitia.model import Patch
from aitia.vocab import XSD

LARGE: Final = 5_000
"""Quads from which on a patch is large: it is loaded in bulk, and the garbage collector
rests while it is judged."""

_AS_WRITTEN: Final = frozenset({XSD.string, XSD.anyURI})
Graph = NamedNode | BlankNode | DefaultGraph


@dataclass
class Change:
    """The net effect of a patch, by whose graphs it touches.

    Attributes:
        patch: The net effect.
        our_adds: What it adds to our own graphs.
        our_deletes: What it deletes from them.
        user_adds: What it adds to graphs of users' data.
        graphs: Every graph it touches.
    """

    patch: Patch
    our_adds: list[Quad] = field(default_factory=list)
    our_deletes: list[Quad] = field(default_factory=list)
    user_adds: list[Quad] = field(default_factory=list)
    graphs: list[Graph] = field(default_factory=list)

    def __post_init__(self) -> None:
        adds, deletes = _by_graph(self.patch.adds), _by_graph(self.patch.deletes)
        self.graphs = list(dict.fromkeys([*adds, *deletes]))
        for graph in self.graphs:
            if is_ours(graph):
                self.our_adds += adds.get(graph, [])
                self.our_deletes += deletes.get(graph, [])
            elif is_user(graph):
                self.user_adds += adds.get(graph, [])

    @property
    def ours(self) -> list[Quad]:
        """What it adds to our graphs or deletes from them."""
        return [*self.our_adds, *self.our_deletes]


def _by_graph(quads: Iterable[Quad]) -> dict[Graph, list[Quad]]:
    found: dict[Graph, list[Quad]] = {}
    for quad in quads:
        found.setdefault(quad.graph_name, []).append(quad)
    return found


def unfit(quads: Iterable[Quad]) -> list[Result]:
    """Find what the store must not hold: blank nodes, triple terms, no graph."""
    return [result for quad in quads for result in _unfit(quad)]


def _unfit(quad: Quad) -> Iterator[Result]:
    subject, value = quad.subject, quad.object
    if isinstance(subject, Triple) or isinstance(value, Triple):
        yield STORABLE.broken(quad.predicate, "is used with a triple as a term")
    elif isinstance(subject, BlankNode) or isinstance(value, BlankNode):
        yield STORABLE.broken(subject, "is, or points to, a blank node")
    elif not isinstance(quad.graph_name, NamedNode):
        yield STORABLE.broken(subject, "is described in a graph without a name")


def net_effect(store: Quads, patch: Patch) -> Patch:
    """Return a patch as the store will hold it: what is really added and deleted.

    The literals pass through a scratch store first, which rewrites them as the real
    one will, so that what is judged and hashed is what will be kept.
    """
    adds, deletes = as_stored(patch.adds), as_stored(patch.deletes)
    gone = frozenset(quad for quad in deletes - adds if quad in store)
    return replace(patch, adds=frozenset(_absent(store, adds)), deletes=gone)


def as_stored(quads: Iterable[Quad]) -> set[Quad]:
    """Return quads with their literals as the store will hold them."""
    kept: set[Quad] = set()
    scratch: list[Quad] = []
    for quad in quads:
        value = quad.object
        rewritten = isinstance(value, Literal) and value.datatype not in _AS_WRITTEN
        if rewritten:
            scratch.append(quad)
        else:
            kept.add(quad)
    if scratch:
        store = Store()
        if len(scratch) < LARGE:
            store.extend(scratch)
        else:
            store.bulk_extend(scratch)
        kept.update(store)
    return kept


def _absent(store: Quads, quads: set[Quad]) -> Iterator[Quad]:
    """Yield the quads that the store lacks; new graphs and subjects cost one look."""
    for graph, found in _by_graph(quads).items():
        assert isinstance(graph, NamedNode)
        if next(store.quads(None, None, None, graph), None) is None:
            yield from found
            continue
        by_subject: dict[object, list[Quad]] = {}
        for quad in found:
            by_subject.setdefault(quad.subject, []).append(quad)
        for subject, about in by_subject.items():
            assert isinstance(subject, NamedNode)
            if next(store.quads(subject, None, None, graph), None) is None:
                yield from about
            else:
                yield from (quad for quad in about if quad not in store)


@contextmanager
def rested(quads: int) -> Iterator[None]:
    """Let the garbage collector rest while a large patch is judged.

    It would walk all terms of the patch again and again, which doubles the time, and
    there is nothing in them to collect.
    """
    resting = quads >= LARGE and gc.isenabled()
    if resting:
        gc.disable()
    try:
        yield
    finally:
        if resting:
            gc.enable()
