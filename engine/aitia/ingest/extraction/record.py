"""The record of one extraction: goal, readings, calls of the model, and how it ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from pyoxigraph import NamedNode

from aitia import terms
from aitia.methods.arguments import NodeRef
from aitia.methods.base import registered
from aitia.methods.fact_extraction import Extracted, fact_extraction
from aitia.model.trace import Goal
from aitia.store import Reader
from aitia.trace import RunTrace
from aitia.trace.heard import Heard, record_heard
from aitia.vocab import AITIA


class Reading:
    """The run that reads one document for its facts.

    Attributes:
        trace: Its record.
        goal: Its one goal.
        seen: What each step found, as observations.
    """

    def __init__(
        self, trace: RunTrace, reader: Reader, document: NamedNode, title: str
    ) -> None:
        self.trace, self.reader = trace, reader
        self.document, self.title = document, title
        self.seen: list[NamedNode] = []

    @contextmanager
    def recording(self, agent: str, position: int, model: str) -> Iterator[None]:
        """Open the run; whatever breaks it off is recorded as its abort."""
        trace = self.trace
        trace.begin(f"Facts of {self.title}", agent, position)
        trace.say(trace.run, AITIA.about, self.document)
        asked = trace.asked(f"Take in {self.title}, with the model {model}.")
        node = trace.node(AITIA.Goal, "goal")
        trace.goal(
            Goal(
                node=node,
                order=1,
                description=f"Find the facts that {self.title} states.",
                why="It was taken in, and a model is there to read it.",
                question="",
                way=registered(fact_extraction).name,
            ),
            [asked],
        )
        trace.state(node, AITIA.running)
        self.goal = node
        try:
            trace.step()
            yield
        except BaseException as error:
            trace.abort(": ".join(filter(None, (type(error).__name__, str(error)))))
            raise

    def read(
        self, texts: Sequence[NodeRef], part: Extracted, heard: Sequence[Heard]
    ) -> NamedNode:
        """Put on record what one asking came to, and return its execution.

        Args:
            texts: What was read.
            part: What it came to.
            heard: The calls of the model.
        """
        trace, spec = self.trace, registered(fact_extraction)
        trace.method(spec.name, spec.competence)
        passages = [NamedNode(item.node) for item in texts]
        given = [{"passage": i.node, "start": i.start, "end": i.end} for i in texts]
        with trace.execution(spec.name, self.goal, given, {}, uses=passages) as running:
            for call in heard:
                record_heard(
                    trace,
                    self.reader,
                    call,
                    self.goal,
                    uses=passages,
                    part_of=running.node,
                )
            if heard:
                running.started = heard[0].started
            running.returns(part, part.summary)
            if why := trouble(part):
                running.failed(why)
        seen = trace.produced(running.node, AITIA.Observation, "obs", part.summary)
        self.seen.append(seen)
        return running.node

    def conclude(self, count: int, notes: Sequence[str]) -> None:
        """End the run: decided on so many statements, or abstained where there are none."""
        trace = self.trace
        if not count:
            node = trace.conclude(AITIA.Abstention, "abstention", self.goal)
            reason = " ".join(("No statement could be read in it.", *notes))
            trace.say(node, AITIA.reason, terms.string(reason))
            for done in trace.executions:
                trace.say(node, AITIA.tried, done.node)
        else:
            node = self._decided(count)
        for seen in self.seen:
            trace.link(node, AITIA.derivesFrom, seen)
        trace.state(self.goal, AITIA.succeeded if count else AITIA.failed)
        trace.end(succeeded=True)

    def _decided(self, count: int) -> NamedNode:
        trace = self.trace
        text = f"{self.title} states {count} {'fact' if count == 1 else 'facts'}."
        claim = trace.node(AITIA.Claim, "claim")
        trace.text(claim, text)
        trace.say(claim, AITIA.order, terms.integer(1))
        trace.state(claim, AITIA.supported, AITIA.supportState)
        for seen in self.seen:
            trace.link(claim, AITIA.derivesFrom, seen)
        node = trace.conclude(AITIA.Decision, "decision", self.goal)
        trace.text(node, text)
        trace.say(node, AITIA.hasClaim, claim)
        trace.link(node, AITIA.derivesFrom, claim)
        return node


def trouble(part: Extracted) -> str:
    """Return why a reading did not come to what it was for, or ""."""
    if part.halved:
        return "Too much for one prompt or one reply: asked for again in halves."
    if not part.complete:
        return "The reply was cut off: facts may be lacking."
    return " ".join(part.notices) if part.by == "rules" else ""
