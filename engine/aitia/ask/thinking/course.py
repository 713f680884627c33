"""A run's course: what is on the board, what may be run, what came of it so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pyoxigraph import NamedNode

from aitia.ask.evidence import state
from aitia.ask.session import Done
from aitia.ask.thinking.mind import Mind
from aitia.ask.thinking.words import in_use, of_evidence, of_passage, trust
from aitia.methods.arguments import NodeRef
from aitia.methods.base import Method, Outcome
from aitia.methods.computation import Computed
from aitia.model.trace import Evidence, Goal, ToolResult
from aitia.reason.board import Board
from aitia.reason.offered import Offered
from aitia.vocab import AITIA

PUT_UP: Final = 8
"""Passages of one search that are put up; the execution's output has all."""
LONGEST: Final = 4000
"""Characters of an observation that are put up."""


@dataclass
class Course:
    """What a run has come to.

    Attributes:
        mind: The run.
        question: The question.
        root: The goal that all others are parts of.
        board: What the model was or can be shown.
        offered: What it may have run.
        methods: The offered methods, by name.
        goals: Goal node → the goal.
        support: Hypothesis → the evidence that verified it.
        reached: Goals that something was found for.
        replaced: How often a goal was replaced, by the first of its line.
        line: Replacing goal → the first goal of its line.
        rounds: How many batches were asked for.
        gone_on: True once a contradicted sentence made the run go on.
    """

    mind: Mind
    question: str
    root: Goal
    board: Board
    offered: Offered
    methods: Mapping[str, Method]
    goals: dict[NamedNode, Goal] = field(default_factory=dict)
    support: dict[NamedNode, tuple[NodeRef, ...]] = field(default_factory=dict)
    reached: set[NamedNode] = field(default_factory=set)
    replaced: Counter[NamedNode] = field(default_factory=Counter)
    line: dict[NamedNode, NamedNode] = field(default_factory=dict)
    rounds: int = 0
    gone_on: bool = False

    def add_goal(self, goal: Goal) -> None:
        """Take note of a goal that is on record."""
        self.goals[goal.node] = goal
        if goal.node != self.root.node:
            self.mind.session.goals.append(goal)

    def open_goals(self) -> list[Goal]:
        """Return the goals under the root that are not over, in order."""
        states = (AITIA.pending, AITIA.running)
        status = self.mind.session.trace.status
        return [
            goal
            for node, goal in self.goals.items()
            if node != self.root.node and status(node) in states
        ]

    def under(self, goal: NamedNode) -> set[NamedNode]:
        """Return the goals that are parts of one, of whatever depth."""
        found: set[NamedNode] = set()
        for node, known in self.goals.items():
            if known.parent == goal or known.parent in found:
                found.add(node)
        return found

    def waits_for(self, goal: NamedNode) -> set[NamedNode]:
        """Return the goals that must be reached before one, by whatever way."""
        found: set[NamedNode] = set()
        ahead = [goal]
        while ahead:
            known = self.goals.get(ahead.pop())
            if known is None:
                continue
            if known.parent is not None and known.parent != self.root.node:
                ahead.append(known.parent)
            new = [node for node in known.depends if node not in found]
            found.update(new)
            ahead += new
        return found - {goal}

    def unreached(self) -> list[str]:
        """Return the goals that failed and that no other stands in for, in words."""
        replaced = {goal.replaces for goal in self.goals.values()}
        status = self.mind.session.trace.status
        return [
            goal.description
            for node, goal in self.goals.items()
            if node not in replaced and status(node) == AITIA.failed
        ]

    def set_status(self, goal: NamedNode, status: NamedNode) -> None:
        """Give a goal a status, on record and on the board: both trees share it."""
        self.mind.session.trace.state(goal, status)
        self.board.set_status(goal, _local(status))

    # What evidence there is

    def ref(self, node: NamedNode) -> NodeRef:
        """Return a node of the board as methods are given it, its place included."""
        label = self.board.label(node)
        if (passage := self.mind.passages.get(node.value)) is not None:
            return of_passage(passage, label)
        if (evidence := self.mind.evidence.get(node.value)) is not None:
            return of_evidence(evidence, label)
        return self.board.ref(label)

    def resolve(self, label: str) -> NodeRef:
        """Return the node of a label as methods are given it; KeyError for none."""
        return self.ref(self.board.node(label))

    def grounds(self, node: NamedNode) -> tuple[NodeRef, ...]:
        """Return what a citation of a node stands for: words that can be checked.

        A hypothesis or a claim is no evidence; what bore it out is.
        """
        if node in self.support:
            return self.support[node]
        return (self.ref(node),) if self.is_evidence(node) else ()

    def is_evidence(self, node: NamedNode) -> bool:
        """Tell whether a node is a passage, a statement or a result that was found."""
        return node.value in self.mind.passages or node.value in self.mind.evidence

    def found(self) -> list[NodeRef]:
        """Return all evidence on the board, in order."""
        return [
            self.ref(entry.node) for entry in self.board if self.is_evidence(entry.node)
        ]

    # Putting up what was found

    def show(
        self, done: Done[Any], goal: NamedNode, said: str, given: Sequence[NodeRef]
    ) -> tuple[NodeRef, ...]:
        """Put up what a method found; returns the observation, then the evidence in it.

        Words that a method made, or that a model put into its arguments, are shown and
        are no evidence; passages, facts and what was reckoned from them are.
        """
        output: Outcome = done.output
        found = [done.observation]
        if _is_founded(output) and all(
            self.is_evidence(NamedNode(ref.node)) for ref in given
        ):
            means = "; ".join(f"{ref.means} {ref.text}" for ref in given)
            self.observe(
                done.observation,
                said,
                goal,
                "reckoned in this run",
                result=ToolResult("", means[:LONGEST]),
            )
            found.append(done.observation)
        self.board.add(done.observation, AITIA.Observation, said[:LONGEST], goal=goal)
        for passage in in_use(self.mind, getattr(output, "hits", ())[:PUT_UP]):
            node = NamedNode(passage.iri)
            found.append(node)
            self.mind.passages.setdefault(passage.iri, passage)
            told = trust(self.mind, passage.document)
            self.board.add(node, AITIA.Passage, passage.text, goal=goal, detail=told)
            self.board.place(
                node,
                passage.document,
                passage.start,
                passage.end,
                of_passage(passage).about,
            )
        facts = getattr(output, "facts", ())
        for item in state(self.mind.session, done.node, facts):
            self.mind.evidence[item.node] = item
            node = NamedNode(item.node)
            found.append(node)
            told = trust(self.mind, item.document)
            self.board.add(
                node, AITIA.Statement, item.statement, goal=goal, detail=told
            )
        return tuple(self.ref(node) for node in found)

    def observe(
        self,
        node: NamedNode,
        text: str,
        goal: NamedNode,
        source: str,
        about: str = "",
        result: ToolResult | None = None,
    ) -> None:
        """Put up an observation; it can be cited as what was found.

        Args:
            node: The observation.
            text: What was found.
            goal: The goal that it was found for.
            source: Where it is from, for people.
            about: What it is about, in words, where it does not say so itself.
            result: How it came about, where it is the result of a tool.
        """
        self.mind.evidence[node.value] = Evidence(
            quote="",
            document="",
            title=about,
            path=source,
            start=0,
            end=0,
            passage="",
            statement=text,
            node=node.value,
            result=result,
        )
        shown = f"{result.call} -> {text}" if result and result.call else text
        self.board.add(node, AITIA.Observation, shown[:LONGEST], goal=goal)

    def trouble(self, execution: NamedNode, text: str, goal: NamedNode) -> None:
        """Put up an execution that failed, with why."""
        self.board.add(
            execution, AITIA.MethodExecution, text, status="failed", goal=goal
        )


def _is_founded(output: Outcome) -> bool:
    """Tell whether what a method returns can be cited: a reckoning with what is known."""
    founded = isinstance(output, Computed) and not output.unfounded
    return founded and not output.failure


def told(output: Outcome) -> str:
    """Return what a method found, in words that its observation keeps."""
    lines = [output.summary]
    for name in ("value", "text", "lines", "queries"):
        value = getattr(output, name, ())
        lines += [value] if isinstance(value, str) else list(_texts(value))
    return "\n".join(dict.fromkeys(filter(None, lines)))


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, (tuple, list)):
        yield from (item for item in value if isinstance(item, str))


def _local(term: NamedNode) -> str:
    return term.value.rpartition("#")[2]
