"""From a batch that the judge passed to one patch for the gate.

The patch holds what the model states: its operations, the nodes and links that these
add, all of them claimed. What happens because of it is for the engine to state.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.model import Origin, Patch, causal, link
from aitia.reason import kinds
from aitia.reason.board import Board
from aitia.reason.operations import (
    AddLink,
    AddNode,
    Batch,
    CallTool,
    Conclude,
    Operation,
    RunMethod,
    SetGoalStatus,
    kind_of,
)
from aitia.reason.texts import to_json
from aitia.trace import RunTrace
from aitia.vocab import AITIA, RDF

NAMES: Final = {"Goal": "goal", "Hypothesis": "hyp", "Claim": "claim"}
"""What the nodes of each class are called in a run."""
STATES: Final = {
    "Goal": (AITIA.status, AITIA.pending),
    "Hypothesis": (AITIA.hypothesisState, AITIA.open),
    "Claim": (AITIA.supportState, AITIA.unsupported),
}
"""Class → the state that a node has while nothing was done about it."""


@dataclass(frozen=True)
class Placed:
    """An operation of a proposal.

    Attributes:
        operation: What was proposed.
        node: The node that stands for it on record.
        made: The node that it adds, or None.
    """

    operation: Operation
    node: NamedNode
    made: NamedNode | None = None


@dataclass(frozen=True)
class Proposed:
    """A batch as a patch.

    Attributes:
        patch: What the gate is asked for.
        batch: The batch's node.
        placed: Its operations, in order.
    """

    patch: Patch
    batch: NamedNode
    placed: tuple[Placed, ...]

    def admitted(self, board: Board, trace: RunTrace) -> None:
        """Put up what was added; called once the gate has admitted the patch."""
        for item in self.placed:
            operation = item.operation
            if isinstance(operation, AddNode) and item.made is not None:
                _, state = STATES[operation.kind]
                trace.adopt(item.made, state)
                board.add(
                    item.made,
                    operation.kind,
                    operation.text,
                    status=kinds.name(state),
                    goal=board.node(operation.parent) if operation.parent else None,
                    detail=_detail(operation),
                    label=operation.label,
                )

    @property
    def names(self) -> dict[NamedNode, str]:
        """What the nodes that it adds are called: their labels, `operation 3`."""
        found: dict[NamedNode, str] = {}
        for number, item in enumerate(self.placed, 1):
            found[item.node] = f"operation {number}"
            if isinstance(item.operation, AddNode) and item.made is not None:
                found[item.made] = item.operation.label
        return found


def patch_of(
    board: Board, batch: Batch, trace: RunTrace, author: NamedNode, node: NamedNode
) -> Proposed:
    """Return a batch as a patch; nothing is written, and nothing put up yet.

    Args:
        board: What the batch refers to.
        batch: A batch that the judge found nothing wrong with.
        trace: The record of the run; it gives the new nodes their names.
        author: The model, an agent on record.
        node: The batch's node, on record.
    """
    return _Writing(board, batch, trace, author, node).proposed()


class _Writing:
    """Writes one batch as quads."""

    def __init__(
        self,
        board: Board,
        batch: Batch,
        trace: RunTrace,
        author: NamedNode,
        node: NamedNode,
    ) -> None:
        self.board, self.batch, self.trace = board, batch, trace
        self.author, self.node, self.graph = author, node, trace.graph
        self.quads: set[Quad] = set()
        self.made = {
            operation.label: trace.reserve(NAMES[operation.kind])
            for operation in batch.operations
            if isinstance(operation, AddNode)
        }
        self.orders = {
            kind: len(board.entries(kind)) for kind in (AITIA.Goal, AITIA.Claim)
        }

    def proposed(self) -> Proposed:
        """Return the patch and what it is made of."""
        placed = tuple(
            self._operation(number, operation)
            for number, operation in enumerate(self.batch.operations, 1)
        )
        patch = Patch(
            frozenset(self.quads),
            agent=self.author,
            cause=self.trace.run,
            origin=Origin.MODEL,
        )
        return Proposed(patch, self.node, placed)

    def _operation(self, number: int, operation: Operation) -> Placed:
        node = self._typed(self.trace.reserve("op"), AITIA.Operation)
        self._say(node, AITIA.inBatch, self.node)
        self._say(node, AITIA.operationKind, kind_of(operation))
        self._say(node, AITIA.order, terms.integer(number))
        given = operation.model_dump(exclude={"op"}, exclude_defaults=True)
        self._say(node, AITIA.arguments, terms.string(to_json(given)))
        self._link(self.node, AITIA.motivates, node)
        for label in about(operation):
            self._say(node, AITIA.about, self._node(label))
        made = None
        if isinstance(operation, AddNode):
            made = self._added(operation)
            self._link(node, AITIA.motivates, made)
        elif isinstance(operation, AddLink):
            self._linked(operation)
        elif isinstance(operation, RunMethod):
            self._say(node, AITIA.calls, terms.method_iri(operation.method))
        elif isinstance(operation, CallTool):
            self._say(node, AITIA.calls, terms.method_iri(operation.tool))
        return Placed(operation, node, made)

    # What is added

    def _added(self, operation: AddNode) -> NamedNode:
        node = self._typed(self.made[operation.label], kinds.term(operation.kind))
        predicate, state = STATES[operation.kind]
        self._say(node, predicate, state)
        if operation.kind == "Goal":
            self._goal(node, operation)
            return node
        self._say(node, AITIA.text, terms.string(operation.text))
        if operation.kind == "Claim":
            self._ordered(node, AITIA.Claim)
        for label in dict.fromkeys(operation.because):
            self._claimed(node, AITIA.derivesFrom, self._node(label), _why(operation))
        return node

    def _goal(self, node: NamedNode, operation: AddNode) -> None:
        self._say(node, AITIA.description, terms.string(operation.text))
        self._say(node, AITIA.why, terms.string(operation.why))
        self._ordered(node, AITIA.Goal)
        if operation.success_test:
            test = terms.string(operation.success_test)
            self._say(node, AITIA.successTest, test)
        for predicate, labels in (
            (AITIA.subgoalOf, [operation.parent]),
            (AITIA.dependsOn, operation.depends),
            (AITIA.replaces, [operation.replaces]),
        ):
            for label in labels:
                if label is not None:
                    self._say(node, predicate, self._node(label))

    def _ordered(self, node: NamedNode, kind: NamedNode) -> None:
        self.orders[kind] += 1
        self._say(node, AITIA.order, terms.integer(self.orders[kind]))

    def _linked(self, operation: AddLink) -> None:
        source, target = self._node(operation.source), self._node(operation.target)
        self._claimed(source, kinds.term(operation.kind), target, operation.reason)

    def _claimed(
        self, source: NamedNode, kind: NamedNode, target: NamedNode, reason: str
    ) -> None:
        """State a link that the model claims, and who claims it."""
        self.quads.update(
            link(
                source,
                kind,
                target,
                self.graph,
                basis=AITIA.claimed,
                reason=reason,
                author=self.author,
            )
        )

    # Quads

    def _node(self, label: str) -> NamedNode:
        return self.made[label] if label in self.made else self.board.node(label)

    def _typed(self, node: NamedNode, kind: NamedNode) -> NamedNode:
        self._say(node, RDF.type, kind)
        self._say(node, AITIA.inRun, self.trace.run)
        return node

    def _say(
        self, subject: NamedNode, predicate: NamedNode, value: NamedNode | Literal
    ) -> None:
        self.quads.add(Quad(subject, predicate, value, self.graph))

    def _link(self, source: NamedNode, kind: NamedNode, target: NamedNode) -> None:
        self.quads.update(causal(source, kind, target, self.graph))


def about(operation: Operation) -> Iterable[str]:
    """Return the labels that an operation refers to, each once, in order."""
    labels: list[str | None] = []
    if isinstance(operation, AddNode):
        labels += [operation.parent, operation.replaces, *operation.depends]
        labels += operation.because
    elif isinstance(operation, AddLink):
        labels += [operation.source, operation.target]
    elif isinstance(operation, RunMethod | CallTool):
        labels += [operation.goal, operation.tests, *operation.because]
    elif isinstance(operation, SetGoalStatus):
        labels += [operation.goal, *operation.because]
    elif isinstance(operation, Conclude):
        labels += [label for part in operation.sentences for label in part.cites]
        labels += [*operation.accepts, *operation.rejects]
    return dict.fromkeys(label for label in labels if label is not None)


def _why(operation: AddNode) -> str:
    """Return the reason of a claimed link, with the strategy that led to it."""
    return ": ".join(filter(None, [operation.strategy, operation.reason]))


def _detail(operation: AddNode) -> str:
    """Return what a board tells of a new node besides its text."""
    told = [
        f"part of {operation.parent}" if operation.parent else "",
        f"after {', '.join(operation.depends)}" if operation.depends else "",
        f"in place of {operation.replaces}" if operation.replaces else "",
        f"reached when: {operation.success_test}" if operation.success_test else "",
        f"resting on {', '.join(operation.because)}" if operation.because else "",
    ]
    return "; ".join(filter(None, told))
