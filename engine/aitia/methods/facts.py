"""Reading the facts in force: bound look-ups, never scans."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.store import Reader, Term
from aitia.vocab import RDF, RDFS, SKOS

NAMING: Final = (RDFS.label, SKOS.prefLabel, SKOS.altLabel)


@dataclass(frozen=True)
class Fact:
    """A triple in force, with the graph it stands in.

    Attributes:
        subject: The resource it is about.
        predicate: The property.
        object: The value.
        graph: The graph, which is the document's or the user's own.
    """

    subject: NamedNode
    predicate: NamedNode
    object: Term
    graph: NamedNode

    def quad(self) -> Quad:
        """Return it as the store holds it."""
        return Quad(self.subject, self.predicate, self.object, self.graph)

    def told(self) -> str:
        """Return it as one line of N-Quads: what the record keeps of it."""
        return terms.nquad(self.quad())


class Facts:
    """The facts in force in one state of the store.

    What a resource is called and which classes it has is looked up once.
    """

    def __init__(self, store: Reader) -> None:
        self._store = store
        self._labels: dict[NamedNode, list[str]] = {}
        self._kinds: dict[NamedNode, list[NamedNode]] = {}

    def facts(
        self,
        subject: NamedNode | None = None,
        predicate: NamedNode | None = None,
        obj: Term | None = None,
    ) -> Iterator[Fact]:
        """Return the facts in force that match; None matches everything."""
        for quad in self._store.quads(subject, predicate, obj):
            one, value, graph = quad.subject, quad.object, quad.graph_name
            if (
                isinstance(graph, NamedNode)
                and terms.is_current(graph)
                and isinstance(one, NamedNode)
                and isinstance(value, (NamedNode, Literal))
            ):
                yield Fact(one, quad.predicate, value, graph)

    def resources(self, subject: NamedNode, predicate: NamedNode) -> list[NamedNode]:
        """Return the resources that a property of a resource names."""
        found = (fact.object for fact in self.facts(subject, predicate))
        return [node for node in found if isinstance(node, NamedNode)]

    def classes_of(self, resource: NamedNode) -> list[NamedNode]:
        """Return the classes of a resource."""
        if resource not in self._kinds:
            self._kinds[resource] = self.resources(resource, RDF.type)
        return self._kinds[resource]

    def labels(self, resource: NamedNode) -> list[str]:
        """Return the names of a resource, those without a foreign language first."""
        if resource not in self._labels:
            found = [
                fact.object
                for naming in NAMING
                for fact in self.facts(resource, naming)
                if isinstance(fact.object, Literal)
            ]
            found.sort(key=lambda name: not (name.language or "en").startswith("en"))
            self._labels[resource] = [name.value for name in found]
        return self._labels[resource]

    def label(self, resource: NamedNode) -> str:
        """Return what a resource is called: a label, or the last part of its IRI."""
        return next(iter(self.labels(resource)), local_name(resource))

    def owner(self, node: NamedNode) -> NamedNode | None:
        """Return the resource that a nested resource without a name belongs to."""
        if self.labels(node):
            return None
        for fact in self.facts(None, None, node):
            if node.value.startswith(fact.subject.value + "/"):
                return fact.subject
        return None

    @staticmethod
    def closure(
        node: NamedNode, near: Callable[[NamedNode], list[NamedNode]]
    ) -> set[NamedNode]:
        """Return all that `near` leads to from a resource, at any distance."""
        seen: set[NamedNode] = set()
        ahead = [node]
        while ahead:
            for other in near(ahead.pop()):
                if other not in seen and other != node:
                    seen.add(other)
                    ahead.append(other)
        return seen


def local_name(node: NamedNode) -> str:
    """Return the last part of an IRI, decoded."""
    tail = node.value.rstrip("/#").rsplit("/", 1)[-1].rsplit("#", 1)[-1]
    return unquote(tail.rsplit(":", 1)[-1])
