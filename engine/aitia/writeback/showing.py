"""A proposal as a reviewer is shown it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pyoxigraph import NamedNode

from aitia.vocab import AITIA
from aitia.writeback import counting
from aitia.writeback.afresh import afresh
from aitia.writeback.asking import of_record
from aitia.writeback.desk import Desk
from aitia.writeback.draft import Impact
from aitia.writeback.evidence import around
from aitia.writeback.given import Given, Reserved, Undone, reserved, reviews, undone
from aitia.writeback.impact import impact
from aitia.writeback.read import Proposal, read, shown


@dataclass(frozen=True)
class Shown:
    """A proposal as a reviewer is shown it.

    Attributes:
        proposal: The proposal; its checks as they come out now.
        digest: Digest over what is shown; a decision names it.
        reviews: What was decided so far.
        uncounted: For each of them why it counts nothing, or "".
        reserved: Who has it to himself, or None.
        needed: How many approvals it needs, by what it would touch now.
        counted: What the approvals so far count.
        undone: How its acceptance was taken back, or None.
        undo_needed: How many have to want its acceptance undone; 0 where it was not
            accepted.
        undo_counted: What the wishes to undo it count so far.
        now: What it would touch as things stand now.
        around: Words before and after each quote of the evidence, in order.
    """

    proposal: Proposal
    digest: str
    reviews: tuple[Given, ...]
    uncounted: tuple[str, ...]
    reserved: Reserved | None
    needed: int
    counted: float
    undone: Undone | None
    undo_needed: int
    undo_counted: float
    now: Impact
    around: tuple[tuple[str, str], ...]


def show(desk: Desk, node: NamedNode) -> Shown:
    """Return a proposal with all that a reviewer needs."""
    found, given = read(desk, node), reviews(desk, node)
    found = replace(found, checks=afresh(desk, found))
    accepted = found.state in (AITIA.approved, AITIA.undone)
    wishes = counting.undoers(desk, found, given) if accepted else []
    return Shown(
        found,
        shown(desk, node, found.checks),
        tuple(given),
        tuple(counting.uncounted(desk, found, given)),
        reserved(desk, node),
        counting.needed(desk, found),
        float(counting.counted(desk, found, given)),
        undone(desk, node),
        counting.undo_needed(desk, found) if accepted else 0,
        float(counting.total(wishes)),
        impact(desk.store, of_record(desk, node), node),
        tuple(around(desk, cited) for _, cited in found.evidence),
    )
