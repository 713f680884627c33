"""Does a proposed batch make sense? Asked before anything of it happens.

What is refused here could be refused by no shape: shapes see triples, and this is about
labels, arguments and the order of things. What a patch may hold is still for the gate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from pyoxigraph import NamedNode

from aitia.methods.arguments import NodeRef
from aitia.reason import kinds, texts
from aitia.reason.board import Board
from aitia.reason.loops import Loops
from aitia.reason.offered import Offer, Offered
from aitia.reason.operations import (
    AbortRun,
    AddLink,
    AddNode,
    Batch,
    CallTool,
    Conclude,
    Offering,
    Operation,
    RunMethod,
    SetGoalStatus,
)
from aitia.vocab import AITIA

MOST: Final = 40
"""Operations that a batch may have."""
CLOSED: Final = frozenset(kinds.name(status) for status in kinds.CLOSING)
GONE: Final = frozenset({"failed", "abandoned"})


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a batch.

    Attributes:
        operation: Which operation, from 1; 0 for the batch itself.
        rule: Name of the rule that it breaks.
        message: What is wrong, in plain words.
    """

    operation: int
    rule: str
    message: str

    def line(self) -> str:
        """Return it as one line that says which operation is meant."""
        return (
            f"Operation {self.operation}: {self.message}"
            if self.operation
            else self.message
        )


def judge(board: Board, batch: Batch, offered: Offered) -> list[Problem]:
    """Return everything that is wrong with a batch; [] where nothing is.

    Args:
        board: What the model was or could be shown.
        batch: What it proposes.
        offered: What it may have run.
    """
    return list(_Judge(board, batch, offered).problems())


class _Judge:
    """Holds one batch against the board."""

    def __init__(self, board: Board, batch: Batch, offered: Offered) -> None:
        self.board, self.batch, self.offered = board, batch, offered
        self.new: dict[str, AddNode] = {}
        self.closing: dict[str, str] = {}
        self.linked: set[tuple[str, str, str]] = set()

    def problems(self) -> Iterator[Problem]:
        """Yield what is wrong, in the order of the operations."""
        yield from self._whole()
        for number, operation in enumerate(self.batch.operations, 1):
            if isinstance(operation, AddNode):
                yield from _at(number, self._label(operation))
        for number, operation in enumerate(self.batch.operations, 1):
            yield from _at(number, self._operation(operation))
        yield from _at(0, Loops(self.board, self.batch, self.new).found())

    def _whole(self) -> Iterator[Problem]:
        count = len(self.batch.operations)
        if count > MOST:
            words = f"There are {count} operations; at most {MOST} make a batch."
            yield Problem(0, "batchSize", words)
        yield from _at(0, texts.unfit(self.batch.rationale))
        for label in self.batch.addresses:
            if label not in self.board:
                yield Problem(0, "knownLabel", _unknown(label))
        ends = [
            number
            for number, one in enumerate(self.batch.operations, 1)
            if isinstance(one, Conclude | AbortRun)
        ]
        if ends and self.board.conclusion is not None:
            yield Problem(ends[0], "oneConclusion", "The run is concluded already.")
        for number in ends[1:]:
            words = f"Operation {ends[0]} ends the run already; it ends once."
            yield Problem(number, "oneConclusion", words)
        if ends and ends[0] < count:
            words = "Nothing comes after the end of a run: put it last."
            yield Problem(ends[0], "conclusionLast", words)

    def _label(self, operation: AddNode) -> Iterator[tuple[str, str]]:
        """Take note of a new label, so that every operation may refer to it."""
        label = operation.label
        if label in self.board or label in self.new:
            yield "freeLabel", f"{label} is taken: choose a label that is not used yet."
        else:
            self.new[label] = operation

    def _operation(self, operation: Operation) -> Iterator[tuple[str, str]]:
        yield from texts.unfit(operation.model_dump())
        if isinstance(operation, AddNode):
            yield from self._node(operation)
        elif isinstance(operation, AddLink):
            yield from self._link(operation)
        elif isinstance(operation, RunMethod):
            yield from self._run(operation, operation.method, self.offered.methods)
        elif isinstance(operation, CallTool):
            yield from self._run(operation, operation.tool, self.offered.tools)
        elif isinstance(operation, SetGoalStatus):
            yield from self._status(operation)
        elif isinstance(operation, Conclude):
            yield from self._conclusion(operation)

    # Nodes and links

    def _node(self, operation: AddNode) -> Iterator[tuple[str, str]]:
        if operation.kind not in map(kinds.name, kinds.ADDED):
            yield "knownKind", _not_among(operation.kind, "Goal, Hypothesis or Claim")
        elif operation.kind == "Goal":
            yield from self._goal(operation)
        else:
            yield from self._held(operation)

    def _goal(self, operation: AddNode) -> Iterator[tuple[str, str]]:
        if not operation.why:
            yield "goalWhy", "A goal says why it is set: fill in `why`."
        parts = [operation.parent, operation.replaces, *operation.depends]
        for label in filter(None, parts):
            yield from self._is(label, AITIA.Goal, "a goal")
            if label == operation.label:
                yield "itself", f"{label} refers to itself."
        if operation.parent and self._state(operation.parent) in CLOSED:
            yield "openGoal", f"{operation.parent} is over: it takes no more parts."
        for label in operation.depends:
            if self._state(label) in GONE:
                yield "reachable", f"{label} was not reached and will not be."
        for label in operation.because:
            yield from self._known(label)
        yield from self._strategy(operation.strategy)

    def _held(self, operation: AddNode) -> Iterator[tuple[str, str]]:
        for field in ("parent", "replaces", "depends", "success_test"):
            if getattr(operation, field):
                yield "onlyGoals", f"Only a goal has `{field}`: leave it out."
        for label in operation.because:
            yield from self._is(label, AITIA.Ground, _GROUND)
            if label == operation.label:
                yield "itself", f"{label} cannot rest on itself."
            self.linked.add((operation.label, _DERIVES, label))
        yield from self._strategy(operation.strategy)

    def _link(self, operation: AddLink) -> Iterator[tuple[str, str]]:
        known = {kinds.name(kind): kind for kind in kinds.link_kinds()}
        if operation.kind not in known:
            yield "knownKind", _not_among(operation.kind, ", ".join(known))
            return
        kind = known[operation.kind]
        if operation.source == operation.target:
            yield "itself", f"{operation.source} cannot be linked to itself."
            return
        start, end = kinds.ends(kind)
        wrong = [
            *self._is(operation.source, start, _end(start)),
            *self._is(operation.target, end, _end(end)),
        ]
        yield from wrong
        if not wrong and self._stands(operation, kind):
            words = f"{operation.source} {operation.kind} {operation.target}"
            yield "newLink", f"{words} stands already: leave it out."

    def _stands(self, operation: AddLink, kind: NamedNode) -> bool:
        """Tell whether a link is on record, or proposed twice."""
        key = (operation.source, operation.kind, operation.target)
        if key in self.linked:
            return True
        self.linked.add(key)
        if operation.source in self.new or operation.target in self.new:
            return False
        source = self.board.node(operation.source)
        return self.board.stands(source, kind, self.board.node(operation.target))

    # What is run

    def _run(
        self, operation: Offering, name: str, offers: Mapping[str, Offer]
    ) -> Iterator[tuple[str, str]]:
        yield from self._open(operation.goal)
        for label in operation.because:
            yield from self._is(label, AITIA.Usable, _GROUND)
        if operation.tests:
            yield from self._is(operation.tests, AITIA.Hypothesis, "a hypothesis")
        yield from self._strategy(getattr(operation, "strategy", None))
        what = "tool" if isinstance(operation, CallTool) else "method"
        if name not in offers:
            yield f"known{what.title()}", _not_offered(name, what, offers)
            return
        for words in offers[name].check(operation.arguments, self._resolve):
            yield "arguments", words

    def _resolve(self, label: str) -> NodeRef:
        """Return a node for a method's arguments; it may be one of this batch."""
        if label in self.new:
            return NodeRef(label, text=self.new[label].text)
        return self.board.ref(label)

    # Ends

    def _status(self, operation: SetGoalStatus) -> Iterator[tuple[str, str]]:
        goal = operation.goal
        if operation.status not in CLOSED:
            words = "succeeded, failed or abandoned"
            yield "knownStatus", _not_among(operation.status, words)
        yield from self._open(goal)
        if self.closing.setdefault(goal, operation.status) != operation.status:
            yield "oneStatus", f"{goal} gets two statuses; it has one."
        for label in operation.because:
            yield from self._known(label)

    def _conclusion(self, operation: Conclude) -> Iterator[tuple[str, str]]:
        if not operation.sentences and not operation.reason:
            yield (
                "conclusionTold",
                "Give sentences, or a reason why there is no answer.",
            )
        if not operation.sentences and operation.accepts:
            yield "conclusionTold", "What is accepted must be said in a sentence."
        for sentence in operation.sentences:
            for label in sentence.cites:
                yield from self._is(label, AITIA.Ground, _GROUND)
        for label in (*operation.accepts, *operation.rejects):
            yield from self._is(label, AITIA.Hypothesis, "a hypothesis")
        for label in sorted({*operation.accepts} & {*operation.rejects}):
            yield "acceptsOrRejects", f"{label} is accepted and rejected at once."
        for label in operation.accepts:
            if self._state(label) == "refuted":
                yield "acceptsOrRejects", f"{label} was refuted and cannot be accepted."

    # Looking at labels

    def _known(self, label: str) -> Iterator[tuple[str, str]]:
        if label not in self.board and label not in self.new:
            yield "knownLabel", _unknown(label)

    def _is(self, label: str, kind: NamedNode, words: str) -> Iterator[tuple[str, str]]:
        if label in self.new and not self._is_named(label):
            return  # its own operation says what is wrong with it
        found = self._kind(label)
        if found is None:
            yield "knownLabel", _unknown(label)
        elif not kinds.is_a(found, kind):
            name = kinds.name(found)
            yield "fittingLabel", f"{label} is of the kind {name}, not {words}."

    def _is_named(self, label: str) -> bool:
        """Tell whether a new node is of a class that there is."""
        return self.new[label].kind in map(kinds.name, kinds.ADDED)

    def _kind(self, label: str) -> NamedNode | None:
        if label in self.new:
            return kinds.term(self.new[label].kind)
        return self.board.entry(label).kind if label in self.board else None

    def _state(self, label: str) -> str:
        return self.board.entry(label).status if label in self.board else ""

    def _open(self, goal: str) -> Iterator[tuple[str, str]]:
        yield from self._is(goal, AITIA.Goal, "a goal")
        if self._state(goal) in CLOSED:
            yield "openGoal", f"{goal} is over: set another goal."

    def _strategy(self, name: str | None) -> Iterator[tuple[str, str]]:
        known = kinds.kinds(AITIA.Strategy)
        if name and name not in known:
            yield "knownStrategy", _not_among(name, ", ".join(known))


_GROUND: Final = "something that a result can rest on"
_DERIVES: Final = kinds.name(AITIA.derivesFrom)


def _at(number: int, found: Iterator[tuple[str, str]]) -> Iterator[Problem]:
    for rule, message in found:
        yield Problem(number, rule, message)


def _unknown(label: str) -> str:
    return f"{label} was not shown and is not added here."


def _end(kind: NamedNode) -> str:
    return _ENDS.get(kind, kinds.name(kind).lower())


_ENDS: Final = {
    AITIA.Ground: _GROUND,
    AITIA.Result: "a result, such as a hypothesis or a claim",
    AITIA.Checkable: "a hypothesis or a claim",
    AITIA.Motive: "a question or a goal",
    AITIA.Motivated: "a goal, a hypothesis or a claim",
}


def _not_among(name: str, names: str) -> str:
    return f"There is no {_short(name)!r} here: choose {names}."


def _not_offered(name: str, what: str, offers: Mapping[str, Offer]) -> str:
    there = ", ".join(offers) or "none"
    return f"There is no {what} {_short(name)!r}; there is: {there}."


def _short(text: str, most: int = 60) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
