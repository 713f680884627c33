"""Dates that cannot both hold: an end before its start, two births of one person."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from aitia.conflicts import values, worldtime
from aitia.conflicts.checked import MOST, Checked
from aitia.conflicts.found import Found
from aitia.methods.facts import Fact, local_name

_PAIRS: Final = (
    (
        "startdate start starttime validfrom from begin hasbeginning startedattime",
        "enddate end endtime validuntil validthrough until to hasend endedattime",
    ),
    ("birthdate dateofbirth born birth", "deathdate dateofdeath died death"),
    ("foundingdate founded established", "dissolutiondate dissolved closed"),
    ("opened openingdate", "closed closingdate"),
    ("ordered orderdate placed", "delivered deliverydate shipped"),
)
"""Names of properties whose date comes first, and of those whose date comes after."""
ORDER: Final = tuple(
    (frozenset(first.split()), frozenset(after.split())) for first, after in _PAIRS
)
ONCE: Final = frozenset(
    [
        "birthdate",
        "dateofbirth",
        "born",
        "deathdate",
        "dateofdeath",
        "died",
        "foundingdate",
        "founded",
        "dissolutiondate",
        "dissolved",
    ]
)
"""Names of properties for what happens to a thing once."""


def order(checked: Checked) -> Iterator[Found]:
    """Yield dates of the subject that come before what they cannot come before."""
    fact = checked.fact
    mine = worldtime.span(fact.object)
    if mine is None:
        return
    name = _name(fact)
    for first, after in ORDER:
        if name in first:
            yield from _reversed(checked, after, early=True)
        if name in after:
            yield from _reversed(checked, first, early=False)


def once(checked: Checked) -> Iterator[Found]:
    """Yield other dates of what happens to a thing once."""
    fact = checked.fact
    if _name(fact) not in ONCE or worldtime.span(fact.object) is None:
        return
    for other in islice(checked.axioms.facts(fact.subject, fact.predicate), MOST):
        dated = worldtime.span(other.object) is not None
        if dated and values.differ(checked.reader, fact.object, other.object):
            reason = (
                f"{checked.called(fact.subject)} has one "
                f"{checked.called(fact.predicate)}: {checked.called(fact.object)} "
                f"against {checked.called(other.object)}"
            )
            yield checked.found("date-once", reason, [other], ())


def _reversed(
    checked: Checked, names: frozenset[str], *, early: bool
) -> Iterator[Found]:
    """Yield the dates of some properties that stand in the wrong order to this one."""
    fact = checked.fact
    for other in islice(checked.axioms.facts(fact.subject), MOST):
        if _name(other) not in names:
            continue
        first, last = (fact, other) if early else (other, fact)
        begins, ends = worldtime.span(first.object), worldtime.span(last.object)
        if begins is None or ends is None or begins[0] < ends[1]:
            continue
        reason = (
            f"{checked.called(fact.subject)}: {checked.called(first.predicate)} "
            f"{checked.called(first.object)} comes after "
            f"{checked.called(last.predicate)} {checked.called(last.object)}"
        )
        yield checked.found("date-order", reason, [other], ())


def _name(fact: Fact) -> str:
    return local_name(fact.predicate).lower().replace("_", "").replace("-", "")
