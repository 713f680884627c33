"""Reason lookup: the facts that tell why something happened to a record.

They are the values of its properties that are called a reason or cause ("cancel
reason", "cause of delay"). What happened must be on record too, as a value of the
record ("cancelled") or in the name of that property: the reason for one thing is none
for another.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from pyoxigraph import Literal, NamedNode

from aitia.methods.base import Outcome, Reads, method
from aitia.methods.cues import read_cues
from aitia.methods.facts import Fact
from aitia.methods.mentions import CLASS, ENTITY, Mention
from aitia.methods.naming import Naming
from aitia.methods.schema import Schema
from aitia.methods.words import Word, content, name_stems

_REASON: Final = re.compile(
    r"\b(?:reasons?|causes?|because|why|explanation|justification|motive)\b|原因|理由|缘由",
    re.I,
)
RULE: Final = "share of what happened that the record has as a value or names in the reason's name"


@dataclass(frozen=True)
class Happened:
    """A question why, and what it mentions.

    Attributes:
        text: The question or part of one.
        mentions: What it mentions.
    """

    text: str
    mentions: tuple[Mention, ...]


@dataclass(frozen=True)
class Reasons(Outcome):
    """Facts that tell a reason, each with the facts that what happened is on record."""

    facts: tuple[tuple[Fact, ...], ...] = field(default=())


@method("reason_lookup", "Finds the facts that tell why something happened.")
def reason_lookup(reads: Reads, given: Happened) -> Reasons:
    """Return the reasons on record for what happened to the things mentioned."""
    schema = reads.schema
    happened = _events(given)
    things = [
        NamedNode(iri)
        for item in given.mentions
        if item.kind == ENTITY
        for iri in item.targets
    ]
    told_by = [
        (share, (fact, *_shown(schema, fact, happened)))
        for thing in things
        for fact in schema.facts(thing)
        if (share := _share(schema, fact, happened)) == 1
    ]
    found = [facts for _, facts in told_by]
    naming = Naming(schema)
    told = "; ".join(naming.fact(facts[0]) for facts in found)
    return Reasons(
        facts=tuple(found),
        summary=told or "no reason on record",
        failure="" if found else _lacking(naming, things, happened),
        confidence=min((share for share, _ in told_by), default=None),
        confidence_rule=RULE if found else "",
    )


def _lacking(naming: Naming, things: list[NamedNode], happened: list[Word]) -> str:
    """Return what is not on record, in words."""
    what = " ".join(word.text for word in happened)
    named = ", ".join(naming.thing(node) for node in things[:2])
    return f"No reason is on record why {named} is {what}."


def _events(given: Happened) -> list[Word]:
    """Return the words of what happened: outside names, kinds and words of form."""
    taken = [
        *read_cues(given.text).spans,
        *((m.start, m.end) for m in given.mentions if m.kind in (ENTITY, CLASS)),
    ]
    return [
        word
        for word in content(given.text)
        if not any(start < word.end and word.start < end for start, end in taken)
    ]


def _share(schema: Schema, fact: Fact, happened: list[Word]) -> float:
    """Return the share of what happened that a fact gives the reason for."""
    known = schema.properties.get(fact.predicate)
    if known is None or not happened or not isinstance(fact.object, Literal):
        return 0.0
    if not fact.object.value.strip() or not _REASON.search(known.label):
        return 0.0
    there = {stem for name in known.names for stem in name}
    for other in _shown(schema, fact, happened):
        there |= _stems(other)
    return sum(bool(set(word.stems) & there) for word in happened) / len(happened)


def _shown(schema: Schema, reason: Fact, happened: list[Word]) -> tuple[Fact, ...]:
    """Return the facts of the record that have what happened as their value."""
    wanted = {stem for word in happened for stem in word.stems}
    return tuple(
        fact
        for fact in schema.facts(reason.subject)
        if fact.predicate != reason.predicate
        and (stems := _stems(fact))
        and stems <= wanted
    )


def _stems(fact: Fact) -> set[str]:
    return (
        set(name_stems(fact.object.value))
        if isinstance(fact.object, Literal)
        else set()
    )
