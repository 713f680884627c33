"""What approvals count, of an acceptance and of its undoing, and why some do not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Final

from pyoxigraph import NamedNode

from aitia.vocab import AITIA, EARL, PROV
from aitia.writeback import policy
from aitia.writeback.afresh import shown_now
from aitia.writeback.asking import of_record
from aitia.writeback.desk import Desk
from aitia.writeback.given import Given, reviews
from aitia.writeback.impact import impact
from aitia.writeback.names import skeleton
from aitia.writeback.read import Proposal
from aitia.writeback.reviewers import is_competent, tokens

PROVEN: Final = frozenset({AITIA.byToken, AITIA.bySignature})
"""How it is known who acted, where that was proven."""


def needed(desk: Desk, found: Proposal) -> int:
    """Return how many approvals a proposal needs, by what it would touch now."""
    now = impact(desk.store, of_record(desk, found.node), found.node)
    return max(found.needed, policy.needed(desk.settings, now))


def counted(desk: Desk, found: Proposal, given: Sequence[Given]) -> Decimal:
    """Return what the approvals of a proposal count.

    Where more than one approval is needed, only those of authenticated people count;
    an approval outside of a reviewer's fields counts nothing.
    """
    return total(approvals(desk, found, given))


def approvals(desk: Desk, found: Proposal, given: Sequence[Given]) -> list[Given]:
    """Return the approvals of a proposal that count."""
    proof = needed(desk, found) > 1
    old = outdated(desk, found, given)
    passed = (
        review
        for review in given
        if review.outcome == EARL.passed and review.node not in old
    )
    return _counting(desk, found, passed, proof)


def outdated(desk: Desk, found: Proposal, given: Sequence[Given]) -> set[NamedNode]:
    """Return the approvals of something else than what is shown now.

    Checks come out otherwise when documents come and go; who approved before did not
    know of it.
    """
    told = [one for one in given if one.outcome == EARL.passed and one.digest]
    if not told or found.state != AITIA.needsReview:
        return set()
    now = shown_now(desk, found.node)
    return {one.node for one in told if one.digest != now}


def undoers(desk: Desk, found: Proposal, given: Sequence[Given]) -> list[Given]:
    """Return the wishes to undo an acceptance that count."""
    wishes = (review for review in given if review.undoes)
    return _counting(desk, found, wishes, undo_proof(desk, found))


def why_not(desk: Desk, found: Proposal, review: Given, *, proof: bool) -> str:
    """Return why an approval, or a wish to undo, counts nothing; "" where it does.

    Args:
        desk: What to work with.
        found: The proposal.
        review: The approval.
        proof: Whether only those count who prove who they are.
    """
    if proof and review.authentication not in PROVEN:
        return "nobody proved to be that reviewer, by a token or a signature"
    if proof and not is_proven(desk, review):
        return "the token that proved it is no longer on file"
    if not is_competent(desk, review.name, found):
        return "it lies outside of the fields that aitia.toml lists for that reviewer"
    return ""


def is_proven(desk: Desk, review: Given) -> bool:
    """Tell whether it is proven who made a review, by what holds now too.

    A token that was revoked proves nothing any more: somebody else may have had it.
    """
    if review.authentication == AITIA.byToken:
        on_file = (t for t in tokens(desk.folder) if t.name == review.name)
        return not review.time or any(
            datetime.fromisoformat(token.made) <= datetime.fromisoformat(review.time)
            for token in on_file
        )
    return review.authentication in PROVEN


def uncounted(desk: Desk, found: Proposal, given: Sequence[Given]) -> list[str]:
    """Return for each review why it counts nothing; "" where it does."""
    proof = needed(desk, found) > 1
    undo = undo_proof(desk, found) if any(one.undoes for one in given) else False
    old = outdated(desk, found, given)
    return [
        "the checks came out otherwise when it was given"
        if one.node in old
        else why_not(desk, found, one, proof=undo if one.undoes else proof)
        if one.undoes or one.outcome == EARL.passed
        else ""
        for one in given
    ]


def undo_needed(desk: Desk, found: Proposal) -> int:
    """Return how many have to want an acceptance undone.

    As many as it took to accept it, or as the settings demand of any proposal now,
    whichever is more. What the change touches today does not count: what is wrong would
    be the harder to take back the more it was used.
    """
    ends = [one.weight for one in _carried_out(desk, found)][:-1]
    # All but the last did not do, so that more than their sum was needed.
    took = int(sum(ends, Decimal(0))) + 1
    return max(found.needed, desk.settings.approvals, took)


def undo_proof(desk: Desk, found: Proposal) -> bool:
    """Tell whether only those may undo an acceptance who prove who they are.

    So it is where more than one has to, and where who accepted it proved it.
    """
    proven = any(x.authentication in PROVEN for x in _carried_out(desk, found))
    return proven or undo_needed(desk, found) > 1


def total(given: Iterable[Given]) -> Decimal:
    """Return what reviews count together."""
    return sum((review.weight for review in given), Decimal(0))


def _counting(
    desk: Desk, found: Proposal, given: Iterable[Given], proof: bool
) -> list[Given]:
    """Return what counts, one of each person: who proves his name may say it again."""
    kept = {
        skeleton(review.name): review
        for review in given
        if not why_not(desk, found, review, proof=proof)
    }
    return list(kept.values())


def _carried_out(desk: Desk, found: Proposal) -> list[Given]:
    """Return the approvals that an acceptance rests on, the oldest first."""
    people = {
        agent
        for revision in desk.subjects(AITIA.carriesOut, found.node)
        if desk.node(revision, AITIA.undoes) is None
        for agent in desk.nodes(revision, PROV.wasAssociatedWith)
    }
    return [
        review
        for review in reviews(desk, found.node)
        if review.outcome == EARL.passed and review.reviewer in people
    ]
