"""The store with a patch laid over it: the state before a change and the state after.

Everything is the union of the asserted graphs; inferred triples are outside. What was
fetched is kept, so a node is fetched once however often it is asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Final, Protocol

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, Triple

from aitia.gate.graphs import is_user
from aitia.gate.index import Node, Term
from aitia.terms import GRAPH_INFERRED
from aitia.vocab import RDF

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


Fetch = Callable[[NamedNode | None], Iterator[Quad]]


class _Side:
    """What stands around one node in the store, by predicate, or how to fetch it."""

    __slots__ = ("_by_predicate", "_fetch", "_whole", "is_empty")

    def __init__(self, fetch: Fetch) -> None:
        first = list(islice(fetch(None), WHOLE + 1))
        self._fetch = fetch
        self._whole = len(first) <= WHOLE
        self._by_predicate: dict[NamedNode, list[Quad]] = {}
        self.is_empty = not first
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


_EMPTY: Final = _Side(lambda predicate: iter(()))


class Overlay:
    """Looks from a node along its triples, before or after the patch.

    Answers may hold a node twice where two graphs state the same triple.
    """

    def __init__(
        self,
        store: Quads,
        adds: Iterable[Quad],
        deletes: Iterable[Quad],
        types: Mapping[NamedNode, frozenset[NamedNode]],
        *,
        users_only: bool = False,
    ) -> None:
        """Lay a change over a store.

        Args:
            store: The store.
            adds: What the change adds.
            deletes: What it deletes.
            types: Types that hold without being stated: those of our individuals.
            users_only: See users' data alone, and nothing of our own record.
        """
        self._store, self._types = store, types
        self._hidden: dict[object, bool] = {}
        self._users_only = users_only
        self._gone = frozenset(deletes)
        self._quads: dict[Term, list[Quad]] = {}
        self._out: dict[tuple[Term, NamedNode], list[Term]] = {}
        self._in: dict[tuple[Term, NamedNode], list[Node]] = {}
        self._ends: dict[Term, list[Quad]] = {}
        for quad in adds:
            if not self._hides(quad.graph_name):
                self._lay(quad)
        self._out_sides: dict[Term, _Side] = {}
        self._in_sides: dict[Term, _Side] = {}

    def _lay(self, quad: Quad) -> None:
        subject, predicate, value = quad.subject, quad.predicate, quad.object
        self._quads.setdefault(subject, []).append(quad)
        self._out.setdefault((subject, predicate), []).append(value)
        if isinstance(value, Literal):
            return  # looked up by the few that ask: see _literal_ends
        self._in.setdefault((value, predicate), []).append(subject)
        self._ends.setdefault(value, []).append(quad)

    def values(
        self, node: Term, predicate: NamedNode, after: bool = True
    ) -> Collection[Term]:
        """Return the objects of `node` by `predicate`."""
        if isinstance(node, Literal):
            return ()
        new: Collection[Term] = self._out.get((node, predicate), ()) if after else ()
        side = self._out_side(node)
        if not side.is_empty:
            old = [q.object for q in self._standing(side.of(predicate), after)]
            new = [*old, *new] if old else new
        if (
            predicate == RDF.type
            and node in self._types
            and isinstance(node, NamedNode)
        ):
            new = [*new, *self._types[node]]
        return new

    def subjects(
        self, node: Term, predicate: NamedNode, after: bool = True
    ) -> Collection[Node]:
        """Return the subjects that have `node` by `predicate`."""
        new: Collection[Node] = ()
        if after and isinstance(node, Literal):
            new = self._literal_ends.get((node, predicate), ())
        elif after:
            new = self._in.get((node, predicate), ())
        side = self._in_side(node)
        if side.is_empty:
            return new
        old = [q.subject for q in self._standing(side.of(predicate), after)]
        return [*old, *new] if old else new

    def has(
        self, node: Term, predicate: NamedNode, forward: bool, after: bool = True
    ) -> bool:
        """Tell whether a triple of `predicate` starts, or ends, at `node`.

        Nodes that many runs share have many such triples; the first one is enough.
        """
        if forward and isinstance(node, Literal):
            return False
        if after:
            place = (node, predicate)
            index: Mapping[tuple[Term, NamedNode], object] = self._out
            if not forward:
                literal = isinstance(node, Literal)
                index = self._literal_ends if literal else self._in
            if place in index:
                return True
        side = self._out_side(node) if forward else self._in_side(node)
        if side.is_empty:
            return False
        return next(self._standing(side.look(predicate), after), None) is not None

    def states(self, subject: Term, predicate: NamedNode, value: Term) -> bool:
        """Tell whether a triple stands afterwards; asks for it alone."""
        if value in self._out.get((subject, predicate), ()):
            return True
        if not isinstance(subject, NamedNode) or isinstance(value, BlankNode | Triple):
            return False
        quads = self._store.quads(subject, predicate, value)
        return next(self._standing(quads, True), None) is not None

    def sees(self, quad: Quad) -> bool:
        """Tell whether a quad is in a graph that is judged."""
        return not self._hides(quad.graph_name)

    def is_pointed_to(self, node: Term) -> bool:
        """Tell whether any triple, before or after, ends at `node`."""
        return (
            isinstance(node, Literal)
            or node in self._ends
            or not self._in_side(node).is_empty
        )

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
        yield from self._standing(self._out_side(node).all(), after)
        if after:
            yield from self._quads.get(node, ())

    def quads_to(self, node: Term, after: bool = True) -> Iterator[Quad]:
        """Yield the asserted quads of which `node`, an IRI, is the object."""
        yield from self._standing(self._in_side(node).all(), after)
        if after:
            yield from self._ends.get(node, ())

    def exists(self, node: Term, after: bool = True) -> bool:
        """Tell whether anything is asserted about `node`."""
        if after and node in self._quads:
            return True
        return next(self.quads_of(node, after), None) is not None

    def types(self, node: Term, after: bool = True) -> Collection[Term]:
        """Return the classes of `node` as stated."""
        return self.values(node, RDF.type, after)

    @cached_property
    def _literal_ends(self) -> dict[tuple[Term, NamedNode], list[Node]]:
        """Return the added triples that end in a literal, by their end.

        Only shapes that look back from a literal ask for it, and those are few, so
        that the index is made when it is first asked for.
        """
        found: dict[tuple[Term, NamedNode], list[Node]] = {}
        for (subject, predicate), values in self._out.items():
            for value in values:
                if isinstance(value, Literal) and not isinstance(subject, Literal):
                    found.setdefault((value, predicate), []).append(subject)
        return found

    def _hides(self, graph: object) -> bool:
        """Tell whether a graph is outside of what is judged."""
        hidden = self._hidden.get(graph)
        if hidden is None:
            ours = self._users_only and not is_user(graph)
            hidden = self._hidden[graph] = ours or graph == GRAPH_INFERRED
        return hidden

    def _standing(self, quads: Iterable[Quad], after: bool) -> Iterator[Quad]:
        for quad in quads:
            if self._hides(quad.graph_name):
                continue
            if not after or quad not in self._gone:
                yield quad

    def _out_side(self, node: Term) -> _Side:
        side = self._out_sides.get(node)
        if side is None:
            side = _EMPTY
            if isinstance(node, NamedNode) and next(self._store.quads(node), None):
                subject = node
                side = _Side(lambda predicate: self._store.quads(subject, predicate))
            self._out_sides[node] = side
        return side

    def _in_side(self, node: Term) -> _Side:
        side = self._in_sides.get(node)
        if side is None:
            side = _EMPTY
            if not isinstance(node, BlankNode | Triple):  # the store holds none
                end = node
                if next(self._store.quads(None, None, end), None):
                    side = _Side(
                        lambda predicate: self._store.quads(None, predicate, end)
                    )
            self._in_sides[node] = side
        return side
