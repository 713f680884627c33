"""What classes and properties the facts in force use, and what they are called.

Nothing here knows any class or property beforehand: it reads which there are, and
takes their names from labels and, where there is none, from the last part of their
IRI.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final
from urllib.parse import unquote

from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.methods.words import name_stems
from aitia.resources import query
from aitia.store import Reader, Term
from aitia.vocab import OWL, RDF, RDFS, SKOS

NAMING: Final = (RDFS.label, SKOS.prefLabel, SKOS.altLabel)
VOCABULARY: Final = frozenset(
    {
        OWL.Class,
        OWL.DatatypeProperty,
        OWL.ObjectProperty,
        OWL.Ontology,
        RDF.Property,
        RDFS.Class,
    }
)
"""Classes of what describes data; their instances are never what is asked about."""


@dataclass(frozen=True)
class Property:
    """A property in use.

    Attributes:
        node: Its IRI.
        label: What it is called, for people.
        names: Its names as index terms.
        domains: The classes whose instances have it → how often.
        literals: How many of its values are literals.
        links: How many of its values are resources.
        example: One of its values.
    """

    node: NamedNode
    label: str
    names: tuple[tuple[str, ...], ...]
    domains: dict[NamedNode, int] = field(default_factory=dict)
    literals: int = 0
    links: int = 0
    example: Term | None = None


@dataclass(frozen=True)
class Class:
    """A class in use.

    Attributes:
        node: Its IRI.
        label: What it is called, for people.
        names: Its names as index terms.
        size: How many statements its instances have; a measure of its weight.
    """

    node: NamedNode
    label: str
    names: tuple[tuple[str, ...], ...]
    size: int = 0


class Schema:
    """The classes and properties of the facts in force, and reads of those facts.

    Attributes:
        graphs: The graphs that hold facts in force.
        classes: The classes in use by IRI.
        properties: The properties in use by IRI.
        parents: Class → its direct superclasses.
    """

    def __init__(self, store: Reader) -> None:
        self._store = store
        found = store.select(query("methods", "current_graphs"))
        self.graphs = frozenset({terms.GRAPH_CURRENT, *(row["graph"] for row in found)})

    @cached_property
    def properties(self) -> dict[NamedNode, Property]:
        """The properties in use by IRI."""
        return self._read[0]

    @cached_property
    def classes(self) -> dict[NamedNode, Class]:
        """The classes in use by IRI."""
        return self._read[1]

    @cached_property
    def _read(self) -> tuple[dict[NamedNode, Property], dict[NamedNode, Class]]:
        uses: dict[NamedNode, Property] = {}
        sizes: dict[NamedNode, int] = defaultdict(int)
        text = query("methods", "classes_and_properties")
        for graph in self.graphs:
            for row in self._store.select(text, bind={"graph": graph}):
                node = row["property"]
                count, literals = int(row["uses"].value), int(row["literals"].value)
                before = uses.get(node) or self._property(node)
                domains = dict(before.domains)
                owner = row.get("class")
                if owner is not None and owner not in VOCABULARY:
                    domains[owner] = domains.get(owner, 0) + count
                    sizes[owner] += count
                uses[node] = Property(
                    node,
                    before.label,
                    before.names,
                    domains,
                    before.literals + literals,
                    before.links + count - literals,
                    before.example or row.get("example"),
                )
        uses.pop(RDF.type, None)
        for node in list(sizes):
            for above in self._above(node):
                sizes[above] += sizes[node]
        classes = {
            node: Class(node, *self.named(node), size) for node, size in sizes.items()
        }
        return uses, classes

    def _above(self, node: NamedNode) -> set[NamedNode]:
        """Return the superclasses of a class, at any distance."""
        return self._closure(
            node, lambda at: [quad.object for quad in self.facts(at, RDFS.subClassOf)]
        )

    def below(self, node: NamedNode) -> set[NamedNode]:
        """Return a class and its subclasses, at any distance."""
        return {node} | self._closure(
            node,
            lambda at: [quad.subject for quad in self.facts(None, RDFS.subClassOf, at)],
        )

    @staticmethod
    def _closure(
        node: NamedNode, near: Callable[[NamedNode], list[NamedNode]]
    ) -> set[NamedNode]:
        seen: set[NamedNode] = set()
        ahead = [node]
        while ahead:
            for other in near(ahead.pop()):
                if other not in seen and other != node:
                    seen.add(other)
                    ahead.append(other)
        return seen

    def _property(self, node: NamedNode) -> Property:
        return Property(node, *self.named(node))

    def named(self, node: NamedNode) -> tuple[str, tuple[tuple[str, ...], ...]]:
        """Return what a class or property is called, and its names as terms."""
        labels = [
            quad.object.value
            for naming in NAMING
            for quad in self.facts(node, naming)
            if isinstance(quad.object, Literal)
        ]
        label = next(iter(labels), local_name(node))
        stems = dict.fromkeys(name_stems(name) for name in [*labels, local_name(node)])
        return label, tuple(names for names in stems if names)

    @cached_property
    def languages(self) -> frozenset[str]:
        """The languages that labels are in."""
        text = query("methods", "label_languages")
        found = {
            row["language"].value
            for graph in self.graphs
            for row in self._store.select(text, bind={"graph": graph})
        }
        return frozenset(found - {""})

    def is_vocabulary(self, node: NamedNode) -> bool:
        """Tell whether a resource is itself a class or property."""
        return (
            node in self.properties
            or node in self.classes
            or any(quad.object in VOCABULARY for quad in self.facts(node, RDF.type))
        )

    def facts(
        self,
        subject: NamedNode | None = None,
        predicate: NamedNode | None = None,
        obj: Term | None = None,
    ) -> Iterator[Quad]:
        """Return the facts in force that match; None matches everything."""
        for quad in self._store.quads(subject, predicate, obj):
            if terms.is_current(quad.graph_name):
                yield quad

    def classes_of(self, resource: NamedNode) -> list[NamedNode]:
        """Return the classes of a resource."""
        return [quad.object for quad in self.facts(resource, RDF.type)]

    def label(self, resource: NamedNode) -> str:
        """Return what a resource is called: a label, or the last part of its IRI."""
        for naming in NAMING:
            for quad in self.facts(resource, naming):
                return str(quad.object.value)
        return local_name(resource)


def read_schema(store: Reader) -> Schema:
    """Return the schema of the facts in force."""
    return Schema(store)


def local_name(node: NamedNode) -> str:
    """Return the last part of an IRI, decoded."""
    tail = node.value.rstrip("/#").rsplit("/", 1)[-1].rsplit("#", 1)[-1]
    return unquote(tail.rsplit(":", 1)[-1])
