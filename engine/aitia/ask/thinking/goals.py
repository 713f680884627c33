"""The goals of a run with a model: their status, checked, and what replaces them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pyoxigraph import NamedNode

from aitia.ask.thinking.acts import Act
from aitia.ask.thinking.course import Course
from aitia.ask.thinking.propose import Refused
from aitia.methods.arguments import NodeRef
from aitia.methods.goal_check import Reached, goal_check
from aitia.model.trace import Goal
from aitia.reason.operations import CallTool, RunMethod, SetGoalStatus
from aitia.reason.proposal import Placed
from aitia.vocab import AITIA

REPLACED: Final = 2
"""How often the engine sets another goal in place of one that failed."""


def begin(course: Course, acts: Sequence[Act]) -> None:
    """Give the goals that something is run for the status running."""
    for act in acts:
        if course.mind.session.trace.status(act.goal) == AITIA.pending:
            course.set_status(act.goal, AITIA.running)


def may_begin(course: Course, item: Placed) -> bool:
    """Tell whether the goals before that of an operation were reached.

    Where not, the operation is not carried out, and that is on record.
    """
    operation = item.operation
    assert isinstance(operation, RunMethod | CallTool)
    node = course.board.node(operation.goal)
    missing = tuple(_before(course, node))
    if not missing:
        return True
    done = course.mind.session.perform(goal_check, Reached("", (), missing), node)
    course.mind.session.trace.link(item.node, AITIA.motivates, done.node)
    course.trouble(done.node, done.output.failure, node)
    return False


def _before(course: Course, goal: NamedNode) -> Iterable[str]:
    """Yield the goals before one for which nothing was found yet, in words."""
    status = course.mind.session.trace.status
    replaced = {g.replaces: n for n, g in course.goals.items() if g.replaces}
    for node in sorted(course.waits_for(goal), key=lambda node: node.value):
        while node in replaced:
            node = replaced[node]
        if node not in course.reached and status(node) != AITIA.succeeded:
            yield course.goals[node].description


def set_status(course: Course, operation: SetGoalStatus, because: NamedNode) -> None:
    """Give a goal the status that a model declares, where a check bears it out.

    Args:
        course: The run.
        operation: What is declared.
        because: The operation's node.
    """
    node = course.board.node(operation.goal)
    if operation.status != "succeeded":
        course.set_status(node, NamedNode(AITIA.NS + operation.status))
        return
    found = _found(course, node, operation.because)
    done = course.mind.session.perform(
        goal_check,
        Reached(
            str(course.goals[node].parameters.get("success_test", "")),
            found,
            tuple(_unreached(course, node)),
        ),
        node,
        uses=[NamedNode(ref.node) for ref in found],
    )
    course.mind.session.trace.link(because, AITIA.motivates, done.node)
    if done.output.passed:
        course.set_status(node, AITIA.succeeded)
    else:
        course.trouble(done.node, done.output.failure, node)


def _found(
    course: Course, goal: NamedNode, named: Iterable[str]
) -> tuple[NodeRef, ...]:
    """Return what stands for a goal: what a model names, or all found under it."""
    told = [ref for label in named for ref in course.grounds(course.board.node(label))]
    if not told:
        under = {goal, *course.under(goal)}
        told = [
            course.ref(entry.node)
            for entry in course.board
            if entry.goal in under and course.grounds(entry.node)
        ]
    return tuple({ref.node: ref for ref in told}.values())


def _unreached(course: Course, goal: NamedNode) -> Iterable[str]:
    """Yield the goals before one that failed or were given up, in words."""
    gone = (AITIA.failed, AITIA.abandoned)
    replaced = {g.replaces for g in course.goals.values() if g.replaces}
    for node in course.waits_for(goal):
        status = course.mind.session.trace.status(node)
        if status in gone and node not in replaced:
            yield course.goals[node].description


def replan(course: Course, acts: Sequence[Act]) -> None:
    """Put other goals in place of those for which all that was run failed."""
    failed: dict[NamedNode, Act] = {}
    for act in acts:
        if act.failure:
            failed.setdefault(act.goal, act)
    for node, act in failed.items():
        if node in course.reached or node == course.root.node:
            continue
        assert act.node is not None
        replace(course, course.goals[node], act.failure, act.node)


def give_up(course: Course, refused: Refused) -> bool:
    """Fail the goal that refused operations were about, and set another in its place.

    Returns:
        False where there is none: what was refused was about the whole.
    """
    labels = [label for label in refused.addressed if label in course.board]
    nodes = [course.board.node(label) for label in labels]
    open_goals = {goal.node: goal for goal in course.open_goals()}
    goal = next((open_goals[node] for node in nodes if node in open_goals), None)
    if goal is None:
        goal = next(iter(open_goals.values()), None)
    if goal is None:
        return False
    reason = f"What was proposed for it was refused: {refused.reason}"
    return replace(course, goal, reason, refused.execution)


def replace(course: Course, goal: Goal, reason: str, because: NamedNode) -> bool:
    """Fail a goal and set another in its place; not more often than `REPLACED`.

    Args:
        course: The run.
        goal: The goal that failed.
        reason: Why.
        because: The execution that failed, which sets the new goal off.
    """
    first = course.line.get(goal.node, goal.node)
    course.set_status(goal.node, AITIA.failed)
    if course.replaced[first] >= REPLACED:
        return False
    course.replaced[first] += 1
    session = course.mind.session
    node, _ = session.new_goal()
    made = Goal(
        node=node,
        order=len(course.goals) + 1,
        description=f"{course.goals[first].description} – in another way",
        why=f"The goal before was not reached: {reason}"[:2000],
        question=goal.question,
        way=goal.way,
        parameters=goal.parameters,
        parent=goal.parent,
        depends=goal.depends,
        replaces=goal.node,
    )
    session.trace.goal(made, [goal.parent or course.root.node])
    session.trace.link(because, AITIA.triggers, node)
    course.line[node] = first
    course.add_goal(made)
    course.board.add(
        node, AITIA.Goal, made.description, status="pending", goal=goal.parent
    )
    return True
