"""What an agent records with: a few words where it sees, thinks, calls and decides."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any, Self, TypeVar, overload

from aitia import terms
from aitia.errors import UsageError
from aitia.lookup import short
from aitia.recorder.calling import Call, wrapped
from aitia.recorder.doing import Doing
from aitia.recorder.known import Node
from aitia.recorder.taking import Done
from aitia.vocab import AITIA, PROV

Function = TypeVar("Function", bound=Callable[..., Any])

OBSERVED = "observe"
REPORTS = "Takes down what an agent says that it saw; nothing of it is checked here."


class Recorder(Doing):
    """Records what one agent does in a run; use it as a `with` block.

    Where a cause is asked for, any object will do that was recorded: what a method
    here returned, the object itself, an equal text or number, or the id of a node on
    record. What an agent merely says stands on record as claimed; that data flowed
    into a call is observed.

    The block ends the run: with the decision that was made, or with an abort that says
    why there is none. Wrong use raises `UsageError` at once, with the reason.

    Attributes:
        run: The run, which other agents may join.
        agent: The agent's name.
    """

    # What the agent sees, thinks and decides

    def observe(
        self, value: Any, text: str = "", *, because: Any = (), source: str = ""
    ) -> Node:
        """Record something that the agent saw.

        Args:
            value: What it saw: a text, or any object.
            text: What that says, in words; told from the value where it is not given.
            because: What it was seen in, such as a document on record.
            source: Where it comes from, in words.

        Raises:
            UsageError: A cause is not on record, or the run is closed or decided.
        """
        with self.run.changing(undecided=True) as trace:
            said = trace.words(text, "An observation") if text else trace.summary(value)
            claims = self.run.known.causes(because)
            now = terms.now()
            done = Done(
                method=self._introduced(OBSERVED, REPORTS),
                given={"source": source} if source else {},
                started=now,
                claims=claims,
                returned=value,
                ended=now,
            )
            return self._came(done, said, value)

    def hypothesize(
        self,
        text: str,
        *,
        because: Any = (),
        confidence: float | None = None,
        rule: str = "",
    ) -> Node:
        """Record something that the agent takes to be so until it is tested.

        Args:
            text: What, in words.
            because: What it was taken from.
            confidence: How sure the agent is, from 0 to 1; left out where nothing was
                measured.
            rule: How that was measured; that the agent said so, where it is left out.

        Raises:
            UsageError: A cause is not on record, the confidence is none, or the run is
                closed or decided.
        """
        sure = self.sure(confidence, rule)
        with self.run.changing(undecided=True) as trace:
            said = trace.words(text, "A hypothesis")
            causes = self.run.known.causes(because)
            made = trace.node(AITIA.Hypothesis, "hyp")
            trace.text(made, said)
            trace.state(made, AITIA.open, AITIA.hypothesisState)
            trace.say(made, PROV.wasAttributedTo, self._iri)
            trace.sure(made, *sure)
            trace.rests(made, causes, self._iri)
            trace.link(self.run.goal, AITIA.motivates, made)
            return self._new(made, "Hypothesis", said, text, causes)

    def support(
        self,
        hypothesis: Any,
        evidence: Any,
        *,
        confidence: float | None = None,
        rule: str = "",
        reason: str = "",
    ) -> None:
        """Record that evidence speaks for a hypothesis, as the agent says.

        Args:
            hypothesis: The hypothesis.
            evidence: One thing that is on record, or several.
            confidence: How strongly, from 0 to 1.
            rule: How that was measured.
            reason: Why, in words.

        Raises:
            UsageError: One of them is not on record, it was said before, it would
                close a circle, the confidence is none, or the run is closed or decided.
        """
        self._weigh(AITIA.supports, hypothesis, evidence, confidence, rule, reason)

    def contradict(
        self,
        hypothesis: Any,
        evidence: Any,
        *,
        confidence: float | None = None,
        rule: str = "",
        reason: str = "",
    ) -> None:
        """Record that evidence speaks against a hypothesis; as `support` does."""
        self._weigh(AITIA.contradicts, hypothesis, evidence, confidence, rule, reason)

    def decide(
        self,
        text: str,
        *,
        because: Any = (),
        accepts: Any = (),
        rejects: Any = (),
        confidence: float | None = None,
        rule: str = "",
    ) -> Node:
        """Record what was decided: the one decision of the run.

        Args:
            text: What was decided, in words.
            because: What the decision rests on.
            accepts: Hypotheses that it accepts; it rests on them too.
            rejects: Hypotheses that it rejects.
            confidence: How sure the agent is, from 0 to 1.
            rule: How that was measured.

        Raises:
            UsageError: Something was decided already, it rests on nothing or on what
                is not on record, or the run is closed.
        """
        sure = self.sure(confidence, rule)
        with self.run.changing(undecided=True) as trace:
            said = trace.words(text, "A decision")
            taken = self._hypotheses(accepts)
            dropped = self._hypotheses(rejects)
            if both := set(taken) & set(dropped):
                names = ", ".join(sorted(short(node.value) for node in both))
                raise UsageError(f"A decision cannot accept and reject {names}.")
            causes = list(dict.fromkeys([*self.run.known.causes(because), *taken]))
            if not causes:
                raise UsageError(
                    "A decision rests on something: name it with `because=`."
                )
            claim = self._claim(said, causes)
            made = trace.conclude(AITIA.Decision, "decision", self.run.goal)
            trace.text(made, said)
            trace.say(made, AITIA.hasClaim, claim.iri)
            trace.say(made, PROV.wasAttributedTo, self._iri)
            trace.sure(made, *sure)
            trace.rests(made, [claim.iri], self._iri)
            for node in taken:
                trace.say(made, AITIA.accepts, node)
            for node in dropped:
                trace.say(made, AITIA.rejects, node)
            trace.state(self.run.goal, AITIA.succeeded)
            decision = self._new(made, "Decision", said, text, [claim.iri])
            self.run.decided(decision)
            return decision

    def abort(self, reason: str) -> None:
        """End the run without a decision, and say why.

        Raises:
            UsageError: The run is closed or decided, or no reason is given.
        """
        self.run.abort(reason)

    # What the agent does

    @overload
    def call(self, what: Function, /) -> Function: ...

    @overload
    def call(self, what: str, given: Any = None, *, because: Any = ()) -> Call: ...

    def call(self, what: Any, given: Any = None, *, because: Any = ()) -> Any:
        """Record a call: of a function, or of a block of code.

        `@r.call` on a function, `async` or not, records each of its calls, with its
        arguments, its result or error, and which recorded objects flowed into it; a
        node among the arguments is handed on as the object that it stands for. With a
        name it is a block, `with r.call("score", given=income) as call:`, which says
        `call.returns(…)`; or, on a function, the name to record it under.

        Args:
            what: The function, or the name of what is called.
            given: What it is given; recorded objects in it are data that flows.
            because: What the agent says went into it besides.

        Raises:
            UsageError: The function is a generator, or the name is empty.
        """
        if callable(what):
            return wrapped(self, what)
        if not isinstance(what, str) or not what.strip():
            raise UsageError("A call has a name, or is of a function.")
        return Call(self, what, given, because=because)

    def ref(self, thing: Any) -> Node:
        """Return the node of this run that an object stands for.

        Raises:
            UsageError: None does, or several do.
        """
        iri = self.run.known.find(thing)
        node = self.run.known.nodes.get(iri)
        if node is None:
            raise UsageError(f"{iri.value} is no node of this run.")
        return node

    # When it is put on record

    def flush(self) -> None:
        """Bring on record all that was said so far, in one commit; done at the end too.

        Raises:
            ShapeViolation: The gate refused it: none of it is on record, and the run
                is closed with an abort that says so.
        """
        self.run.flush()

    def close(self, error: BaseException | None = None) -> None:
        """End the run, if this recorder opened it; a `with` block does so at its end.

        Args:
            error: What broke it off, or None.

        Raises:
            ShapeViolation: The gate refused what was said last.
        """
        if self._owns:
            self.run.close(error)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close(error)
