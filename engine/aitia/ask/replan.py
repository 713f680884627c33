"""Replanning: what to try when a goal was not reached.

The ways differ in more than luck: other names for the same (`similar`), farther links
(`hops`), more and less like passages (`k`, `floor`), texts in place of facts, facts in
place of texts. The failed check triggers the goal that takes the old one's place, and
the changed parameters are on record with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pyoxigraph import NamedNode

from aitia.ask.perceive import Part
from aitia.ask.results import Result
from aitia.ask.session import Session
from aitia.methods.cues import REASON
from aitia.methods.mentions import CLASS, ENTITY, VALUE
from aitia.model.trace import Goal
from aitia.vocab import AITIA

Earlier = Mapping[NamedNode, Result]
Other = tuple[str, dict[str, Any], str]

LOOSER_GRAPH: Final = {"similar": True, "hops": 3}
LOOSER_TEXT: Final = {"k": 60, "floor": 0.2, "keep": 30, "embedded": 60}


def replan(
    session: Session, result: Result, tried: Sequence[Goal], earlier: Earlier
) -> Goal | None:
    """Return a goal in place of the one that failed, or None where nothing is left."""
    failed, part = tried[-1], session.parts[tried[-1].node]
    ways = {(goal.way, _key(goal.parameters)) for goal in tried}
    for way, parameters, why in _others(tried[0], part):
        if (way, _key(parameters)) not in ways:
            return _replace(session, failed, part, result, (way, parameters, why))
    return None


def _others(first: Goal, part: Part) -> Iterator[Other]:
    """Return what else can be tried for a goal, likeliest first."""
    told = dict(first.parameters)
    if first.way == "graph":
        yield "graph", told | LOOSER_GRAPH, "by like names and over farther links"
        if not ({"side", "onward", "bridge", "asked"} & set(told)):
            yield "text", {}, "in texts, since the facts do not say it"
    if first.way == "text":
        yield "text", told | LOOSER_TEXT, "among more passages, less alike ones too"
        named = any(item.kind in (CLASS, ENTITY, VALUE) for item in part.mentions)
        if named and part.cues.wants != REASON:
            yield "graph", dict(LOOSER_GRAPH), "in the facts, by like names"
    if first.way in ("dates", "amounts"):
        yield first.way, told | LOOSER_TEXT, "among more passages, less alike ones too"
    if first.way in ("reasons", "amounts"):
        yield "text", {}, "in texts, by their words alone"
    if first.way == "rules":
        yield "rules", told | LOOSER_TEXT, "among more passages, less alike ones too"
        yield "graph", dict(LOOSER_GRAPH), "in the facts, since no text rules on it"


def _replace(
    session: Session, failed: Goal, part: Part, result: Result, other: Other
) -> Goal:
    way, parameters, why = other
    node, order = session.new_goal()
    goal = Goal(
        node=node,
        order=order,
        description=f"{part.text} – {why}",
        why=f"The goal before was not reached: {result.reason}",
        question=part.text,
        way=way,
        parameters=parameters,
        parent=failed.parent,
        depends=failed.depends,
        replaces=failed.node,
    )
    session.parts[node] = part
    root = session.goals[0]
    session.set_goal(goal, [root.node])
    if result.trigger is not None:
        session.trace.link(result.trigger, AITIA.triggers, node)
    return goal


def _key(parameters: Mapping[str, Any]) -> str:
    return repr(sorted(parameters.items()))
