"""The OWL 2 RL closure of the current knowledge, by owlrl, as a patch."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pyoxigraph import Literal, NamedNode, Quad, Triple

from aitia import terms
from aitia.errors import TooMuch
from aitia.inference import owl
from aitia.inference.relevant import current, relevant
from aitia.model import Origin, Patch
from aitia.model.patch import ENGINE_AGENT
from aitia.store import Reader
from aitia.vocab import OWL, RDF, RDFS, XSD

if TYPE_CHECKING:
    from collections.abc import Callable

MOST: Final = 20_000
"""Triples that the reasoner reads unless told otherwise; it takes about a second for
a thousand of them, and longer than in proportion for more."""
_ROUNDS: Final = 5
"""How often what was found to be the same may widen what is read."""
_BUILT_IN: Final = (RDF.NS, RDFS.NS, OWL.NS, XSD.NS)
_REFLEXIVE: Final = frozenset(
    {
        OWL.sameAs,
        OWL.equivalentClass,
        OWL.equivalentProperty,
        RDFS.subClassOf,
        RDFS.subPropertyOf,
    }
)


@dataclass(frozen=True)
class Closure:
    """What follows from the current knowledge.

    Attributes:
        triples: What follows and does not stand already; no trivial triples.
        read: How many triples of the current knowledge the reasoner read.
        unread: How many it need not read, as no axiom speaks of them.
        trivial: How many of its triples were left out as trivial or illegal.
        contradictions: What cannot all hold, in the reasoner's words.
    """

    triples: frozenset[Triple]
    read: int
    unread: int
    trivial: int
    contradictions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Inferred:
    """What an inference changed.

    Attributes:
        closure: What follows, and how it was found.
        added: How many inferred triples are new.
        deleted: How many no longer follow.
        commit: Number of the commit, 0 where nothing changed.
    """

    closure: Closure
    added: int = 0
    deleted: int = 0
    commit: int = 0


def close(
    reader: Reader, *, most: int = MOST, tell: Callable[[int], None] | None = None
) -> Closure:
    """Return what follows from the current knowledge by OWL 2 RL.

    Args:
        reader: What to read from.
        most: Triples that the reasoner may read.
        tell: Told how many it reads, before it starts.

    Raises:
        TooMuch: It would have to read more than that.
    """
    known = current(reader)
    same: set[NamedNode] = set()
    for _ in range(_ROUNDS):
        premises = relevant(known, same)
        _bound(len(premises), most)
        if not premises:
            return Closure(frozenset(), read=0, unread=len(known), trivial=0)
        if tell is not None:
            tell(len(premises))
        found, contradictions = owl.expand(premises)
        equal = _found_equal(found)
        if equal <= same:
            break
        same |= equal
    kept = frozenset(x for x in found - set(known) if _says_something(x))
    return Closure(
        triples=kept,
        read=len(premises),
        unread=len(known) - len(premises),
        trivial=len(found) - len(kept),
        contradictions=contradictions,
    )


def patch(reader: Reader, closure: Closure, agent: NamedNode = ENGINE_AGENT) -> Patch:
    """Return the change that makes the inferred graph hold exactly the closure."""
    graph = terms.GRAPH_INFERRED
    wanted = {Quad(t.subject, t.predicate, t.object, graph) for t in closure.triples}
    standing = set(reader.quads(None, None, None, graph))
    return Patch(
        adds=frozenset(wanted - standing),
        deletes=frozenset(standing - wanted),
        agent=agent,
        origin=Origin.ENGINE,
    )


def _bound(number: int, most: int) -> None:
    if number > most:
        raise TooMuch(
            f"The reasoner would have to read {number:,} triples; it may read {most:,}."
            " Nothing was inferred.",
            hint="`--limit N` allows more; expect well over a second for each thousand.",
        )


def _found_equal(found: Iterable[Triple]) -> set[NamedNode]:
    """Return the nodes that were found to be the same as another."""
    return {
        end
        for triple in found
        if triple.predicate == OWL.sameAs and triple.subject != triple.object
        for end in (triple.subject, triple.object)
        if isinstance(end, NamedNode)
    }


def _says_something(triple: Triple) -> bool:
    """Tell whether an inferred triple is neither illegal nor true of everything."""
    subject, predicate, obj = triple.subject, triple.predicate, triple.object
    if not isinstance(subject, NamedNode) or not isinstance(obj, NamedNode | Literal):
        return False
    if subject.value.startswith(_BUILT_IN):
        return False
    if predicate in _REFLEXIVE and subject == obj:
        return False
    about_all = isinstance(obj, NamedNode) and obj in (OWL.Thing, RDFS.Resource)
    of_schema = predicate == RDF.type and obj.value.startswith(_BUILT_IN)
    return not about_all and not of_schema
