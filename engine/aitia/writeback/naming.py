"""Labels into triples: what a person calls a thing, a property, a value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from pyoxigraph import Literal, NamedNode

from aitia import lookup, terms
from aitia.errors import AmbiguousId, NotFound, UsageError
from aitia.gate.literals import is_ill_typed
from aitia.methods.facts import NAMING, Facts, local_name
from aitia.prefixes import expand
from aitia.store import Reader, Term
from aitia.vocab import RDF, XSD

_SAMPLE: Final = 50
_TYPED: Final = frozenset(
    {XSD.integer, XSD.decimal, XSD.double, XSD.boolean, XSD.date, XSD.dateTime}
)
_WIDER: Final = {XSD.integer: XSD.decimal}


def thing(reader: Reader, text: str) -> NamedNode:
    """Return the thing that a text names: by IRI, id or label.

    Raises:
        NotFound: Nothing is called so.
        AmbiguousId: Several things are.
    """
    if iri := _iri(text):
        return iri
    try:
        return lookup.resolve(reader, text)
    except NotFound:
        found = list(dict.fromkeys((*_called(reader, text), *_named(reader, text))))
    if not found:
        raise NotFound(
            f"Nothing on record is called {text!r}.", hint="Give its IRI in <…>."
        )
    if len(found) > 1:
        raise AmbiguousId(
            f"{text!r} fits {len(found)} things.", [n.value for n in found]
        )
    return found[0]


def prop(reader: Reader, text: str, subject: NamedNode) -> NamedNode:
    """Return the property that a text names: by IRI, label, or the end of its IRI.

    Properties that the subject has go before others.

    Raises:
        NotFound: No property in use is called so.
        AmbiguousId: Several are.
    """
    if iri := _iri(text):
        return iri
    facts = Facts(reader)
    own = dict.fromkeys(fact.predicate for fact in facts.facts(subject))
    wanted = plain_name(text)
    for candidates in (own, _properties(reader, text)):
        found = [
            node
            for node in candidates
            if wanted
            in {plain_name(local_name(node)), *map(plain_name, facts.labels(node))}
        ]
        if len(found) > 1:
            raise AmbiguousId(
                f"{text!r} fits {len(found)} properties.", [n.value for n in found]
            )
        if found:
            return found[0]
    raise NotFound(
        f"No property in use is called {text!r}.", hint="Give its IRI in <…>."
    )


def value(reader: Reader, text: str, predicate: NamedNode) -> Term:
    """Return the value that a text means for a property.

    It is of the kind that the property has elsewhere where the text can be one of
    that kind; else it is words, and the checks tell that these are of another kind.

    Raises:
        AmbiguousId: It is a thing, and several are called so.
    """
    if iri := _iri(text):
        return iri
    quads = islice(reader.quads(None, predicate), _SAMPLE)
    kinds = {
        q.object.datatype if isinstance(q.object, Literal) else None
        for q in quads
        if terms.is_current(q.graph_name)
    }
    if None in kinds:
        try:
            return thing(reader, text)
        except NotFound:
            return terms.string(text)
    wanted = sorted(kinds & _TYPED, key=lambda kind: kind.value if kind else "")
    for kind in wanted:
        for datatype in (kind, _WIDER.get(kind)) if kind else ():
            made = Literal(text, datatype=datatype) if datatype else None
            if made is not None and not is_ill_typed(made):
                return made
    return terms.string(text)


def _iri(text: str) -> NamedNode | None:
    bare = text[1:-1] if text.startswith("<") and text.endswith(">") else expand(text)
    if not bare:
        return None
    try:
        return NamedNode(bare)
    except ValueError as error:
        raise UsageError(f"{text!r} is no IRI: {error}") from error


def _called(reader: Reader, text: str) -> Iterator[NamedNode]:
    """Yield the things of people's data with that label, in any usual property."""
    for naming in NAMING:
        for quad in reader.quads(None, naming, terms.string(text)):
            if terms.is_current(quad.graph_name) and isinstance(
                quad.subject, NamedNode
            ):
                yield quad.subject


def _named(reader: Reader, text: str) -> Iterator[NamedNode]:
    """Yield the things that have a text as the value of a property that tells apart."""
    from aitia.methods.schema import read_schema

    quads = list(reader.quads(None, None, terms.string(text)))
    schema = read_schema(reader)
    for quad in quads:
        subject = quad.subject
        if isinstance(subject, NamedNode) and terms.is_current(quad.graph_name):
            kind = next(iter(schema.classes_of(subject)), None)
            if schema.tells_apart(quad.predicate, kind):
                yield subject


def _properties(reader: Reader, text: str) -> Iterator[NamedNode]:
    """Yield the properties in use that a label or the end of an IRI may name."""
    from aitia.methods.schema import read_schema

    yield from (node for node in _called(reader, text) if _is_used(reader, node))
    yield from read_schema(reader).properties


def _is_used(reader: Reader, node: NamedNode) -> bool:
    described = any(reader.quads(node, RDF.type, RDF.Property))
    return described or next(iter(reader.quads(None, node)), None) is not None


def plain_name(text: str) -> str:
    """Return a name without case, and with its words parted by single spaces."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[\W_]+", " ", text)
    return " ".join(spaced.casefold().split())
