"""A method execution while it runs: its caller says how it went."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pyoxigraph import NamedNode

from aitia import terms
from aitia.model.trace import Execution


class Running:
    """A method execution under way; the method's caller says how it went.

    Attributes:
        node: Its IRI.
        goal: The goal it serves.
        method: The method's name.
        started: When it started; set where it ran before it is put on record.
        finished: When it ended, likewise; None for now.
    """

    def __init__(
        self, node: NamedNode, method: str, goal: NamedNode, parameters: dict[str, Any]
    ) -> None:
        self.node, self.method, self.goal = node, method, goal
        self.parameters = parameters
        self.started = terms.now()
        self.finished: datetime | None = None
        self.summary = self.error = self.rule = ""
        self.output: Any = None
        self.confidence: float | None = None

    def returns(self, output: Any, summary: str = "") -> None:
        """Say what came out: as structured data, and in one line."""
        self.output, self.summary = output, summary

    def measured(self, confidence: float, rule: str) -> None:
        """Say how sure the result is, and how that was computed."""
        self.confidence, self.rule = confidence, rule

    def failed(self, reason: str) -> None:
        """Say that it did not reach what it was for."""
        self.error = reason

    def ended(self) -> Execution:
        """Return the execution as it stands."""
        return Execution(
            node=self.node,
            method=self.method,
            goal=self.goal,
            parameters=self.parameters,
            status="failed" if self.error else "succeeded",
            started=self.started,
            ended=self.finished or terms.now(),
            summary=self.summary,
            error=self.error,
            confidence=self.confidence,
            confidence_rule=self.rule,
        )
