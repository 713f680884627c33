"""Goal check: whether a goal that is said to be reached has something to show for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from aitia.methods.arguments import NodeRef
from aitia.methods.asserted import share
from aitia.methods.base import Reads, method
from aitia.methods.entailment_check import Entailed, by_rules
from aitia.methods.quote_check import Checked
from aitia.methods.words import content

RULE: Final = "share of the words of the success test that stand in what was found"


@dataclass(frozen=True)
class Reached:
    """A goal that is said to be reached.

    Attributes:
        test: What must hold for it to be reached, in words, or "".
        found: What was found for it.
        waits_for: Goals that it depends on and that were not reached, in words.
    """

    test: str
    found: tuple[NodeRef, ...]
    waits_for: tuple[str, ...] = ()


@method(
    "goal_check", "Tells whether a goal that is called reached has something to show."
)
def goal_check(reads: Reads, given: Reached) -> Checked:
    """Return whether a goal is reached, as far as rules can tell.

    It is not where a goal before it was not, where nothing was found, or where what was
    found says the opposite of its success test.
    """
    failure = ""
    if given.waits_for:
        failure = f"A goal before it was not reached: {given.waits_for[0]}"
    elif not given.found:
        failure = "Nothing was found for it."
    elif given.test:
        ruled = by_rules(Entailed(given.test, given.found))
        if ruled.relation == "contradicts":
            failure = f"What was found fails its test. {ruled.reason}"
    measured = _measured(given) if given.test and given.found else None
    return Checked(
        passed=not failure,
        found=given.found[0].text[:200] if given.found else "",
        summary=failure or f"{len(given.found)} results stand for it",
        failure=failure,
        confidence=measured,
        confidence_rule=RULE if measured is not None else "",
    )


def _measured(given: Reached) -> float:
    wanted = (stem for word in content(given.test) for stem in word.stems)
    there = (
        stem
        for item in given.found
        for word in content(f"{item.about} {item.text}")
        for stem in word.stems
    )
    return share(wanted, there)
