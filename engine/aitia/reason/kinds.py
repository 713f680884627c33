"""Classes, links and enumerations as the ontology has them, for what models choose from.

A vocabulary is written once: what a model may pick from a list is read from the
ontology, and what links it may claim from the shape that the gate holds it to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from pyoxigraph import Literal, NamedNode, RdfFormat, Store

from aitia import resources
from aitia.vocab import AITIA, RDF, RDFS, SH, SKOS

ADDED: Final = (AITIA.Goal, AITIA.Hypothesis, AITIA.Claim)
"""Classes whose nodes a model may add to a run."""
CLOSING: Final = (AITIA.succeeded, AITIA.failed, AITIA.abandoned)
"""Statuses that a model may declare a goal to have."""

_LINK_LIST: Final = NamedNode("https://w3id.org/aitia/shapes#mayHaveLinkKind")


@dataclass(frozen=True)
class Strategy:
    """A strategy of reasoning.

    Attributes:
        name: Its local name.
        definition: What it is.
        applies: When it can be used.
        fails: What makes it fail.
    """

    name: str
    definition: str
    applies: str
    fails: str


def name(term: NamedNode) -> str:
    """Return the local name of a term."""
    return term.value.rpartition("#")[2]


def term(local: str) -> NamedNode:
    """Return the term of our namespace that has a local name."""
    return NamedNode(AITIA.NS + local)


@cache
def kinds(of: NamedNode) -> dict[str, str]:
    """Return the individuals of a class: local name → definition in English."""
    found = {
        name(quad.subject): _words(quad.subject, SKOS.definition)
        for quad in _ontology().quads_for_pattern(None, RDF.type, of)
        if isinstance(quad.subject, NamedNode)
    }
    return dict(sorted(found.items()))


@cache
def strategies() -> tuple[Strategy, ...]:
    """Return the strategies of reasoning, by name."""
    return tuple(
        Strategy(
            local,
            definition,
            _words(term(local), AITIA.appliesWhen),
            _words(term(local), AITIA.failsWhen),
        )
        for local, definition in kinds(AITIA.Strategy).items()
    )


@cache
def wider(kind: NamedNode) -> frozenset[NamedNode]:
    """Return a class and every class above it."""
    found, waiting = {kind}, [kind]
    while waiting:
        above = set(_values(_ontology(), waiting.pop(), RDFS.subClassOf)) - found
        found |= above
        waiting += above
    return frozenset(found)


def is_a(kind: NamedNode, other: NamedNode) -> bool:
    """Tell whether whatever is of one class is of the other."""
    return other in wider(kind)


@cache
def ends(link: NamedNode) -> tuple[NamedNode, NamedNode]:
    """Return what a causal link starts from and what it goes to."""
    (start,) = _values(_ontology(), link, RDFS.domain)
    (end,) = _values(_ontology(), link, RDFS.range)
    return start, end


@cache
def link_kinds() -> tuple[NamedNode, ...]:
    """Return the causal links that a model may claim, as the gate's shape lists them."""
    store = Store()
    store.load(resources.text("shapes", "model.ttl").encode(), RdfFormat.TURTLE)
    (quad,) = store.quads_for_pattern(_LINK_LIST, NamedNode(SH.NS + "in"), None)
    return tuple(_items(store, quad.object))


def _items(store: Store, head: object) -> Iterator[NamedNode]:
    first, rest = (NamedNode(RDF.NS + part) for part in ("first", "rest"))
    while head != NamedNode(RDF.NS + "nil"):
        yield from _values(store, head, first)
        ((*_, head, _),) = store.quads_for_pattern(head, rest, None)  # type: ignore[arg-type]


def _values(store: Store, subject: object, predicate: NamedNode) -> list[NamedNode]:
    quads = store.quads_for_pattern(subject, predicate, None)  # type: ignore[arg-type]
    return [q.object for q in quads if isinstance(q.object, NamedNode)]


def _words(node: NamedNode, predicate: NamedNode) -> str:
    for quad in _ontology().quads_for_pattern(node, predicate, None):
        value = quad.object
        if isinstance(value, Literal) and value.language in (None, "en"):
            return value.value
    return ""


@cache
def _ontology() -> Store:
    store = Store()
    store.load(resources.text("ontology", "aitia.ttl").encode(), RdfFormat.TURTLE)
    return store
