"""Looking into the store, which holds named nodes and literals only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pyoxigraph import Literal, NamedNode

from aitia.store import Reader

Term = NamedNode | Literal


class Found(NamedTuple):
    """A quad of the store."""

    subject: NamedNode
    predicate: NamedNode
    object: Term
    graph: NamedNode


def quads(
    reader: Reader,
    subject: NamedNode | None = None,
    predicate: NamedNode | None = None,
    obj: Term | None = None,
    graph: NamedNode | None = None,
) -> Iterator[Found]:
    """Yield the quads that match; None matches everything."""
    for quad in reader.quads(subject, predicate, obj, graph):
        first, last, where = quad.subject, quad.object, quad.graph_name
        if not isinstance(first, NamedNode) or not isinstance(where, NamedNode):
            continue
        if isinstance(last, NamedNode | Literal):
            yield Found(first, quad.predicate, last, where)


def subjects(
    reader: Reader, predicate: NamedNode, obj: Term, graph: NamedNode | None = None
) -> Iterator[NamedNode]:
    """Yield what has that value."""
    for found in quads(reader, None, predicate, obj, graph):
        yield found.subject


def nodes(
    reader: Reader, subject: NamedNode, predicate: NamedNode, graph: NamedNode | None
) -> Iterator[NamedNode]:
    """Yield the values of a subject that are nodes."""
    for found in quads(reader, subject, predicate, None, graph):
        if isinstance(found.object, NamedNode):
            yield found.object


def text(
    reader: Reader, subject: NamedNode, predicate: NamedNode, graph: NamedNode | None
) -> str:
    """Return the first literal value of a subject, or ""."""
    for found in quads(reader, subject, predicate, None, graph):
        if isinstance(found.object, Literal):
            return found.object.value
    return ""
