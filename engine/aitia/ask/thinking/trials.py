"""Hypotheses and claims put to the test, by executions that have a name.

An execution that was run to test a hypothesis gives the verdict itself where it is a
check; else what it found is held against the hypothesis by an entailment check. What
neither bears it out nor contradicts it leaves it open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from pyoxigraph import NamedNode

from aitia import terms
from aitia.ask.performing import Ran, run
from aitia.ask.thinking.acts import Act, follow
from aitia.ask.thinking.claims import STATES, weigh
from aitia.ask.thinking.course import Course
from aitia.methods.arguments import NodeRef
from aitia.methods.base import registered
from aitia.methods.claim_check import ClaimToCheck, ClaimVerdict, claim_check
from aitia.methods.entailment_check import Entailed, Entailment, entailment_check
from aitia.methods.inference_step import Inferred, ToInfer, inference_step
from aitia.methods.quote_check import Checked
from aitia.reason.operations import AddNode, CallTool, RunMethod
from aitia.reason.proposal import Placed
from aitia.vocab import AITIA

VERDICTS: Final = {
    "supported": True,
    "entails": True,
    "contradicted": False,
    "contradicts": False,
}


@dataclass(frozen=True)
class Trial:
    """A hypothesis or claim, and the check that decides over it.

    Attributes:
        node: What is tested.
        goal: The goal that the check serves.
        grounds: What it is held against.
        ran: Does the check; touches no record.
    """

    node: NamedNode
    goal: NamedNode
    grounds: tuple[NodeRef, ...]
    ran: partial[Ran[Any]]


def test(course: Course, acts: Sequence[Act]) -> None:
    """Decide over the hypotheses that acts were run to test."""
    trials: list[Trial] = []
    for act in acts:
        node = _tested(course, act)
        if node is None or act.seen is None:
            continue
        text = course.board.entry(course.board.label(node)).text
        grounds = act.found or tuple(_evidence(course, act))
        verdict = _verdict(course, act, text)
        if verdict is not None and act.node is not None:
            output = act.done.output if act.done else None
            _decide(course, node, act.node, verdict, _went_by(act), output)
        elif grounds:
            trials.append(_trial(course, node, act.goal, text, grounds))
    for trial, ran in _together(course, trials):
        done = course.mind.session.record(
            ran, trial.goal, uses=[NamedNode(ref.node) for ref in trial.grounds]
        )
        verdict = VERDICTS.get(done.output.relation)
        if verdict is not None:
            words = {place.node for place in done.output.places}
            grounds = tuple(ref for ref in trial.grounds if ref.node in words)
            grounds = grounds or trial.grounds
            _decide(course, trial.node, done.node, verdict, grounds, done.output)


def added(course: Course, placed: Sequence[Placed]) -> None:
    """Check what was added: by what strategy it follows, and whether claims stand."""
    for item in placed:
        operation = item.operation
        if not isinstance(operation, AddNode) or item.made is None:
            continue
        if operation.kind != "Goal" and operation.strategy:
            _infer(course, item, operation, item.made)
    claims = [
        _claimed(
            course,
            item.made,
            item.operation.text,
            tuple(g for label in item.operation.because for g in _of(course, label)),
        )
        for item in placed
        if isinstance(item.operation, AddNode)
        and item.operation.kind == "Claim"
        and item.made is not None
    ]
    for trial, ran in _together(course, claims):
        _claim(course, trial, ran)


def _of(course: Course, label: str) -> tuple[NodeRef, ...]:
    return course.grounds(course.board.node(label))


def _infer(course: Course, item: Placed, operation: AddNode, node: NamedNode) -> None:
    """Put on record by what strategy something was arrived at, and if it follows."""
    session = course.mind.session
    parents = tuple(course.resolve(label) for label in operation.because)
    given = ToInfer(operation.text, parents, operation.strategy)  # type: ignore[arg-type]
    reads = replace(session.reads, models=None)
    parameters = {"reason": operation.reason} if operation.reason else {}
    ran: Ran[Inferred] = run(reads, registered(inference_step), given, {})
    ran = replace(ran, parameters=parameters)
    uses = [NamedNode(parent.node) for parent in parents]
    done = session.record(ran, course.root.node, uses=uses)
    follow(course, done.node, operation.strategy or "")
    session.trace.link(item.node, AITIA.motivates, done.node)
    if done.output.passed:
        session.trace.link(done.node, AITIA.produced, node)
    else:
        course.trouble(done.node, done.output.failure, course.root.node)


def _trial(
    course: Course,
    node: NamedNode,
    goal: NamedNode,
    text: str,
    grounds: tuple[NodeRef, ...],
) -> Trial:
    given = Entailed(text, grounds)
    reads = course.mind.session.reads
    task = partial(run, reads, registered(entailment_check), given, {})
    return Trial(node, goal, grounds, task)


def _claimed(
    course: Course, node: NamedNode, text: str, grounds: tuple[NodeRef, ...]
) -> Trial:
    """Return the check of a claim that was added: as that of an answer's sentence."""
    given = ClaimToCheck(text, grounds)
    reads = course.mind.session.reads
    task = partial(run, reads, registered(claim_check), given, {})
    return Trial(node, course.root.node, grounds, task)


def _together(course: Course, trials: Sequence[Trial]) -> list[tuple[Trial, Ran[Any]]]:
    made = course.mind.together([trial.ran for trial in trials])
    return list(zip(trials, made, strict=True))


def _tested(course: Course, act: Act) -> NamedNode | None:
    """Return the hypothesis that an act was run to test, where it is still open."""
    operation = act.item.operation
    if not isinstance(operation, RunMethod | CallTool) or not operation.tests:
        return None
    entry = course.board.entry(operation.tests)
    return entry.node if entry.status == "open" else None


def _verdict(course: Course, act: Act, text: str) -> bool | None:
    """Return the verdict of an act that is a check of this very text, or None.

    It counts only where all that the check was given is evidence: a hypothesis bears
    out nothing, and itself least of all.
    """
    output = act.done.output if act.done else None
    if not isinstance(output, Checked | Entailment) or not act.given:
        return None
    if act.checked != text or list(_evidence(course, act)) != list(act.given):
        return None
    if isinstance(output, Inferred):
        return True if output.passed else None
    told = getattr(output, "verdict", None) or getattr(output, "relation", None)
    return VERDICTS.get(told) if isinstance(told, str) else None


def _evidence(course: Course, act: Act) -> Iterator[NodeRef]:
    """Yield what an act was given that is evidence."""
    for ref in act.given:
        if course.is_evidence(NamedNode(ref.node)):
            yield ref


def _went_by(act: Act) -> tuple[NodeRef, ...]:
    """Return what a check that was run went by: the evidence that it was given."""
    given = act.done.output if act.done else None
    nodes = {place.node for place in getattr(given, "places", ())}
    return tuple(ref for ref in act.given if ref.node in nodes) or act.given


def _decide(
    course: Course,
    node: NamedNode,
    execution: NamedNode,
    verdict: bool,
    grounds: tuple[NodeRef, ...],
    found: Any,
) -> None:
    """Put on record that a test verified or refuted a hypothesis."""
    trace = course.mind.session.trace
    state = AITIA.verified if verdict else AITIA.refuted
    trace.link(execution, AITIA.verifies if verdict else AITIA.refutes, node)
    trace.state(node, state, AITIA.hypothesisState)
    course.board.set_status(node, state.value.rpartition("#")[2])
    for ref in grounds:
        kind = AITIA.supports if verdict else AITIA.contradicts
        words = NamedNode(ref.node)
        if isinstance(found, ClaimVerdict | Entailment):
            weigh(course.mind, words, kind, node, execution, found)
        else:
            trace.link(words, kind, node)
    if verdict:
        course.support[node] = tuple(
            ground for ref in grounds for ground in course.grounds(NamedNode(ref.node))
        )


def _claim(course: Course, trial: Trial, ran: Ran[Any]) -> None:
    """Put on record whether a claim that was added stands."""
    session = course.mind.session
    uses = [NamedNode(ref.node) for ref in trial.grounds]
    done = session.record(ran, trial.goal, uses=uses)
    verdict = done.output.verdict
    session.trace.state(trial.node, STATES[verdict], AITIA.supportState)
    course.board.set_status(trial.node, verdict)
    if verdict == "supported":
        course.support[trial.node] = trial.grounds
        session.trace.sure(
            trial.node, done.output.confidence, done.output.confidence_rule
        )
        for ref in trial.grounds:
            words = NamedNode(ref.node)
            weigh(
                course.mind, words, AITIA.supports, trial.node, done.node, done.output
            )
    else:
        reason = terms.string(done.output.reason)
        session.trace.say(trial.node, AITIA.reason, reason)
