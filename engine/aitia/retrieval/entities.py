"""Resources as index entries: one per named subject of the graphs that hold now.

An entry carries the subject's literals, its labels and the labels of its classes, and
the literals of resources nested in it, one step deep, so that a record is found by a
value that its source keeps in a nested object. Nested parts that have no name of their
own are no entries of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import unquote

from pyoxigraph import Literal, NamedNode, Quad

from aitia import resources, terms
from aitia.retrieval.lexical import Entry
from aitia.store import Reader
from aitia.vocab import DCTERMS, RDF, RDFS, SKOS

BOOSTS: Final = {"label": 2.0, "own": 1.0, "types": 0.5, "nested": 1.0}

_LABELS: Final = (RDFS.label, SKOS.prefLabel, DCTERMS.title, SKOS.altLabel)
_NAMING: Final = frozenset({"name", "title", "label"})
"""Local names of properties that hold a name when no label property does."""
_CHARS_AT_MOST: Final = 20_000
_NESTED_AT_MOST: Final = 200
_SKOLEM: Final = re.compile(rf"/\.well-known/genid/|^{re.escape(terms.DATA)}genid/")
_BORDER: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[-_.]+")


def subjects(store: Reader) -> set[str]:
    """Return the IRI of every subject in the graphs that hold now, parts included."""
    return {
        quad.subject.value
        for row in store.select(resources.query("retrieval", "graphs"))
        if terms.is_current(row["graph"]) and isinstance(row["graph"], NamedNode)
        for quad in store.quads(None, None, None, row["graph"])
        if isinstance(quad.subject, NamedNode)
    }


def touched(store: Reader, quads: Iterable[Quad]) -> set[str]:
    """Return the resources whose entries a change of `quads` can have changed.

    Args:
        store: The state after the change.
        quads: What was added or deleted in the graphs that hold now.
    """
    changed = set[str]()
    for quad in quads:
        subject, obj = quad.subject, quad.object
        if isinstance(subject, NamedNode):
            changed.add(subject.value)
            if isinstance(obj, NamedNode) and is_nested(obj.value, subject.value):
                changed.add(obj.value)
    parents = {parent for iri in changed for parent in _parents(store, iri)}
    return changed | parents


def entry(store: Reader, iri: str) -> Entry | None:
    """Return the index entry of a resource.

    None where nothing is said of it, and for a part without a name of its own: what
    such a part says is found under the resource it is nested in.
    """
    quads = _said(store, NamedNode(iri))
    named = label(quads)
    if not quads or (not named and any(_parents(store, iri))):
        return None
    types = sorted({_iri(q.object) for q in quads if q.predicate == RDF.type} - {""})
    name = named or local_name(iri)
    fields = {
        "label": f"{name} {local_name(iri)}",
        "own": _text(quads),
        "types": " ".join(_type_label(store, item) for item in types),
        "nested": " ".join(_text(_said(store, node)) for node in _nested(iri, quads)),
    }
    short = {field: text[:_CHARS_AT_MOST] for field, text in fields.items()}
    return Entry(iri, short, stored="\n".join([" ".join(name.split()), *types]))


def is_there(store: Reader, iri: str) -> bool:
    """Tell whether anything is said of a resource in the graphs that hold now."""
    quads = store.quads(NamedNode(iri))
    return any(terms.is_current(quad.graph_name) for quad in quads)


def label(quads: Iterable[Quad]) -> str:
    """Return the name for people among what is said of one resource, or ""."""
    texts = [
        (q.predicate, q.object.value) for q in quads if isinstance(q.object, Literal)
    ]
    for wanted in _LABELS:
        found = sorted(text for predicate, text in texts if predicate == wanted)
        if found:
            return found[0]
    found = sorted(t for p, t in texts if local_name(p.value).lower() in _NAMING)
    return found[0] if found else ""


def local_name(iri: str) -> str:
    """Return the last part of an IRI, decoded."""
    return unquote(re.split(r"[/#:]", iri.rstrip("/#:"))[-1])


def words_of_name(name: str) -> str:
    """Return a technical name such as `firstName` or `first_name` as words."""
    return " ".join(part for part in _BORDER.split(name) if part)


def _said(store: Reader, node: NamedNode) -> list[Quad]:
    return [q for q in store.quads(node) if terms.is_current(q.graph_name)]


def _text(quads: Iterable[Quad]) -> str:
    return " ".join(
        sorted({q.object.value for q in quads if isinstance(q.object, Literal)})
    )


def _nested(iri: str, quads: Iterable[Quad]) -> list[NamedNode]:
    found = {q.object for q in quads if isinstance(q.object, NamedNode)}
    inside = [node for node in found if is_nested(node.value, iri)]
    return sorted(inside, key=lambda node: node.value)[:_NESTED_AT_MOST]


def is_nested(child: str, parent: str) -> bool:
    """Tell by the IRIs whether one resource is a part inside another's record.

    A part's IRI goes on where the whole's ends, or stands for a blank node. Resources
    that are only referred to have IRIs of their own and are entries of their own.
    """
    inside = child.startswith(parent) and child[len(parent) : len(parent) + 1] in "/#"
    return child != parent and (inside or bool(_SKOLEM.search(child)))


def _parents(store: Reader, iri: str) -> Iterator[str]:
    """Return the resources that one is nested in.

    Asked by the few IRIs that can be its whole, never by all that refer to it, since
    thousands may refer to a shared resource.
    """
    node = NamedNode(iri)
    if _SKOLEM.search(iri):
        quads = list(store.quads(None, None, node))
    else:
        borders = (found.start() for found in re.finditer("[/#]", iri))
        wholes = (iri[:at] for at in borders if iri[at - 1] not in ":/#")
        quads = [q for w in wholes for q in store.quads(NamedNode(w), None, node)]
    for quad in quads:
        if terms.is_current(quad.graph_name) and isinstance(quad.subject, NamedNode):
            yield quad.subject.value


def _type_label(store: Reader, iri: str) -> str:
    named = label(store.quads(NamedNode(iri)))
    return f"{named} {words_of_name(local_name(iri))}"


def _iri(term: object) -> str:
    return term.value if isinstance(term, NamedNode) else ""
