"""Strategy: answer from the facts.

Read the part of the question as a query, run the readings that explain most of it,
word what they find, and check every candidate: its facts are read again, and its
confidence is held to the threshold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from pyoxigraph import NamedNode

from aitia.ask.candidates import hypothesis, judge, weigh
from aitia.ask.evidence import nodes, state
from aitia.ask.results import Finding, Result
from aitia.ask.session import Session
from aitia.methods.cues import LIST_FORM, VALUE_FORM
from aitia.methods.graph_confidence import RULE, sureness
from aitia.methods.graph_query import Row, graph_query
from aitia.methods.interpretation import interpretation
from aitia.methods.mentions import ENTITY, KIND, VALUE, Mention, Question
from aitia.methods.readings import (
    Reading,
    ReadingInput,
    as_query,
    without_filters,
)
from aitia.methods.statement_check import Stated, statement_check
from aitia.methods.vocabulary_lookup import vocabulary_lookup
from aitia.methods.wording import Worded, none, word
from aitia.model.trace import Goal

NAME: Final = "answer_from_facts"
COMPETENCE: Final = "Reads a question as a query over the facts and answers from them."
TRIED: Final = 3  # readings that are run
TOLD: Final = 4  # candidates that one reading gives

Earlier = Mapping[NamedNode, Result]


def from_graph(session: Session, goal: Goal, earlier: Earlier, attempt: int) -> Result:
    """Pursue a goal over the facts."""
    with session.strategy(NAME, COMPETENCE, goal, attempt) as running:
        readings, seen = _readings(session, goal, running.node, earlier)
        found, best, trigger, rejected = [], 0.0, running.node, []
        for reading in readings[:TRIED]:
            rows = session.perform(
                graph_query,
                as_query(reading),
                goal.node,
                uses=seen,
                part_of=running.node,
                attempt=attempt,
                hops=goal.parameters.get("hops", 2),
            )
            trigger = rows.node
            told = word(session.reads.schema, reading, rows.output.rows)
            if not told and (other := without_filters(reading)) is not None:
                rows = session.perform(
                    graph_query,
                    as_query(other),
                    goal.node,
                    uses=seen,
                    part_of=running.node,
                    attempt=attempt,
                    hops=goal.parameters.get("hops", 2),
                )
                told = none(session.reads.schema, reading, rows.output.rows)
            for item in told[:TOLD]:
                finding, check = _candidate(
                    session, goal, running.node, reading, rows.node, item
                )
                best = max(best, finding.confidence)
                if check is None:
                    found.append(finding)
                else:
                    rejected.append(finding.hypothesis)
                    trigger = check
            if found:
                break
        reason = "" if found else _reason(readings, best)
        running.returns({"found": [item.text for item in found]}, f"{len(found)} found")
        if readings or found:
            running.measured(best, RULE)
        if not found:
            running.failed(reason)
    return Result(goal, tuple(found), reason, best, RULE, trigger, tuple(rejected))


def _candidate(
    session: Session,
    goal: Goal,
    part_of: NamedNode,
    reading: Reading,
    execution: NamedNode,
    item: Worded,
) -> tuple[Finding, NamedNode | None]:
    """Put a candidate on record and check it; return the check that refuted it."""
    part = session.parts[goal.node]
    sure, missing = sureness(
        session.reads.schema, part.text, part.cues, reading, item.rows
    )
    facts = tuple(dict.fromkeys(quad for row in item.rows for quad in row.facts))
    evidence = state(session, execution, facts)
    node = hypothesis(session, execution, item.text, evidence, sure, RULE)
    finding = Finding(
        item.text,
        node,
        tuple(evidence),
        sure,
        RULE,
        item.numbers,
        _resources(item.rows),
    )
    stands = session.perform(
        statement_check, Stated(facts), goal.node, uses=nodes(evidence), part_of=part_of
    )
    if not judge(session, node, stands):
        return finding, stands.node
    check = weigh(session, goal, part_of, finding, missing)
    return finding, None if check.output.passed else check.node


def _readings(
    session: Session, goal: Goal, part_of: NamedNode, earlier: Earlier
) -> tuple[Sequence[Reading], Sequence[NamedNode]]:
    """Return the readings to run for a goal, and the observations they rest on."""
    part = session.parts[goal.node]
    told = goal.parameters
    mentions, seen = part.mentions, part.seen
    if told.get("similar"):
        spoken = session.perform(
            vocabulary_lookup,
            Question(part.text),
            goal.node,
            uses=part.seen[:1],
            part_of=part_of,
            similar=True,
        )
        mentions = (*_named(mentions), *spoken.output.mentions)
        seen = (*part.seen[:1], spoken.observation)
    readings: Sequence[Reading] = part.readings
    if mentions != part.mentions or told.get("side"):
        read = session.perform(
            interpretation,
            ReadingInput(part.text, mentions),
            goal.node,
            uses=seen,
            part_of=part_of,
        )
        readings, seen = read.output.readings, (*seen, read.observation)
    return _shaped(readings, goal, earlier), seen


def _named(mentions: Sequence[Mention]) -> list[Mention]:

    return [item for item in mentions if item.kind in (ENTITY, VALUE)]


def _shaped(
    readings: Sequence[Reading], goal: Goal, earlier: Earlier
) -> Sequence[Reading]:
    """Return the readings as the goal needs them: one side, one end of a bridge."""
    told = goal.parameters
    if told.get("side"):
        return [
            replace(item, form=VALUE_FORM)
            for item in readings
            if item.asked is not None and item.entities
        ]
    if asked := told.get("asked"):
        return [
            replace(item, asked=hint, hints=tuple(h for h in item.hints if h != hint))
            for item in readings[:1]
            for hint in item.hints
            if hint.text == asked
        ]
    if told.get("bridge"):
        return [
            replace(item, form=LIST_FORM, asked=None, hints=(item.asked, *item.hints))
            for item in readings
            if item.of_class is not None and item.asked is not None
        ]
    if told.get("onward"):
        return _onward(readings, goal, earlier)
    return readings


def _onward(
    readings: Sequence[Reading], goal: Goal, earlier: Earlier
) -> Sequence[Reading]:
    """Return the readings with what an earlier goal found in place of its words."""
    found = tuple(
        dict.fromkeys(
            node
            for needed in goal.depends
            if needed in earlier
            for finding in earlier[needed].findings
            for node in finding.resources
        )
    )
    if not found:
        return []
    return [
        replace(
            item,
            form=VALUE_FORM,
            of_class=None,
            entities=(),
            filters=(),
            found=found,
            hints=(
                replace(item.of_class, kind=KIND),
                *item.hints,
                *item.entities,
                *(replace(value, kind=KIND) for value in item.filters),
            ),
        )
        for item in readings
        if item.of_class is not None and item.asked is not None
    ]


def _resources(rows: Sequence[Row]) -> tuple[NamedNode, ...]:
    """Return the resources that rows lead to."""
    values = [
        row.value if isinstance(row.value, NamedNode) else row.focus for row in rows
    ]
    return tuple(dict.fromkeys(values))


def _reason(readings: Sequence[Reading], best: float) -> str:
    if not readings:
        return "The facts know nothing that the question asks for in these words."
    if best > 0:
        return "What the facts say explains too little of the question."
    return "The facts hold no such thing."
