"""Would the change conform, and does anything on record contradict it?"""

from __future__ import annotations

from pyoxigraph import Literal

from aitia import terms
from aitia.errors import ShapeViolation
from aitia.gate.literals import is_ill_typed
from aitia.gate.rulebook import ACCEPTED
from aitia.model import Patch
from aitia.vocab import AITIA, EARL
from aitia.writeback.checks.case import Case, judged
from aitia.writeback.draft import Checked


def shapes(case: Case) -> Checked:
    """Check by the gate what would be stated, without stating it."""
    draft = case.draft
    if not draft.changes:
        told = "it states no triples"
        return Checked(AITIA.shapesCheck, EARL.inapplicable, told)
    found = [
        f"“{change.object.value}” is not what its datatype demands"
        for change in draft.adds
        if isinstance(change.object, Literal) and is_ill_typed(change.object)
    ]
    found += [
        f"facts are accepted into {terms.GRAPH_CURRENT.value}, not into"
        f" {change.graph.value}"
        for change in draft.adds
        if change.graph != terms.GRAPH_CURRENT
    ]
    adds = () if draft.opinion_of else draft.adds
    patch = Patch(
        frozenset(change.quad() for change in adds),
        frozenset(change.quad() for change in draft.withdraws),
        draft.proposer.node,
    )
    try:
        case.desk.gate.admit(case.desk.store, patch)
    except ShapeViolation as error:
        # That a decision is lacking is no fault: what is asked for is one.
        faults = (v for v in error.violations if v.shape != ACCEPTED.iri.value)
        found += [f"{v.rule}: {v.found or v.mend}" for v in faults]
    return judged(AITIA.shapesCheck, found, "it conforms to all shapes", blocks=True)


def conflicts(case: Case) -> Checked:
    """Check whether facts and texts on record contradict it."""
    if case.draft.opinion_of:
        told = "an opinion stands beside others"
        return Checked(AITIA.conflictsCheck, EARL.inapplicable, told)
    found = [item.reason for item in case.opposed]
    return judged(
        AITIA.conflictsCheck, found, "nothing on record contradicts it", blocks=False
    )
