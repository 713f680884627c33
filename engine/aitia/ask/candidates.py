"""Candidate answers on record: hypotheses, and the checks that decide over them."""

from __future__ import annotations

from collections.abc import Sequence

from pyoxigraph import NamedNode

from aitia.ask.evidence import bounded, nodes
from aitia.ask.results import Finding
from aitia.ask.session import Done, Session
from aitia.methods.confidence_check import Weighed, confidence_check
from aitia.methods.quote_check import Checked
from aitia.model.trace import Evidence, Goal
from aitia.vocab import AITIA


def hypothesis(
    session: Session,
    execution: NamedNode,
    text: str,
    evidence: Sequence[Evidence],
    sure: float,
    rule: str,
) -> NamedNode:
    """Put a candidate answer on record, with the evidence that a method found for it."""
    trace = session.trace
    sure, rule = bounded(sure, rule, evidence)
    node = trace.produced(execution, AITIA.Hypothesis, "hyp", text)
    trace.state(node, AITIA.open, AITIA.hypothesisState)
    trace.sure(node, sure, rule)
    for item in nodes(evidence):
        trace.weighed(
            item,
            AITIA.supports,
            node,
            basis=AITIA.tested,
            confidence=sure,
            rule=rule,
            reason="The candidate is made of it.",
        )
    return node


def judge(session: Session, node: NamedNode, check: Done[Checked]) -> bool:
    """Put the outcome of a check of a candidate on record, and return it."""
    trace, passed = session.trace, check.output.passed
    trace.link(check.node, AITIA.verifies if passed else AITIA.refutes, node)
    trace.state(
        node, AITIA.verified if passed else AITIA.refuted, AITIA.hypothesisState
    )
    return passed


def weigh(
    session: Session,
    goal: Goal,
    part_of: NamedNode,
    finding: Finding,
    missing: tuple[str, ...] = (),
) -> Done[Checked]:
    """Hold a candidate's confidence to the threshold; the verdict goes on record."""
    check = session.perform(
        confidence_check,
        Weighed(finding.text, finding.confidence, finding.rule, missing),
        goal.node,
        uses=nodes(finding.evidence),
        part_of=part_of,
        at_least=session.reads.settings.abstain_below,
    )
    judge(session, finding.hypothesis, check)
    return check
