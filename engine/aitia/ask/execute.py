"""Execution: pursues the goals of a plan in order, another way where one fails."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from pyoxigraph import NamedNode

from aitia.ask.amounts import amounts
from aitia.ask.chain import chain
from aitia.ask.compare import compare
from aitia.ask.dates import dated
from aitia.ask.from_graph import from_graph
from aitia.ask.from_text import from_text
from aitia.ask.reasons import reasons
from aitia.ask.replan import replan
from aitia.ask.results import Result
from aitia.ask.rules import conditions, rules
from aitia.ask.session import Session
from aitia.model.trace import Goal, Plan
from aitia.vocab import AITIA

Earlier = Mapping[NamedNode, Result]
Strategy = Callable[[Session, Goal, Earlier, int], Result]

WAYS: Final[Mapping[str, Strategy]] = {
    "graph": from_graph,
    "text": from_text,
    "compare": compare,
    "rules": rules,
    "conditions": conditions,
    "chain": chain,
    "amounts": amounts,
    "dates": dated,
    "reasons": reasons,
}


def execute(session: Session, plan: Plan) -> list[Result]:
    """Pursue every goal of a plan; commits after each, so that a crash keeps it."""
    results: dict[NamedNode, Result] = {}
    for goal in plan.goals:
        results[goal.node] = _pursue(session, goal, results)
        session.trace.step()
    return list(results.values())


def _pursue(session: Session, goal: Goal, earlier: Earlier) -> Result:
    """Pursue one goal, replanned until it is reached or nothing is left to try."""
    tried = [goal]
    result = WAYS[goal.way](session, goal, earlier, 1)
    while not result.reached and (other := replan(session, result, tried, earlier)):
        _close(session, result, AITIA.failed)
        tried.append(other)
        latest = WAYS[other.way](session, other, earlier, len(tried))
        result = latest if latest.reached else _better(result, latest)
    _close(session, result, AITIA.succeeded if result.reached else AITIA.failed)
    _close_all(session, tried)
    return result


def _close(session: Session, result: Result, status: NamedNode) -> None:
    session.trace.state(result.goal.node, status)


def _close_all(session: Session, tried: list[Goal]) -> None:
    """Give every goal that was tried and not reached its last status."""
    for goal in tried:
        if session.trace.status(goal.node) in (AITIA.pending, AITIA.running):
            session.trace.state(goal.node, AITIA.failed)


def _better(one: Result, other: Result) -> Result:
    """Return the failed result that came nearer to an answer."""
    return other if other.confidence > one.confidence else one
