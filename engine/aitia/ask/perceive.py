"""Perception: the input, what kind of answer it asks for, and what it speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pyoxigraph import NamedNode

from aitia import terms
from aitia.ask.parts import cut
from aitia.ask.session import Session
from aitia.methods.cues import (
    AVERAGE_FORM,
    COUNT_FORM,
    LARGEST_FORM,
    LIST_FORM,
    SMALLEST_FORM,
    TOTAL_FORM,
    Cues,
    read_cues,
)
from aitia.methods.entity_lookup import entity_lookup
from aitia.methods.interpretation import interpretation
from aitia.methods.mentions import CLASS, ENTITY, PROPERTY, Mention, Question
from aitia.methods.readings import Reading, ReadingInput
from aitia.methods.vocabulary_lookup import vocabulary_lookup
from aitia.model.trace import Goal
from aitia.vocab import AITIA

_POINTS_BACK: Final = re.compile(
    r"\b(?:it|its|they|their|them|this|that|these|those|he|his|him|she|her|one)\b|它|他|她|这|那",
    re.I,
)
_LEAVES_OUT: Final = re.compile(
    r"(?:which|how many)(?:\s+of\s+them)?\s+(?:are|is|were|was|have|has|had)\b", re.I
)
MENTION_RULE: Final = "match quality divided by the number of things of that name"


@dataclass(frozen=True)
class Part:
    """One part of the question, as perceived.

    Attributes:
        text: Its words.
        start: Offset of its first character in the question.
        cues: The form of answer that it asks for.
        mentions: What it speaks of.
        readings: How it can be read as a query, best first.
        seen: What perception observed, as nodes that later steps use.
    """

    text: str
    start: int
    cues: Cues
    mentions: tuple[Mention, ...]
    readings: tuple[Reading, ...]
    seen: tuple[NamedNode, ...]

    def of(self, kind: str) -> list[Mention]:
        """Return its mentions of one kind."""
        return [item for item in self.mentions if item.kind == kind]


@dataclass(frozen=True)
class Perception:
    """The question as perceived.

    Attributes:
        question: The whole question.
        kind: What kind of answer is asked for.
        root: The goal that all others are parts of.
        parts: Its parts in order.
    """

    question: str
    kind: NamedNode
    root: Goal
    parts: tuple[Part, ...]


def perceive(session: Session, question: str) -> Perception:
    """Return the question as perceived, put on record with the root goal."""
    asked = session.trace.asked(question)
    root = root_goal(session, question)
    parts = read_parts(session, question, root.node, asked)
    kind, intent = put_intent(session, parts, asked)
    session.set_goal(root, [intent])
    for part in parts:
        put_entities(session, asked, part)
    return Perception(question, kind, root, parts)


def root_goal(session: Session, question: str) -> Goal:
    """Return the goal that all others are parts of; not on record yet."""
    node, order = session.new_goal()
    return Goal(
        node=node,
        order=order,
        description=f"Answer: {question}",
        why="It was asked.",
        question=question,
        way="whole",
    )


def read_parts(
    session: Session, question: str, root: NamedNode, asked: NamedNode
) -> tuple[Part, ...]:
    """Return the parts of a question, read by rules."""
    parts: list[Part] = []
    for text, start in cut(question):
        before = parts[-1] if parts else None
        parts.append(_part(session, root, asked, (text, start), before))
    return tuple(parts)


def put_intent(
    session: Session, parts: Sequence[Part], asked: NamedNode
) -> tuple[NamedNode, NamedNode]:
    """Put what kind of answer is asked for on record; returns the kind and its node."""
    kind = kind_of(parts)
    return kind, session.trace.intent(kind, _told(parts), asked)


def _part(
    session: Session,
    root: NamedNode,
    asked: NamedNode,
    piece: tuple[str, int],
    before: Part | None,
) -> Part:
    text, start = piece
    named = session.perform(entity_lookup, Question(text), root, uses=[asked])
    spoken = session.perform(vocabulary_lookup, Question(text), root, uses=[asked])
    mentions = [*named.output.mentions, *spoken.output.mentions]
    if before is not None and not any(item.kind == ENTITY for item in mentions):
        mentions.extend(_carried(text, before))
    read = session.perform(
        interpretation,
        ReadingInput(text, tuple(mentions)),
        root,
        uses=[named.observation, spoken.observation],
    )
    return Part(
        text=text,
        start=start,
        cues=read_cues(text),
        mentions=tuple(mentions),
        readings=read.output.readings,
        seen=(named.observation, spoken.observation, read.observation),
    )


def _carried(text: str, before: Part) -> Iterable[Mention]:
    """Return what a part takes from the one before.

    The resources that it points back to, and the kind of thing where it leaves that
    out ("and which are closed?").
    """
    if _LEAVES_OUT.match(text):
        for item in before.of(CLASS):
            yield replace(item, start=len(text), end=len(text), focus=True)
    if _POINTS_BACK.search(text):
        for item in before.of(ENTITY):
            yield replace(item, start=len(text), end=len(text))


def put_entities(session: Session, asked: NamedNode, part: Part) -> None:
    """Put what a part speaks of on record, linked to what it may name."""
    trace = session.trace
    for item in part.mentions:
        if item.start == item.end:
            continue
        node = trace.node(AITIA.Entity, "entity")
        trace.say(node, AITIA.mention, terms.string(item.text))
        trace.say(node, AITIA.start, terms.integer(part.start + item.start))
        trace.say(node, AITIA.end, terms.integer(part.start + item.end))
        if item.kind in (ENTITY, CLASS, PROPERTY):
            for target in item.targets:
                trace.say(node, AITIA.linkedTo, NamedNode(target))
        trace.sure(node, item.quality / len(item.targets), MENTION_RULE)
        trace.link(asked, AITIA.motivates, node)


def kind_of(parts: Sequence[Part]) -> NamedNode:
    """Return what kind of answer the question asks for, by its first part."""
    first = parts[0]
    best = first.readings[0] if first.readings else None
    compares = first.cues.compares or first.cues.ordered
    if compares and len(first.of(ENTITY)) > 1:
        return AITIA.comparison
    if best is None:
        return AITIA.textQuestion
    if best.form in (COUNT_FORM, TOTAL_FORM, AVERAGE_FORM):
        return AITIA.counting
    if best.form in (LIST_FORM, LARGEST_FORM, SMALLEST_FORM):
        return AITIA.listing
    return AITIA.factLookup if best.asked or best.filters else AITIA.textQuestion


def _told(parts: Sequence[Part]) -> str:
    told = [
        part.readings[0].words() if part.readings else f"what texts say to: {part.text}"
        for part in parts
    ]
    return "; then ".join(told)
