"""Turns what an agent says into the nodes and links of a run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from pyoxigraph import Literal, NamedNode

from aitia import terms
from aitia.blobs import Blobs
from aitia.errors import UsageError
from aitia.model import link
from aitia.recorder.told import as_json, plain, whole
from aitia.redact import Redactor
from aitia.store import Reader
from aitia.trace import RunTrace
from aitia.trace.run import INLINE_JSON, Takes
from aitia.vocab import AITIA, PROV

SHORT: Final = 300
"""Characters of a result that stand in the words of its observation."""


@dataclass
class Done:
    """What happened in a call, as it stands.

    Attributes:
        node: Its execution; None until it is on record.
        method: The method's name.
        given: What it was given.
        uses: The nodes whose data flowed into it.
        late: What flowed in and is stated at the end: hypotheses, unless they were
            tested, and what was handed on from calls inside it.
        claims: Nodes that the agent says went into it.
        started: When it began.
        part_of: The execution that it is a part of, or None.
        returned: What it returned.
        said: What that says, in words; told from the value where it is "".
        ended: When it ended; None while it runs.
        error: What went wrong, or "".
        facts: What else is said of the execution, such as the model that was asked.
        confidence: How sure it is of what it returned, with the rule.
        triggers: Nodes that set it off.
        checks: Hypotheses that it tested, with `verifies` or `refutes`.
    """

    method: str
    given: Any
    started: datetime
    uses: list[NamedNode] = field(default_factory=list)
    late: list[NamedNode] = field(default_factory=list)
    claims: list[NamedNode] = field(default_factory=list)
    part_of: NamedNode | None = None
    node: NamedNode | None = None
    returned: Any = None
    said: str = ""
    ended: datetime | None = None
    error: str = ""
    facts: dict[NamedNode, NamedNode | Literal] = field(default_factory=dict)
    confidence: tuple[float | None, str] = (None, "")
    triggers: list[NamedNode] = field(default_factory=list)
    checks: dict[NamedNode, NamedNode] = field(default_factory=dict)


class Taking(RunTrace):
    """The record of a run that agents say, with secrets blanked out."""

    def __init__(
        self,
        commit: Takes,
        reader: Reader,
        blobs: Blobs,
        redactor: Redactor,
        *,
        level: str = "full",
    ) -> None:
        super().__init__(commit, reader, blobs, level=level)
        self._redactor = redactor
        self._methods: set[str] = set()

    def learn(self, name: str, competence: str) -> None:
        """Put a method on record, once."""
        if name not in self._methods:
            self.method(name, competence)
            self._methods.add(name)

    def words(self, text: str, what: str) -> str:
        """Return a text as it is kept.

        Raises:
            UsageError: There is no visible character in it.
        """
        if not isinstance(text, str) or not text.strip():
            raise UsageError(f"{what} needs words: a text with a visible character.")
        return self._redactor.redact(whole(text))[0]

    def summary(self, value: Any) -> str:
        """Return a value in few words."""
        if value is None:
            return "nothing"
        text = value if isinstance(value, str) else as_json(value)
        short = whole(text[: SHORT + 1])
        short = short if len(short) <= SHORT else short[: SHORT - 1] + "…"
        return self._redactor.redact(short)[0] if short.strip() else as_json(short)

    def called(self, done: Done, goal: NamedNode, agent: NamedNode) -> NamedNode:
        """Put an execution on record: that it began, or all of it once it ended."""
        node = done.node
        if node is None:
            node = done.node = self._begun(done, goal, agent)
        if done.ended is None:
            self.state(node, AITIA.running)
            return node
        self.deeds.ended(node)
        ended = max(done.started, done.ended)
        self.say(node, PROV.endedAtTime, terms.time(ended))
        self.state(node, AITIA.failed if done.error else AITIA.succeeded)
        if done.error:
            self.say(
                node, AITIA.error, terms.string(self.words(done.error, "An error"))
            )
        else:
            self._kept(node, AITIA.output, AITIA.outputBlob, done.returned)
        for predicate, value in done.facts.items():
            self.say(node, predicate, value)
        self.sure(node, *done.confidence)
        for used in done.late:
            if used not in done.checks:
                self.link(node, AITIA.usedTool, used)
        for hypothesis, kind in done.checks.items():
            self.claimed(node, kind, hypothesis, agent)
            state = AITIA.verified if kind == AITIA.verifies else AITIA.refuted
            self.state(hypothesis, state, AITIA.hypothesisState)
        return node

    def _begun(self, done: Done, goal: NamedNode, agent: NamedNode) -> NamedNode:
        node = self.node(AITIA.MethodExecution, "exec")
        self.say(node, AITIA.method, terms.method_iri(done.method))
        self.say(node, AITIA.serves, goal)
        self.say(node, PROV.wasAssociatedWith, agent)
        self.say(node, PROV.startedAtTime, terms.time(done.started))
        self._kept(node, AITIA.input, AITIA.inputBlob, done.given)
        if done.part_of is not None:
            self.say(node, AITIA.partOf, done.part_of)
        self.link(goal, AITIA.motivates, node)
        for used in done.uses:
            self.link(node, AITIA.usedTool, used)
        for used in done.claims:
            if used not in done.uses:
                self.claimed(node, AITIA.usedTool, used, agent)
        for event in done.triggers:
            self.link(event, AITIA.triggers, node)
        return node

    def observation(self, execution: NamedNode, text: str) -> NamedNode:
        """Put on record what an execution brought forth."""
        return self.produced(execution, AITIA.Observation, "obs", text)

    def claimed(
        self,
        subject: NamedNode,
        kind: NamedNode,
        obj: NamedNode,
        agent: NamedNode,
        *,
        confidence: float | None = None,
        rule: str = "",
        reason: str = "",
    ) -> None:
        """State a causal link that an agent merely says, as its own."""
        quads = link(
            subject,
            kind,
            obj,
            self.graph,
            basis=AITIA.claimed,
            confidence=confidence,
            rule=rule,
            reason=reason,
        )
        self._adds.update(quads)
        node = next(quad.subject for quad in quads if quad.predicate == AITIA.linkFrom)
        assert isinstance(node, NamedNode)
        self.say(node, PROV.wasAttributedTo, agent)

    def rests(
        self, node: NamedNode, causes: Iterable[NamedNode], agent: NamedNode
    ) -> None:
        """State what an agent says that a node derives from."""
        for cause in causes:
            self.claimed(node, AITIA.derivesFrom, cause, agent)

    def _kept(
        self, node: NamedNode, inline: NamedNode, blob: NamedNode, value: Any
    ) -> None:
        text = as_json(value)
        _, secrets = self._redactor.redact(text)
        if secrets:  # in each text by itself, so that what is kept stays JSON
            text = as_json(self._redactor.redact_value(plain(value))[0])
        if len(text) <= INLINE_JSON:
            self.say(node, inline, terms.string(text))
        else:
            self.say(node, blob, terms.string(self.blob(text)))
