"""What may not be decided, by whom, and when: each refusal says why."""

from __future__ import annotations

from typing import Final

from aitia import terms
from aitia.errors import AitiaError
from aitia.vocab import AITIA, EARL
from aitia.writeback.desk import Desk
from aitia.writeback.given import reserved, reviews
from aitia.writeback.read import Proposal
from aitia.writeback.reviewers import Identity
from aitia.writeback.slots import base
from aitia.writeback.states import WORDS

APPROVE: Final = "approve"


class Refused(AitiaError):
    """A decision that may not be made; the message says why."""


def refuse(
    desk: Desk,
    found: Proposal,
    verdict: str,
    who: Identity,
    reason: str,
    digest: str,
    now_shown: str,
) -> None:
    """Refuse a decision that may not be made.

    Args:
        desk: What to work with.
        found: The proposal.
        verdict: What is decided.
        who: Who decides.
        reason: Why.
        digest: Digest of what the reviewer was shown, or its start; "" if not known.
        now_shown: Digest of what would be shown now.

    Raises:
        Refused: It may not be made.
    """
    refuse_who(desk, who, reason)
    refuse_state(desk, found)
    refuse_reserved(desk, found, who)
    agent = terms.agent_iri(who.name)
    if digest and not now_shown.startswith(digest):
        raise Refused(
            f"The proposal {found.id} has changed since it was shown.",
            hint=f"`aitia review show {found.id}` shows it as it is now.",
        )
    if verdict != APPROVE:
        return
    if _same_name(who.name, found.proposer_name) or agent == found.proposer:
        raise Refused(
            f"{who.name} made the proposal {found.id} and cannot approve it.",
            hint="Somebody else has to.",
        )
    given = reviews(desk, found.node)
    if any(r.reviewer == agent and r.outcome == EARL.passed for r in given):
        raise Refused(f"{who.name} has approved the proposal {found.id} already.")
    refuse_stale(desk, found)


def refuse_who(desk: Desk, who: Identity, reason: str) -> None:
    """Refuse a decision without a name or a reason, and one of a program or a model."""
    if not reason.strip():
        raise Refused("A decision needs a reason.", hint="Say why with --reason.")
    if not who.name.strip():
        raise Refused("A decision needs a name.", hint="Say who decides with --as.")
    kinds = desk.kinds(terms.agent_iri(who.name))
    if kinds & {AITIA.Model, AITIA.Software}:
        raise Refused(f"{who.name} is a program or a model, and only people decide.")


def refuse_state(desk: Desk, found: Proposal) -> None:
    """Refuse to decide on what does not wait for a review."""
    if found.state == AITIA.needsReview:
        return
    by = next((r.name for r in reversed(reviews(desk, found.node))), "")
    told = f", last reviewed by {by}" if by else ""
    raise Refused(
        f"The proposal {found.id} is {WORDS[found.state]}{told}; it does not wait for a"
        " review."
    )


def refuse_reserved(desk: Desk, found: Proposal, who: Identity) -> None:
    """Refuse to decide on what somebody else has to himself."""
    held = reserved(desk, found.node)
    if held is not None and held.by != terms.agent_iri(who.name):
        until = held.until.isoformat(timespec="minutes")
        raise Refused(
            f"The proposal {found.id} is reserved by {held.name} until {until}."
        )


def refuse_stale(desk: Desk, found: Proposal) -> None:
    """Refuse to approve what was made against facts that have changed."""
    now = base(desk.store, desk.head(), found.changes, found.words)
    if now.digest != found.base_digest:
        raise Refused(
            f"What the proposal {found.id} speaks of has changed since commit"
            f" {found.base_commit}.",
            hint="Reject it, or return it so that a new version is made.",
        )


def _same_name(one: str, other: str) -> bool:
    import unicodedata

    def plain(name: str) -> str:
        return unicodedata.normalize("NFKC", name).casefold().strip()

    return plain(one) == plain(other)
