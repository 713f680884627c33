"""Confidence check: whether a candidate answer is sure enough to be given.

One threshold for every way of answering: the setting `abstain_below`.
"""

from __future__ import annotations

from dataclasses import dataclass

from aitia.methods.base import Reads, method
from aitia.methods.quote_check import Checked


@dataclass(frozen=True)
class Weighed:
    """A candidate answer and how sure it is.

    Attributes:
        text: The candidate.
        sure: Its confidence.
        rule: How that was computed.
        missing: The question's words that it does not speak of.
    """

    text: str
    sure: float
    rule: str
    missing: tuple[str, ...] = ()


@method("confidence_check", "Holds a candidate answer's confidence to the threshold.")
def confidence_check(reads: Reads, given: Weighed, *, at_least: float) -> Checked:
    """Return whether the candidate is as sure as `at_least`."""
    passed = given.sure >= at_least
    lacking = (
        f"; it does not speak of {', '.join(given.missing)}" if given.missing else ""
    )
    told = f"{given.sure:.2f} of at least {at_least:.2f}"
    return Checked(
        passed=passed,
        found=told,
        summary=told,
        failure="" if passed else f"Too little speaks for it: {told}{lacking}.",
        confidence=given.sure,
        confidence_rule=given.rule,
    )
