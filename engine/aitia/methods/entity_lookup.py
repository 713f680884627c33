"""Entity lookup: which resources and values the words of a question name.

Exact matching of word runs against the literals in force, bound look-ups only: the
run as it stands, in other case, in the singular, with `_` for spaces, as a number or
date. A literal that is a resource's label or key, or that only one instance of a
class has, names that resource; any other literal is a value to filter by. Values that
stand side by side and belong to one resource (a first and a last name) name it
together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Final

from pyoxigraph import Literal, NamedNode, Quad

from aitia.methods.base import Reads, method
from aitia.methods.mentions import ENTITY, VALUE, Mention, Mentions, Question
from aitia.methods.schema import NAMING, Schema, local_name
from aitia.methods.words import Word, words
from aitia.vocab import XSD

LONGEST_RUN: Final = 8  # words that a name may have
MANY: Final = 2000  # holders of one value that are looked at
AMBIGUOUS: Final = 5  # resources that one name may mean

Holders = dict[tuple[NamedNode, NamedNode | None], list[NamedNode]]


@method(
    "entity_lookup",
    "Finds the resources and values that a question names by their exact words.",
)
def entity_lookup(reads: Reads, given: Question) -> Mentions:
    """Return the entities and values that the question mentions."""
    found = words(given.text)
    matched: list[tuple[Mention, frozenset[NamedNode]]] = []
    for first, last in _runs(found):
        start, end = found[first].start, found[last].end
        taken = any(start < item.end and item.start < end for item, _ in matched)
        if not taken:
            matched.extend(_match(reads.schema, given.text[start:end], start))
    matched.sort(key=lambda item: (item[0].start, item[0].kind))
    mentions = _joined(matched, given.text)
    told = ", ".join(f"{item.text!r} ({item.kind})" for item in mentions)
    return Mentions(mentions=mentions, summary=told or "nothing that the facts know")


def _runs(found: list[Word]) -> Iterator[tuple[int, int]]:
    """Return word runs as first and last index, long ones first."""
    for length in range(min(LONGEST_RUN, len(found)), 0, -1):
        for first in range(len(found) - length + 1):
            run = found[first : first + length]
            if run[0].content and any(word.content for word in run):
                yield first, first + length - 1


def _match(
    schema: Schema, text: str, start: int
) -> list[tuple[Mention, frozenset[NamedNode]]]:
    """Return what one run of words names, with all who hold the literal."""
    for literal in _forms(text, schema.languages):
        quads = [
            quad
            for quad in islice(schema.facts(None, None, literal), MANY)
            if not schema.is_vocabulary(quad.subject)
        ]
        if quads:
            holders = frozenset(quad.subject for quad in quads)
            mentions = _mentions(schema, text, start, literal, quads)
            return [(mention, holders) for mention in mentions]
    return []


def _mentions(
    schema: Schema, text: str, start: int, literal: Literal, quads: list[Quad]
) -> list[Mention]:
    """Return an entity mention, a value mention, or both."""
    named = _named(literal, quads)
    alone = () if named or _is_measure(literal) else _alone(schema, quads)
    entities = named or alone
    end = start + len(text)
    made = []
    if 0 < len(entities) <= AMBIGUOUS:
        targets = tuple(sorted(node.value for node in entities))
        made.append(Mention(ENTITY, text, start, end, targets, named=bool(named)))
    properties = {
        quad.predicate.value for quad in quads if quad.predicate not in NAMING
    }
    if properties and not named:
        targets = tuple(sorted(properties))
        made.append(Mention(VALUE, text, start, end, targets, value=str(literal)))
    return made


def _named(literal: Literal, quads: list[Quad]) -> tuple[NamedNode, ...]:
    """Return the resources whose label or key the literal is."""
    found = {
        quad.subject
        for quad in quads
        if quad.predicate in NAMING or local_name(quad.subject) == literal.value
    }
    return tuple(found)


def _alone(schema: Schema, quads: list[Quad]) -> tuple[NamedNode, ...]:
    """Return the resources that alone in their class have the value."""
    holders: Holders = {}
    for quad in quads:
        for kind in schema.classes_of(quad.subject)[:1] or [None]:
            holders.setdefault((quad.predicate, kind), []).append(quad.subject)
    return tuple({nodes[0] for nodes in holders.values() if len(set(nodes)) == 1})


def _is_measure(literal: Literal) -> bool:
    return not literal.language and literal.datatype != XSD.string


def _joined(
    matched: list[tuple[Mention, frozenset[NamedNode]]], question: str
) -> tuple[Mention, ...]:
    """Join values side by side that belong to one resource into a name of it."""
    joined: list[tuple[Mention, frozenset[NamedNode]]] = []
    for mention, holders in matched:
        before = joined[-1] if joined else None
        if before and not question[before[0].end : mention.start].strip(" "):
            common = before[1] & holders
            if common and len(common) <= AMBIGUOUS and before[0].end < mention.start:
                text = question[before[0].start : mention.end]
                joined = [item for item in joined if item[0].start != before[0].start]
                whole = replace(
                    mention,
                    kind=ENTITY,
                    text=text,
                    start=before[0].start,
                    targets=tuple(sorted(node.value for node in common)),
                    value="",
                )
                joined.append((whole, common))
                continue
        joined.append((mention, holders))
    kept = [mention for mention, _ in joined]
    return tuple(
        mention
        for mention in kept
        if not any(
            other is not mention
            and other.start <= mention.start < mention.end <= other.end
            and (other.end - other.start) > (mention.end - mention.start)
            for other in kept
        )
    )


def _forms(text: str, languages: frozenset[str]) -> Iterator[Literal]:
    """Return the literals that a run of words may stand for, likeliest first."""
    single = text[:-1] if text.endswith("s") else text
    bases = dict.fromkeys(
        [text, single, text.replace(" ", "_"), single.replace(" ", "_")]
    )
    for base in bases:
        cased = (base, base.lower(), base.upper(), base.capitalize(), base.title())
        for form in dict.fromkeys(cased):
            yield Literal(form)
            for language in sorted(languages):
                yield Literal(form, language=language)
    yield from _measures(text)


def _measures(text: str) -> Iterator[Literal]:
    """Return the number or date literals that a word may stand for."""
    if re.fullmatch(r"[-+]?\d+", text):
        yield Literal(str(int(text)), datatype=XSD.integer)
    if re.fullmatch(r"[-+]?\d+(\.\d+)?", text):
        plain = text.rstrip("0").rstrip(".") if "." in text else text
        yield Literal(plain, datatype=XSD.decimal)
        yield Literal(text, datatype=XSD.double)
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        yield Literal(text, datatype=XSD.date)
