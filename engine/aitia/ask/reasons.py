"""Strategy: answer why something happened to a record from the reason on record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pyoxigraph import NamedNode

from aitia.ask.candidates import hypothesis, judge, weigh
from aitia.ask.evidence import nodes, state
from aitia.ask.results import Finding, Result
from aitia.ask.session import Done, Session
from aitia.methods.facts import Fact
from aitia.methods.naming import Naming
from aitia.methods.reason_lookup import RULE, Happened, Reasons, reason_lookup
from aitia.methods.statement_check import Stated, statement_check
from aitia.model.trace import Goal

NAME: Final = "look_up_reason"
COMPETENCE: Final = "Finds the reason on record for what happened to a thing."

Earlier = Mapping[NamedNode, Result]


def reasons(session: Session, goal: Goal, earlier: Earlier, attempt: int) -> Result:
    """Pursue a goal that asks why something happened to a thing on record."""
    part = session.parts[goal.node]
    with session.strategy(NAME, COMPETENCE, goal, attempt) as running:
        done = session.perform(
            reason_lookup,
            Happened(part.text, part.mentions),
            goal.node,
            uses=part.seen,
            part_of=running.node,
        )
        told = (
            _candidate(session, goal, running.node, done, facts)
            for facts in done.output.facts
        )
        found = tuple(item for item in told if item is not None)
        running.returns({"found": [f.text for f in found]}, f"{len(found)} found")
        reason = "" if found else done.output.failure
        if reason:
            running.failed(reason)
    best = max((item.confidence for item in found), default=0.0)
    return Result(goal, found, reason, best, RULE, done.node)


def _candidate(
    session: Session,
    goal: Goal,
    part_of: NamedNode,
    done: Done[Reasons],
    facts: tuple[Fact, ...],
) -> Finding | None:
    """Put a reason on record as a candidate, and check it."""
    naming = Naming(session.reads.schema)
    text = (
        f"The {naming.property(facts[0].predicate)} of {naming.thing(facts[0].subject)} "
        f"is {naming.value(facts[0].object)}."
    )
    evidence = tuple(state(session, done.node, facts))
    sure = done.output.confidence or 0.0
    node = hypothesis(session, done.node, text, evidence, sure, RULE)
    stands = session.perform(
        statement_check, Stated(facts), goal.node, uses=nodes(evidence), part_of=part_of
    )
    if not judge(session, node, stands):
        return None
    finding = Finding(text, node, evidence, sure, RULE)
    return finding if weigh(session, goal, part_of, finding).output.passed else None
