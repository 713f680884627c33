"""Graph search: the facts on record about a thing, or one property of it.

The thing is found by its exact name, in part, or by the index of resources; the
property by its name or its words. Where a property alone is given, all that have it are
meant. Where only a question is given, a model picks both
from names that it is shown; without one, they are found in the question's words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any, Final

from annotated_types import Ge, Le
from pyoxigraph import NamedNode

from aitia.methods.asking import DATA, Asked, ask_model, data
from aitia.methods.base import Outcome, Reads, method
from aitia.methods.entity_lookup import entity_lookup
from aitia.methods.facts import Fact
from aitia.methods.mentions import ENTITY, PROPERTY, Mentions, Question
from aitia.methods.naming import Naming
from aitia.methods.vocabulary_lookup import vocabulary_lookup
from aitia.methods.words import name_stems
from aitia.vocab import RDF

if TYPE_CHECKING:
    from aitia.methods.replies import Slot

VERSION: Final = "1"
THINGS: Final = 3  # resources of one name that are looked at
LISTED: Final = 80  # names of properties that a model is shown
_SYSTEM: Final = (
    "You read from a question which thing it asks about and which of the listed "
    "properties of it. Answer with JSON: `thing`, its name as the question has it; "
    f"`property`, one of the list, or empty. {DATA}"
)


@dataclass(frozen=True)
class AboutThing:
    """What is looked for in the facts.

    Attributes:
        thing: Name or key of a thing, or "" to find it in the question.
        property: Name of the property that is wanted, or "" for all.
        question: What is asked, in words, or "".
        most: How many facts to return.
    """

    thing: str = ""
    property: str = ""
    question: str = ""
    most: Annotated[int, Ge(1), Le(100)] = 25


@dataclass(frozen=True)
class FactsFound(Outcome):
    """Facts on record.

    Attributes:
        facts: The facts, those of the thing itself first.
        lines: Each in words.
        resources: IRIs of the things that were found.
    """

    facts: tuple[Fact, ...] = field(default=())
    lines: tuple[str, ...] = field(default=())
    resources: tuple[str, ...] = field(default=())


@method(
    "graph_search",
    "Finds the facts on record about a thing, or one property of it.",
    offered=True,
)
def graph_search(reads: Reads, given: AboutThing) -> FactsFound:
    """Return the facts about a thing."""
    asked = _asked(reads, given)
    if asked.value is not None:
        given = replace(given, thing=asked.value.thing, property=asked.value.property)
    wanted = _properties(reads, given)
    anything = bool(wanted) and not (given.thing or given.question)
    nodes = (
        _holders(reads, wanted or frozenset(), given.most)
        if anything
        else _things(reads, given.thing or given.question)
    )
    facts = tuple(islice(_facts(reads, nodes, wanted), given.most))
    naming = Naming(reads.schema)
    failure = ""
    if not nodes:
        failure = _nothing(given, wanted)
    elif not facts:
        failure = f"{naming.thing(nodes[0])} has no {given.property or 'facts'}."
    told: dict[str, Any] = {"notices": asked.notices}
    return FactsFound(
        facts=facts,
        lines=tuple(naming.fact(fact) for fact in facts),
        resources=tuple(node.value for node in nodes),
        summary=failure or f"{len(facts)} facts of {naming.thing(nodes[0])}",
        failure=failure,
        **told,
    )


def _nothing(given: AboutThing, wanted: frozenset[NamedNode] | None) -> str:
    """Return why no thing was found, and what is lacking to find one."""
    if given.thing:
        return f"Nothing on record is called {given.thing}."
    if given.property and not wanted:
        return f"No property on record is called {given.property}."
    if given.question:
        return "The question names nothing on record; give the name as `thing`."
    return "No thing is named: give `thing`, `property` or `question`."


def _holders(reads: Reads, wanted: frozenset[NamedNode], most: int) -> list[NamedNode]:
    """Return the things that have one of the properties, in order."""
    found = (
        fact.subject
        for predicate in sorted(wanted, key=lambda node: node.value)
        for fact in reads.schema.facts(None, predicate, None)
    )
    return sorted(set(found), key=lambda node: node.value)[:most]


def _things(reads: Reads, name: str) -> list[NamedNode]:
    """Return the resources that a name means, or that are named in a question."""
    if not any(char.isalnum() for char in name):
        return []
    found: Mentions = entity_lookup(reads, Question(name), similar=True)
    named = [t for item in found.mentions if item.kind == ENTITY for t in item.targets]
    return [NamedNode(iri) for iri in dict.fromkeys(named)][:THINGS]


def _properties(reads: Reads, given: AboutThing) -> frozenset[NamedNode] | None:
    """Return the properties that are wanted, none where no name fits; None for all."""
    if given.property:
        stems = set(name_stems(given.property))
        return frozenset(
            node
            for node, known in reads.schema.properties.items()
            if any(stems <= set(names) or set(names) <= stems for names in known.names)
        )
    if given.thing or not given.question:
        return None
    found = vocabulary_lookup(reads, Question(given.question)).mentions
    named = {NamedNode(t) for m in found if m.kind == PROPERTY for t in m.targets}
    return frozenset(named) or None


def _facts(
    reads: Reads, nodes: Sequence[NamedNode], wanted: frozenset[NamedNode] | None
) -> Iterator[Fact]:
    """Yield the facts of things, of what is nested in them, and those that name them."""
    schema, seen = reads.schema, set[NamedNode]()
    ahead = list(nodes)
    while ahead:
        node = ahead.pop(0)
        seen.add(node)
        for fact in sorted(schema.facts(node), key=Fact.told):
            there = fact.object
            if wanted is None or fact.predicate in wanted:
                yield fact
            nested = isinstance(there, NamedNode) and schema.owner(there) == node
            if isinstance(there, NamedNode) and nested and there not in seen:
                ahead.append(there)
    for node in nodes:
        for fact in schema.facts(None, None, node):
            fits = wanted is None or fact.predicate in wanted
            if fits and fact.predicate != RDF.type and fact.subject not in seen:
                yield fact


def _asked(reads: Reads, given: AboutThing) -> Asked[Slot]:
    if reads.models is None or given.thing or not given.question:
        return Asked()
    from aitia.methods.replies import Slot

    names = sorted({known.label for known in reads.schema.properties.values()})
    listed = "\n".join(names[:LISTED])
    return ask_model(
        reads,
        Slot,
        purpose="graph_search",
        version=VERSION,
        system=_SYSTEM,
        text=f"Question:\n{data(given.question)}\n\nProperties:\n{data(listed)}",
    )
