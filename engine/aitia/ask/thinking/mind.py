"""What a run with a model holds together, and how a model is asked in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from pyoxigraph import NamedNode

from aitia import terms
from aitia.ask.session import Session
from aitia.ask.stream import silent
from aitia.ask.thinking.together import Made, together
from aitia.errors import AitiaError, ShapeViolation
from aitia.llm.calls import Asks, Call, Reply
from aitia.model import Origin, Patch
from aitia.redact import Redactor
from aitia.trace import Commit
from aitia.trace.heard import Listening, record_heard
from aitia.vocab import AITIA

if TYPE_CHECKING:
    from pyoxigraph import Quad

    from aitia.ask.aids import Aids
    from aitia.model import PassageRecord
    from aitia.model.trace import Evidence


class Denied(AitiaError):
    """The gate refused what a model proposed, which is on record.

    Attributes:
        violations: What is wrong with it.
    """

    def __init__(self, error: ShapeViolation) -> None:
        super().__init__(str(error))
        self.violations = error.violations


@dataclass(frozen=True)
class Thought:
    """A reply, and the execution that it is the reply of."""

    node: NamedNode
    reply: Reply


@dataclass
class Mind:
    """A run with a model.

    Attributes:
        session: The run, its record and what may be read.
        models: The models.
        commit: What patches of a model are handed to.
        aids: Tools, memory, caches: what the run may use besides.
        evidence: Quotes, statements and observations that were found, by their IRI.
        passages: Passages that were found, by their IRI.
        remembered: What earlier runs came to, in words: context, never evidence.
    """

    session: Session
    models: Asks
    commit: Commit
    aids: Aids
    evidence: dict[str, Evidence] = field(default_factory=dict)
    passages: dict[str, PassageRecord] = field(default_factory=dict)
    remembered: str = ""

    @cached_property
    def redactor(self) -> Redactor:
        """What blanks secrets out of arguments and results."""
        return Redactor(self.session.reads.settings)

    @property
    def watched(self) -> bool:
        """Whether anybody is told what happens while the run goes on."""
        return self.aids.told is not silent

    def together(self, tasks: Sequence[Callable[[], Made]]) -> list[Made]:
        """Do tasks beside each other, and return what they made, in their order."""
        return together(tasks, self.aids.stop)

    def author(self, thought: Thought) -> NamedNode:
        """Return the agent that a reply is of."""
        return terms.agent_iri(thought.reply.model or self.models.name("plan"))

    def consult(
        self,
        call: Call,
        goal: NamedNode,
        *,
        uses: Iterable[NamedNode] = (),
        shown: Iterable[NamedNode] = (),
        left_out: int = 0,
        attempt: int = 1,
    ) -> Thought:
        """Ask a model for a goal, and put on record what came of it.

        Args:
            call: What is asked.
            goal: The goal that it serves.
            uses: What the prompt surely made use of: the input, the passages.
            shown: What stood in the prompt besides.
            left_out: How many nodes the prompt had no room for.
            attempt: Which try this is.

        Raises:
            ModelError: No usable reply came; the failed call is on record.
        """
        listening = Listening(self.models)
        try:
            reply = listening.complete(call)
        finally:
            for heard in listening.heard:
                node = record_heard(
                    self.session.trace,
                    self.session.reads.store,
                    heard,
                    goal,
                    uses=uses,
                    attempt=attempt,
                )
                self._shown(node, shown, left_out)
        for text in reply.warnings:
            self.session.announce(text)
        return Thought(node, reply)

    def _shown(
        self, node: NamedNode, shown: Iterable[NamedNode], left_out: int
    ) -> None:
        trace = self.session.trace
        for item in dict.fromkeys(shown):
            trace.say(node, AITIA.shown, item)
        if left_out:
            trace.say(node, AITIA.leftOut, terms.integer(left_out))

    def propose(self, quads: Iterable[Quad], agent: NamedNode) -> None:
        """Hand what a model proposes to the gate, as one patch: all or nothing.

        What the engine said so far is committed before, so that the proposal can
        point to it.

        Raises:
            Denied: The gate refused it; that is on record.
        """
        trace, adds = self.session.trace, frozenset(quads)
        trace.rely_on(end for quad in adds for end in (quad.subject, quad.object))
        trace.step()
        try:
            self.commit(Patch(adds, frozenset(), agent, trace.run, Origin.MODEL))
        except ShapeViolation as error:
            raise Denied(error) from error
