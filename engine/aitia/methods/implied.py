"""What a question leaves unsaid: a class that a value stands for, a dated property.

"How many engineers" counts the records that have the value "engineer": where only one
class has it, that class is meant. "Orders from March" means the one property of orders
that has dates. Where several could be meant, none is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from pyoxigraph import Literal, NamedNode

from aitia.methods.cues import Cues
from aitia.methods.facts import Fact
from aitia.methods.limits import Bound
from aitia.methods.literals import (
    is_measure,
    is_name,
    is_time,
    magnitude,
    parse_literal,
)
from aitia.methods.mentions import CLASS, ENTITY, PROPERTY, VALUE, Mention
from aitia.methods.schema import Schema
from aitia.methods.words import words

_GATHERS: Final = re.compile(
    r"\b(?:how many|number of|count(?: of)?|which|list|show(?: me)?|what|who (?:are|were))"
    r"(?:\s+(?:all|the|of))*\s*$",
    re.I,
)
"""Words that list or count what comes next."""
_ORIGIN: Final = re.compile(
    r"\b(?:age|born|birth|birthday|built|build|constructed|created|established|founded|"
    r"made|manufactured|produced|published|released|written|year)\b|年龄|出生|建[成于造]",
    re.I,
)
"""Names of what tells how old a thing is."""
HELD: Final = 200  # holders of a value whose class is looked at
GAP: Final = 2  # characters between a value and the class that it stands before


def kinds_of_values(
    schema: Schema, text: str, mentions: Sequence[Mention]
) -> Iterator[Mention]:
    """Return classes that the values asked for stand for, in no words of their own.

    A value before the name of a class ("pending orders") only restricts it; one that
    holds that name ("filling machines") stands for it. What one thing alone is called
    ("Crane 4") is no kind of thing.
    """
    classes = [item for item in mentions if item.kind == CLASS]
    things = {(m.start, m.end) for m in mentions if m.kind == ENTITY}
    for value in (item for item in mentions if item.kind == VALUE):
        before = any(0 <= item.start - value.end <= GAP for item in classes)
        literal, one = parse_literal(value.value), (value.start, value.end) in things
        if before or is_measure(literal) or (one and not is_name(literal)):
            continue
        inside = any(value.start <= c.start and c.end <= value.end for c in classes)
        if (inside and not one) or _GATHERS.search(text[: value.start]):
            found = _classes(schema, value)
            if len(found) == 1:
                yield replace(
                    _unsaid(schema, CLASS, found.pop(), value.end), focus=True
                )


def dated_by(
    schema: Schema, text: str, of_class: Mention, cues: Cues
) -> Mention | None:
    """Return the one property of a class that a time in the question can be told of.

    None where the time is that of an event ("cancelled in June"): the words for it
    stand right before the time, and the property may tell of another event.
    """
    bound: Bound | None = cues.bound
    before = words(text[: cues.limited[0]])[-1:]
    event = any(word.content and word.end > of_class.end for word in before)
    if bound is None or not bound.timed or event:
        return None
    kinds = {
        below
        for target in of_class.targets
        for below in schema.below(NamedNode(target))
    }
    found = [
        node
        for node in schema.properties
        if kinds & schema.domains.get(node, set()) and _has_times(schema, node, kinds)
    ]
    if len(found) != 1:
        return None
    return _unsaid(schema, PROPERTY, found[0], cues.limited[1])


def shared_measure(
    schema: Schema, entities: Sequence[Mention], at: int, *, aged: bool
) -> Mention | None:
    """Return the one property that can tell which of some things was earlier.

    Args:
        schema: The facts.
        entities: The things.
        at: Where the mention is put.
        aged: Whether it is asked which is older: then only an age, or the time at which
            a thing began to be, can tell.
    """
    told = [
        {
            fact.predicate
            for target in item.targets
            for fact in schema.facts(NamedNode(target))
            if (_tells_age(schema, fact) if aged else is_time(fact.object))
        }
        for item in entities
    ]
    common = set.intersection(*told) if told else set()
    if len(common) != 1:
        return None
    return _unsaid(schema, PROPERTY, common.pop(), at)


def _tells_age(schema: Schema, fact: Fact) -> bool:
    known = schema.properties.get(fact.predicate)
    named = known is not None and bool(_ORIGIN.search(known.label))
    return named and magnitude(fact.object) is not None


def _classes(schema: Schema, value: Mention) -> set[NamedNode]:
    literal = parse_literal(value.value)
    return {
        kind
        for target in value.targets
        for fact in islice(schema.facts(None, NamedNode(target), literal), HELD)
        for kind in schema.classes_of(fact.subject)
        if kind in schema.classes
    }


def _has_times(schema: Schema, node: NamedNode, kinds: Iterable[NamedNode]) -> bool:
    wanted = set(kinds)
    values = [
        fact.object
        for fact in islice(schema.facts(None, node), HELD)
        if wanted & set(schema.classes_of(fact.subject))
    ]
    return any(is_time(value) for value in values if isinstance(value, Literal))


def _unsaid(schema: Schema, kind: str, node: NamedNode, at: int) -> Mention:
    """Return a mention that takes up no words."""
    known = {**schema.properties, **schema.classes}.get(node)
    return Mention(kind, known.label if known else "", at, at, (node.value,))
