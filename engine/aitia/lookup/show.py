"""One node whole: what is said of it, what points to it, its exact text."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from pyoxigraph import Literal, NamedNode, Quad

from aitia.blobs import Blobs
from aitia.errors import NotFound
from aitia.lookup.imported import of_node
from aitia.lookup.runs import Spent
from aitia.lookup.texts import Kept
from aitia.store import Reader
from aitia.vocab import AITIA, DCTERMS, RDF

MOST: Final = 10_000
"""Quads that are read in each direction."""


@dataclass(frozen=True)
class Value:
    """One value of a property.

    Attributes:
        value: IRI or text.
        is_iri: Whether it is an IRI.
        datatype: IRI of a literal's datatype, or "".
        language: A literal's language tag, or "".
        graphs: IRIs of the graphs that say so.
    """

    value: str
    is_iri: bool
    datatype: str = ""
    language: str = ""
    graphs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Shown:
    """One node whole.

    Attributes:
        iri: Its IRI.
        types: IRIs of its classes.
        properties: Property IRI → values, without rdf:type.
        incoming: Property IRI → IRIs of the nodes that point here by it.
        text: The exact text of a passage, quote or document, or "".
        text_problem: Why that text could not be read, or "".
        quads_inside: How many quads stand in the graph of this name.
        imported: Where the run that it is part of came from, where that is none of
            this workspace's own, or "".
        stale: Why it is stale, where it rests on what is no longer so, or "".
        cut: Whether there is more than `MOST` in a direction, so not all is here.
        kept: The texts beside the record that it names, where they were asked for.
        spent: What it spent on models, where it is a run, or None.
    """

    iri: str
    types: tuple[str, ...]
    properties: dict[str, list[Value]] = field(default_factory=dict)
    incoming: dict[str, list[str]] = field(default_factory=dict)
    text: str = ""
    text_problem: str = ""
    quads_inside: int = 0
    imported: str = ""
    stale: str = ""
    cut: bool = False
    kept: tuple[Kept, ...] = ()
    spent: Spent | None = None


def show(reader: Reader, blobs: Blobs, node: NamedNode) -> Shown:
    """Return what is on record about a node."""
    out = list(islice(reader.quads(node), MOST + 1))
    back = list(islice(reader.quads(None, None, node), MOST + 1))
    text, problem = _text(reader, blobs, node)
    properties = _grouped(out[:MOST])
    types = properties.pop(RDF.type.value, [])
    return Shown(
        iri=node.value,
        types=tuple(value.value for value in types),
        properties=properties,
        incoming=_incoming(back[:MOST]),
        text=text,
        text_problem=problem,
        quads_inside=sum(1 for _ in reader.quads(None, None, None, node)),
        imported=of_node(reader, node),
        cut=len(out) > MOST or len(back) > MOST,
    )


def _grouped(quads: list[Quad]) -> dict[str, list[Value]]:
    """Return property → values, each once with the graphs that say so."""
    graphs: dict[tuple[str, NamedNode | Literal], list[str]] = {}
    for quad in quads:
        if isinstance(quad.object, NamedNode | Literal):
            said = graphs.setdefault((quad.predicate.value, quad.object), [])
            said.append(getattr(quad.graph_name, "value", ""))
    found: dict[str, list[Value]] = {}
    for prop, term in sorted(graphs, key=lambda key: (key[0], str(key[1]))):
        made = _value(term, tuple(sorted(graphs[prop, term])))
        found.setdefault(prop, []).append(made)
    return found


def _value(term: NamedNode | Literal, graphs: tuple[str, ...]) -> Value:
    if isinstance(term, NamedNode):
        return Value(term.value, True, graphs=graphs)
    language = term.language or ""
    datatype = "" if language else term.datatype.value
    return Value(term.value, False, datatype, language, graphs)


def _incoming(quads: list[Quad]) -> dict[str, list[str]]:
    found: dict[str, set[str]] = {}
    for quad in quads:
        if isinstance(quad.subject, NamedNode):
            found.setdefault(quad.predicate.value, set()).add(quad.subject.value)
    return {prop: sorted(nodes) for prop, nodes in sorted(found.items())}


def _text(reader: Reader, blobs: Blobs, node: NamedNode) -> tuple[str, str]:
    """Return the stored text that the node stands for, or why it cannot be read."""
    whole: NamedNode | None = node
    start, end = (_number(reader, node, p) for p in (AITIA.start, AITIA.end))
    for _ in range(3):  # a quote, its passage, its document
        if whole is None:
            return "", ""
        name = _one(reader, whole, AITIA.textHash)
        if isinstance(name, Literal):
            break
        above = _one(reader, whole, DCTERMS.isPartOf)
        whole = above if isinstance(above, NamedNode) else None
    else:
        return "", ""
    try:
        text = blobs.text(name.value)
    except (NotFound, OSError, UnicodeDecodeError) as error:
        return "", str(error)
    return (text if whole == node else text[start:end]), ""


def _one(
    reader: Reader, node: NamedNode, prop: NamedNode
) -> NamedNode | Literal | None:
    found = (quad.object for quad in reader.quads(node, prop))
    return next((term for term in found if isinstance(term, NamedNode | Literal)), None)


def _number(reader: Reader, node: NamedNode, prop: NamedNode) -> int | None:
    found = _one(reader, node, prop)
    return (
        int(found.value)
        if isinstance(found, Literal) and found.value.isdigit()
        else None
    )
