"""What of a run is put on record where only its decisions are wanted.

Every node is taken but executions, and the observations that they brought forth: these
wait, and come on record only where something that is on record rests on them. What was
left out at the end is counted at the nodes that it lies behind; where data came to an
execution through steps that were left out, a link past them says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from pyoxigraph import NamedNode, Quad

from aitia import terms
from aitia.model import link
from aitia.vocab import AITIA, RDF

_STEPS: Final = frozenset({AITIA.MethodExecution, AITIA.ToolCall})
_PASSING: Final = _STEPS | {AITIA.Observation}
_PULL_VALUE: Final = frozenset({AITIA.derivesFrom, AITIA.tried, AITIA.between})
"""What stands at the end of these is needed by what stands at their start."""
_PULL_SUBJECT: Final = frozenset(
    {
        AITIA.produced,
        AITIA.verifies,
        AITIA.refutes,
        AITIA.supports,
        AITIA.contradicts,
    }
)
"""And here it is the other way round."""
_ALWAYS: Final = frozenset(
    {AITIA.model, AITIA.replyBlob, AITIA.permittedBy, AITIA.cachedFrom}
)
"""Of executions: a model was asked, something outside was changed with consent, or a
kept result of another run was used."""
_ENDS: Final = frozenset({AITIA.linkFrom, AITIA.linkTo})
_NO_DATA: Final = _STEPS | {
    AITIA.Goal,
    AITIA.UserInput,
    AITIA.Intent,
    AITIA.Entity,
    AITIA.Batch,
    AITIA.Operation,
}
_METHOD: Final = f"{terms.BASE}method:"


class Sieve:
    """Parts what is said of a run into what goes on record and what waits."""

    def __init__(self) -> None:
        self._waiting: dict[NamedNode, set[Quad]] = {}
        self._kinds: dict[NamedNode, NamedNode] = {}
        self._ends: dict[NamedNode, set[NamedNode]] = {}
        self._direct: set[tuple[object, object]] = set()

    def keep(self, nodes: Iterable[object]) -> set[Quad]:
        """Return what waited of these nodes, which somebody rests on now."""
        freed: list[Quad] = []
        for node in nodes:
            if isinstance(node, NamedNode) and node in self._waiting:
                freed += self._waiting.pop(node)
        return self._passed(freed)

    def sift(self, adds: Iterable[Quad], deletes: Iterable[Quad]) -> set[Quad]:
        """Return what goes on record now, of what is added and of what waited."""
        added = list(adds)
        for quad in added:
            self._note(quad)
        for quad in deletes:
            for node in self._held_by(quad):
                self._waiting[node].discard(quad)
        for quad in added:
            if quad.predicate in _ENDS and quad.object in self._waiting:
                self._wait(quad.subject)
        return self._passed(added)

    def between(self) -> set[Quad]:
        """Return what waited of observations that lie right between steps on record."""
        found = [
            node
            for node, quads in self._waiting.items()
            if self._kinds.get(node) == AITIA.Observation
            and all(self._on_record(quads, node, end) for end in (True, False))
        ]
        return self.keep(found)

    def left_out(self, graph: NamedNode) -> Iterator[tuple[NamedNode, int, list[Quad]]]:
        """Yield each node on record with the steps left out behind it, and links past.

        Args:
            graph: The graph that the links are to stand in.
        """
        gone: dict[NamedNode, set[NamedNode]] = {}
        for waiting, quads in self._waiting.items():
            for quad in quads:
                if quad.predicate != AITIA.hasCause or quad.object != waiting:
                    continue
                effect = quad.subject
                if isinstance(effect, NamedNode) and effect not in self._waiting:
                    gone.setdefault(effect, set()).add(waiting)
        for effect, causes in sorted(gone.items(), key=lambda item: item[0].value):
            steps, grounds = self._behind(causes)
            yield effect, len(steps), self._past(effect, steps, grounds, graph)

    @property
    def steps(self) -> int:
        """How many executions wait: at the end of the run, how many were left out."""
        return sum(1 for node in self._waiting if self._kinds.get(node) in _STEPS)

    def _on_record(self, quads: set[Quad], node: NamedNode, effect: bool) -> bool:
        """Tell whether a cause, or an effect, of a waiting node is on record."""
        for quad in quads:
            near, far = quad.subject, quad.object
            if effect:
                near, far = far, near  # type: ignore[assignment]
            stated = quad.predicate == AITIA.hasCause and near == node
            if stated and far not in self._waiting:
                return True
        return False

    def _note(self, quad: Quad) -> None:
        node, value = quad.subject, quad.object
        if not isinstance(node, NamedNode) or not isinstance(value, NamedNode):
            return
        if quad.predicate == RDF.type and quad.graph_name != terms.GRAPH_CATALOG:
            if value in _PASSING and node not in self._kinds:
                self._wait(node)
            self._kinds[node] = value
        elif quad.predicate in _ENDS:
            self._ends.setdefault(node, set()).add(value)

    def _wait(self, node: object) -> None:
        if isinstance(node, NamedNode):
            self._waiting.setdefault(node, set())

    def _held_by(self, quad: Quad) -> list[NamedNode]:
        ends = (quad.subject, quad.object)
        return [x for x in ends if isinstance(x, NamedNode) and x in self._waiting]

    def _passed(self, quads: list[Quad]) -> set[Quad]:
        passed: set[Quad] = set()
        todo = list(quads)
        while todo:
            quad = todo.pop()
            for node in self._needed(quad):
                todo += self._waiting.pop(node)
            held_by = self._held_by(quad)
            for node in held_by:
                self._waiting[node].add(quad)
            if not held_by:
                passed.add(quad)
                if quad.predicate == AITIA.hasCause:
                    self._direct.add((quad.subject, quad.object))
        return passed

    def _needed(self, quad: Quad) -> list[NamedNode]:
        """Return the waiting nodes that something on record needs because of a quad."""
        start, predicate, end = quad.subject, quad.predicate, quad.object
        if isinstance(start, NamedNode) and start in self._waiting:
            if predicate in _ENDS:
                done = self._waiting.keys().isdisjoint(self._ends[start])
                return [start] if done else []
            pulled = predicate in _PULL_SUBJECT and end not in self._waiting
            return [start] if pulled or predicate in _ALWAYS else []
        if (
            predicate in _PULL_VALUE
            and isinstance(end, NamedNode)
            and end in self._waiting
        ):
            return [end]
        return []

    def _behind(
        self, causes: Iterable[NamedNode]
    ) -> tuple[set[NamedNode], set[NamedNode]]:
        """Return the steps that wait behind nodes, and the data on record behind them."""
        seen, todo = set(causes), list(causes)
        grounds: set[NamedNode] = set()
        while todo:
            node = todo.pop()
            for quad in self._waiting[node]:
                cause = quad.object
                if quad.predicate != AITIA.hasCause or quad.subject != node:
                    continue
                if isinstance(cause, NamedNode) and cause not in self._waiting:
                    grounds.add(cause)
                elif isinstance(cause, NamedNode) and cause not in seen:
                    seen.add(cause)
                    todo.append(cause)
        return {n for n in seen if self._kinds.get(n) in _STEPS}, grounds

    def _past(
        self,
        effect: NamedNode,
        steps: set[NamedNode],
        grounds: set[NamedNode],
        graph: NamedNode,
    ) -> list[Quad]:
        """Return the links from an execution to the data it had through those steps."""
        if self._kinds.get(effect) not in _STEPS:
            return []
        what = "1 step that was" if len(steps) == 1 else f"{len(steps)} steps that were"
        quads: list[Quad] = []
        for ground in sorted(grounds, key=str):
            data = self._kinds.get(ground) not in _NO_DATA
            if not data or ground.value.startswith(_METHOD):
                continue
            if (effect, ground) not in self._direct:
                quads += link(
                    effect,
                    AITIA.usedTool,
                    ground,
                    graph,
                    basis=AITIA.observed,
                    reason=f"through {what} not recorded",
                )
        return quads
