"""Computation: reckons with numbers, dates and durations, and says where they are from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from aitia.methods.arguments import NodeRef
from aitia.methods.arithmetic import (
    FUNCTIONS,
    CannotReckon,
    literals,
    number,
    reckon,
    told,
)
from aitia.methods.asking import DATA, Asked, ask_model, data
from aitia.methods.asserted import asserted, figure
from aitia.methods.base import Outcome, Reads, method

if TYPE_CHECKING:
    from aitia.methods.replies import Expression

VERSION: Final = "1"
SHOWN: Final = 4000  # characters of evidence that a model is shown
_SYSTEM: Final = (
    "You write the one expression that answers a question, and do not reckon yourself. "
    "Answer with JSON: `expression`. Allowed are numbers, + - * / // % **, comparisons, "
    'texts only as in date("2026-03-01"), and the functions '
    f"{', '.join(FUNCTIONS)}. Take every number and date from the texts. {DATA}"
)


@dataclass(frozen=True)
class ToCompute:
    """What is to be reckoned.

    Attributes:
        expression: Such as `(12.5 + 3) * 4` or
            `days_between(date("2026-01-31"), date("2026-03-01"))`; "" to have it made
            from the question.
        uses: The nodes that its numbers are from.
        question: What is asked, in words.
    """

    expression: str = ""
    uses: tuple[NodeRef, ...] = ()
    question: str = ""


@dataclass(frozen=True)
class Computed(Outcome):
    """What came out.

    Attributes:
        value: The result as text, or "".
        expression: What was reckoned.
        unfounded: Numbers of the expression that no node it uses has.
    """

    value: str = ""
    expression: str = ""
    unfounded: tuple[str, ...] = field(default=())


@method(
    "computation",
    "Reckons with numbers, dates and durations: sums, differences, means, days between.",
    offered=True,
)
def computation(reads: Reads, given: ToCompute) -> Computed:
    """Return what an expression comes to, exactly."""
    asked = _expression(reads, given)
    written = given.expression or (asked.value.expression if asked.value else "")
    # A question may be an expression itself.
    wanted = written or given.question
    try:
        value = told(reckon(wanted))
        unfounded = tuple(_unfounded(wanted, given.uses))
    except CannotReckon as error:
        return Computed(
            expression=wanted,
            summary="no result",
            failure=str(error),
            notices=asked.notices,
        )
    return Computed(
        value=value,
        expression=wanted,
        unfounded=unfounded,
        summary=f"{wanted} = {value}",
        notices=asked.notices,
    )


def _expression(reads: Reads, given: ToCompute) -> Asked[Expression]:
    if given.expression or reads.models is None:
        return Asked()
    from aitia.methods.replies import Expression

    texts = "\n".join(item.text for item in given.uses)[:SHOWN]
    return ask_model(
        reads,
        Expression,
        purpose="computation",
        version=VERSION,
        system=_SYSTEM,
        text=f"Question:\n{data(given.question)}\n\nTexts:\n{data(texts)}",
    )


def _unfounded(expression: str, uses: tuple[NodeRef, ...]) -> list[str]:
    """Return the numbers of an expression that stand in no node it uses."""
    values = (value for item in uses for value in asserted(item.text).values)
    there = {figure(value) for value in values}
    return (
        [number(item) for item in literals(expression) if item not in there]
        if uses
        else []
    )
