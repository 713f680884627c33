"""A run under way, for tests of what a model may propose in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pyoxigraph import NamedNode

from aitia import Workspace, terms
from aitia.model.trace import Goal
from aitia.reason import record
from aitia.reason.board import Board
from aitia.reason.judge import Problem, judge
from aitia.reason.offered import Offer, Offered
from aitia.reason.operations import Batch, batch_type
from aitia.reason.proposal import Proposed, patch_of
from aitia.trace import RunTrace
from aitia.vocab import AITIA

AUTHOR = terms.agent_iri("scripted")


def find(given: Any, _: object) -> tuple[str, ...]:
    """What is wrong with arguments of the method `find`."""
    return () if set(given) <= {"query"} else ("find takes a query and nothing else.",)


OFFERED = Offered(
    {"find": Offer("find", "finds passages", {"properties": {"query": {}}}, find)},
    {
        "cancel": Offer(
            "cancel",
            "cancels an order",
            {"properties": {"order": {"type": "string"}}, "required": ["order"]},
            lambda given, _: () if "order" in given else ("cancel: order is missing",),
            side_effect=True,
        )
    },
)
SHAPE = batch_type(OFFERED)


class ReasonDesk:
    """A run with a question Q1, a goal G1, an observation O1 and a hypothesis H1.

    Attributes:
        workspace: Where it is recorded.
        trace: Its record.
        board: What a model can be shown.
        call: The execution that stands for the call of a model.
    """

    def __init__(self, where: Path | Workspace) -> None:
        opened = where if isinstance(where, Workspace) else Workspace.open(where)
        self.workspace = opened
        ledger = self.workspace.ledger
        self.trace = RunTrace(
            ledger.commit_or_record, self.workspace.store, self.workspace.blobs
        )
        self.board = Board(self.trace.run, self.workspace.store)
        self._begin()

    def _begin(self) -> None:
        trace = self.trace
        trace.begin("What is the fee?", "ann", 0)
        asked = trace.asked("What is the fee?")
        intent = trace.intent(AITIA.textQuestion, "a fee", asked)
        goal = trace.node(AITIA.Goal, "goal")
        trace.goal(Goal(goal, 1, "Answer", "It was asked.", "", "whole"), [intent])
        for name in ("model_call", "find", "cancel"):
            trace.method(name, "for tests")
        trace.introduce(AUTHOR, AITIA.Model, "scripted")
        with trace.execution("model_call", goal, {}, {}) as running:
            running.returns({})
        self.call = running.node
        seen = trace.produced(self.call, AITIA.Observation, "obs", "The fee is 5 euro.")
        held = trace.produced(self.call, AITIA.Hypothesis, "hyp", "7 euro")
        trace.state(held, AITIA.open, AITIA.hypothesisState)
        self.board.add(asked, AITIA.UserInput, "What is the fee?")
        self.board.add(goal, AITIA.Goal, "Answer", status="pending")
        self.board.add(seen, AITIA.Observation, "The fee is 5 euro.", goal=goal)
        self.board.add(held, AITIA.Hypothesis, "7 euro", status="open")
        trace.step()

    def judged(self, *operations: dict[str, Any], **rest: Any) -> list[Problem]:
        """Return what the judge says of a batch."""
        return judge(self.board, batch(*operations, **rest), OFFERED)

    def rules(self, *operations: dict[str, Any], **rest: Any) -> set[str]:
        """Return the names of the rules that a batch breaks."""
        return {problem.rule for problem in self.judged(*operations, **rest)}

    def patched(self, proposed: Batch) -> Proposed:
        """Put a batch on record and return its patch."""
        node = record.batch(self.trace, self.call, self.board, proposed)
        made = patch_of(self.board, proposed, self.trace, AUTHOR, node)
        self.trace.step()
        return made

    def propose(self, *operations: dict[str, Any], **rest: Any) -> Proposed:
        """Propose a batch that must be admitted."""
        proposed = batch(*operations, **rest)
        assert judge(self.board, proposed, OFFERED) == []
        made = self.patched(proposed)
        self.workspace.ledger.commit(made.patch)
        made.admitted(self.board, self.trace)
        return made

    def holds(self, subject: NamedNode, predicate: NamedNode, obj: Any) -> bool:
        """Tell whether a triple is on record."""
        return any(True for _ in self.workspace.store.quads(subject, predicate, obj))


def batch(*operations: dict[str, Any], **rest: Any) -> Batch:
    """Return a batch of these operations."""
    whole = {"addresses": ["G1"], "rationale": "It is open.", **rest}
    return SHAPE.model_validate({**whole, "operations": list(operations)})


def goal(label: str = "G2", **rest: Any) -> dict[str, Any]:
    """Return an operation that adds a goal."""
    made = {"op": "addNode", "label": label, "kind": "Goal", "text": "Find the fee"}
    return {**made, "why": "It is asked for.", **rest}


def held(kind: str, label: str, *because: str, **rest: Any) -> dict[str, Any]:
    """Return an operation that adds a hypothesis or a claim."""
    made = {"op": "addNode", "label": label, "kind": kind, "text": "5 euro"}
    return {**made, "because": list(because), **rest}


def linked(source: str, kind: str, target: str) -> dict[str, Any]:
    """Return an operation that claims a link."""
    return {"op": "addLink", "source": source, "kind": kind, "target": target}
