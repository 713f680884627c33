"""The record of one run: builds its quads and commits them step by step.

Whoever runs something (`ask`, later the recorder) says what happened as it happens;
`RunTrace` turns that into the nodes and links of the ontology and hands them to the
`commit` it was given, a few times per run, so that a crash leaves what was done. It
never reads its own record back and never decides anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any, Final, Protocol

from pyoxigraph import NamedNode, Quad

from aitia import terms
from aitia.blobs import Blobs
from aitia.errors import AitiaError
from aitia.model import ENGINE_AGENT, CommitRecord, Patch
from aitia.model.trace import Execution, Goal
from aitia.store import Reader
from aitia.trace.catalog import Cataloguing
from aitia.trace.deeds import Deeds
from aitia.trace.level import Sieve
from aitia.trace.running import Running
from aitia.trace.told import to_json
from aitia.vocab import AITIA, DCTERMS, PROV, RDF, RDFS

INLINE_JSON: Final = 4000
"""Characters of JSON that stand in the record itself; longer texts are blobs."""
LABEL: Final = 120


class Commit(Protocol):
    """What the record is handed to: `ledger.commit`."""

    def __call__(self, patch: Patch, *, durable: bool = False) -> CommitRecord:
        """Put `patch` through the gate and write it."""
        ...


class Takes(Protocol):
    """What takes a step on, now or a little later: `Commit`, or a background writer."""

    def __call__(self, patch: Patch, *, durable: bool = False) -> object:
        """Take `patch` on; before returning where it is to be durable."""
        ...


class RunTrace(Cataloguing):
    """Builds the record of one run.

    Attributes:
        executions: The executions that ended, in order.
        deeds: What was done that the conclusion of the run has to lead to.
    """

    def __init__(
        self,
        commit: Takes,
        reader: Reader,
        blobs: Blobs,
        *,
        run_id: str = "",
        level: str = "full",
    ) -> None:
        """Make ready to record.

        Args:
            commit: What each step is handed to.
            reader: The store, for what is on record of agents and methods.
            blobs: Where long texts go.
            run_id: The run's id; a new one where none is given.
            level: `full`, or `decisions`: see `aitia.trace.level`.
        """
        super().__init__(terms.run_iri(run_id or terms.new_id()), reader)
        self._commit, self._blobs = commit, blobs
        self.executions: list[Execution] = []
        self.deeds = Deeds()
        self._sieve = Sieve() if level == "decisions" else None
        self._agent = ENGINE_AGENT
        self._header = ("", "", 0, AITIA.Person)

    @property
    def agent(self) -> NamedNode:
        """Who asked for the run."""
        return self._agent

    # The run as a whole

    def begin(
        self,
        label: str,
        agent: str,
        position: int,
        *,
        kind: NamedNode = AITIA.Person,
    ) -> None:
        """Open the run.

        Args:
            label: What it is about, for people.
            agent: Name of who asked for it.
            position: Number of the newest commit that it can see.
            kind: What the agent is, where it is new here.
        """
        self._header = (label, agent, position, kind)
        self._open()

    def _open(self) -> None:
        label, agent, position, kind = self._header
        self._agent = terms.agent_iri(agent)
        self.introduce(self._agent, kind, agent)
        self.introduce(ENGINE_AGENT, AITIA.Software, "aitia")
        self.say(self.graph, RDF.type, AITIA.Trace)
        self.say(self.graph, RDF.type, PROV.Bundle)
        self.say(self.graph, AITIA.inRun, self.run)
        self.say(self.run, RDF.type, AITIA.Run)
        self.say(self.run, RDFS.label, terms.string(_short(label)))
        self.say(self.run, PROV.startedAtTime, terms.time(terms.now()))
        self.say(self.run, PROV.wasAssociatedWith, self._agent)
        self.say(self.run, AITIA.ledgerPosition, terms.integer(position))
        self.say(self.run, AITIA.softwareVersion, terms.string(version("aitia")))
        if self._sieve is not None:
            self.say(self.run, AITIA.recordingLevel, AITIA.decisionsOnly)
        self.state(self.run, AITIA.running)

    def rely_on(self, nodes: Iterable[object]) -> None:
        """Put these nodes on record with the next step, whatever the level.

        For what another patch is about to cite, such as a model's proposal.
        """
        if self._sieve is not None:
            sifted = self._sieve.sift(self._adds, self._deletes)
            self._adds = sifted | self._sieve.keep(nodes)

    def step(self, *, durable: bool = False) -> None:
        """Commit what was said since the last step."""
        adds = self._adds
        if self._sieve is not None:
            adds = self._sieve.sift(adds, self._deletes)
        patch = Patch(frozenset(adds), frozenset(self._deletes), self._agent, self.run)
        if patch:
            self._commit(patch, durable=durable)
            self._committed = dict(self._states)
        self.deeds.committed()
        self._adds.clear()
        self._deletes.clear()

    def drop(self) -> None:
        """Forget what waits for the next commit: the gate refused it."""
        self._adds.clear()
        self._deletes.clear()
        self._states = dict(self._committed)
        self.deeds.dropped()
        if self._sieve is not None:
            self._sieve = Sieve()

    def end(self, *, succeeded: bool) -> None:
        """Close the run; the commit outlives a power loss."""
        self.say(self.run, PROV.endedAtTime, terms.time(terms.now()))
        self.state(self.run, AITIA.succeeded if succeeded else AITIA.failed)
        self._tell_left_out()
        self.step(durable=True)

    def _tell_left_out(self) -> None:
        """Say at each node how many steps behind it were left out."""
        if self._sieve is None:
            return
        sifted = self._sieve.sift(self._adds, self._deletes)
        self._adds = sifted | self._sieve.between()
        for node, count, links in self._sieve.left_out(self.graph):
            self.say(node, AITIA.notRecorded, terms.integer(count))
            self._adds.update(links)
        if steps := self._sieve.steps:
            self.say(self.run, AITIA.notRecorded, terms.integer(steps))

    def conclude(self, kind: NamedNode, name: str, goal: NamedNode | None) -> NamedNode:
        """Make the one conclusion of the run: a decision, abstention or abort.

        What was done outside is among what led to it, whatever it is; that is no
        evidence for it.
        """
        made = self.node(kind, name, numbered=False)
        self.say(self.run, AITIA.conclusion, made)
        behind = self.deeds.behind(broken_off=kind == AITIA.Abort)
        self.links(behind, AITIA.triggers, made)
        if goal is not None:
            self.link(goal, AITIA.concludes, made)
        return made

    def abort(self, reason: str, *, because: NamedNode | None = None) -> None:
        """Close a run that broke off: what was under way is kept where it can be.

        Where what waits for the next commit is itself what the gate refuses, it is
        dropped, and only that the run was opened and broke off is put on record.

        Args:
            reason: Why.
            because: The operation on record that ended it, if one did.
        """
        try:
            self._abort(reason, because)
        except AitiaError:
            self.abort_bare(reason)

    def abort_bare(self, reason: str) -> None:
        """Close a run without what waits for the next commit, which was refused."""
        self.drop()
        if not self._committed:
            self._numbers.clear()
            self._open()
        self._abort(reason)

    def leave(self) -> None:
        """Give up what is under way: the run is about to end."""
        for node, state in list(self._states.items()):
            if state in (AITIA.pending, AITIA.running) and node != self.run:
                self.state(node, AITIA.abandoned)

    def _abort(self, reason: str, because: NamedNode | None = None) -> None:
        self.leave()
        made = self.conclude(AITIA.Abort, "abort", None)
        self.links(filter(None, [because]), AITIA.motivates, made)
        self.say(made, AITIA.reason, terms.string(reason))
        self.end(succeeded=False)

    # Perception and plan

    def asked(self, text: str) -> NamedNode:
        """Record what was asked, word for word."""
        made = self.node(AITIA.UserInput, "input", numbered=False)
        self.text(made, text)
        return made

    def intent(self, kind: NamedNode, text: str, asked: NamedNode) -> NamedNode:
        """Record what kind of answer the input asks for."""
        made = self.node(AITIA.Intent, "intent", numbered=False)
        self.say(made, AITIA.intentKind, kind)
        self.text(made, text)
        self.link(asked, AITIA.motivates, made)
        return made

    def goal(self, goal: Goal, because: Iterable[NamedNode]) -> None:
        """Record a goal, with what motivates it."""
        self.say(goal.node, AITIA.description, terms.string(goal.description))
        self.say(goal.node, AITIA.why, terms.string(goal.why))
        self.say(goal.node, AITIA.order, terms.integer(goal.order))
        self.state(goal.node, AITIA.pending)
        if goal.parent is not None:
            self.say(goal.node, AITIA.subgoalOf, goal.parent)
        if goal.replaces is not None:
            self.say(goal.node, AITIA.replaces, goal.replaces)
        for needed in goal.depends:
            self.say(goal.node, AITIA.dependsOn, needed)
        self.links(because, AITIA.motivates, goal.node)

    # Executions

    @contextmanager
    def execution(
        self,
        method: str,
        goal: NamedNode,
        given: Any,
        parameters: Mapping[str, Any],
        *,
        uses: Iterable[NamedNode] = (),
        part_of: NamedNode | None = None,
        attempt: int = 1,
        kind: NamedNode = AITIA.MethodExecution,
    ) -> Iterator[Running]:
        """Record an execution of a method around the code that does it.

        An exception is recorded as its error, and goes on. `given` and what the
        execution returns are kept as JSON.
        """
        node = self.node(kind, "exec")
        running = Running(node, method, goal, dict(parameters))
        self.say(node, AITIA.method, terms.method_iri(method))
        self.say(node, AITIA.serves, goal)
        self.say(node, AITIA.attempt, terms.integer(attempt))
        self._json(node, AITIA.input, AITIA.inputBlob, given)
        self.say(node, AITIA.parameters, terms.string(to_json(parameters)))
        if part_of is not None:
            self.say(node, AITIA.partOf, part_of)
        self.link(goal, AITIA.motivates, node)
        for used in dict.fromkeys(uses):
            self.link(node, AITIA.usedTool, used)
        try:
            yield running
        except BaseException as error:
            running.failed(f"{type(error).__name__}: {error}")
            raise
        finally:
            self._ended(running)

    def produced(
        self, execution: NamedNode, kind: NamedNode, name: str, text: str
    ) -> NamedNode:
        """Record something that an execution brought forth."""
        made = self.node(kind, name)
        self.text(made, text)
        self.link(execution, AITIA.produced, made)
        return made

    def _ended(self, running: Running) -> None:
        done = running.ended()
        node = done.node
        self.say(node, PROV.startedAtTime, terms.time(done.started))
        self.say(node, PROV.endedAtTime, terms.time(max(done.started, done.ended)))
        self.state(node, AITIA.failed if done.error else AITIA.succeeded)
        self._json(node, AITIA.output, AITIA.outputBlob, running.output)
        self.sure(node, done.confidence, done.confidence_rule)
        if done.error:
            self.say(node, AITIA.error, terms.string(done.error))
        self.executions.append(done)
        self.deeds.ended(node)

    # Evidence

    def quote(
        self,
        execution: NamedNode,
        passage: NamedNode,
        exact: str,
        start: int,
        end: int,
    ) -> NamedNode:
        """Record exact words of a passage, with their offsets in the stored text."""
        made = self.node(AITIA.Quote, "quote")
        self.say(made, AITIA.exact, terms.string(exact))
        self.say(made, AITIA.start, terms.integer(start))
        self.say(made, AITIA.end, terms.integer(end))
        self.say(made, DCTERMS.isPartOf, passage)
        self.link(execution, AITIA.produced, made)
        self.link(made, AITIA.derivesFrom, passage)
        return made

    def statement(
        self, execution: NamedNode, quad: Quad, text: str, source: NamedNode | None
    ) -> NamedNode:
        """Record a triple that was read, with the passage or document it is from.

        The statement of a triple is one node, whichever run reads it. So it is used
        and not brought forth: else every run that read it would be among its causes.
        """
        triple, where = (quad.subject, quad.predicate, quad.object), quad.graph_name
        made = terms.statement_iri(*map(str, (*triple, where)))
        self.link(execution, AITIA.usedTool, made)
        self.say(made, RDF.type, AITIA.Statement)
        self.say(made, AITIA.inRun, self.run)
        parts = (RDF.subject, RDF.predicate, RDF.object)
        self._adds.update(
            Quad(made, part, value, self.graph)
            for part, value in zip(parts, triple, strict=True)
        )
        if isinstance(where, NamedNode):
            self.say(made, AITIA.inGraph, where)
        self.say(made, AITIA.rank, AITIA.normal)
        self.text(made, text)
        if source is not None:
            self.link(made, AITIA.derivesFrom, source)
        return made

    # Texts beside the record

    def blob(self, text: str) -> str:
        """Keep a text that is too long for the record, and return its blob's name."""
        return self._blobs.put(text.encode())

    # What stays inside

    def _json(
        self, node: NamedNode, inline: NamedNode, blob: NamedNode, value: Any
    ) -> None:
        text = to_json(value)
        if len(text) <= INLINE_JSON:
            self.say(node, inline, terms.string(text))
        else:
            self.say(node, blob, terms.string(self.blob(text)))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LABEL else f"{line[: LABEL - 1]}…"
