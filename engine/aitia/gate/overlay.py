"""The store with a patch laid over it: the state before a change and the state after.

Everything is the union of the asserted graphs; inferred triples are outside. Answers
are kept, so a node is fetched once however often it is asked about.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Final, Protocol

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, Triple

from aitia.gate.index import Node, Term
from aitia.terms import GRAPH_INFERRED
from aitia.vocab import RDF

Values = frozenset[Term]
Nodes = frozenset[Node]
NOTHING: Final[Values] = frozenset()
NO_NODES: Final[Nodes] = frozenset()
WHOLE: Final = 48
"""How many quads of a node are fetched at once rather than predicate by predicate."""


class Quads(Protocol):
    """What the overlay needs of a store."""

    def quads(
        self,
        subject: NamedNode | None = None,
        predicate: NamedNode | None = None,
        obj: NamedNode | Literal | None = None,
        graph: NamedNode | None = None,
    ) -> Iterator[Quad]:
        """Return the quads that match; None matches everything."""
        ...

    def __contains__(self, quad: Quad) -> bool: ...


class _Side:
    """What stands around one node in the store, by predicate, or how to fetch it."""

    def __init__(
        self,
        fetch: Callable[[NamedNode | None], Iterator[Quad]],
    ) -> None:
        first = list(islice(fetch(None), WHOLE + 1))
        self._fetch = fetch
        self._whole = len(first) <= WHOLE
        self._by_predicate: dict[NamedNode, list[Quad]] = {}
        if self._whole:
            for quad in first:
                self._by_predicate.setdefault(quad.predicate, []).append(quad)

    def of(self, predicate: NamedNode) -> list[Quad]:
        """Return the quads with that predicate."""
        found = self._by_predicate.get(predicate)
        if found is None:
            if self._whole:
                return []
            found = self._by_predicate[predicate] = list(self._fetch(predicate))
        return found

    def look(self, predicate: NamedNode) -> Iterable[Quad]:
        """Return the quads with that predicate, without keeping many."""
        if self._whole or predicate in self._by_predicate:
            return self._by_predicate.get(predicate, ())
        return self._fetch(predicate)

    def all(self) -> Iterable[Quad]:
        """Return every quad; not kept where there are many."""
        if self._whole:
            return [quad for quads in self._by_predicate.values() for quad in quads]
        return self._fetch(None)


class Overlay:
    """Looks from a node along its triples, before or after the patch."""

    def __init__(
        self,
        store: Quads,
        adds: Iterable[Quad],
        deletes: Iterable[Quad],
        types: Mapping[NamedNode, frozenset[NamedNode]],
    ) -> None:
        self._store, self._types = store, types
        self._gone = frozenset(deletes)
        self._out: dict[Term, list[Quad]] = defaultdict(list)
        self._in: dict[Term, list[Quad]] = defaultdict(list)
        for quad in adds:
            if quad.graph_name != GRAPH_INFERRED:
                self._out[quad.subject].append(quad)
                self._in[quad.object].append(quad)
        self._sides: dict[tuple[Term, bool], _Side] = {}
        self._values: dict[tuple[Term, NamedNode, bool], Values] = {}
        self._subjects: dict[tuple[Term, NamedNode, bool], Nodes] = {}

    def values(self, node: Term, predicate: NamedNode, after: bool = True) -> Values:
        """Return the objects of `node` by `predicate`."""
        key = (node, predicate, after)
        found = self._values.get(key)
        if found is None:
            found = self._values[key] = self._find_values(node, predicate, after)
        return found

    def subjects(self, node: Term, predicate: NamedNode, after: bool = True) -> Nodes:
        """Return the subjects that have `node` by `predicate`."""
        key = (node, predicate, after)
        found = self._subjects.get(key)
        if found is None:
            quads = self._side(node, False).of(predicate)
            if after:
                new = self._in.get(node, ())
                quads = [*quads, *(q for q in new if q.predicate == predicate)]
            found = frozenset(q.subject for q in self._standing(quads, after))
            self._subjects[key] = found
        return found

    def has(
        self, node: Term, predicate: NamedNode, forward: bool, after: bool = True
    ) -> bool:
        """Tell whether a triple of `predicate` starts, or ends, at `node`.

        Nodes that many runs share have many such triples; the first one is enough.
        """
        if isinstance(node, Literal) and forward:
            return False
        new = self._out.get(node, ()) if forward else self._in.get(node, ())
        if after and any(quad.predicate == predicate for quad in new):
            return True
        quads = self._side(node, forward).look(predicate)
        return next(self._standing(quads, after), None) is not None

    def around(self, node: Term, after: bool = True) -> list[tuple[NamedNode, Term]]:
        """Return every predicate and object of `node`."""
        found = {(q.predicate, q.object) for q in self.quads_of(node, after)}
        if isinstance(node, NamedNode):
            found |= {(RDF.type, name) for name in self._types.get(node, ())}
        return list(found)

    def quads_of(self, node: Term, after: bool = True) -> Iterator[Quad]:
        """Yield the asserted quads of which `node` is the subject."""
        if isinstance(node, Literal):
            return
        yield from self._standing(self._side(node, True).all(), after)
        if after:
            yield from self._out.get(node, ())

    def quads_to(self, node: Term, after: bool = True) -> Iterator[Quad]:
        """Yield the asserted quads of which `node` is the object."""
        yield from self._standing(self._side(node, False).all(), after)
        if after:
            yield from self._in.get(node, ())

    def exists(self, node: Term, after: bool = True) -> bool:
        """Tell whether anything is asserted about `node`."""
        return next(self.quads_of(node, after), None) is not None

    def types(self, node: Term, after: bool = True) -> Values:
        """Return the classes of `node` as stated."""
        return self.values(node, RDF.type, after)

    def _find_values(self, node: Term, predicate: NamedNode, after: bool) -> Values:
        if isinstance(node, Literal):
            return NOTHING
        quads = self._side(node, True).of(predicate)
        if after:
            new = self._out.get(node, ())
            quads = [*quads, *(q for q in new if q.predicate == predicate)]
        found = frozenset(q.object for q in self._standing(quads, after))
        if predicate == RDF.type and isinstance(node, NamedNode):
            found |= self._types.get(node, NOTHING)
        return found

    def _standing(self, quads: Iterable[Quad], after: bool) -> Iterator[Quad]:
        for quad in quads:
            if quad.graph_name == GRAPH_INFERRED or (after and quad in self._gone):
                continue
            yield quad

    def _side(self, node: Term, forward: bool) -> _Side:
        side = self._sides.get((node, forward))
        if side is None:
            side = self._sides[node, forward] = _Side(self._fetcher(node, forward))
        return side

    def _fetcher(
        self, node: Term, forward: bool
    ) -> Callable[[NamedNode | None], Iterator[Quad]]:
        if isinstance(node, BlankNode | Triple) or (
            forward and isinstance(node, Literal)
        ):
            return lambda predicate: iter(())  # the store holds no blank nodes
        if forward and isinstance(node, NamedNode):
            subject = node
            return lambda predicate: self._store.quads(subject, predicate)
        return lambda predicate: self._store.quads(None, predicate, node)
