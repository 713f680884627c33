"""Reviews: people approve, reject, return or reserve proposals, each on record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Final

from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.model import Patch
from aitia.vocab import AITIA, EARL, PROV, RDF, XSD
from aitia.writeback import accept, policy, propose
from aitia.writeback.accept import Act, Written
from aitia.writeback.asking import of_record
from aitia.writeback.desk import CATALOG, Desk
from aitia.writeback.given import Given, Reserved, reviews
from aitia.writeback.impact import impact
from aitia.writeback.read import Proposal, read, shown
from aitia.writeback.refusals import (
    APPROVE,
    refuse,
    refuse_reserved,
    refuse_state,
    refuse_who,
)
from aitia.writeback.reviewers import (
    Identity,
    authentication,
    is_competent,
    signed_text,
    weight,
)
from aitia.writeback.states import Steps
from aitia.writeback.undo import taken_back

REJECT: Final = "reject"
RETURN: Final = "return"
UNDO: Final = "undo"
_OUTCOMES: Final = {
    APPROVE: EARL.passed,
    REJECT: EARL.failed,
    RETURN: EARL.cantTell,
}
_PROVEN: Final = frozenset({AITIA.byToken, AITIA.bySignature})


@dataclass(frozen=True)
class Decision:
    """What became of a decision.

    Attributes:
        proposal: The proposal as it is now.
        commit: Number of the commit.
        missing: What approvals are still missing, counted by weight.
    """

    proposal: Proposal
    commit: int
    missing: Decimal = Decimal(0)


def decide(
    desk: Desk,
    proposal: NamedNode,
    verdict: str,
    who: Identity,
    reason: str,
    *,
    digest: str = "",
) -> Decision:
    """Approve, reject or return a proposal.

    Args:
        desk: What to work with.
        proposal: The proposal.
        verdict: `approve`, `reject` or `return`.
        who: Who decides.
        reason: Why, in words.
        digest: Digest, or its start, of what the reviewer was shown; refused where the
            proposal has changed since.

    Raises:
        Refused: It may not be decided so; the message says why.
        ShapeViolation: The gate refused it, which is on record.
    """
    with desk.ledger.lock:
        propose.expire(desk, proposal)
        found = read(desk, proposal)
        now_shown = shown(desk, proposal)
        refuse(desk, found, verdict, who, reason, digest, now_shown)
        signed = signed_text(found.node.value, verdict, now_shown, reason)
        proof = authentication(desk, who, signed)
        made = _review(desk, found, verdict, who, reason, proof, now_shown)
        if verdict == APPROVE:
            return _approve(desk, found, who, made, proof)
        end = AITIA.rejected if verdict == REJECT else AITIA.returned
        agent = terms.agent_iri(who.name)
        steps = Steps.of(desk, proposal).to(end, agent, terms.now())
        adds, deletes = {*made, *steps.adds}, frozenset(steps.deletes)
        patch = Patch(frozenset(adds), deletes, agent)
        record = desk.ledger.commit_or_record(patch, durable=True)
        return Decision(read(desk, proposal), record.number)


def undo(desk: Desk, proposal: NamedNode, who: Identity, reason: str) -> Decision:
    """Take an acceptance back, as a new commit.

    Raises:
        Refused: A model or nobody asks for it, or without a reason.
        UsageError: It was not accepted, or something was built on it since.
    """
    with desk.ledger.lock:
        found = read(desk, proposal)
        refuse_who(desk, who, reason)
        digest = shown(desk, proposal)
        signed = signed_text(found.node.value, UNDO, digest, reason)
        proof = authentication(desk, who, signed)
        act = Act((terms.agent_iri(who.name),), terms.now(), reason)
        made = taken_back(desk, found, act)
        made.adds.update(desk.agent(who.name, AITIA.Person))
        made.say(made.revision, AITIA.authentication, proof)
        made.say(made.revision, AITIA.shownDigest, terms.string(digest))
        number = accept.commit(desk, made, act.agents[0])
        return Decision(read(desk, proposal), number)


def reserve(
    desk: Desk, proposal: NamedNode, who: Identity, hours: float = 0
) -> Reserved:
    """Let one reviewer have a proposal to himself for some time.

    Args:
        desk: What to work with.
        proposal: The proposal.
        who: Who reserves it.
        hours: For how long; the setting where 0.

    Raises:
        Refused: It does not wait for a review, or somebody else has reserved it.
    """
    with desk.ledger.lock:
        found = read(desk, proposal)
        refuse_who(desk, who, "reserved")
        refuse_state(desk, found)
        refuse_reserved(desk, found, who)
        now, agent = terms.now(), terms.agent_iri(who.name)
        until = now + timedelta(hours=hours or desk.settings.reserve_hours)
        node = NamedNode(f"{terms.BASE}reservation:{terms.new_id()}")
        said = (
            (RDF.type, AITIA.Reservation),
            (AITIA.reserves, proposal),
            (AITIA.reservedBy, agent),
            (AITIA.reservedUntil, terms.time(until)),
            (PROV.generatedAtTime, terms.time(now)),
        )
        adds = {Quad(node, p, o, CATALOG) for p, o in said}
        adds.update(desk.agent(who.name, AITIA.Person))
        desk.ledger.commit_or_record(Patch(frozenset(adds), agent=agent))
        return Reserved(agent, who.name, until)


def needed(desk: Desk, found: Proposal) -> int:
    """Return how many approvals a proposal needs, by what it would touch now."""
    now = impact(desk.store, of_record(desk, found.node), found.node)
    return max(found.needed, policy.needed(desk.settings, now))


def counted(desk: Desk, found: Proposal, given: list[Given]) -> Decimal:
    """Return what the approvals of a proposal count.

    Where more than one approval is needed, only those of authenticated people count;
    an approval outside of a reviewer's fields counts nothing.
    """
    anybody = needed(desk, found) == 1
    return sum(
        (
            review.weight
            for review in given
            if review.outcome == EARL.passed
            and (anybody or review.authentication in _PROVEN)
            and is_competent(desk, review.name, found)
        ),
        Decimal(0),
    )


# What is put on record


def _approve(
    desk: Desk, found: Proposal, who: Identity, made: list[Quad], proof: NamedNode
) -> Decision:
    agent = terms.agent_iri(who.name)
    given = [*reviews(desk, found.node), _about_to_be(desk, found, who, proof)]
    missing = needed(desk, found) - counted(desk, found, given)
    if missing > 0:
        patch = Patch(frozenset(made), agent=agent)
        record = desk.ledger.commit_or_record(patch, durable=True)
        return Decision(read(desk, found.node), record.number, missing)
    people = [r.reviewer for r in given if r.outcome == EARL.passed]
    ordered = tuple(dict.fromkeys([agent, *people]))
    reason = _reason(made)
    change: Written = accept.written(desk, found, Act(ordered, terms.now(), reason))
    change.adds.update(made)
    number = accept.commit(desk, change, agent)
    return Decision(read(desk, found.node), number)


def _reason(made: list[Quad]) -> str:
    return next(
        quad.object.value
        for quad in made
        if quad.predicate == AITIA.reason and isinstance(quad.object, Literal)
    )


def _about_to_be(desk: Desk, found: Proposal, who: Identity, proof: NamedNode) -> Given:
    agent = terms.agent_iri(who.name)
    counts = weight(desk, who.name)
    return Given(found.node, agent, who.name, EARL.passed, "", "", proof, counts, "")


def _review(
    desk: Desk,
    found: Proposal,
    verdict: str,
    who: Identity,
    reason: str,
    proof: NamedNode,
    digest: str,
) -> list[Quad]:
    node = NamedNode(f"{terms.BASE}review:{terms.new_id()}")
    outcome, when = terms.part(node, "verdict"), terms.time(terms.now())
    counts = Literal(str(weight(desk, who.name)), datatype=XSD.decimal)
    said = (
        (node, RDF.type, AITIA.Review),
        (node, AITIA.reviews, found.node),
        (node, AITIA.hasVerdict, outcome),
        (node, PROV.wasAssociatedWith, terms.agent_iri(who.name)),
        (node, PROV.startedAtTime, when),
        (node, PROV.endedAtTime, when),
        (node, AITIA.authentication, proof),
        (node, AITIA.reviewWeight, counts),
        (node, AITIA.shownDigest, terms.string(digest)),
        (outcome, RDF.type, AITIA.Verdict),
        (outcome, EARL.outcome, _OUTCOMES[verdict]),
        (outcome, AITIA.reason, terms.string(reason)),
    )
    quads = [Quad(s, p, o, CATALOG) for s, p, o in said]
    return [*quads, *_person(desk, who)]


def _person(desk: Desk, who: Identity) -> Iterator[Quad]:
    yield from desk.agent(who.name, AITIA.Person)
