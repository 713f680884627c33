"""Checks after searches and tools, and what is tried where one fails.

A search must bring something that speaks of what is asked, a tool something to go on
from. Where not, the same is tried with changed parameters: more passages, bounds
dropped, another index. Each try is an execution that the failed one triggers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any, Final

from pyoxigraph import NamedNode

from aitia.ask.performing import Ran, run
from aitia.ask.thinking.acts import Act, method_act, tool_act
from aitia.ask.thinking.course import Course
from aitia.ask.thinking.words import of_passage
from aitia.errors import UsageError
from aitia.methods.base import registered
from aitia.methods.passages import Hits
from aitia.methods.relevance_check import ToSift, relevance_check
from aitia.methods.result_check import ToolResult, result_check
from aitia.reason.operations import CallTool, RunMethod

TRIES: Final = 3
"""How often one operation is tried in all."""
MOST: Final = 50
"""Passages that a changed search asks for at most."""
BOUNDS: Final = ("path", "media_type", "since", "until")

OTHER_INDEX: Final = {
    "lexical_search": "dense_search",
    "dense_search": "lexical_search",
}

Change = tuple[str, dict[str, Any]]


def perform(course: Course, acts: Sequence[Act]) -> list[Act]:
    """Do acts beside each other, check what came of them, and try again what failed.

    Returns:
        The last try of each, in the order of the acts.
    """
    last = list(acts)
    waiting = list(range(len(last)))
    while waiting:
        _do(course, [last[at] for at in waiting])
        check(course, [last[at] for at in waiting])
        again = [(at, _next(course, last[at])) for at in waiting if last[at].failure]
        waiting = []
        for at, act in again:
            if act is not None:
                last[at] = act
                waiting.append(at)
    return last


def _do(course: Course, acts: Sequence[Act]) -> None:
    for act, made in zip(
        acts, course.mind.together([act.perform for act in acts]), strict=True
    ):
        act.record(act, made)


def check(course: Course, acts: Sequence[Act]) -> None:
    """Check what searches and tools brought; a failed check fails the act."""
    checked = [(act, task) for act in acts if (task := _check(course, act))]
    made = course.mind.together([task for _, task in checked])
    for (act, _), ran in zip(checked, made, strict=True):
        uses = [NamedNode(act.seen.node)] if act.seen else []
        done = course.mind.session.record(ran, act.goal, uses=uses)
        if done.output.failure:
            act.failure, act.node = done.output.failure, done.node
            course.trouble(done.node, act.failure, act.goal)


def _check(course: Course, act: Act) -> partial[Ran[Any]] | None:
    """Return the check that an act has to pass, or None where it has none."""
    if act.failure or act.seen is None:
        return None
    # Rules decide here: a check of each step by a model would double the calls.
    reads = replace(course.mind.session.reads, models=None)
    operation = act.item.operation
    if isinstance(operation, CallTool):
        result = ToolResult(operation.tool, act.seen.text)
        return partial(run, reads, registered(result_check), result, {})
    output = act.done.output if act.done else None
    if not isinstance(output, Hits) or not isinstance(operation, RunMethod):
        return None
    texts = tuple(of_passage(hit.passage) for hit in output.hits)
    question = _asked(course, act)
    given = ToSift(question, texts)
    return partial(run, reads, registered(relevance_check), given, {})


def _asked(course: Course, act: Act) -> str:
    """Return what a search was to find: its own words, or those of its goal."""
    operation = act.item.operation
    assert isinstance(operation, RunMethod)
    for name in ("query", "question"):
        if isinstance(text := operation.arguments.get(name), str) and text:
            return text
    return course.goals[act.goal].description


def _next(course: Course, act: Act) -> Act | None:
    """Return the next try of an act that failed, or None where nothing is left."""
    assert act.node is not None
    if act.attempt >= TRIES:
        return None
    attempt, after = act.attempt + 1, (act.node,)
    operation = act.item.operation
    if isinstance(operation, CallTool):
        once = act.attempt == 1 and not course.offered.tools[operation.tool].side_effect
        # The same call is only worth a second try where the first broke off.
        return (
            tool_act(course, act.item, attempt, after)
            if once and not act.seen
            else None
        )
    assert isinstance(operation, RunMethod)
    told = course.goals[act.goal].description
    for name, given in islice(changes(operation, told), act.attempt - 1, None):
        if name not in course.methods:
            continue
        try:
            return method_act(course, act.item, name, given, attempt, after)
        except UsageError:
            continue
    return None


def changes(operation: RunMethod, goal: str) -> Iterator[Change]:
    """Yield what else can be run for an operation, likeliest first.

    Args:
        operation: What failed.
        goal: What it was to find out, in words.
    """
    name, given = operation.method, dict(operation.arguments)
    wider = {"k": min(MOST, 3 * int(given.get("k", 10)))}
    words = str(given.get("query") or given.get("question") or goal)
    if name == "metadata_filter":
        free = {key: value for key, value in given.items() if key not in BOUNDS}
        yield name, free | wider
        yield "hypothetical_answer", {"query": words} | wider
    elif name == "hypothetical_answer":
        yield name, given | wider
        yield "metadata_filter", {"query": words} | wider
    elif name in OTHER_INDEX:
        yield OTHER_INDEX[name], {"query": words} | wider
        yield "recursive_retrieval", {"question": words} | wider
    elif name == "recursive_retrieval":
        yield name, given | wider
        yield "hypothetical_answer", {"query": words} | wider
    elif name == "graph_search":
        thing = " ".join(filter(None, (given.get("thing"), given.get("property"))))
        if given.get("property") and given.get("thing"):
            yield name, {key: given[key] for key in given if key != "property"}
        yield "recursive_retrieval", {"question": thing or words}
