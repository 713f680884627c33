"""What one run holds together: what methods may read, and the record of the run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic

from pyoxigraph import NamedNode

from aitia.ask.outside import told
from aitia.ask.performing import Found, Ran, run
from aitia.ask.stream import Event, Told, silent
from aitia.methods.base import Outcome, Reads, registered
from aitia.model.trace import Evidence, Execution, Goal
from aitia.trace import Running, RunTrace
from aitia.trace.heard import record_heard
from aitia.vocab import AITIA

if TYPE_CHECKING:
    from aitia.ask.perceive import Part
    from aitia.methods.facts import Fact


@dataclass(frozen=True)
class Done(Generic[Found]):
    """A method that was executed.

    Attributes:
        node: The execution.
        output: What the method returned.
        observation: What it brought forth, as a node that later steps can use.
    """

    node: NamedNode
    output: Found
    observation: NamedNode


@dataclass
class Session:
    """A run under way.

    Attributes:
        reads: What methods may read.
        trace: The record.
        goals: Every goal set, in order.
        parts: Goal node → the part of the question that it is to answer.
        observed: Execution → the observation it brought forth.
        stated: Fact → its statement, put on record once per run.
        told: Is told what happens while it goes on.
        notices: What the asker is told besides the answer, each once.
    """

    reads: Reads
    trace: RunTrace
    goals: list[Goal] = field(default_factory=list)
    parts: dict[NamedNode, Part] = field(default_factory=dict)
    observed: dict[NamedNode, NamedNode] = field(default_factory=dict)
    stated: dict[Fact, Evidence] = field(default_factory=dict)
    told: Told = silent
    notices: list[str] = field(default_factory=list)

    def announce(self, text: str) -> None:
        """Tell the asker something once: at once, and with the answer."""
        if text not in self.notices:
            self.notices.append(text)
            self.told(Event("notice", text))

    @contextmanager
    def recording(
        self, question: str, agent: str, position: int, *, replayed: bool = False
    ) -> Iterator[None]:
        """Open the run; whatever breaks it off is recorded as its abort.

        What breaks it off names what was done outside, unless it was only `replayed`.
        """
        self.trace.begin(question, agent, position)
        try:
            yield
        except BaseException as error:
            for text in () if replayed else told(self.trace.deeds.outside):
                error.add_note(f"Done outside before that: {text}")
            self.trace.abort(_reason(error))
            raise

    def perform(
        self,
        function: Callable[..., Found],
        given: Any,
        goal: NamedNode,
        *,
        uses: Iterable[NamedNode] = (),
        part_of: NamedNode | None = None,
        attempt: int = 1,
        **parameters: Any,
    ) -> Done[Found]:
        """Execute a method for a goal and record it with what it returned."""
        ran = run(self.reads, registered(function), given, parameters)
        return self.record(ran, goal, uses=uses, part_of=part_of, attempt=attempt)

    def record(
        self,
        ran: Ran[Found],
        goal: NamedNode,
        *,
        uses: Iterable[NamedNode] = (),
        part_of: NamedNode | None = None,
        attempt: int = 1,
        said: str = "",
    ) -> Done[Found]:
        """Record a method that was run, with what it returned and what it asked.

        Args:
            ran: The method, its input and its outcome.
            goal: The goal that it served.
            uses: What it used.
            part_of: The execution that it is a part of.
            attempt: Which try it was.
            said: What it found, in words; its summary where nothing is given.

        Raises:
            Exception: What broke the method off; that is on record.
        """
        spec = ran.method
        self.trace.method(spec.name, spec.competence)
        with self.trace.execution(
            spec.name,
            goal,
            ran.given,
            ran.parameters,
            uses=uses,
            part_of=part_of,
            attempt=attempt,
        ) as running:
            running.started, running.finished = ran.started, ran.ended
            self._asked(ran, goal, running)
            if ran.trouble is not None:
                raise ran.trouble
            assert ran.output is not None
            _report(running, ran.output)
        seen = self.trace.produced(
            running.node,
            AITIA.Observation,
            "obs",
            said or ran.output.summary or "nothing",
        )
        self.observed[running.node] = seen
        for text in ran.output.notices:
            self.announce(text)
        return Done(running.node, ran.output, seen)

    def _asked(self, ran: Ran[Any], goal: NamedNode, running: Running) -> None:
        """Record the models that a method asked, as parts of its execution."""
        for heard in ran.heard:
            record_heard(
                self.trace, self.reads.store, heard, goal, part_of=running.node
            )

    @contextmanager
    def strategy(
        self, name: str, competence: str, goal: Goal, attempt: int
    ) -> Iterator[Running]:
        """Record the execution of a strategy around the methods it is made of."""
        self.trace.method(name, competence)
        given = {"question": goal.question, "description": goal.description}
        self.trace.state(goal.node, AITIA.running)
        with self.trace.execution(
            name, goal.node, given, goal.parameters, attempt=attempt
        ) as running:
            yield running

    def set_goal(self, goal: Goal, because: Iterable[NamedNode]) -> Goal:
        """Put a goal on record."""
        self.goals.append(goal)
        self.trace.goal(goal, because)
        return goal

    def new_goal(self) -> tuple[NamedNode, int]:
        """Return a new goal node and its place in the plan."""
        return self.trace.node(AITIA.Goal, "goal"), len(self.goals) + 1

    @property
    def executions(self) -> list[Execution]:
        """The executions that ended, in order."""
        return self.trace.executions


def _report(running: Running, output: Outcome) -> None:
    running.returns(output, output.summary)
    if output.failure:
        running.failed(output.failure)
    if output.confidence is not None:
        running.measured(output.confidence, output.confidence_rule)


def _reason(error: BaseException) -> str:
    """Return why a run was broken off, in words."""
    if isinstance(error, KeyboardInterrupt):
        return str(error) or "Interrupted by the user."
    return ": ".join(filter(None, (type(error).__name__, str(error))))
