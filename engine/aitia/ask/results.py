"""What pursuing a goal yields: findings, and why it was or was not reached."""

from __future__ import annotations

from dataclasses import dataclass, field

from pyoxigraph import NamedNode

from aitia.model.trace import Disagreement, Evidence, Goal


@dataclass(frozen=True)
class Finding:
    """A candidate answer that its checks did not refute.

    Attributes:
        text: The answer sentence.
        hypothesis: The candidate's node.
        evidence: What it rests on; each with its node in the run.
        confidence: How sure it is.
        rule: How that was computed.
        numbers: The numbers among the values that it tells.
        resources: The resources it found, for goals that go on from there.
        dated: Whether its numbers are dates and times.
    """

    text: str
    hypothesis: NamedNode
    evidence: tuple[Evidence, ...]
    confidence: float
    rule: str
    numbers: tuple[float, ...] = ()
    resources: tuple[NamedNode, ...] = ()
    dated: bool = False


@dataclass(frozen=True)
class Result:
    """How a goal came out.

    Attributes:
        goal: The goal.
        findings: What was found, best first; empty where the goal failed.
        reason: Why it failed, or "".
        confidence: How sure the best candidate was, accepted or not.
        rule: How that was computed.
        trigger: The failed execution, which sets off what is tried next.
        rejected: Candidates that a check refuted.
        conflicts: Sources that disagree.
    """

    goal: Goal
    findings: tuple[Finding, ...] = ()
    reason: str = ""
    confidence: float = 0.0
    rule: str = ""
    trigger: NamedNode | None = None
    rejected: tuple[NamedNode, ...] = ()
    conflicts: tuple[Disagreement, ...] = field(default=())

    @property
    def reached(self) -> bool:
        """Whether the goal was reached."""
        return bool(self.findings)
