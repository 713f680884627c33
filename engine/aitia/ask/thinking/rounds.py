"""Rounds of proposed operations: propose, admit, act, check; until something ends it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pyoxigraph import NamedNode

from aitia.ask.thinking import goals, retries, trials
from aitia.ask.thinking.acts import Act, changes, prepared, waves
from aitia.ask.thinking.concluding import conclude
from aitia.ask.thinking.course import Course
from aitia.ask.thinking.ending import break_off
from aitia.ask.thinking.mind import Mind
from aitia.ask.thinking.perceive import Perceived
from aitia.ask.thinking.propose import Batched, Refused, propose
from aitia.errors import AitiaError
from aitia.llm.calls import BadReply
from aitia.methods.base import offered
from aitia.model.trace import Answer, Goal
from aitia.plain import clipped
from aitia.reason.board import Board
from aitia.reason.offered import Offered
from aitia.reason.operations import (
    AbortRun,
    CallTool,
    Conclude,
    RunMethod,
    SetGoalStatus,
)
from aitia.reason.proposal import Placed
from aitia.vocab import AITIA

ROUNDS: Final = 40
"""Batches of one run."""
TOO_LONG: Final = f"It came to no conclusion in {ROUNDS} rounds."
NO_BATCH: Final = "The model gave no valid operations: {} Rules planned in its place."


def reason(
    mind: Mind, question: str, asked: NamedNode, root: Goal, seen: Perceived | None
) -> Answer | None:
    """Return how a run ended that was reasoned in rounds.

    Args:
        mind: The run.
        question: The question.
        asked: Its node.
        root: The goal that all others are parts of.
        seen: What a model saw in the question, if it did.

    Returns:
        The answer; None where the model gave no valid operations, which was announced.

    Raises:
        ModelDown: The server cannot be reached.
        BudgetSpent: Nothing may be asked any more.
    """
    course = _course(mind, question, asked, root, seen)
    for _ in range(ROUNDS):
        try:
            batch = propose(course)
        except BadReply as error:
            _without(course, error)
            return None
        if isinstance(batch, Refused):
            if goals.give_up(course, batch):
                continue
            _without(course, AitiaError(batch.reason))
            return None
        answer = _carry_out(course, batch)
        if answer is not None:
            return answer
    return break_off(mind, question, TOO_LONG)


def _course(
    mind: Mind, question: str, asked: NamedNode, root: Goal, seen: Perceived | None
) -> Course:
    """Return the course of a run at its start, with what was perceived put up."""
    session = mind.session
    board = Board(session.trace.run, session.reads.store)
    board.add(asked, AITIA.UserInput, question)
    board.add(root.node, AITIA.Goal, root.description, status="running")
    for node, told in seen.entities if seen else ():
        board.add(node, AITIA.Entity, told)
    methods = offered()
    at_hand = Offered.of(methods, mind.aids.tools)
    course = Course(mind, question, root, board, at_hand, methods)
    course.add_goal(root)
    return course


def _without(course: Course, error: AitiaError) -> None:
    line = clipped(str(error), 300).rstrip(".")
    course.mind.session.announce(NO_BATCH.format(f"{line}."))


def _carry_out(course: Course, batch: Batched) -> Answer | None:
    """Do what an admitted batch asks for, in order; returns an answer if it ends."""
    trials.added(course, batch.placed)
    stretch: list[Placed] = []
    for item in batch.placed:
        if isinstance(item.operation, RunMethod | CallTool):
            stretch.append(item)
            continue
        _act(course, stretch)
        stretch = []
        if isinstance(item.operation, SetGoalStatus):
            goals.set_status(course, item.operation, item.node)
        elif isinstance(item.operation, Conclude):
            return conclude(course, item.operation, batch, item.node)
        elif isinstance(item.operation, AbortRun):
            reason = item.operation.reason
            return break_off(course.mind, course.question, reason, because=item.node)
    _act(course, stretch)
    return None


def _act(course: Course, items: Sequence[Placed]) -> None:
    """Run what operations ask for, replan what failed, and test hypotheses by it."""
    done: list[Act] = []
    for wave in waves(course, items):
        ready = [item for item in wave if goals.may_begin(course, item)]
        acts = [prepared(course, item) for item in ready]
        goals.begin(course, acts)
        last = retries.perform(course, acts)
        if any(changes(course, item) for item in ready):
            # What was changed outside is on record before anything else is begun.
            course.mind.session.trace.step(durable=True)
        course.reached |= {act.goal for act in last if not act.failure}
        done += last
    trials.test(course, done)
    goals.replan(course, done)
