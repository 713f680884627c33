"""The axioms that bear on one property or class, each by a few bound look-ups.

They come from what people took in (their ontology, their shapes); aitia's own
vocabulary speaks of its own record and not of the world.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import chain, islice
from typing import Final, TypeVar

from pyoxigraph import Literal, NamedNode, Triple

from aitia.conflicts.claims import Claims
from aitia.conflicts.limits import Limit, of_shapes
from aitia.methods.facts import Fact, Facts
from aitia.store import Reader, Term
from aitia.vocab import OWL, RDF, RDFS

Key = TypeVar("Key")
Steps = Mapping[NamedNode, tuple[Triple, ...]]
"""Node → the axioms that lead to it."""
_MOST: Final = 200
_CARDINALITIES: Final = {
    OWL.maxCardinality: "cls-maxc2",
    OWL.cardinality: "cls-maxc2",
    OWL.maxQualifiedCardinality: "cls-maxqc3",
    OWL.qualifiedCardinality: "cls-maxqc3",
}


class Axioms(Facts):
    """Reads axioms and facts in force; what was read is kept.

    Attributes:
        reader: What to read from.
        shapes: Texts of the user's shapes in use.
        gone: Triples that count as gone.
        claims: What documents claim.
    """

    def __init__(
        self,
        reader: Reader,
        shapes: Mapping[str, str],
        gone: Collection[Triple] = frozenset(),
    ) -> None:
        super().__init__(reader)
        self.reader, self.shapes, self.gone = reader, shapes, gone
        self.claims = Claims(reader)
        self._kept: dict[tuple[str, NamedNode], object] = {}

    def facts(
        self,
        subject: NamedNode | None = None,
        predicate: NamedNode | None = None,
        obj: Term | None = None,
    ) -> Iterator[Fact]:
        """Return the facts in force and the claims that match, but what counts as gone."""
        stated = super().facts(subject, predicate, obj)
        for fact in chain(stated, self.claims.matching(subject, predicate, obj)):
            if not self.gone or fact.quad().triple not in self.gone:
                yield fact

    def above(self, node: NamedNode) -> Steps:
        """Return a property and those it implies, each with the axioms for it."""
        return self._chain("p^", node, RDFS.subPropertyOf, OWL.equivalentProperty)

    def below(self, node: NamedNode) -> Steps:
        """Return a property and those that imply it."""
        return self._chain(
            "p_", node, RDFS.subPropertyOf, OWL.equivalentProperty, down=True
        )

    def classes(self, node: NamedNode) -> Steps:
        """Return a class and those above it, each with the axioms for it."""
        return self._chain("c^", node, RDFS.subClassOf, OWL.equivalentClass)

    def types(self, resource: NamedNode) -> Steps:
        """Return the classes of a resource, each with its type and the axioms."""
        found: dict[NamedNode, tuple[Triple, ...]] = {}
        for kind in self.classes_of(resource)[:_MOST]:
            stated = Triple(resource, RDF.type, kind)
            for node, steps in self.classes(kind).items():
                found.setdefault(node, (stated, *steps))
        return found

    def is_a(self, node: NamedNode, kind: NamedNode) -> bool:
        """Tell whether a property is declared to be of a kind."""
        return any(self.facts(node, RDF.type, kind))

    def limits(self, node: NamedNode) -> list[Limit]:
        """Return how many values of a property things may have at most."""
        return self._once("limits", node, lambda: list(self._limits(node)))

    def identifying(self, node: NamedNode) -> Steps:
        """Return the axioms by which a value of a property belongs to one thing."""
        return self._once("ifp", node, lambda: dict(self._identifying(node)))

    def disjoint(self, kind: NamedNode) -> Steps:
        """Return the classes that have no member in common with a class."""
        return self._once("disjoint", kind, lambda: dict(self._disjoint(kind)))

    def listed(self, cell: NamedNode) -> Iterator[tuple[NamedNode, list[NamedNode]]]:
        """Yield the nodes that a list belongs to that a cell is of, and its members."""
        while before := self._subjects(RDF.rest, cell):
            cell = before[0]
        members: list[NamedNode] = []
        at = cell
        while at != RDF.nil and len(members) < _MOST:
            members += self.resources(at, RDF.first)
            at = next(iter(self.resources(at, RDF.rest)), RDF.nil)
        for link in (OWL.members, OWL.distinctMembers):
            for holder in self._subjects(link, cell):
                yield holder, members

    def cells(self, member: NamedNode) -> list[NamedNode]:
        """Return the cells of lists that a node is a member of."""
        return self._subjects(RDF.first, member)

    def _limits(self, node: NamedNode) -> Iterator[Limit]:
        if self.is_a(node, OWL.FunctionalProperty):
            axiom = Triple(node, RDF.type, OWL.FunctionalProperty)
            yield Limit(1, "prp-fp", None, (axiom,))
        for restriction in self._subjects(OWL.onProperty, node):
            yield from self._restricted(restriction, node)
        yield from of_shapes(self.shapes, node)

    def _identifying(
        self, node: NamedNode
    ) -> Iterator[tuple[NamedNode, tuple[Triple, ...]]]:
        if self.is_a(node, OWL.InverseFunctionalProperty):
            axiom = Triple(node, RDF.type, OWL.InverseFunctionalProperty)
            yield node, (axiom,)
        for other, axiom in self._near(node, OWL.inverseOf, OWL.inverseOf, False):
            if self.is_a(other, OWL.FunctionalProperty):
                yield other, (axiom, Triple(other, RDF.type, OWL.FunctionalProperty))

    def _restricted(self, restriction: NamedNode, node: NamedNode) -> Iterator[Limit]:
        """Yield the limits that a restriction sets on the classes below it."""
        on = Triple(restriction, OWL.onProperty, node)
        counted = self.resources(restriction, OWL.onClass)
        for predicate, rule in _CARDINALITIES.items():
            for fact in self.facts(restriction, predicate):
                most = _whole(fact.object)
                if most is not None:
                    premises = (on, Triple(restriction, predicate, fact.object))
                    of = counted[0] if counted and counted[0] != OWL.Thing else None
                    yield Limit(most, rule, restriction, premises, of)

    def _disjoint(
        self, kind: NamedNode
    ) -> Iterator[tuple[NamedNode, tuple[Triple, ...]]]:
        for link in (OWL.disjointWith, OWL.complementOf):
            for other in self.resources(kind, link):
                yield other, (Triple(kind, link, other),)
            for other in self._subjects(link, kind):
                yield other, (Triple(other, link, kind),)
        for cell in self.cells(kind):
            for holder, members in self.listed(cell):
                if self.is_a(holder, OWL.AllDisjointClasses):
                    axiom = Triple(holder, RDF.type, OWL.AllDisjointClasses)
                    yield from ((x, (axiom,)) for x in members if x != kind)

    def _subjects(self, predicate: NamedNode, obj: Term) -> list[NamedNode]:
        return [
            fact.subject for fact in islice(self.facts(None, predicate, obj), _MOST)
        ]

    def _chain(
        self,
        name: str,
        node: NamedNode,
        link: NamedNode,
        equal: NamedNode,
        *,
        down: bool = False,
    ) -> Steps:
        return self._once(name, node, lambda: self._walk(node, link, equal, down))

    def _walk(
        self, node: NamedNode, link: NamedNode, equal: NamedNode, down: bool
    ) -> Steps:
        found: dict[NamedNode, tuple[Triple, ...]] = {node: ()}
        ahead = [node]
        while ahead and len(found) < _MOST:
            at = ahead.pop(0)
            for other, axiom in self._near(at, link, equal, down):
                if other not in found:
                    found[other] = (*found[at], axiom)
                    ahead.append(other)
        return found

    def _near(
        self, at: NamedNode, link: NamedNode, equal: NamedNode, down: bool
    ) -> Iterator[tuple[NamedNode, Triple]]:
        upward = [(equal, False), (equal, True), (link, down)]
        for predicate, inverse in upward:
            if inverse:
                for other in self._subjects(predicate, at):
                    yield other, Triple(other, predicate, at)
            else:
                for other in self.resources(at, predicate):
                    yield other, Triple(at, predicate, other)

    def _once(self, name: str, node: NamedNode, make: Callable[[], Key]) -> Key:
        if (name, node) not in self._kept:
            self._kept[name, node] = make()
        return self._kept[name, node]  # type: ignore[return-value]


def _whole(value: Term) -> int | None:
    text = value.value if isinstance(value, Literal) else ""
    return int(text) if text.isdigit() else None
