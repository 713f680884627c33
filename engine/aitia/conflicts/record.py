"""A run of the conflict check, on record: what was compared, and what was found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pyoxigraph import Literal, NamedNode, Triple

from aitia import lookup, terms
from aitia.conflicts.axioms import Axioms
from aitia.conflicts.found import Found
from aitia.conflicts.side import Side, Sides
from aitia.conflicts.texts import TextFound
from aitia.methods.base import registered
from aitia.methods.contradiction_check import Judged, Pair, contradiction_check
from aitia.methods.facts import Fact
from aitia.methods.passages import Piece
from aitia.model.trace import Goal
from aitia.trace import Running, RunTrace
from aitia.trace.heard import Heard, record_heard
from aitia.vocab import AITIA, RDF

if TYPE_CHECKING:
    from aitia.methods.base import Reads

STATEMENTS: Final = "statement_conflicts"
STATEMENTS_DOES: Final = (
    "Holds statements against axioms, shapes and the statements in force."
)
TEXTS: Final = "text_conflicts"
TEXTS_DOES: Final = (
    "Finds sentences like those of a text and has each pair checked for contradiction."
)
MOST_PREMISES: Final = 24
"""Premises of one conflict that are put on record as statements."""


@dataclass(frozen=True)
class Recorded:
    """A conflict that was put on record.

    Attributes:
        node: Its IRI.
        reason: How the sides disagree.
        rule: The rule by which it was found.
        sides: Its sides.
        certain: Whether it is more than a likely disagreement.
    """

    node: str
    reason: str
    rule: str
    sides: tuple[Side, ...]
    certain: bool = True

    def as_json(self) -> dict[str, Any]:
        """Return the stable layout of `--json`."""
        return {
            "id": lookup.short(self.node).removeprefix("run:"),
            "reason": self.reason,
            "rule": self.rule,
            "certain": self.certain,
            "between": [side.as_json() for side in self.sides],
        }


class Record:
    """Puts one run of the check on record.

    Attributes:
        reads: What may be read.
        trace: The record.
        sides: Makes sides of facts and sentences.
    """

    def __init__(self, reads: Reads, trace: RunTrace) -> None:
        self.reads, self.trace = reads, trace
        self.sides = Sides(reads)
        self._observed: list[NamedNode] = []

    def begin(self, what: str, agent: str, position: int) -> NamedNode:
        """Open the run; returns its goal."""
        trace = self.trace
        trace.begin(what, agent, position)
        asked = trace.asked(what)
        goal = Goal(
            node=trace.node(AITIA.Goal, "goal"),
            order=1,
            description="Find what cannot hold together or contradicts.",
            why="What is taken in may disagree with what is on record.",
            question=what,
            way="conflicts",
        )
        trace.goal(goal, [asked])
        trace.state(goal.node, AITIA.running)
        return goal.node

    def statements(
        self, goal: NamedNode, axioms: Axioms, checked: int, found: Sequence[Found]
    ) -> list[Recorded]:
        """Put the check of statements on record."""
        trace = self.trace
        trace.method(STATEMENTS, STATEMENTS_DOES)
        with trace.execution(STATEMENTS, goal, {"statements": checked}, {}) as running:
            told = [self._of_statements(running, axioms, item) for item in found]
            summary = f"{_count(len(found), 'conflict')} of {checked:,} statements"
            running.returns({"conflicts": len(found), "checked": checked}, summary)
        self._observe(running, summary)
        return told

    def texts(
        self,
        goal: NamedNode,
        checked: int,
        found: Sequence[TextFound],
        asked: Sequence[tuple[TextFound, tuple[Heard, ...]]],
    ) -> list[Recorded]:
        """Put the check of sentences on record, and the model calls it made."""
        trace = self.trace
        trace.method(TEXTS, TEXTS_DOES)
        with trace.execution(TEXTS, goal, {"sentences": checked}, {}) as running:
            heard = {item.key: calls for item, calls in asked}
            told = [self._of_texts(running, goal, x, heard) for x in found]
            others = [item for item, _ in asked if not item.judged.contradicts]
            for item in others:
                self._judged(running, goal, item, heard.get(item.key, ()))
            summary = f"{_count(len(found), 'conflict')} of {checked:,} sentences"
            running.returns({"conflicts": len(found), "checked": checked}, summary)
        self._observe(running, summary)
        return told

    def end(self, goal: NamedNode, text: str, found: Sequence[Recorded]) -> None:
        """Close the run with what came out."""
        trace = self.trace
        rests = [NamedNode(item.node) for item in found] or self._observed
        claim = trace.node(AITIA.Claim, "claim")
        trace.text(claim, text)
        trace.say(claim, AITIA.order, terms.integer(1))
        trace.say(claim, AITIA.supportState, AITIA.supported)
        for node in rests:
            trace.link(claim, AITIA.derivesFrom, node)
        decision = trace.conclude(AITIA.Decision, "decision", goal)
        trace.text(decision, text)
        trace.say(decision, AITIA.hasClaim, claim)
        trace.link(decision, AITIA.derivesFrom, claim)
        trace.state(goal, AITIA.succeeded)
        trace.end(succeeded=True)

    def _observe(self, running: Running, text: str) -> None:
        made = self.trace.produced(running.node, AITIA.Observation, "obs", text)
        self._observed.append(made)

    def _of_statements(self, running: Running, axioms: Axioms, item: Found) -> Recorded:
        sides, nodes = list[Side](), list[NamedNode]()
        for fact in item.sides:
            # What a document claims stands in no graph: its words stand for it.
            words = axioms.claims.piece(fact)
            side = self.sides.of_piece(words) if words else self.sides.of_fact(fact)
            sides.append(side)
            nodes.append(
                self._quote(running, words) if words else self._state(running, side)
            )
        facts = {fact.quad().triple for fact in item.sides}
        because = [t for t in item.premises if t not in facts][:MOST_PREMISES]
        grounds = [
            self._state(running, self.sides.of_fact(fact))
            for triple in because
            for fact in _stated(axioms, triple)
        ]
        node = self._conflict(running, item.reason, item.rule, nodes, grounds)
        return Recorded(node, item.reason, item.rule, tuple(sides), item.certain)

    def _of_texts(
        self,
        running: Running,
        goal: NamedNode,
        item: TextFound,
        heard: dict[str, tuple[Heard, ...]],
    ) -> Recorded:
        node, quotes = self._judged(running, goal, item, heard.get(item.key, ()))
        judged = item.judged
        rule = judged.rule or judged.by
        conflict = self._conflict(node, judged.reason, rule, quotes, ())
        self.trace.sure(NamedNode(conflict), judged.confidence, judged.confidence_rule)
        sides = [self.sides.of_piece(x) for x in _pieces(item)]
        return Recorded(conflict, judged.reason, rule, tuple(sides))

    def _judged(
        self,
        parent: Running,
        goal: NamedNode,
        item: TextFound,
        heard: Iterable[Heard],
    ) -> tuple[Running, list[NamedNode]]:
        """Put one contradiction check on record; returns it, and its quotes."""
        trace, spec = self.trace, registered(contradiction_check)
        quotes = [self._quote(parent, piece) for piece in _pieces(item)]
        trace.method(spec.name, spec.competence)
        claim = item.claim.text if item.claim else item.search
        with trace.execution(
            spec.name,
            goal,
            Pair(claim, item.piece.text),
            {},
            uses=quotes,
            part_of=parent.node,
        ) as running:
            _report(running, item.judged)
            for call in heard:
                record_heard(trace, self.reads.store, call, goal, part_of=running.node)
        return running, quotes

    def _quote(self, running: Running, piece: Piece) -> NamedNode:
        passage = NamedNode(piece.passage.iri)
        return self.trace.quote(
            running.node, passage, piece.text, piece.start, piece.end
        )

    def _state(self, running: Running, side: Side) -> NamedNode:
        assert side.fact is not None
        source = self._source(side)
        return self.trace.statement(running.node, side.fact.quad(), side.text, source)

    def _source(self, side: Side) -> NamedNode | None:
        """Return the passage, document or accepted version that a fact was read from."""
        if side.version:
            return NamedNode(side.version)
        store, kinds = self.reads.store, (AITIA.Passage, AITIA.Document)
        for iri in filter(None, (side.passage, side.document)):
            node = NamedNode(iri)
            if any(any(store.quads(node, RDF.type, kind)) for kind in kinds):
                return node
        return self._holder(side.fact.graph) if side.fact else None

    def _holder(self, graph: NamedNode) -> NamedNode | None:
        """Return the document that fills a named graph."""
        for quad in self.reads.store.quads(None, AITIA.containsGraph, graph):
            if isinstance(quad.subject, NamedNode):
                return quad.subject
        return None

    def _conflict(
        self,
        running: Running,
        reason: str,
        rule: str,
        sides: Iterable[NamedNode],
        grounds: Iterable[NamedNode],
    ) -> str:
        trace = self.trace
        node = trace.node(AITIA.Conflict, "conflict")
        trace.say(node, AITIA.reason, terms.string(reason))
        trace.say(node, AITIA.rule, terms.string(rule))
        between = list(dict.fromkeys(sides))
        for side in between:
            trace.say(node, AITIA.between, side)
        for ground in dict.fromkeys((*between, *grounds)):
            trace.link(node, AITIA.derivesFrom, ground)
        trace.link(running.node, AITIA.produced, node)
        return node.value


def _report(running: Running, judged: Judged) -> None:
    running.returns(judged, judged.summary)
    if judged.confidence is not None:
        running.measured(judged.confidence, judged.confidence_rule)


def _pieces(item: TextFound) -> list[Piece]:
    return [piece for piece in (item.claim, item.piece) if piece is not None]


def _stated(axioms: Axioms, triple: Triple) -> list[Fact]:
    subject, value = triple.subject, triple.object
    if isinstance(subject, NamedNode) and isinstance(value, (NamedNode, Literal)):
        return list(axioms.facts(subject, triple.predicate, value))[:1]
    return []


def _count(number: int, what: str) -> str:
    return f"1 {what}" if number == 1 else f"{number:,} {what}s"
