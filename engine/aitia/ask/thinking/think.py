"""A question thought over with a model: the whole of it on one screen.

Perceive → reason in rounds of proposed operations → conclude. Where a model gives no
valid operations it words an answer from numbered sources; where it cannot be reached,
rules answer; each such change is told to the asker. Whatever happens, the run ends in
one decision, abstention or abort.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from pyoxigraph import NamedNode

from aitia.ask.answer import NOTICE, conclude
from aitia.ask.execute import execute
from aitia.ask.perceive import (
    Perception,
    kind_of,
    put_entities,
    put_intent,
    read_parts,
    root_goal,
)
from aitia.ask.plan import make_plan
from aitia.ask.requests import declined
from aitia.ask.results import Result
from aitia.ask.thinking.compose import compose
from aitia.ask.thinking.ending import break_off, decide, give_up_goals
from aitia.ask.thinking.mind import Mind
from aitia.ask.thinking.perceive import perceive
from aitia.ask.thinking.remember import remember
from aitia.ask.thinking.rounds import reason
from aitia.llm.calls import BudgetSpent, ModelDown
from aitia.model.trace import Answer, Goal, Plan
from aitia.vocab import AITIA

DOWN: Final = "No model answered, so rules did: {}"
UNWORDED: Final = "No sentence that the model proposed was borne out; rules answered."


def think(mind: Mind, question: str) -> Answer:
    """Answer a question with a model; returns how the run ended."""
    session = mind.session
    asked = session.trace.asked(question)
    root = session.set_goal(root_goal(session, question), [asked])
    session.trace.state(root.node, AITIA.running)
    for text in mind.aids.missing:
        session.announce(text)
    remember(mind, question, root.node)
    # What a process that is killed was asked is on record before any model is waited for.
    session.trace.step()
    seen = None
    try:
        seen = perceive(mind, question, asked, root.node)
        done = reason(mind, question, asked, root, seen)
        return done or _worded(mind, question, asked, root, bool(seen))
    except BudgetSpent as error:
        return break_off(mind, question, str(error))
    except ModelDown as error:
        return _by_rules(mind, question, asked, root, bool(seen), error)


def _worded(
    mind: Mind, question: str, asked: NamedNode, root: Goal, seen: bool
) -> Answer:
    """Plan and retrieve by rules, and have a model word the answer."""
    if (refused := declined(mind.session, root.node, question)) is not None:
        return refused
    plan, results = _rules(mind, question, asked, root, seen)
    made = compose(mind, question, root.node, results)
    if made is not None and made[0].stands:
        return decide(mind, question, root.node, made[0], by=made[1])
    if made is not None:
        mind.session.announce(UNWORDED)
    return conclude(mind.session, plan, results, question)


def _by_rules(
    mind: Mind,
    question: str,
    asked: NamedNode,
    root: Goal,
    seen: bool,
    error: ModelDown,
) -> Answer:
    """Answer without the model that cannot be reached, and say so."""
    session = mind.session
    told = DOWN.format(str(error).splitlines()[0])
    session.announce(told)
    session.reads = replace(session.reads, models=None)
    if (answer := declined(session, root.node, question)) is None:
        plan, results = _rules(mind, question, asked, root, seen)
        answer = conclude(session, plan, results, question)
    return replace(answer, notice=f"{told} {NOTICE}")


def _rules(
    mind: Mind, question: str, asked: NamedNode, root: Goal, seen: bool
) -> tuple[Plan, list[Result]]:
    """Read, plan and pursue by rules, in the run that is under way."""
    session = mind.session
    give_up_goals(mind, root.node)
    parts = read_parts(session, question, root.node, asked)
    if not seen:
        _, intent = put_intent(session, parts, asked)
        session.trace.link(intent, AITIA.motivates, root.node)
        for part in parts:
            put_entities(session, asked, part)
    perception = Perception(question, kind_of(parts), root, parts)
    plan = make_plan(session, perception)
    session.trace.step()
    return plan, execute(session, plan)
