"""What may not be decided, by whom, and when: each refusal says why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final
from urllib.parse import unquote

from pyoxigraph import NamedNode

from aitia import terms
from aitia.errors import AitiaError
from aitia.vocab import AITIA, EARL, RDF, RDFS
from aitia.writeback import counting, names
from aitia.writeback.afresh import worse
from aitia.writeback.desk import Desk
from aitia.writeback.draft import Checked
from aitia.writeback.given import Given, Reserved, reserved, reviews
from aitia.writeback.read import Proposal
from aitia.writeback.reviewers import Identity
from aitia.writeback.slots import base
from aitia.writeback.states import WORDS

APPROVE: Final = "approve"
_PROVE: Final = (
    "Prove who you are with --token (`aitia token new NAME`) or --key; [reviewers] in"
    " aitia.toml says who judges what."
)


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
    if digest and not now_shown.startswith(digest):
        raise Refused(
            f"The proposal {found.id} has changed since it was shown.",
            hint=f"`aitia review show {found.id}` shows it as it is now.",
        )
    if verdict != APPROVE:
        return
    if _is_own(found, who):
        raise Refused(
            f"{who.name} made the proposal {found.id} and cannot approve it.",
            hint="Somebody else has to.",
        )
    given = [
        one
        for one in reviews(desk, found.node)
        if one.outcome == EARL.passed and one.digest in ("", now_shown)
    ]
    if _said_already(desk, given, who):
        raise Refused(f"{who.name} has approved the proposal {found.id} already.")
    refuse_stale(desk, found)


def refuse_changed(found: Proposal, now: Sequence[Checked], *, seen: bool) -> None:
    """Refuse to approve what does not pass its checks any more.

    Args:
        found: The proposal.
        now: How its checks come out now.
        seen: The reviewer names what was shown, which tells how they come out.

    Raises:
        Refused: What blocks a proposal was found; or something speaks against it that
            did not do so before, and the reviewer may not know it.
    """
    against = worse(found, now)
    blocking = [one for one in against if one.blocks and one.outcome == EARL.failed]
    told = "; ".join(one.text for one in blocking or against)
    if blocking:
        raise Refused(
            f"The proposal {found.id} does not pass its checks any more: {told}.",
            hint="Reject it, or return it so that a new version is made.",
        )
    if against and not seen:
        raise Refused(
            f"The checks of the proposal {found.id} come out otherwise now: {told}.",
            hint=f"`aitia review show {found.id}` shows it as it is now; approve with"
            " the digest (--shown) that it tells.",
        )


def refuse_who(desk: Desk, who: Identity, reason: str) -> None:
    """Refuse a decision without a name or a reason, and one of a program or a model."""
    if not reason.strip():
        raise Refused("A decision needs a reason.", hint="Say why with --reason.")
    if not who.name.strip():
        raise Refused("A decision needs a name.", hint="Say who decides with --as.")
    names.refuse_hiding(who.name)
    if any(names.same(who.name, name) for name in _programs(desk)):
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
    """Refuse to decide on what somebody else has to himself.

    A reservation of which nobody proved whose it is keeps nobody out who proves a name.
    """
    held = reserved(desk, found.node)
    if held is None or held.by == terms.agent_iri(who.name):
        return
    if held.authentication in counting.PROVEN or not (who.token or who.signature):
        until = held.until.isoformat(timespec="minutes")
        raise Refused(
            f"The proposal {found.id} is reserved by {held.name} until {until}.",
            hint=f"`aitia review release {found.id}` gives it up before.",
        )


def refuse_ending(
    desk: Desk, found: Proposal, who: Identity, verdict: str, mine: Given
) -> None:
    """Refuse to turn down or give back what it takes proof, or competence, to approve.

    Raises:
        Refused: An approval of who decides would count nothing.
    """
    several = counting.needed(desk, found) > 1
    if why := counting.why_not(desk, found, mine, proof=several):
        raise Refused(
            f"{who.name} cannot {verdict} the proposal {found.id}: {why}.", hint=_PROVE
        )


def refuse_holder(desk: Desk, found: Proposal, who: Identity, proof: NamedNode) -> None:
    """Refuse a reservation to somebody whose approval would not count.

    Raises:
        Refused: He made the proposal, or his approval would count nothing.
    """
    if _is_own(found, who):
        raise Refused(
            f"{who.name} made the proposal {found.id} and cannot approve it, so nobody"
            " is kept waiting for that.",
        )
    agent, zero = terms.agent_iri(who.name), Decimal(0)
    mine = Given(found.node, agent, who.name, EARL.passed, "", "", proof, zero, "")
    several = counting.needed(desk, found) > 1
    if why := counting.why_not(desk, found, mine, proof=several):
        raise Refused(
            f"The proposal {found.id} cannot be reserved by {who.name}, whose approval"
            f" would count nothing: {why}.",
            hint=_PROVE,
        )


def refuse_release(
    desk: Desk, found: Proposal, who: Identity, proof: NamedNode
) -> Reserved:
    """Refuse to give up a reservation that is somebody else's; return it.

    Raises:
        Refused: There is none, or who asks is not known as well as who reserved.
    """
    held = reserved(desk, found.node)
    if held is None:
        raise Refused(f"Nobody has reserved the proposal {found.id}.")
    # Nobody proved to have reserved it: whoever proves a name may give it up.
    if held.authentication not in counting.PROVEN and proof in counting.PROVEN:
        return held
    if held.by != terms.agent_iri(who.name):
        raise Refused(f"{held.name} has reserved the proposal {found.id}.")
    if held.authentication in counting.PROVEN and proof not in counting.PROVEN:
        raise Refused(
            f"{held.name} proved who reserved the proposal {found.id}.", hint=_PROVE
        )
    return held


def refuse_undo(desk: Desk, found: Proposal, who: Identity, mine: Given) -> list[Given]:
    """Refuse a wish to undo that would count nothing; return all that count.

    Raises:
        Refused: Who asks cannot undo it, or has asked already.
    """
    given = reviews(desk, found.node)
    if _said_already(desk, [one for one in given if one.undoes], who):
        raise Refused(f"{mine.name} has asked to undo the proposal {found.id} already.")
    proof = counting.undo_proof(desk, found)
    if why := counting.why_not(desk, found, mine, proof=proof):
        raise Refused(
            f"{mine.name} cannot undo the proposal {found.id}, which takes no less than"
            f" to accept it: {why}.",
            hint=_PROVE,
        )
    return counting.undoers(desk, found, [*given, mine])


def refuse_stale(desk: Desk, found: Proposal) -> None:
    """Refuse to approve what was made against facts that have changed."""
    now = base(desk.store, desk.head(), found.changes, found.words)
    if now.digest != found.base_digest:
        raise Refused(
            f"What the proposal {found.id} speaks of has changed since commit"
            f" {found.base_commit}.",
            hint="Reject it, or return it so that a new version is made.",
        )


def _said_already(desk: Desk, given: Sequence[Given], who: Identity) -> bool:
    """Tell whether somebody said the same before, proven as well as it would be now.

    What was said in a name without proof, or with a token that was revoked since, keeps
    nobody of that name from saying it.
    """
    proves = bool(who.token or who.signature)
    return any(
        names.same(one.name, who.name) and (counting.is_proven(desk, one) or not proves)
        for one in given
    )


def _is_own(found: Proposal, who: Identity) -> bool:
    """Tell whether somebody made a proposal, however the name is written."""
    agent = terms.agent_iri(who.name)
    return agent == found.proposer or names.same(who.name, found.proposer_name)


def _programs(desk: Desk) -> Iterator[str]:
    """Yield the names of the programs and models that are on record or configured."""
    settings = desk.reads.settings
    yield from filter(None, ("aitia", settings.model.name))
    agents = {
        quad.subject
        for kind in (AITIA.Model, AITIA.Software)
        for quad in desk.store.quads(None, RDF.type, kind)
    }
    for agent in agents:
        if isinstance(agent, NamedNode):
            yield unquote(agent.value.rpartition(":")[2])
            for quad in desk.store.quads(agent, RDFS.label):
                yield getattr(quad.object, "value", "")
