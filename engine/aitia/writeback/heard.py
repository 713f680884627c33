"""What models were asked while a proposal was checked, put on record as a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pyoxigraph import NamedNode

from aitia import terms
from aitia.model.trace import Goal
from aitia.trace import RunTrace
from aitia.trace.heard import Heard, Listening, record_heard
from aitia.vocab import AITIA
from aitia.writeback.desk import Desk

CHECKS: Final = "proposal_checks"
CHECKS_DO: Final = (
    "Checks a proposal; models may be asked whether something speaks against."
)


def listening(desk: Desk) -> tuple[Desk, list[Heard]]:
    """Return a desk that notes what its models are asked, and the notes to come."""
    if desk.reads.models is None:
        return desk, []
    models = Listening(desk.reads.models)
    return replace(desk, reads=replace(desk.reads, models=models)), models.heard


def record(desk: Desk, proposal: str, heard: Sequence[Heard]) -> None:
    """Put what models were asked on record; nothing where none was.

    Args:
        desk: What to work with.
        proposal: The id of the proposal.
        heard: What they were asked, and what they said.
    """
    if not heard:
        return
    reads = desk.reads
    trace = RunTrace(
        desk.ledger.commit_or_record,
        reads.store,
        reads.blobs,
        level=reads.settings.record.level,
    )
    what = f"Checks of the proposal {proposal}"
    trace.begin(what, reads.settings.agent, desk.head())
    try:
        _told(desk, trace, what, heard)
    except BaseException as error:
        trace.abort(f"{type(error).__name__}: {error}")
        raise


def _told(desk: Desk, trace: RunTrace, what: str, heard: Sequence[Heard]) -> None:
    goal = Goal(
        node=trace.node(AITIA.Goal, "goal"),
        order=1,
        description="Find what speaks against a proposal.",
        why="It is checked before anybody is asked to approve it.",
        question=what,
        way="review",
    )
    trace.goal(goal, [trace.asked(what)])
    trace.state(goal.node, AITIA.running)
    trace.method(CHECKS, CHECKS_DO)
    count = len(heard)
    text = f"{what}: a model was asked {'once' if count == 1 else f'{count} times'}."
    with trace.execution(CHECKS, goal.node, {"proposal": what}, {}) as running:
        for call in heard:
            record_heard(trace, desk.store, call, goal.node, part_of=running.node)
        running.returns({"calls": count}, text)
    seen = trace.produced(running.node, AITIA.Observation, "obs", text)
    _concluded(trace, goal.node, seen, text)


def _concluded(trace: RunTrace, goal: NamedNode, seen: NamedNode, text: str) -> None:
    claim = trace.node(AITIA.Claim, "claim")
    trace.text(claim, text)
    trace.say(claim, AITIA.order, terms.integer(1))
    trace.say(claim, AITIA.supportState, AITIA.supported)
    trace.link(claim, AITIA.derivesFrom, seen)
    decision = trace.conclude(AITIA.Decision, "decision", goal)
    trace.text(decision, text)
    trace.say(decision, AITIA.hasClaim, claim)
    trace.link(decision, AITIA.derivesFrom, claim)
    trace.state(goal, AITIA.succeeded)
    trace.end(succeeded=True)
