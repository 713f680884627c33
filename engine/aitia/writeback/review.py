"""Reviews: people approve, reject, return or reserve proposals, each on record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.model import Patch
from aitia.vocab import AITIA, EARL, PROV, RDF, XSD
from aitia.writeback import accept, counting, propose, record
from aitia.writeback.accept import Act, Written
from aitia.writeback.afresh import afresh, changed
from aitia.writeback.desk import CATALOG, Desk
from aitia.writeback.given import Given, reviews
from aitia.writeback.read import Proposal, read, shown
from aitia.writeback.refusals import (
    APPROVE,
    refuse,
    refuse_changed,
    refuse_ending,
    refuse_undo,
    refuse_who,
)
from aitia.writeback.reviewers import Identity, authentication, signed_text, weight
from aitia.writeback.states import Steps
from aitia.writeback.undo import taken_back

REJECT: Final = "reject"
RETURN: Final = "return"
UNDO: Final = "undo"
_OUTCOMES: Final = {
    APPROVE: EARL.passed,
    REJECT: EARL.failed,
    RETURN: EARL.cantTell,
    UNDO: EARL.failed,
}


@dataclass(frozen=True)
class Decision:
    """What became of a decision.

    Attributes:
        proposal: The proposal as it is now.
        commit: Number of the commit.
        missing: What approvals, or wishes to undo, are still missing, by weight.
        why: Why this one counted nothing, or "".
    """

    proposal: Proposal
    commit: int
    missing: Decimal = Decimal(0)
    why: str = ""


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
        checks = afresh(desk, found)
        now_shown = shown(desk, proposal, checks)
        refuse(desk, found, verdict, who, reason, digest, now_shown)
        if verdict == APPROVE:
            refuse_changed(found, checks, seen=bool(digest))
        signed = signed_text(found.node.value, verdict, now_shown, reason)
        proof = authentication(desk, who, signed)
        made = _review(desk, found, verdict, who, reason, proof, now_shown)
        made += record.checked(desk, proposal, changed(found, checks), terms.now())
        mine = _to_be(desk, found, who, proof)
        if verdict == APPROVE:
            return _approve(desk, found, mine, made)
        refuse_ending(desk, found, who, verdict, mine)
        end = AITIA.rejected if verdict == REJECT else AITIA.returned
        agent = terms.agent_iri(who.name)
        steps = Steps.of(desk, proposal).to(end, agent, terms.now())
        adds, deletes = {*made, *steps.adds}, frozenset(steps.deletes)
        patch = Patch(frozenset(adds), deletes, agent)
        done = desk.ledger.commit_or_record(patch, durable=True)
        return Decision(read(desk, proposal), done.number)


def undo(desk: Desk, proposal: NamedNode, who: Identity, reason: str) -> Decision:
    """Want an acceptance undone; it is, as a new commit, once as many want it as needed.

    It takes no less than the acceptance did: see `counting.undo_needed` and
    `counting.undo_proof`. Each wish is a review on record.

    Raises:
        Refused: A model or nobody asks for it, or without a reason; somebody who cannot
            undo it, or has asked for it already.
        UsageError: It was not accepted, or something was built on it since.
    """
    with desk.ledger.lock:
        found = read(desk, proposal)
        refuse_who(desk, who, reason)
        agent, digest = terms.agent_iri(who.name), shown(desk, proposal)
        # Refuses what cannot be undone at all before anything is asked of who wants it.
        taken_back(desk, found, Act((agent,), terms.now(), reason))
        signed = signed_text(found.node.value, UNDO, digest, reason)
        proof = authentication(desk, who, signed)
        given = refuse_undo(
            desk, found, who, _to_be(desk, found, who, proof, undoes=True)
        )
        made = _review(desk, found, UNDO, who, reason, proof, digest)
        missing = counting.undo_needed(desk, found) - counting.total(given)
        if missing > 0:
            done = desk.ledger.commit_or_record(
                Patch(frozenset(made), agent=agent), durable=True
            )
            return Decision(read(desk, proposal), done.number, missing)
        people = [one.reviewer for one in given]
        act = Act(
            tuple(dict.fromkeys([agent, *people])), terms.now(), desk.masked(reason)
        )
        change = taken_back(desk, found, act)
        change.adds.update(made)
        change.say(change.revision, AITIA.authentication, proof)
        change.say(change.revision, AITIA.shownDigest, terms.string(digest))
        number = accept.commit(desk, change, agent)
        return Decision(read(desk, proposal), number)


# What is put on record


def _approve(desk: Desk, found: Proposal, mine: Given, made: list[Quad]) -> Decision:
    agent = mine.reviewer
    given = [*reviews(desk, found.node), mine]
    counts, needed = (
        counting.approvals(desk, found, given),
        counting.needed(desk, found),
    )
    missing = needed - counting.total(counts)
    if missing > 0:
        patch = Patch(frozenset(made), agent=agent)
        done = desk.ledger.commit_or_record(patch, durable=True)
        why = counting.why_not(desk, found, mine, proof=needed > 1)
        return Decision(read(desk, found.node), done.number, missing, why)
    ordered = tuple(one.reviewer for one in reversed(counts))
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


def _to_be(
    desk: Desk,
    found: Proposal,
    who: Identity,
    proof: NamedNode,
    *,
    undoes: bool = False,
) -> Given:
    """Return an approval, or a wish to undo, that is about to be put on record."""
    agent, counts = terms.agent_iri(who.name), weight(desk, who.name)
    outcome = EARL.failed if undoes else EARL.passed
    return Given(
        found.node, agent, who.name, outcome, "", "", proof, counts, "", undoes
    )


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
    counts = Literal(f"{weight(desk, who.name):f}", datatype=XSD.decimal)
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
        (outcome, AITIA.reason, terms.string(desk.masked(reason))),
    )
    quads = [Quad(s, p, o, CATALOG) for s, p, o in said]
    return [*quads, *_person(desk, who)]


def _person(desk: Desk, who: Identity) -> Iterator[Quad]:
    yield from desk.agent(who.name, AITIA.Person)
