"""What a recorder does behind its methods: calls, confidences, links, new nodes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pyoxigraph import NamedNode

from aitia import terms
from aitia.errors import UsageError
from aitia.recorder.calling import Call
from aitia.recorder.known import Node
from aitia.recorder.run import Run
from aitia.recorder.taking import Done
from aitia.vocab import AITIA, PROV


@dataclass(frozen=True)
class ModelCall:
    """What is told of one call of a model.

    Attributes:
        model: The model's name, or "".
        finish: Why it stopped, in its server's word, or "".
        input_tokens: Tokens that it read, or None.
        output_tokens: Tokens that it wrote, or None.
    """

    model: str = ""
    finish: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None


class Doing:
    """What calls and the methods of a recorder use.

    Attributes:
        run: The run, which other agents may join.
        agent: The agent's name.
    """

    def __init__(self, run: Run, agent: str, *, owns: bool = False) -> None:
        """Make ready; see `Workspace.record` and `Run.join`.

        Args:
            run: The run.
            agent: The agent's name.
            owns: Whether the end of this block ends the run.
        """
        self.run, self.agent = run, agent
        self._iri = terms.agent_iri(agent)
        self._owns = owns

    # What calls use

    def begun(
        self, name: str, given: Any, because: Any, competence: str, outer: Call | None
    ) -> Done:
        """Return a call that begins."""
        self.run.check(undecided=True)
        says = competence or "A function or tool of an agent's own."
        with self.run.alone() as trace:
            trace.learn(f"{self.agent}.{name}", says)
            known = self.run.known
            flowed = list(dict.fromkeys(known.flowing(given)))
            supposed = [x for x in flowed if known.nodes[x].kind == "Hypothesis"]
            done = Done(
                method=f"{self.agent}.{name}",
                given=given,
                started=terms.now(),
                uses=[x for x in flowed if x not in supposed],
                late=supposed,
                claims=known.causes(because),
            )
        if outer is not None and outer.belongs_to(self.run):
            done.part_of = outer.on_record()
        return done

    def opened(self, done: Done) -> NamedNode:
        """Put on record that a call began; return its execution."""
        if done.node is not None:
            return done.node
        with self.run.changing() as trace:
            return trace.called(done, self.run.goal, self._iri)

    def ended(self, done: Done) -> Node | None:
        """Put a call that ended on record; return what it brought forth."""
        with self.run.changing() as trace:
            if done.error:
                trace.called(done, self.run.goal, self._iri)
                self.run.executed(done)
                return None
            done.late += self._handed_on(done)
            said = trace.words(done.said, "A result") if done.said.strip() else ""
            said = said or trace.summary(done.returned)
            return self._came(done, said, done.returned)

    def sure(self, confidence: float | None, rule: str) -> tuple[float | None, str]:
        """Return a confidence with its rule.

        Raises:
            UsageError: It is no number from 0 to 1.
        """
        if confidence is None:
            return None, ""
        number = isinstance(confidence, int | float) and not isinstance(
            confidence, bool
        )
        if not number or not math.isfinite(confidence) or not 0 <= confidence <= 1:
            raise UsageError(
                f"A confidence is a number from 0 to 1, not {confidence!r}."
            )
        said = rule.strip() or f"stated by {self.agent}; not measured here"
        return float(confidence), said

    def model_called(self, call: Call, told: ModelCall) -> None:
        """Say of a call which model it asked, and what that took.

        Tokens that are not told are not on record.
        """
        if told.model:
            model = terms.agent_iri(told.model)
            with self.run.alone() as trace:
                trace.introduce(model, AITIA.Model, told.model)
            call.fact(AITIA.model, model)
        if told.finish:
            call.fact(AITIA.finishReason, terms.string(told.finish))
        counted = (told.input_tokens, told.output_tokens)
        for predicate, count in zip(
            (AITIA.inputTokens, AITIA.outputTokens), counted, strict=True
        ):
            if count is not None:
                call.fact(predicate, terms.integer(count))
        if None not in counted:
            total = sum(count for count in counted if count is not None)
            call.fact(AITIA.tokens, terms.integer(total))

    def tested(self, done: Done, thing: Any, kind: NamedNode) -> None:
        """Take note that a call under way was a test of a hypothesis.

        Raises:
            UsageError: It is none of this run, or the test rests on it.
        """
        node = self.run.hypothesis(thing, here=True)
        late = [other for other in done.late if other != node]
        led = [*done.uses, *late, *done.claims, *done.triggers]
        self.run.refuse_circle(node, led)
        done.checks[node] = kind

    # What stays inside

    def _introduced(self, name: str, competence: str) -> str:
        with self.run.alone() as trace:
            trace.learn(name, competence)
        return name

    def _came(self, done: Done, said: str, value: Any) -> Node:
        """Put an execution that ended on record with what it brought forth."""
        trace = self.run.trace
        execution = trace.called(done, self.run.goal, self._iri)
        made = trace.observation(execution, said)
        self.run.executed(done)
        return self._new(made, "Observation", said, value, [execution])

    def _handed_on(self, done: Done) -> list[NamedNode]:
        """Return the nodes whose objects a call returns, as calls inside it gave them."""
        found = dict.fromkeys(self.run.known.flowing(done.returned))
        return [
            node
            for node in found
            if node not in done.uses and node not in done.late
            if not any(x == node or self.run.leads(node, x) for x in done.checks)
        ]

    def _new(
        self,
        iri: NamedNode,
        kind: str,
        text: str,
        value: Any,
        causes: Iterable[NamedNode],
    ) -> Node:
        return self.run.made(Node(iri, kind, text, self.agent, value), causes)

    def _claim(self, said: str, causes: Sequence[NamedNode]) -> Node:
        """Record the sentence of a decision: nothing that was checked bears it out."""
        trace = self.run.trace
        claim = trace.node(AITIA.Claim, "claim")
        trace.text(claim, said)
        trace.say(claim, AITIA.order, terms.integer(1))
        trace.say(claim, AITIA.supportState, AITIA.unsupported)
        trace.say(claim, PROV.wasAttributedTo, self._iri)
        trace.rests(claim, causes, self._iri)
        return self._new(claim, "Claim", said, None, causes)

    def _hypotheses(self, things: Any) -> list[NamedNode]:
        return [self.run.hypothesis(x) for x in self.run.known.causes(things)]

    def _weigh(
        self,
        kind: NamedNode,
        hypothesis: Any,
        evidence: Any,
        confidence: float | None,
        rule: str,
        reason: str,
    ) -> None:
        number, how = self.sure(confidence, rule)
        with self.run.changing(undecided=True) as trace:
            effect = self.run.hypothesis(hypothesis, here=True)
            causes = self.run.known.causes(evidence)
            if not causes:
                raise UsageError("Name the evidence: something that is on record.")
            self.run.refuse_circle(effect, causes)
            why = trace.words(reason, "A reason") if reason else ""
            for cause in causes:
                self.run.caused(effect, kind, cause, self.agent)
                trace.claimed(
                    cause,
                    kind,
                    effect,
                    self._iri,
                    confidence=number,
                    rule=how,
                    reason=why,
                )
