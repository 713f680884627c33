"""Links between records: where a value of one is the key of another.

A value refers to a record where it is that record's key and either

- the field's name speaks of it: it is the name of the key's field, or it starts or
  ends with the name of the container (`user_id` or `user` and `users`); or
- the key is distinctive, so that it is no chance that the two are equal: it has at
  least five characters and mixes letters with digits, has at least eight digits, or
  has several words.

Where records of several containers have that key, those that the field's name speaks
of go first; where more than three remain, none is meant. The literal stays; the link `urn:data:ref/<field>` stands beside it.
Links are found in both directions: a file brings links from its own records, and from
records that are there already to the keys that it brings.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from urllib.parse import unquote

from pyoxigraph import NamedNode, Quad

from aitia import terms
from aitia.ingest import look
from aitia.ingest.content import Facts, Keyed, Mention
from aitia.ingest.records import PROPERTY, REFERENCE, TYPE, segment
from aitia.ingest.shape import related
from aitia.store import Reader
from aitia.vocab import RDF, RDFS

_MOST_TARGETS = 3
_DIGITS = re.compile(r"\d")
Alive = Callable[[NamedNode], bool]


def links(
    reader: Reader, facts: Facts, document: NamedNode, alive: Alive
) -> Iterator[Quad]:
    """Yield the links that a file's records bring, in the document's graph.

    Args:
        reader: What is on record.
        facts: The file's records.
        document: The document.
        alive: Says whether a graph will still be in use.
    """
    own: dict[str, list[Keyed]] = defaultdict(list)
    for keyed in facts.keyed:
        own[keyed.text].append(keyed)
    others: dict[str, list[Keyed]] = {}
    for mention in facts.mentions:
        if mention.text not in others:
            others[mention.text] = list(_on_record(reader, mention.text, alive))
        targets = _merged(own.get(mention.text, ()), others[mention.text])
        for target in _meant(mention, targets):
            yield _link(mention, target, document)
    for text, targets in own.items():
        for mention in _mentions(reader, text, alive):
            for target in _meant(mention, targets):
                yield _link(mention, target, document)


def is_distinctive(key: str) -> bool:
    """Say whether equal keys are hardly equal by chance."""
    digits = len(_DIGITS.findall(key))
    letters = sum(char.isalpha() for char in key)
    if digits and letters:
        return len(key) >= 5
    return digits >= 8 or (letters >= 8 and any(char.isspace() for char in key))


def _meant(mention: Mention, targets: Iterable[Keyed]) -> list[Keyed]:
    """Return the records that a value refers to."""
    found = [target for target in targets if target.resource != mention.subject]
    spoken_of = [target for target in found if _speaks_of(mention.field, target)]
    if spoken_of or not is_distinctive(mention.text):
        found = spoken_of
    return found if len(found) <= _MOST_TARGETS else []


def _speaks_of(field: str, target: Keyed) -> bool:
    key = target.key_field
    if key and not _is_general(key) and related(field, key):
        return True
    return related(field, target.container)


def _is_general(key: str) -> bool:
    """Say whether a key field's name says nothing of what it is the key of."""
    return len(key) <= 4 or key.lower() in ("name", "title", "label")


def _link(mention: Mention, target: Keyed, document: NamedNode) -> Quad:
    predicate = NamedNode(REFERENCE + segment(mention.field))
    return Quad(mention.subject, predicate, target.resource, document)


def _merged(first: Iterable[Keyed], second: Iterable[Keyed]) -> list[Keyed]:
    return list({keyed.resource: keyed for keyed in (*second, *first)}.values())


def _on_record(reader: Reader, text: str, alive: Alive) -> Iterator[Keyed]:
    """Yield records of other documents that have that key."""
    for quad in look.quads(reader, None, RDFS.label, terms.string(text)):
        if quad.subject.value.startswith(terms.DATA) and alive(quad.graph):
            container = _container(reader, quad.subject)
            if container:
                key = _key_field(reader, quad.subject, text)
                yield Keyed(quad.subject, container, key, text)


def _mentions(reader: Reader, text: str, alive: Alive) -> Iterator[Mention]:
    """Yield values of other documents that are equal to a key."""
    values = [terms.string(text)]
    if re.fullmatch(r"-?(0|[1-9]\d{0,17})", text):
        values.append(terms.integer(int(text)))
    for value in values:
        for quad in look.quads(reader, None, None, value):
            name = quad.predicate.value
            if name.startswith(PROPERTY) and alive(quad.graph):
                yield Mention(quad.subject, unquote(name[len(PROPERTY) :]), text)


def _container(reader: Reader, record: NamedNode) -> str:
    for kind in look.nodes(reader, record, RDF.type, None):
        if kind.value.startswith(TYPE):
            return unquote(kind.value[len(TYPE) :])
    return ""


def _key_field(reader: Reader, record: NamedNode, text: str) -> str:
    for quad in look.quads(reader, record):
        name, value = quad.predicate.value, quad.object
        if name.startswith(PROPERTY) and value.value == text:
            return unquote(name[len(PROPERTY) :])
    return ""
