"""Perception by a model: typed, checked, and linked to what is on record.

The model proposes the intent and the mentions, as one patch that the gate judges.
What the mentions name is looked up by the engine. Where the reply cannot be used the
question is read by rules, and the asker is told so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pyoxigraph import NamedNode, Quad

from aitia import terms
from aitia.ask.perceive import MENTION_RULE
from aitia.ask.thinking import reading
from aitia.ask.thinking.mind import Denied, Mind, Thought
from aitia.ask.thinking.reading import Mentioned, Reading
from aitia.llm.calls import BadReply
from aitia.methods.entity_lookup import entity_lookup
from aitia.methods.mentions import CLASS, ENTITY, PROPERTY, Mention, Question
from aitia.methods.naming import Naming
from aitia.methods.vocabulary_lookup import vocabulary_lookup
from aitia.model import causal
from aitia.vocab import AITIA, RDF

KNOWN: Final = (ENTITY, CLASS, PROPERTY)
BY_RULES: Final = (
    "The model's reading of the question could not be used: {} It was read by rules."
)


@dataclass(frozen=True)
class Perceived:
    """A question as a model read it, on record.

    Attributes:
        reading: What the model saw.
        entities: Each thing named, and what it is known as, in words.
    """

    reading: Reading
    entities: tuple[tuple[NamedNode, str], ...]


def perceive(
    mind: Mind, question: str, asked: NamedNode, root: NamedNode
) -> Perceived | None:
    """Return the question as a model reads it, put on record; None where it cannot.

    Args:
        mind: The run.
        question: The question.
        asked: Its node.
        root: The goal that all others are parts of.

    Raises:
        ModelDown: The server cannot be reached.
        BudgetSpent: Nothing may be asked any more.
    """
    try:
        thought = mind.consult(reading.call(question), root, uses=[asked])
        seen = reading.checked(question, thought.reply.value)
        nodes = _propose(mind, thought, seen, asked, root)
    except (BadReply, Denied) as error:
        mind.session.announce(BY_RULES.format(_line(error)))
        return None
    if seen.absent:
        told = ", ".join(repr(item) for item in seen.absent)
        mind.session.announce(
            f"The model named what does not stand in the question: {told}."
        )
    found = _named(mind, question, asked, root)
    known = zip(nodes, seen.mentions, strict=True)
    entities = tuple((node, _link(mind, node, item, found)) for node, item in known)
    return Perceived(seen, entities)


def _line(error: Exception) -> str:
    lines = str(error).splitlines()
    return (lines[0] if lines else type(error).__name__).rstrip(".") + "."


def _propose(
    mind: Mind, thought: Thought, seen: Reading, asked: NamedNode, root: NamedNode
) -> list[NamedNode]:
    """Put what the model saw to the gate; returns the nodes of the mentions."""
    trace = mind.session.trace
    intent = terms.part(trace.run, "intent")
    nodes = [trace.reserve("entity") for _ in seen.mentions]
    quads = set(_intent(intent, seen, asked, root, trace.graph))
    for node, item in zip(nodes, seen.mentions, strict=True):
        quads |= set(_mention(node, item, asked, trace.graph))
    for node in (intent, *nodes):
        quads.add(Quad(node, AITIA.inRun, trace.run, trace.graph))
    mind.propose(quads, mind.author(thought))
    return nodes


def _intent(
    node: NamedNode, seen: Reading, asked: NamedNode, root: NamedNode, graph: NamedNode
) -> Iterator[Quad]:
    yield Quad(node, RDF.type, AITIA.Intent, graph)
    yield Quad(node, AITIA.intentKind, _term(seen.intent), graph)
    yield Quad(node, AITIA.text, terms.string(seen.asks), graph)
    if seen.sentiment:
        yield Quad(node, AITIA.sentiment, _term(seen.sentiment), graph)
    if seen.urgency:
        yield Quad(node, AITIA.urgency, _term(seen.urgency), graph)
    yield from causal(asked, AITIA.motivates, node, graph)
    yield from causal(node, AITIA.motivates, root, graph)


def _mention(
    node: NamedNode, item: Mentioned, asked: NamedNode, graph: NamedNode
) -> Iterator[Quad]:
    yield Quad(node, RDF.type, AITIA.Entity, graph)
    yield Quad(node, AITIA.mention, terms.string(item.text), graph)
    yield Quad(node, AITIA.start, terms.integer(item.start), graph)
    yield Quad(node, AITIA.end, terms.integer(item.end), graph)
    yield from causal(asked, AITIA.motivates, node, graph)


def _term(local: str) -> NamedNode:
    return NamedNode(AITIA.NS + local)


def _named(
    mind: Mind, question: str, asked: NamedNode, root: NamedNode
) -> list[Mention]:
    """Return what the words of the question name on record."""
    found: list[Mention] = []
    for look_up in (entity_lookup, vocabulary_lookup):
        done = mind.session.perform(look_up, Question(question), root, uses=[asked])
        found += [x for x in done.output.mentions if x.kind in KNOWN]
    return found


def _link(
    mind: Mind, node: NamedNode, item: Mentioned, found: Sequence[Mention]
) -> str:
    """Link a mention to the resources that its words name, and say which they are."""
    trace, naming = mind.session.trace, Naming(mind.session.reads.schema)
    same = [x for x in found if x.start < item.end and item.start < x.end]
    targets = dict.fromkeys(target for x in same for target in x.targets)
    for target in targets:
        trace.say(node, AITIA.linkedTo, NamedNode(target))
    if not targets:
        return f"{item.text!r}, of which nothing is known by that name"
    trace.sure(node, max(x.quality for x in same) / len(targets), MENTION_RULE)
    told = ", ".join(naming.thing(NamedNode(target)) for target in targets)
    return f"{item.text!r}, on record as {told}"
