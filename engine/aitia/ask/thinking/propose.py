"""One batch of operations: asked for, judged, put to the gate, sent back if refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pyoxigraph import NamedNode

from aitia.ask.thinking.course import Course
from aitia.ask.thinking.kept import keep_plan, kept_plan
from aitia.ask.thinking.mind import Denied, Thought
from aitia.llm.calls import Call, Message
from aitia.llm.tokens import estimate
from aitia.model.trace import Goal
from aitia.reason import prompts, record
from aitia.reason.judge import judge
from aitia.reason.operations import AddNode, Batch, CallTool, RunMethod, batch_type
from aitia.reason.proposal import Placed, Proposed, patch_of
from aitia.reason.summary import Summary, summary
from aitia.reason.words import plain
from aitia.trace.heard import record_heard

REPAIRS: Final = 3
"""How often a refused batch is sent back with the reasons."""
LEAST: Final = 400
"""Tokens that a summary has at least, however small the model's context is."""


@dataclass(frozen=True)
class Batched:
    """Operations that were admitted, on record.

    Attributes:
        placed: The operations, in order.
        author: The model that proposed them.
        execution: The call that they are from.
    """

    placed: tuple[Placed, ...]
    author: NamedNode
    execution: NamedNode


@dataclass(frozen=True)
class Refused:
    """What a model proposed to the end and the gate or the judge refused.

    Attributes:
        addressed: What it was about.
        reason: Why it was refused, in plain words.
        execution: The last call.
    """

    addressed: tuple[str, ...]
    reason: str
    execution: NamedNode


def propose(course: Course) -> Batched | Refused:
    """Return the operations of the next batch that is admitted, now on record.

    Raises:
        BadReply: The reply is none, the repair try included.
        ModelDown: The server cannot be reached.
        BudgetSpent: Nothing may be asked any more.
    """
    if course.mind.watched:
        # Whoever looks on sees what was done before a reply is waited for.
        course.mind.session.trace.step()
    asking = prompts.plan("", course.offered, course.question)
    told = summary(course.board, _room(course, asking))
    messages = prompts.plan(
        told.text + course.mind.remembered, course.offered, course.question
    )
    refused = None
    course.rounds += 1
    for attempt in range(1, REPAIRS + 2):
        thought = _kept(course, attempt) or _ask(course, messages, told, attempt)
        batch: Batch = thought.reply.value
        words = _put(course, thought, batch)
        if not isinstance(words, str):
            return words
        refused = Refused(tuple(batch.addresses), words, thought.node)
        messages = prompts.repair(messages, thought.reply.text, words)
    assert refused is not None
    return refused


def _room(course: Course, asking: Sequence[Message]) -> int:
    """Return how many tokens a summary may have, so that the prompt fits."""
    settings = course.mind.session.reads.settings.model
    fixed = sum(estimate(message.text) for message in asking)
    fixed += estimate(course.mind.remembered)
    return max(LEAST, settings.context - settings.answer_tokens - fixed - LEAST)


def _kept(course: Course, attempt: int) -> Thought | None:
    """Return the first batch of an earlier run of this question, if it is kept."""
    if course.rounds > 1 or attempt > 1:
        return None
    mind = course.mind
    call = Call(
        *prompts.PLAN, messages=(), tier="plan", shape=batch_type(course.offered)
    )
    heard = kept_plan(mind, course.question, call, course.offered)
    if heard is None or heard.reply is None:
        return None
    node = record_heard(
        mind.session.trace, mind.session.reads.store, heard, course.root.node
    )
    return Thought(node, heard.reply)


def _ask(
    course: Course, messages: Sequence[Message], told: Summary, attempt: int
) -> Thought:
    purpose, version = prompts.PLAN
    call = Call(
        purpose=purpose,
        version=version,
        messages=tuple(messages),
        tier="plan",
        shape=batch_type(course.offered),
        anew=any(tool.side_effect for tool in course.offered.tools.values()),
    )
    return course.mind.consult(
        call,
        course.root.node,
        shown=told.shown,
        left_out=told.left_out,
        attempt=attempt,
    )


def _put(course: Course, thought: Thought, batch: Batch) -> Batched | str:
    """Judge a batch and hand it to the gate; returns why it was refused, or what was."""
    mind, trace = course.mind, course.mind.session.trace
    author = mind.author(thought)
    problems = judge(course.board, batch, course.offered)
    if problems:
        record.refuse(trace, thought.node, author, thought.reply.text, problems)
        return plain(problems, course.board)
    node = record.batch(trace, thought.node, course.board, batch)
    _introduce(course, batch)
    proposed = patch_of(course.board, batch, trace, author, node)
    try:
        mind.propose(proposed.patch.adds, author)
    except Denied as error:
        return plain(error.violations, course.board, proposed.names)
    _admitted(course, proposed)
    if course.rounds == 1:
        keep_plan(mind, course.question, thought.reply, course.offered)
    return Batched(proposed.placed, author, thought.node)


def _introduce(course: Course, batch: Batch) -> None:
    """Put the methods and tools that a batch calls into the catalog."""
    trace = course.mind.session.trace
    for item in batch.operations:
        if isinstance(item, RunMethod):
            method = course.methods[item.method]
            trace.method(method.name, method.competence)
        elif isinstance(item, CallTool):
            tool = course.mind.aids.tools[item.tool]
            trace.tool(tool.name, tool.description, tool.side_effect)


def _admitted(course: Course, proposed: Proposed) -> None:
    """Take note of what was admitted: nodes on the board, goals in the tree."""
    proposed.admitted(course.board, course.mind.session.trace)
    for item in proposed.placed:
        operation = item.operation
        if not isinstance(operation, AddNode) or item.made is None:
            continue
        if operation.kind == "Goal":
            course.add_goal(_goal(course, operation, item.made))
            if operation.replaces:
                replaced = course.board.node(operation.replaces)
                course.line[item.made] = course.line.get(replaced, replaced)


def _goal(course: Course, operation: AddNode, node: NamedNode) -> Goal:
    board = course.board
    return Goal(
        node=node,
        order=len(course.goals) + 1,
        description=operation.text,
        why=operation.why,
        question=operation.text,
        way="proposed",
        parameters={"success_test": operation.success_test},
        parent=board.node(operation.parent) if operation.parent else None,
        depends=tuple(board.node(label) for label in operation.depends),
        replaces=board.node(operation.replaces) if operation.replaces else None,
    )
