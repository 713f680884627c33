"""From records to resources, by the scheme that the package documents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.ingest import values
from aitia.ingest.content import Facts, Keyed, Mention
from aitia.ingest.shape import Container, Object, Shape
from aitia.vocab import RDF, RDFS

PROPERTY = terms.DATA + "p/"
REFERENCE = terms.DATA + "ref/"
TYPE = terms.DATA + "type/"
NAMED = terms.DATA + "named/"
"""Base of things that only texts name."""
RESERVED = frozenset({"p", "ref", "type", "genid", "named"})
_MENTION_CHARS = 120
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def segment(name: str) -> str:
    """Return a name as one segment of an IRI."""
    return quote(name, safe="-._") if name.strip(".") else name.replace(".", "%2E")


def readable(name: str) -> str:
    """Return a field's or container's name for people: order_id → order id."""
    spaced = _CAMEL.sub(" ", re.sub(r"[\s_]+", " ", name)).strip()
    return (spaced.lower() if spaced.isascii() else spaced) or name


@dataclass
class Maker:
    """Makes the quads of a file's records.

    Attributes:
        document: The document; its graph holds the quads.
        facts: What was made so far.
    """

    document: NamedNode
    facts: Facts = field(default_factory=Facts)
    _named: set[NamedNode] = field(default_factory=set)
    _terms: dict[str, NamedNode] = field(default_factory=dict)

    def resource(
        self, container: Container, place: int, key: str, parent: str = ""
    ) -> NamedNode:
        """Return the IRI of a record.

        Args:
            container: What it belongs to.
            place: Its place in the container, from 0.
            key: Its key, or "".
            parent: IRI of the record it stands in, or "".
        """
        tail = segment(key) if key else str(place + 1)
        if parent and not container.own:
            return NamedNode(f"{parent}/{segment(container.name)}/{tail}")
        where = segment(container.name) + ("~" if container.name in RESERVED else "")
        if not (key and container.own):
            tail = f"{self.document.value.rsplit(':', 1)[-1]}:{tail}"
        return NamedNode(f"{terms.DATA}{where}/{tail}")

    @staticmethod
    def key(container: Container, name: str | int, item: Object) -> str:
        """Return a record's key as text, or "" where it has none."""
        if container.by_name:
            return str(name)
        value = item.get(container.key) if container.key else None
        return "" if value is None else values.text(value)

    def record(
        self, container: Container, key: str, item: Object, iri: NamedNode
    ) -> None:
        """State a record with all that is nested in it."""
        self.facts.records += 1
        self._add(iri, RDF.type, self._kind(container.name))
        if key:
            self._add(iri, RDFS.label, terms.string(key))
        if key and container.unique:
            self.facts.keyed.append(Keyed(iri, container.name, container.key, key))
        self.fields(item, container.item, iri)

    def fields(self, item: Object, shape: Shape, iri: NamedNode) -> None:
        """State the fields of an object."""
        for name, value in item.items():
            self._field(name, value, shape.fields.get(name), iri)

    def _field(
        self, name: str, value: Any, shape: Shape | None, iri: NamedNode
    ) -> None:
        if shape is None or not isinstance(value, dict | list):
            for scalar in _flat(value):
                self._add(iri, self._property(name), values.literal(scalar))
                self._mention(iri, name, scalar)
        elif shape.records is not None:
            for key, nested, made in self.members(shape.records, value, iri.value):
                self._add(iri, self._property(name), made)
                self.record(shape.records, key, nested, made)
            for scalar in _flat(value):
                self._add(iri, self._property(name), values.literal(scalar))
        elif isinstance(value, dict) and value:
            made = NamedNode(f"{iri.value}/{segment(name)}")
            self._add(iri, self._property(name), made)
            self._add(made, RDF.type, self._kind(name))
            self.fields(value, shape, made)

    def members(
        self, container: Container, value: Any, parent: str = ""
    ) -> Iterator[tuple[str, Object, NamedNode]]:
        """Yield key, object and IRI of each record that stands in `value`."""
        found: Iterable[tuple[str | int, Any]]
        if isinstance(value, dict):
            found = value.items() if container.is_map else [(0, value)]
        else:
            found = enumerate(objects(value))
        for place, (name, held) in enumerate(found):
            item = {"value": held} if container.holds_values else held
            key = self.key(container, name, item)
            yield key, item, self.resource(container, place, key, parent)

    def _mention(self, iri: NamedNode, name: str, value: values.Scalar) -> None:
        if isinstance(value, str | int) and not isinstance(value, bool):
            text = values.text(value)
            if 0 < len(text) <= _MENTION_CHARS:
                self.facts.mentions.append(Mention(iri, name, text))

    def _property(self, name: str) -> NamedNode:
        return self._term(PROPERTY + segment(name), name, RDF.Property)

    def _kind(self, name: str) -> NamedNode:
        return self._term(TYPE + segment(name), name, RDFS.Class)

    def _term(self, iri: str, name: str, kind: NamedNode) -> NamedNode:
        found = self._terms.get(iri)
        if found is None:
            found = self._terms[iri] = NamedNode(iri)
            self._add(found, RDF.type, kind)
            self._add(found, RDFS.label, terms.string(readable(name)))
        return found

    def _add(
        self, subject: NamedNode, predicate: NamedNode, obj: NamedNode | Literal
    ) -> None:
        self.facts.quads.append(Quad(subject, predicate, obj, self.document))


def _flat(value: Any) -> Iterator[values.Scalar]:
    if isinstance(value, list):
        for item in value:
            yield from _flat(item)
    elif value is not None and not isinstance(value, dict):
        yield value


def objects(value: Any) -> Iterator[Object]:
    """Yield the objects of a list and of the lists in it."""
    for item in value if isinstance(value, list) else ():
        if isinstance(item, dict):
            yield item
        else:
            yield from objects(item)
