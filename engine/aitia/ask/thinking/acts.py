"""What the operations of a batch ask to be run: done beside each other, recorded in order.

An act is prepared, performed in any thread, and put on record afterwards, in the order
of the operations. So the record does not depend on which one ended first.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from pyoxigraph import NamedNode

from aitia.ask.performing import Ran, run
from aitia.ask.session import Done
from aitia.ask.thinking.course import Course, told
from aitia.ask.thinking.kept import keep, kept
from aitia.llm.calls import BudgetSpent
from aitia.llm.replay import NotRecorded
from aitia.methods.arguments import NodeRef, arguments, nodes
from aitia.model.trace import ToolResult
from aitia.plain import short
from aitia.reason.operations import CallTool, RunMethod
from aitia.reason.proposal import Placed
from aitia.tools import calling
from aitia.tools.calling import Performed
from aitia.vocab import AITIA

ARGUMENT: Final = 200
"""Characters of one argument that are told with a result."""


@dataclass
class Act:
    """One thing that is run for a goal.

    Attributes:
        item: The operation that asks for it.
        goal: The goal that it serves.
        perform: Does it; touches no record.
        record: Puts what was done on record.
        attempt: Which try it is.
        after: The failed executions that it stands in for.
        given: The nodes that its arguments name: what surely flowed into it.
        checked: The sentence that it checks, where it is a check.
        node: The execution, once on record.
        done: What a method came to; None for a tool or what broke off.
        seen: What it found, in words; None where it broke off.
        found: What it found, as evidence: passages, statements, or the result itself.
        failure: Why it failed, or "".
    """

    item: Placed
    goal: NamedNode
    perform: Callable[[], Any]
    record: Callable[[Act, Any], None]
    attempt: int = 1
    after: tuple[NamedNode, ...] = ()
    given: tuple[NodeRef, ...] = ()
    checked: str = ""
    node: NamedNode | None = None
    done: Done[Any] | None = None
    seen: NodeRef | None = None
    found: tuple[NodeRef, ...] = ()
    failure: str = ""


def prepared(course: Course, item: Placed) -> Act:
    """Return an operation that runs something as an act."""
    operation = item.operation
    if isinstance(operation, RunMethod):
        return method_act(course, item, operation.method, operation.arguments)
    assert isinstance(operation, CallTool)
    return tool_act(course, item)


def method_act(
    course: Course,
    item: Placed,
    name: str,
    given: dict[str, Any],
    attempt: int = 1,
    after: tuple[NamedNode, ...] = (),
) -> Act:
    """Return a method to run for an operation, with arguments as JSON.

    Args:
        course: The run.
        item: The operation.
        name: The method's name.
        given: Its arguments.
        attempt: Which try it is.
        after: The failed executions that this one stands in for.
    """
    method = course.methods[name]
    values = arguments(method, given, course.resolve)
    goal = course.board.node(_goal(item))

    def perform() -> Ran[Any]:
        reads = course.mind.session.reads
        return kept(course.mind, method, values) or run(reads, method, values, {})

    def record(act: Act, ran: Ran[Any]) -> None:
        _record_method(course, act, ran)

    refs = tuple(ref for ref in nodes(values) if ref.node)
    sentence = getattr(values, "sentence", "") or getattr(values, "conclusion", "")
    return Act(item, goal, perform, record, attempt, after, refs, sentence)


def _record_method(course: Course, act: Act, ran: Ran[Any]) -> None:
    session = course.mind.session
    said = told(ran.output) if ran.output is not None else ""
    uses = [NamedNode(ref.node) for ref in act.given]
    operation = act.item.operation
    if isinstance(operation, RunMethod) and operation.strategy and operation.reason:
        parameters = {**ran.parameters, "reason": operation.reason}
        ran = replace(ran, parameters=parameters)
    try:
        done = session.record(ran, act.goal, uses=uses, attempt=act.attempt, said=said)
    except (BudgetSpent, NotRecorded):
        raise
    except Exception as error:
        act.node = session.executions[-1].node
        act.failure = f"{type(error).__name__}: {error}"
    else:
        act.node, act.done = done.node, done
        act.failure = ran.output.failure if ran.output is not None else ""
        act.seen, *found = course.show(done, act.goal, said, act.given)
        act.found = tuple(found)
        keep(course.mind, ran, done.node)
    _because(course, act)


def tool_act(
    course: Course,
    item: Placed,
    attempt: int = 1,
    after: tuple[NamedNode, ...] = (),
) -> Act:
    """Return a tool to call for an operation."""
    operation, mind = item.operation, course.mind
    assert isinstance(operation, CallTool)
    call = mind.aids.call
    assert call is not None
    goal = course.board.node(operation.goal)
    perform = partial(call, operation.tool, operation.arguments)

    def record(act: Act, done: Performed) -> None:
        trace = mind.session.trace
        called = calling.record(
            trace, done, goal, because=[item.node], attempt=act.attempt
        )
        act.node, act.failure = called.node, called.error
        if called.observation is not None:
            source, about = f"result of {operation.tool}", _call(operation)
            course.observe(
                called.observation, called.text, goal, source, about, result(done)
            )
            act.seen = course.ref(called.observation)
            act.found = (act.seen,)
        _because(course, act, motivated=True, what=result(done).call)

    return Act(item, goal, perform, record, attempt, after)


def _call(operation: CallTool) -> str:
    """Return a call in words: a result often does not say what it is about."""
    told = (
        f"{name.replace('_', ' ')} {value}"
        for name, value in operation.arguments.items()
        if isinstance(value, (str, int, float))
    )
    return "; ".join([operation.tool.replace("_", " "), *told])


def result(done: Performed) -> ToolResult:
    """Return how a result came about, as it is told and checked: by which call."""
    values = done.arguments.items()
    given = ", ".join(
        f"{name}={short(json.dumps(value, ensure_ascii=False), ARGUMENT)}"
        for name, value in values
    )
    plain = (str(v) for _, v in values if isinstance(v, (str, int, float)))
    return ToolResult(f"{done.tool.name}({given})", done.tool.description, tuple(plain))


def _because(
    course: Course, act: Act, *, motivated: bool = False, what: str = ""
) -> None:
    """Say what an execution is there for, and what a model says that it rests on."""
    trace, operation, node = course.mind.session.trace, act.item.operation, act.node
    assert node is not None
    assert isinstance(operation, RunMethod | CallTool)
    if not motivated:
        trace.link(act.item.node, AITIA.motivates, node)
    for label in dict.fromkeys(operation.because):
        ground = course.board.node(label)
        if ground.value not in {ref.node for ref in act.given}:
            reason = operation.reason
            trace.weighed(
                node, AITIA.usedTool, ground, basis=AITIA.claimed, reason=reason
            )
    strategy = getattr(operation, "strategy", None)
    if strategy:
        follow(course, node, strategy)
    for failed in act.after:
        trace.say(node, AITIA.replaces, failed)
        trace.link(failed, AITIA.triggers, node)
    if act.failure:
        told = f"{what} failed: {act.failure}" if what else act.failure
        course.trouble(node, told, act.goal)


def follow(course: Course, execution: NamedNode, strategy: str) -> None:
    """Say which strategy of reasoning an execution follows."""
    trace, term = course.mind.session.trace, NamedNode(AITIA.NS + strategy)
    trace.introduce(term, AITIA.Strategy, strategy)
    trace.say(execution, AITIA.strategy, term)


def waves(course: Course, items: Sequence[Placed]) -> Iterator[list[Placed]]:
    """Yield operations in groups that do not wait for one another.

    A group holds the operations whose goals depend on none of another's in the same
    stretch; a tool that changes something outside runs alone, in its place.
    """
    stretch: list[Placed] = []
    for item in items:
        if changes(course, item):
            yield from _levels(course, stretch)
            yield [item]
            stretch = []
        else:
            stretch.append(item)
    yield from _levels(course, stretch)


def _levels(course: Course, items: Sequence[Placed]) -> Iterator[list[Placed]]:
    goals = dict.fromkeys(course.board.node(_goal(item)) for item in items)
    behind = {goal: course.waits_for(goal) & goals.keys() for goal in goals}
    level: dict[NamedNode, int] = {}
    # What a goal waits for waits for less than the goal itself, so that it comes first.
    for goal in sorted(goals, key=lambda goal: len(behind[goal])):
        level[goal] = max((level[other] + 1 for other in behind[goal]), default=0)
    groups: dict[int, list[Placed]] = {}
    for item in items:
        groups.setdefault(level[course.board.node(_goal(item))], []).append(item)
    for number in sorted(groups):
        yield groups[number]


def changes(course: Course, item: Placed) -> bool:
    """Tell whether an operation may change something outside."""
    operation = item.operation
    return isinstance(operation, CallTool) and bool(
        course.offered.tools[operation.tool].side_effect
    )


def _goal(item: Placed) -> str:
    operation = item.operation
    assert isinstance(operation, RunMethod | CallTool)
    return operation.goal
