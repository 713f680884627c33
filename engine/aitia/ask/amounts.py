"""Strategy: hold an amount in the question to the limits that texts set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from pyoxigraph import NamedNode

from aitia.ask.candidates import hypothesis, weigh
from aitia.ask.evidence import nodes
from aitia.ask.from_text import check, find
from aitia.ask.results import Finding, Result
from aitia.ask.session import Session
from aitia.methods.keywords import keywords
from aitia.methods.limit_check import (
    Limited,
    Ruling,
    amount,
    limit_check,
    limit_selection,
)
from aitia.methods.mentions import Question
from aitia.model.trace import Goal

NAME: Final = "hold_to_limits"
COMPETENCE: Final = "Holds an amount in the question to the limits that texts set."
RULE: Final = "confidence of the sentence that sets the limit"

Earlier = Mapping[NamedNode, Result]


def amounts(session: Session, goal: Goal, earlier: Earlier, attempt: int) -> Result:
    """Pursue a goal that asks whether something is so for an amount."""
    with session.strategy(NAME, COMPETENCE, goal, attempt) as running:
        result = _ruled(session, goal, running.node, attempt)
        told = {"found": [item.text for item in result.findings]}
        running.returns(told, f"{len(result.findings)} found")
        running.measured(result.confidence, RULE)
        if not result.reached:
            running.failed(result.reason)
    return result


def _ruled(session: Session, goal: Goal, part_of: NamedNode, attempt: int) -> Result:
    seen = session.parts[goal.node].seen[:1]
    asked = Question(_without_amount(goal.question))
    words = session.perform(keywords, asked, goal.node, uses=seen, part_of=part_of)
    if words.output.failure:
        return Result(goal, reason=words.output.failure, trigger=words.node)
    ranked = find(session, goal, part_of, words, attempt)
    chosen = session.perform(
        limit_selection,
        Ruling(ranked.output, goal.question),
        goal.node,
        uses=[ranked.observation],
        part_of=part_of,
    )
    if chosen.output.failure:
        return Result(goal, reason=chosen.output.failure, trigger=chosen.node)
    result = check(session, goal, part_of, chosen)
    found = [_compared(session, goal, part_of, item) for item in result.findings]
    kept = tuple(item for item in found if item is not None)
    return replace(result, findings=kept, rule=RULE)


def _compared(
    session: Session, goal: Goal, part_of: NamedNode, rule: Finding
) -> Finding | None:
    """Put what a rule says of the amount on record as a candidate, and check it."""
    done = session.perform(
        limit_check,
        Limited(rule.text, goal.question),
        goal.node,
        uses=nodes(rule.evidence),
        part_of=part_of,
    )
    if done.output.failure:
        return None
    node = hypothesis(
        session, done.node, done.output.text, rule.evidence, rule.confidence, RULE
    )
    finding = Finding(done.output.text, node, rule.evidence, rule.confidence, RULE)
    return finding if weigh(session, goal, part_of, finding).output.passed else None


def _without_amount(question: str) -> str:
    """Return a question without its amount: rules have another one."""
    found = amount(question)
    if found is None:
        return question
    return f"{question[: found.start]}{question[found.end :]}"
