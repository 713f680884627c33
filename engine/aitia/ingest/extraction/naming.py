"""From the words of an extracted fact to terms: things, properties, values, times.

A thing whose exact name is the label of one resource on record is that resource; any
other becomes `urn:data:named/<name>`, in lower case and without an article, so that the
same name in several documents is the same thing. A predicate whose words are the label
of one property on record is that property; any other becomes `urn:data:p/<words>`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime

from pyoxigraph import Literal, NamedNode

from aitia import terms
from aitia.ingest import values
from aitia.ingest.records import NAMED, PROPERTY, segment
from aitia.methods.facts import NAMING, Facts
from aitia.vocab import OWL, RDF

_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.I)
_PROPERTIES = frozenset(
    {
        RDF.Property,
        OWL.DatatypeProperty,
        OWL.ObjectProperty,
        OWL.FunctionalProperty,
        OWL.InverseFunctionalProperty,
        OWL.AsymmetricProperty,
        OWL.IrreflexiveProperty,
    }
)
"""Classes each of which makes a resource a property, also where it is the only one."""


def thing(facts: Facts, name: str) -> NamedNode:
    """Return the resource that a name means."""
    bare = _ARTICLE.sub("", name.strip())
    found = {
        node
        for spelled in dict.fromkeys((name, bare))
        for node in _labelled(facts, spelled)
        if not _PROPERTIES & set(facts.classes_of(node))
    }
    if len(found) == 1:
        return found.pop()
    return NamedNode(NAMED + segment(" ".join(bare.casefold().split()) or name))


def predicate(facts: Facts, words: str) -> NamedNode:
    """Return the property that words mean."""
    name = " ".join(words.casefold().split())
    found = {
        node
        for spelled in dict.fromkeys((words, name))
        for node in _labelled(facts, spelled)
        if _PROPERTIES & set(facts.classes_of(node))
    }
    if len(found) == 1:
        return found.pop()
    return NamedNode(PROPERTY + segment(name.replace(" ", "_")))


def value(text: str) -> Literal:
    """Return a value as the literal that it looks like: a number, a date, a text."""
    return values.literal(values.typed(text, values.column([text])))


def validity(start: str, end: str) -> tuple[Literal | None, Literal | None]:
    """Return the times from and until which a fact holds; None where there is none.

    Times that are no ISO dates, or an end that is not after its start, say nothing.
    """
    first, last = _moment(start), _moment(end)
    if first and last and last <= first:
        return None, None
    return _literal(first), _literal(last)


def _labelled(facts: Facts, name: str) -> Iterator[NamedNode]:
    for label in (Literal(name), Literal(name, language="en")):
        for naming in NAMING:
            for fact in facts.facts(None, naming, label):
                yield fact.subject


def _moment(text: str) -> datetime | None:
    try:
        return datetime.combine(date.fromisoformat(text), datetime.min.time(), UTC)
    except ValueError:
        return None


def _literal(moment: datetime | None) -> Literal | None:
    return None if moment is None else terms.time(moment)
