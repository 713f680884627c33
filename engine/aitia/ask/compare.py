"""Strategy: compare what two goals found, by their numbers or dates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pyoxigraph import NamedNode

from aitia.ask.candidates import hypothesis, weigh
from aitia.ask.results import Finding, Result
from aitia.ask.session import Session
from aitia.methods.comparison import Compared, Side, comparison
from aitia.model.trace import Goal

NAME: Final = "compare_findings"
COMPETENCE: Final = "Sets the findings of several goals against each other."
RULE: Final = "the lowest confidence of the sides that are compared"

Earlier = Mapping[NamedNode, Result]


def compare(session: Session, goal: Goal, earlier: Earlier, attempt: int) -> Result:
    """Pursue a goal that compares the findings of the goals it depends on."""
    with session.strategy(NAME, COMPETENCE, goal, attempt) as running:
        findings = [
            earlier[node].findings[0] for node in goal.depends if earlier[node].findings
        ]
        part = session.parts[goal.node]
        if len(findings) < len(goal.depends):
            reason = "Not every side has a value to compare."
            running.failed(reason)
            return Result(goal, reason=reason, trigger=running.node)
        done = session.perform(
            comparison,
            Compared(
                tuple(Side(f.text, f.numbers, f.dated) for f in findings), part.text
            ),
            goal.node,
            uses=[item.hypothesis for item in findings],
            part_of=running.node,
        )
        if done.output.failure:
            running.failed(done.output.failure)
            return Result(goal, reason=done.output.failure, trigger=done.node)
        evidence = tuple(one for item in findings for one in item.evidence)
        sure = min(item.confidence for item in findings)
        node = hypothesis(session, done.node, done.output.text, evidence, sure, RULE)
        finding = Finding(done.output.text, node, evidence, sure, RULE)
        check = weigh(session, goal, running.node, finding)
        running.returns({"text": finding.text}, finding.text)
        running.measured(sure, RULE)
        if check.output.passed:
            return Result(goal, (finding,), "", sure, RULE)
        running.failed(check.output.failure)
        return Result(goal, (), check.output.failure, sure, RULE, check.node, (node,))
