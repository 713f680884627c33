"""Rules on how a proposal goes from state to state, and on who may review it.

Which state may follow which is a shape (`shape:LegalTransition`). These rules tie the
states that a change leaves behind to the steps it puts on record: no shape sees the
state before a change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from pyoxigraph import Literal, NamedNode, Quad

from aitia.gate.decided import PROGRAMS, approved, passes
from aitia.gate.index import Node, Term
from aitia.gate.overlay import Overlay
from aitia.gate.result import Result
from aitia.gate.rulebook import KEPT, NOT_ONES_OWN, STEPS
from aitia.vocab import AITIA, PROV, RDF

_KEPT: Final = frozenset(
    {AITIA.Transition, AITIA.Review, AITIA.Verdict, AITIA.Check, AITIA.Revision}
)


def of_proposals(
    overlay: Overlay, adds: Iterable[Quad], deletes: Iterable[Quad]
) -> Iterator[Result]:
    """Check the steps and reviews that a change puts on record or takes away."""
    adds, deletes = list(adds), list(deletes)
    yield from _taken_away(overlay, deletes)
    for proposal in _stepping(adds, deletes):
        yield from _steps(overlay, proposal)
    for quad in adds:
        if quad.predicate == AITIA.reviews:
            yield from _reviewer(overlay, quad.subject, quad.object)


def _taken_away(overlay: Overlay, deletes: list[Quad]) -> Iterator[Result]:
    for node in dict.fromkeys(quad.subject for quad in deletes):
        if not _KEPT.isdisjoint(overlay.types(node, after=False)):
            yield KEPT.broken(node, "would lose what is on record of it")


def _stepping(adds: list[Quad], deletes: list[Quad]) -> list[Term]:
    """Return the proposals whose states or steps a change touches."""
    found: dict[Term, None] = {}
    for quad in chain(adds, deletes):
        if quad.predicate == AITIA.proposalState:
            found[quad.subject] = None
        elif quad.predicate == AITIA.ofProposal:
            found[quad.object] = None
    return list(found)


def _steps(overlay: Overlay, proposal: Term) -> Iterator[Result]:
    """Check that new steps lead from the state before to the state after."""
    before = overlay.values(proposal, AITIA.proposalState, after=False)
    known = set(overlay.subjects(proposal, AITIA.ofProposal, after=False))
    new = set(overlay.subjects(proposal, AITIA.ofProposal)) - known
    at = next(iter(before), None)
    for number, step in enumerate(
        sorted(new, key=lambda one: _order(overlay, one)), len(known) + 1
    ):
        come_from = next(iter(overlay.values(step, AITIA.fromState)), None)
        if _order(overlay, step) != number or come_from != at:
            yield STEPS.broken(step, "does not follow the step before it", at)
        at = next(iter(overlay.values(step, AITIA.toState)), None)
    now = next(iter(overlay.values(proposal, AITIA.proposalState)), None)
    if now != at:
        yield STEPS.broken(proposal, "is in a state that no step leads to", now)
    elif new and now == AITIA.approved:
        yield from approved(overlay, proposal)


def _order(overlay: Overlay, step: Node) -> int:
    values = overlay.values(step, AITIA.order)
    found = [value.value for value in values if isinstance(value, Literal)]
    return int(found[0]) if found and found[0].isdecimal() else 0


def _reviewer(overlay: Overlay, review: Term, proposal: Term) -> Iterator[Result]:
    """Check that no program reviews, and that nobody approves what is his own."""
    for who in overlay.values(review, PROV.wasAssociatedWith):
        if not PROGRAMS.isdisjoint(overlay.values(who, RDF.type)):
            yield NOT_ONES_OWN.broken(review, "is made by a program or a model", who)
        own = isinstance(who, NamedNode) and overlay.states(
            proposal, AITIA.proposedBy, who
        )
        if own and passes(overlay, review):
            yield NOT_ONES_OWN.broken(review, "approves what its author proposed", who)
