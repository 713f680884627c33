"""Rule conditions: which facts of a case the sentences of rules turn on.

A rule turns on a property of the case where its sentence has the property's name, or
a value that the property has for some thing of the case's kind. Nothing is known of
any property beforehand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from pyoxigraph import Literal, NamedNode

from aitia.methods.base import Outcome, Reads, method
from aitia.methods.entity_lookup import entity_lookup
from aitia.methods.facts import Fact
from aitia.methods.literals import parse_literal
from aitia.methods.mentions import PROPERTY, VALUE, Mention, Question
from aitia.methods.naming import Naming
from aitia.methods.schema import Schema
from aitia.methods.vocabulary_lookup import vocabulary_lookup
from aitia.methods.words import words

MOST: Final = 3


@dataclass(frozen=True)
class Ruled:
    """Rules and the cases they are held against.

    Attributes:
        rules: The rules' sentences.
        cases: The resources asked about.
        question: What is asked; a value that it has itself is what is to be done.
    """

    rules: tuple[str, ...]
    cases: tuple[NamedNode, ...]
    question: str = ""


@dataclass(frozen=True)
class Condition:
    """A fact of a case that a rule turns on.

    Attributes:
        text: The fact in words, with what the rule names beside it.
        facts: The fact.
        rule: Place of the rule's sentence.
        compares: True where the rule names a value for the property.
    """

    text: str
    facts: tuple[Fact, ...]
    rule: int
    compares: bool


@dataclass(frozen=True)
class Conditions(Outcome):
    """The facts that the rules turn on."""

    conditions: tuple[Condition, ...] = field(default=())


@method("rule_conditions", "Finds the facts of a case that rules turn on.")
def rule_conditions(reads: Reads, given: Ruled) -> Conditions:
    """Return the facts of the cases that the rules' sentences turn on."""
    found: dict[tuple[str, str], Condition] = {}
    for place, rule in enumerate(given.rules):
        named = turned_on(reads, rule, given.question)
        for case in given.cases:
            for item in _conditions(reads.schema, case, named, place):
                key = (str(item.facts[0].subject), str(item.facts[0].predicate))
                if key not in found or (item.compares and not found[key].compares):
                    found[key] = item
    kept = sorted(found.values(), key=lambda item: (not item.compares, item.rule))[
        :MOST
    ]
    told = "; ".join(item.text for item in kept)
    return Conditions(
        conditions=tuple(kept),
        summary=told or "no fact that the rules turn on",
        failure="" if kept else "The rules name no property or value of the case.",
    )


def turned_on(reads: Reads, rule: str, question: str) -> dict[str, set[str]]:
    """Return the properties that a rule names → the values it names for each.

    A value that the question has as well ("returned", asked whether something can be
    returned) is what is to be done, and nothing that the rule turns on.
    """
    done = {stem for item in words(question) for stem in item.stems}
    mentions: list[Mention] = [
        *entity_lookup(reads, Question(rule)).mentions,
        *vocabulary_lookup(reads, Question(rule)).mentions,
    ]
    named: dict[str, set[str]] = {}
    for item in mentions:
        if {stem for word in words(item.text) for stem in word.stems} <= done:
            continue
        if item.kind == VALUE:
            for target in item.targets:
                named.setdefault(target, set()).add(item.value)
        elif item.kind == PROPERTY and item.quality == 1.0:
            for target in item.targets:
                named.setdefault(target, set())
    return named


def _conditions(
    schema: Schema, case: NamedNode, named: dict[str, set[str]], place: int
) -> Iterator[Condition]:
    for quad in schema.facts(case):
        if quad.predicate.value in named and isinstance(quad.object, Literal):
            wanted = named[quad.predicate.value]
            yield Condition(
                text=_worded(schema, quad, wanted),
                facts=(quad,),
                rule=place,
                compares=bool(wanted),
            )


def _worded(schema: Schema, quad: Fact, wanted: set[str]) -> str:
    naming = Naming(schema)
    told = (
        f"The {naming.property(quad.predicate)} of {naming.thing(quad.subject)} is "
        f"{naming.value(quad.object)}"
    )
    if not wanted:
        return f"{told}."
    if str(quad.object) in wanted:
        return f"{told}, which is what the rule names."
    names = ", ".join(sorted(parse_literal(item).value for item in wanted))
    return f"{told}; the rule names {names}."
