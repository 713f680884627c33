"""What classes and properties the facts in force use, and what they are called.

Nothing here knows any class or property beforehand: it reads which there are, and
takes their names from labels and, where there is none, from the last part of their
IRI.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Final

from pyoxigraph import Literal, NamedNode

from aitia import terms
from aitia.methods.facts import Facts, local_name
from aitia.methods.words import name_stems
from aitia.resources import query
from aitia.store import Reader
from aitia.vocab import OWL, RDF, RDFS

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
_DESCRIBING: Final[tuple[str, ...]] = (RDF.NS, RDFS.NS, OWL.NS)
"""Namespaces whose properties describe vocabulary."""

SAMPLE: Final = 200
APART: Final = 0.8
"""Share of values that must differ for a property to tell instances apart."""

Names = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Named:
    """A class or property in use.

    Attributes:
        node: Its IRI.
        label: What it is called, for people.
        names: Its names as index terms.
        labels: All that it is called.
    """

    node: NamedNode
    label: str
    names: Names
    labels: tuple[str, ...] = ()


class Schema(Facts):
    """The classes and properties of the facts in force, and reads of those facts."""

    def __init__(self, store: Reader) -> None:
        super().__init__(store)
        self._apart: dict[tuple[NamedNode, NamedNode | None], bool] = {}

    @cached_property
    def properties(self) -> dict[NamedNode, Named]:
        """The properties in use by IRI."""
        return {
            node: self._named(node)
            for node in self._uses
            if not node.value.startswith(_DESCRIBING)
        }

    @cached_property
    def classes(self) -> dict[NamedNode, Named]:
        """The classes in use by IRI, and their superclasses."""
        used = {kind for kinds in self._uses.values() for kind in kinds} - VOCABULARY
        above = {parent for kind in used for parent in self._above(kind)}
        return {node: self._named(node) for node in used | above}

    @cached_property
    def domains(self) -> dict[NamedNode, set[NamedNode]]:
        """For each property in use, the classes whose instances have it."""
        return self._uses

    @cached_property
    def languages(self) -> frozenset[str]:
        """The languages that labels are in."""
        text = query("methods", "label_languages")
        found = {
            row["language"].value
            for graph in self._graphs
            for row in self._store.select(text, graphs=[graph])
        }
        return frozenset(found - {""})

    def below(self, node: NamedNode) -> set[NamedNode]:
        """Return a class and its subclasses, at any distance."""
        return {node} | self.closure(
            node,
            lambda at: [fact.subject for fact in self.facts(None, RDFS.subClassOf, at)],
        )

    def is_vocabulary(self, node: NamedNode) -> bool:
        """Tell whether a resource is itself a class or property."""
        return (
            node in self._uses
            or node in self.classes
            or any(kind in VOCABULARY for kind in self.classes_of(node))
        )

    def tells_apart(self, predicate: NamedNode, kind: NamedNode | None) -> bool:
        """Tell whether a property has another value for nearly each instance of a class.

        Looked at are at most `SAMPLE` facts.
        """
        if (predicate, kind) not in self._apart:
            values = [
                fact.object
                for fact in islice(self.facts(None, predicate), SAMPLE)
                if kind is None or kind in self.classes_of(fact.subject)
            ]
            share = len(set(values)) / len(values) if values else 0.0
            self._apart[predicate, kind] = share >= APART
        return self._apart[predicate, kind]

    @cached_property
    def _graphs(self) -> list[NamedNode]:
        found = self._store.select(query("methods", "current_graphs"))
        graphs = [row["graph"] for row in found]
        return [terms.GRAPH_CURRENT, *(g for g in graphs if isinstance(g, NamedNode))]

    @cached_property
    def _uses(self) -> dict[NamedNode, set[NamedNode]]:
        """For each property in use, the classes whose instances have it."""
        uses: dict[NamedNode, set[NamedNode]] = defaultdict(set)
        text = query("methods", "classes_and_properties")
        for graph in self._graphs:
            for row in self._store.select(text, graphs=[graph]):
                found = uses[_node(row["property"])]
                if kind := row.get("class"):
                    found.add(_node(kind))
        return dict(uses)

    def _above(self, node: NamedNode) -> set[NamedNode]:
        return self.closure(node, lambda at: self.resources(at, RDFS.subClassOf))

    def _named(self, node: NamedNode) -> Named:
        names = [*self.labels(node), local_name(node)]
        stems = dict.fromkeys(name_stems(name) for name in names)
        kept = tuple(terms for terms in stems if terms)
        return Named(node, names[0].replace("_", " "), kept, tuple(names))


def read_schema(store: Reader) -> Schema:
    """Return the schema of the facts in force."""
    return Schema(store)


def _node(term: NamedNode | Literal) -> NamedNode:
    if not isinstance(term, NamedNode):
        raise TypeError(f"{term} is no IRI.")
    return term
