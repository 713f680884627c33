"""A proposal that waits, checked again as things stand now.

Between a proposal and its review documents go out of use, and others come that say
otherwise. A reviewer is shown how the checks come out now, the digest of what is shown
covers them, and an approval puts on record what has changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pyoxigraph import NamedNode

from aitia.vocab import AITIA, EARL
from aitia.writeback import checks
from aitia.writeback.asking import of_record
from aitia.writeback.checks.reading import verifier
from aitia.writeback.desk import Desk
from aitia.writeback.draft import Checked
from aitia.writeback.read import Proposal, read, shown

_GOOD: Final = frozenset({EARL.passed, EARL.inapplicable})


def afresh(desk: Desk, found: Proposal) -> tuple[Checked, ...]:
    """Return how the checks of a proposal come out now; of one decided on, as they did.

    Models are not asked again: what they said of the same evidence stays.
    """
    if found.state != AITIA.needsReview:
        return found.checks
    # As a version of itself, so that it is not taken for a second one of its kind.
    draft = replace(of_record(desk, found.node), revision_of=found.node)
    case = checks.case_of(desk, draft)
    now = {
        one.kind: one
        for one in (check(case) for check in checks.CHECKS if check is not verifier)
    }
    before = {one.kind for one in found.checks}
    return (
        *(_merged(one, now.get(one.kind, one)) for one in found.checks),
        *(one for kind, one in now.items() if kind not in before),
    )


def _merged(before: Checked, now: Checked) -> Checked:
    """Return a check as it comes out now; why something was not reached is kept."""
    untested = before.outcome == now.outcome == EARL.untested
    return replace(now, text=before.text) if untested else now


def changed(found: Proposal, now: Sequence[Checked]) -> list[Checked]:
    """Return the checks that come out otherwise than they are on record."""
    before = {one.kind: (one.outcome, one.text) for one in found.checks}
    return [one for one in now if before.get(one.kind) != (one.outcome, one.text)]


def worse(found: Proposal, now: Sequence[Checked]) -> list[Checked]:
    """Return the checks that speak against a proposal and did not do so before."""
    return [one for one in changed(found, now) if one.outcome not in _GOOD]


def shown_now(desk: Desk, node: NamedNode) -> str:
    """Return the digest over what a reviewer is shown of a proposal now."""
    return shown(desk, node, afresh(desk, read(desk, node)))
