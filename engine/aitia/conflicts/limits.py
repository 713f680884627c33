"""How many values of a property things may have at most, by axioms and by shapes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, Triple, parse

from aitia.vocab import RDF, SH


@dataclass(frozen=True)
class Limit:
    """A bound on how many values of a property things have.

    Attributes:
        most: How many at most.
        rule: The rule's name.
        kind: The class whose members it bounds, or None for everything.
        premises: The axioms that say so.
        of: The class of the values that count, or None for all.
        having: For a shape: the property whose subjects it bounds, or None.
        only: For a shape: the one node it bounds, or None.
        shape: What the shape is called, or "".
    """

    most: int
    rule: str
    kind: NamedNode | None
    premises: tuple[Triple, ...]
    of: NamedNode | None = None
    having: NamedNode | None = None
    only: NamedNode | None = None
    shape: str = ""


def of_shapes(texts: Mapping[str, str], path: NamedNode) -> Iterator[Limit]:
    """Yield the limits that user shapes set on a property."""
    for name, text in texts.items():
        yield from (limit for at, limit in _limits(name, text) if at == path)


@lru_cache(maxsize=64)
def _limits(name: str, text: str) -> tuple[tuple[NamedNode, Limit], ...]:
    """Return each property that a file of shapes bounds, with the limit."""
    said: dict[NamedNode | BlankNode, dict[NamedNode, list[object]]] = {}
    for quad in parse(text.encode("utf-8"), format=RdfFormat.TURTLE):
        if isinstance(quad.subject, (NamedNode, BlankNode)):
            properties = said.setdefault(quad.subject, {})
            properties.setdefault(quad.predicate, []).append(quad.object)
    return tuple(
        (path, limit)
        for shape, properties in said.items()
        for inner in (shape, *properties.get(SH.property, ()))
        if isinstance(inner, (NamedNode, BlankNode)) and inner in said
        for path, limit in _bounds(name, shape, properties, said[inner])
    )


def _bounds(
    name: str,
    shape: NamedNode | BlankNode,
    outer: Mapping[NamedNode, list[object]],
    inner: Mapping[NamedNode, list[object]],
) -> Iterator[tuple[NamedNode, Limit]]:
    if SH.deactivated in outer or SH.deactivated in inner:
        return
    for path in inner.get(SH.path, ()):
        for most in inner.get(SH.maxCount, ()):
            if isinstance(path, NamedNode) and isinstance(most, Literal):
                for kind, having, only in _targets(shape, outer):
                    yield (
                        path,
                        Limit(
                            most=int(most.value),
                            rule="sh:maxCount",
                            kind=kind,
                            premises=(),
                            having=having,
                            only=only,
                            shape=name,
                        ),
                    )


def _targets(
    shape: NamedNode | BlankNode, outer: Mapping[NamedNode, list[object]]
) -> Iterator[tuple[NamedNode | None, NamedNode | None, NamedNode | None]]:
    """Yield whom a shape is about: members of a class, subjects of a property, one."""
    for kind in outer.get(SH.targetClass, ()):
        if isinstance(kind, NamedNode):
            yield kind, None, None
    for having in outer.get(SH.targetSubjectsOf, ()):
        if isinstance(having, NamedNode):
            yield None, having, None
    for only in outer.get(SH.targetNode, ()):
        if isinstance(only, NamedNode):
            yield None, None, only
    own = outer.get(RDF.type, ())
    if isinstance(shape, NamedNode) and any(_is_class(kind) for kind in own):
        yield shape, None, None


def _is_class(kind: object) -> bool:
    return isinstance(kind, NamedNode) and kind.value.endswith(
        ("owl#Class", "rdf-schema#Class")
    )
