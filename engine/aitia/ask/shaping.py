"""The readings that a goal needs.

They are those of its part of the question, made anew where replanning looks by
likeness, and cut to the goal: one side of a comparison, one end of a bridge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pyoxigraph import NamedNode

from aitia.ask.results import Result
from aitia.ask.session import Session
from aitia.methods.cues import LIST_FORM, VALUE_FORM
from aitia.methods.entity_lookup import entity_lookup
from aitia.methods.interpretation import interpretation
from aitia.methods.mentions import KIND, Mention, Question
from aitia.methods.readings import Reading, ReadingInput
from aitia.methods.vocabulary_lookup import vocabulary_lookup
from aitia.model.trace import Goal

Earlier = Mapping[NamedNode, Result]
Seen = tuple[NamedNode, ...]


def readings(
    session: Session, goal: Goal, part_of: NamedNode, earlier: Earlier
) -> tuple[Sequence[Reading], Seen]:
    """Return the readings to run for a goal, and the observations they rest on."""
    part = session.parts[goal.node]
    mentions, seen = part.mentions, part.seen
    if goal.parameters.get("similar"):
        mentions, seen = _alike(session, goal, part_of)
    found: Sequence[Reading] = part.readings
    if mentions != part.mentions or goal.parameters.get("side"):
        read = session.perform(
            interpretation,
            ReadingInput(part.text, mentions),
            goal.node,
            uses=seen,
            part_of=part_of,
        )
        found, seen = read.output.readings, (*seen, read.observation)
    return _shaped(found, goal, earlier), seen


def _alike(
    session: Session, goal: Goal, part_of: NamedNode
) -> tuple[tuple[Mention, ...], Seen]:
    """Return what a part mentions by likeness and in part, too."""
    part = session.parts[goal.node]
    mentions: list[Mention] = []
    seen: list[NamedNode] = []
    for look_up in (entity_lookup, vocabulary_lookup):
        done = session.perform(
            look_up,
            Question(part.text),
            goal.node,
            uses=part.seen[:1],
            part_of=part_of,
            similar=True,
        )
        mentions.extend(done.output.mentions)
        seen.append(done.observation)
    carried = [item for item in part.mentions if item.start == item.end]
    return (*mentions, *carried), tuple(seen)


def _shaped(
    found: Sequence[Reading], goal: Goal, earlier: Earlier
) -> Sequence[Reading]:
    told = goal.parameters
    if told.get("side"):
        return [
            replace(item, form=VALUE_FORM)
            for item in found
            if item.asked is not None and item.entities
        ]
    if asked := told.get("asked"):
        return [
            replace(
                item,
                asked=hint,
                hints=(
                    *(h for h in item.hints if h != hint),
                    *((item.asked,) if item.asked else ()),
                ),
            )
            for item in found[:1]
            for hint in item.hints
            if hint.text == asked
        ]
    if told.get("bridge"):
        return [
            replace(item, form=LIST_FORM, asked=None, hints=(item.asked, *item.hints))
            for item in found
            if item.of_class is not None and item.asked is not None
        ]
    if told.get("onward"):
        return _onward(found, goal, earlier)
    return found


def _onward(
    found: Sequence[Reading], goal: Goal, earlier: Earlier
) -> Sequence[Reading]:
    """Return the readings with what an earlier goal found in place of its words."""
    results = (earlier[node] for node in goal.depends if node in earlier)
    findings = (finding for result in results for finding in result.findings)
    nodes = tuple(dict.fromkeys(n for item in findings for n in item.resources))
    if not nodes:
        return []
    return [
        replace(
            item,
            form=VALUE_FORM,
            of_class=None,
            entities=(),
            filters=(),
            found=nodes,
            hints=(
                replace(item.of_class, kind=KIND),
                *item.hints,
                *item.entities,
                *(replace(value, kind=KIND) for value in item.filters),
            ),
        )
        for item in found
        if item.of_class is not None and item.asked is not None
    ]
