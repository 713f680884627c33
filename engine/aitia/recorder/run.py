"""A run that is being recorded: what its agents share."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from pyoxigraph import NamedNode

from aitia import terms
from aitia.errors import AitiaError, UsageError
from aitia.lookup import short
from aitia.model.trace import Goal
from aitia.recorder.known import Known, Node
from aitia.recorder.place import KINDS, LEVELS, MODES, Place, one_of
from aitia.recorder.taking import Done, Taking
from aitia.recorder.tally import Tally
from aitia.recorder.writing import BUFFER, Background
from aitia.redact import Redactor
from aitia.trace import interrupted
from aitia.vocab import AITIA, RDF

if TYPE_CHECKING:
    from aitia.recorder.recorder import Recorder

WHY: Final = "An agent records what it does about this."
UNDECIDED: Final = "The recorder was closed before anything was decided."


class Run:
    """A run that one or more agents record together; safe for several threads.

    Attributes:
        iri: Its IRI.
        mode: When what is recorded is committed: `call`, `batch` or `async`.
        buffer: Steps that may be taken on and not yet be written: 0 for `call`; for
            `async` the announced number; None for `batch`, until it is flushed.
        known: The nodes recorded so far, with the objects that they stand for.
    """

    def __init__(
        self,
        place: Place,
        label: str,
        agent: str,
        *,
        kind: str = "software",
        mode: str = "call",
        level: str = "full",
        buffer: int = BUFFER,
    ) -> None:
        """Open the run; see `aitia.recorder.record`."""
        one_of("mode", mode, MODES)
        one_of("level", level, LEVELS)
        one_of("kind", kind, tuple(KINDS))
        if isinstance(buffer, bool) or not isinstance(buffer, int) or buffer < 1:
            raise UsageError(f"A buffer holds at least one step, not {buffer!r}.")
        self.mode = mode
        self.buffer = {"call": 0, "batch": None, "async": buffer}[mode]
        self._place = place
        self.known = Known(place.reader)
        self._lock = threading.RLock()
        self._causes: dict[NamedNode, set[NamedNode]] = {}
        self._causing: set[NamedNode] = set()
        self._stated: dict[tuple[NamedNode, NamedNode, NamedNode], str] = {}
        self._decision: Node | None = None
        self._closed = ""
        self._background: Background | None = None
        self.trace = self._opened(level, buffer)
        self.iri = self.trace.run
        self.goal = self._begin(label, agent, kind)

    @property
    def id(self) -> str:
        """Its id, as `aitia why` and `aitia show` take it."""
        return short(self.iri.value)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """What all agents recorded so far, in order."""
        with self._lock:
            return tuple(self.known.nodes.values())

    @property
    def decision(self) -> Node | None:
        """What was decided, or None."""
        return self._decision

    def join(self, agent: str, *, kind: str = "software") -> Recorder:
        """Let another agent record to this run; what it records is attributed to it.

        Its `with` block may end before or after others: the run ends with the block
        of the agent that opened it.

        Args:
            agent: Its name.
            kind: What it is: `software`, `person` or `model`.

        Raises:
            UsageError: The run is closed, or there is no such kind.
        """
        from aitia.recorder.recorder import Recorder

        one_of("kind", kind, tuple(KINDS))
        with self.changing():
            self.trace.introduce(terms.agent_iri(agent), KINDS[kind], agent)
        return Recorder(self, agent)

    # What its recorders use

    @contextmanager
    def changing(self, *, undecided: bool = False) -> Iterator[Taking]:
        """Yield the trace, alone; what is said inside is one step.

        Args:
            undecided: Refuse where something is decided already.

        Raises:
            UsageError: The run is closed, or decided.
        """
        with self._lock:
            self.check(undecided=undecided)
            yield self.trace
            if self.mode != "batch":
                self._step()

    @contextmanager
    def alone(self) -> Iterator[Taking]:
        """Yield the trace, alone; what is said inside waits for the next step."""
        with self._lock:
            yield self.trace

    def check(self, *, undecided: bool = False) -> None:
        """Refuse where the run is closed, or decided.

        Raises:
            UsageError: It is.
        """
        if self._closed:
            raise UsageError(f"The run {self.id} is closed: {self._closed}")
        if undecided and self._decision is not None:
            raise UsageError(
                f"The run {self.id} has its decision already, by"
                f" {self._decision.agent}: “{self._decision.text}”.",
                hint="What comes after belongs to a run of its own.",
            )

    def made(self, node: Node, causes: Iterable[NamedNode]) -> Node:
        """Take note of a new node, which nothing can be caused by yet."""
        self.known.add(node)
        self._led(node.iri, causes)
        return node

    def executed(self, done: Done) -> None:
        """Take note of what led to an execution, and of what it tested."""
        if done.node is None:
            return
        late = set(done.late) - done.checks.keys()
        led = [*done.uses, *late, *done.claims, *done.triggers]
        self._led(done.node, [self.goal, *led])
        for hypothesis in done.checks:
            self._led(hypothesis, [done.node])

    def caused(
        self, effect: NamedNode, kind: NamedNode, cause: NamedNode, agent: str
    ) -> None:
        """Take note of a further cause of a node.

        Raises:
            UsageError: It was stated before.
        """
        before = self._stated.get((effect, kind, cause))
        if before is not None:
            raise UsageError(
                f"That {short(cause.value)} {_local(kind)} {short(effect.value)} is on"
                f" record already, by {before}."
            )
        self._stated[effect, kind, cause] = agent
        self._led(effect, [cause])

    def refuse_circle(self, effect: NamedNode, causes: Iterable[NamedNode]) -> None:
        """Refuse causes of a node that are themselves caused by it.

        Raises:
            UsageError: One of them is.
        """
        for cause in causes:
            if effect == cause or self.leads(cause, effect):
                names = short(cause.value), short(effect.value)
                raise UsageError(
                    f"{names[0]} cannot be a cause of {names[1]}: it is itself caused"
                    " by it, and the two would go round in a circle."
                )

    def hypothesis(self, thing: Any, *, here: bool = False) -> NamedNode:
        """Return the hypothesis that an object stands for.

        Args:
            thing: The object.
            here: It must be one of this run, for it is to be changed.

        Raises:
            UsageError: It is none.
        """
        node = self.known.ground(thing)
        known = self.known.nodes.get(node)
        if known is not None:
            fits = known.kind == "Hypothesis"
        else:
            stated = self._place.reader.quads(node, RDF.type, AITIA.Hypothesis)
            fits = not here and any(True for _ in stated)
        if not fits:
            which = " of this run" if here else ""
            raise UsageError(f"{short(node.value)} is no hypothesis{which}.")
        return node

    def decided(self, node: Node) -> None:
        """Take note of the decision."""
        self._decision = node

    def flush(self) -> None:
        """Bring on record all that was said so far; see `Recorder.flush`.

        Raises:
            ShapeViolation: The gate refused it.
        """
        with self._lock:
            self.check()
            try:
                self.trace.step()
                if self._background is not None:
                    self._background.drain()
            except AitiaError as refused:
                self._refused(refused)
                raise

    def close(self, error: BaseException | None = None) -> None:
        """End the run: with its decision, or else with an abort that says why.

        Args:
            error: What broke it off, or None.
        """
        with self._lock:
            if self._closed:
                return
            if self._decision is None:
                said = f"{type(error).__name__}: {error}" if error else UNDECIDED
                self.abort(said)
                return
            try:
                self.trace.leave()
                self.trace.end(succeeded=error is None)
            except AitiaError as refused:
                self._refused(refused)
                raise
            self._end(f"it ended with the decision “{self._decision.text}”.")

    def abort(self, reason: str) -> None:
        """End the run with an abort.

        Raises:
            UsageError: It is closed or decided, or no reason is given.
        """
        with self._lock:
            self.check(undecided=True)
            text = self.trace.words(reason, "An abort")
            try:
                if self._background is not None and self._background.error:
                    self._break_off(text)
                else:
                    self.trace.abort(text)
            finally:
                self._end("it was aborted.")

    # What stays inside

    def _opened(self, level: str, buffer: int) -> Taking:
        place = self._place
        trace = Taking(
            self._take, place.reader, place.blobs, Redactor(place.rules), level=level
        )
        if self.mode == "async":
            tally = Tally.of(place.folder, trace.run, buffer)
            self._background = Background(
                place.commit, place.commit_or_record, tally, buffer
            )
        return trace

    def _step(self) -> None:
        try:
            self.trace.step()
        except AitiaError:
            self.trace.drop()
            raise

    def _take(self, patch: Any, *, durable: bool = False) -> object:
        if self._background is not None:
            return self._background(patch, durable=durable)
        return self._place.commit_or_record(patch, durable=durable)

    def _begin(self, label: str, agent: str, kind: str) -> NamedNode:
        trace = self.trace
        try:
            said = trace.words(label, "What is recorded")
            trace.begin(said, agent, self._place.position, kind=KINDS[kind])
            asked = trace.asked(said)
            goal = trace.node(AITIA.Goal, "goal")
            trace.goal(Goal(goal, 1, said, WHY, said, "recorded"), [asked])
            trace.state(goal, AITIA.running)
            if self.mode != "batch":
                trace.step()
            if self._background is not None:
                # From here on, whatever is lost is lost of a run that is on record.
                self._background.drain()
        except BaseException:
            self._end("it could not be opened.")
            raise
        self.made(Node(asked, "UserInput", said, agent, said), ())
        self.known.nodes[goal] = Node(goal, "Goal", said, agent)
        self._led(goal, [asked])
        return goal

    def leads(self, start: NamedNode, goal: NamedNode) -> bool:
        """Tell whether `goal` lies behind `start`, in this run or on record.

        Most nodes are the cause of nothing yet, which is told at once.
        """
        if goal not in self._causing:
            stated = self._place.reader.quads(None, AITIA.hasCause, goal)
            if next(stated, None) is None:
                return False
        seen, todo = {start}, [start]
        while todo:
            node = todo.pop()
            causes = self._causes.get(node)
            if causes is None:
                found = self._place.reader.quads(node, AITIA.hasCause)
                causes = {q.object for q in found if isinstance(q.object, NamedNode)}
            if goal in causes:
                return True
            todo += causes - seen
            seen |= causes
        return False

    def _led(self, effect: NamedNode, causes: Iterable[NamedNode]) -> None:
        found = set(causes)
        self._causes.setdefault(effect, set()).update(found)
        self._causing |= found

    def _refused(self, error: AitiaError) -> None:
        """End the run: what was said of it was refused, so that nothing can follow."""
        try:
            self._break_off(f"Its record was refused: {error}")
        finally:
            self._end("its record was refused.")

    def _break_off(self, reason: str) -> None:
        """Close on record what is on record of a run whose record was refused."""
        reader, run = self._place.reader, self.iri
        lost = self._background.held if self._background is not None else 0
        if any(True for _ in reader.quads(run, RDF.type, AITIA.Run)):
            interrupted.end(reader, self._place.commit, run, reason=reason, lost=lost)
        else:
            self.trace.abort_bare(reason)

    def _end(self, told: str) -> None:
        self._closed = told
        if self._background is not None:
            self._background.close()


def _local(kind: NamedNode) -> str:
    return kind.value.rpartition("#")[2]
