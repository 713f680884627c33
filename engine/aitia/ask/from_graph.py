"""Strategy: answer from the facts.

Read the part of the question as a query, run the readings that explain most of it,
word what they find, and check every candidate: its facts are read again, its
confidence is held to the threshold, and documents that disagree are told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from pyoxigraph import NamedNode

from aitia.ask.candidates import hypothesis, judge, weigh
from aitia.ask.conflicts import clashes
from aitia.ask.evidence import nodes, state
from aitia.ask.results import Finding, Result
from aitia.ask.session import Done, Session
from aitia.ask.shaping import Earlier, Seen, readings
from aitia.methods.facts import Fact
from aitia.methods.graph_confidence import RULE, sureness
from aitia.methods.graph_query import Row, Rows, graph_query
from aitia.methods.readings import Reading, as_query, without_filters
from aitia.methods.restrictions import gathers, noted
from aitia.methods.statement_check import Stated, statement_check
from aitia.methods.wording import Worded, none, word
from aitia.model.trace import Goal
from aitia.trace import Running
from aitia.vocab import RDF

NAME: Final = "answer_from_facts"
COMPETENCE: Final = "Reads a question as a query over the facts and answers from them."
TRIED: Final = 3  # readings that are run
TOLD: Final = 4  # candidates that one reading gives
HOPS: Final = 2  # links that are walked unless replanning says more


def from_graph(session: Session, goal: Goal, earlier: Earlier, attempt: int) -> Result:
    """Pursue a goal over the facts."""
    with session.strategy(NAME, COMPETENCE, goal, attempt) as running:
        found, seen = readings(session, goal, running.node, earlier)
        pursuit = _Pursuit(session, goal, running.node, attempt, seen)
        for reading in found[:TRIED]:
            if pursuit.reached(reading):
                break
        return pursuit.result(running, found)


@dataclass
class _Pursuit:
    """The running of readings for one goal.

    Attributes:
        session: The run.
        goal: The goal.
        part_of: The strategy's execution.
        attempt: Which try of the goal this is.
        seen: The observations that the readings rest on.
        found: Candidates that their checks did not refute.
        rejected: Candidates that a check refuted.
        best: The greatest confidence of a candidate.
        failed: The execution that failed last.
        facts: The facts of the candidates that were found.
        missing: Words of the question that the surest candidate leaves open.
    """

    session: Session
    goal: Goal
    part_of: NamedNode
    attempt: int
    seen: Seen
    found: list[Finding] = field(default_factory=list)
    rejected: list[NamedNode] = field(default_factory=list)
    best: float = 0.0
    failed: NamedNode | None = None
    facts: list[Fact] = field(default_factory=list)
    missing: tuple[str, ...] = ()

    def reached(self, reading: Reading) -> bool:
        """Run a reading and check its candidates; tell whether one holds."""
        schema = self.session.reads.schema
        rows = self._query(reading)
        told = word(schema, reading, rows.output.rows)
        if not told and (other := without_filters(reading)) is not None:
            rows = self._query(other)
            told = none(schema, reading, rows.output.rows)
        for item in told[:TOLD]:
            self._candidate(reading, rows.node, item)
        return bool(self.found)

    def result(self, running: Running, tried: Sequence[Reading]) -> Result:
        """Return how the goal came out, told to the strategy's execution as well."""
        texts = [item.text for item in self.found]
        running.returns({"found": texts}, f"{len(texts)} found")
        if tried:
            running.measured(self.best, RULE)
        reason = "" if self.found else _reason(tried, self.best, self.missing)
        if reason:
            running.failed(reason)
        return Result(
            goal=self.goal,
            findings=tuple(self.found),
            reason=reason,
            confidence=self.best,
            rule=RULE,
            trigger=self.failed or self.part_of,
            rejected=tuple(self.rejected),
            conflicts=clashes(self.session, self.goal, self.part_of, self.facts),
        )

    def _query(self, reading: Reading) -> Done[Rows]:
        rows = self.session.perform(
            graph_query,
            as_query(reading),
            self.goal.node,
            uses=self.seen,
            part_of=self.part_of,
            attempt=self.attempt,
            hops=self.goal.parameters.get("hops", HOPS),
        )
        self.failed = rows.node
        return rows

    def _candidate(self, reading: Reading, execution: NamedNode, item: Worded) -> None:
        """Put a candidate on record and check it."""
        session, part = self.session, self.session.parts[self.goal.node]
        sure, missing = sureness(
            session.reads.schema, part.text, part.cues, reading, item.rows
        )
        facts = tuple(dict.fromkeys(fact for row in item.rows for fact in row.facts))
        evidence = tuple(state(session, execution, _telling(facts)))
        text = noted(item.text, missing) if gathers(reading) else item.text
        node = hypothesis(session, execution, text, evidence, sure, RULE)
        finding = Finding(
            text=text,
            hypothesis=node,
            evidence=evidence,
            confidence=sure,
            rule=RULE,
            numbers=item.numbers,
            resources=_resources(item.rows),
            dated=item.dated,
        )
        if sure >= self.best:
            self.best, self.missing = sure, missing
        failed = self._refuted(finding, facts, missing)
        if failed is None:
            self.found.append(finding)
            self.facts.extend(facts)
        else:
            self.rejected.append(node)
            self.failed = failed

    def _refuted(
        self, finding: Finding, facts: tuple[Fact, ...], missing: tuple[str, ...]
    ) -> NamedNode | None:
        """Return the check that refuted a candidate, or None."""
        stands = self.session.perform(
            statement_check,
            Stated(facts),
            self.goal.node,
            uses=nodes(finding.evidence),
            part_of=self.part_of,
        )
        if not judge(self.session, finding.hypothesis, stands):
            return stands.node
        check = weigh(self.session, self.goal, self.part_of, finding, missing)
        return None if check.output.passed else check.node


def _resources(rows: Sequence[Row]) -> tuple[NamedNode, ...]:
    """Return the resources that rows lead to."""
    found = (
        row.value if isinstance(row.value, NamedNode) else row.focus for row in rows
    )
    return tuple(dict.fromkeys(found))


def _telling(facts: Sequence[Fact]) -> list[Fact]:
    """Return the facts to cite: that a record is one of a kind only where it is alone.

    Where another fact of the record is cited, that shows the record as well.
    """
    shown = {fact.subject for fact in facts if fact.predicate != RDF.type}
    return [
        fact
        for fact in facts
        if fact.predicate != RDF.type or fact.subject not in shown
    ]


def _reason(tried: Sequence[Reading], best: float, missing: Sequence[str]) -> str:
    if not tried:
        return "The facts know nothing that the question asks for in these words."
    if best > 0:
        left = f" ({', '.join(missing)} is left open)" if missing else ""
        return f"What the facts say explains too little of the question{left}."
    return "The facts hold no such thing."
