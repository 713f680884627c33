"""Reviews and reservations as they stand on record."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from pyoxigraph import NamedNode

from aitia import terms
from aitia.vocab import AITIA, EARL, PROV, RDFS
from aitia.writeback.desk import Desk


@dataclass(frozen=True)
class Given:
    """A review on record.

    Attributes:
        node: Its IRI.
        reviewer: Who.
        name: By what name.
        outcome: `earl:passed`, `failed` or `cantTell`.
        reason: Why.
        time: When.
        authentication: How it is known who it was.
        weight: What an approval counts.
        digest: Digest of what was shown.
        undoes: Whether it turns down what was accepted before: a wish to undo that.
    """

    node: NamedNode
    reviewer: NamedNode
    name: str
    outcome: NamedNode
    reason: str
    time: str
    authentication: NamedNode
    weight: Decimal
    digest: str
    undoes: bool = False


@dataclass(frozen=True)
class Reserved:
    """A reservation in force.

    Attributes:
        by: Who reserved it.
        name: By what name.
        until: When it ends.
        authentication: How it is known who reserved it.
    """

    by: NamedNode
    name: str
    until: datetime
    authentication: NamedNode = AITIA.assertedOnly


@dataclass(frozen=True)
class Undone:
    """How an acceptance was taken back.

    Attributes:
        revision: The revision that did it.
        names: Who.
        reason: Why, in the words of the last of them.
        time: When, ISO 8601 in UTC.
    """

    revision: NamedNode
    names: tuple[str, ...]
    reason: str
    time: str


def undone(desk: Desk, proposal: NamedNode) -> Undone | None:
    """Return how the acceptance of a proposal was taken back, or None."""
    for revision in desk.subjects(AITIA.carriesOut, proposal):
        if desk.node(revision, AITIA.undoes) is not None:
            who = desk.nodes(revision, PROV.wasAssociatedWith)
            return Undone(
                revision,
                tuple(sorted(desk.text(agent, RDFS.label) for agent in who)),
                desk.text(revision, AITIA.reason),
                desk.text(revision, PROV.endedAtTime),
            )
    return None


def reserved(desk: Desk, proposal: NamedNode) -> Reserved | None:
    """Return the reservation of a proposal that is in force, or None.

    It ends with its time, and once who has it has decided.
    """
    newest: Reserved | None = None
    made = ""
    for node in desk.subjects(AITIA.reserves, proposal):
        when = desk.text(node, PROV.generatedAtTime)
        agent = desk.node(node, AITIA.reservedBy)
        if agent is not None and when >= made:
            until = datetime.fromisoformat(desk.text(node, AITIA.reservedUntil))
            proof = desk.node(node, AITIA.authentication) or AITIA.assertedOnly
            newest = Reserved(agent, desk.text(agent, RDFS.label), until, proof)
            made = when
    if newest is None or newest.until <= terms.now():
        return None
    given = reviews(desk, proposal)
    decided = any(one.reviewer == newest.by and one.time >= made for one in given)
    return None if decided else newest


def reviews(desk: Desk, proposal: NamedNode) -> list[Given]:
    """Return the reviews of a proposal, the oldest first."""
    # Nothing follows a rejection: what turned down a proposal of another state came
    # when it had been accepted.
    since = desk.node(proposal, AITIA.proposalState) != AITIA.rejected
    found = (_given(desk, x, since) for x in desk.subjects(AITIA.reviews, proposal))
    return sorted(found, key=lambda review: review.time)


def _given(desk: Desk, node: NamedNode, accepted: bool) -> Given:
    verdict = desk.node(node, AITIA.hasVerdict) or node
    reviewer = desk.node(node, PROV.wasAssociatedWith) or node
    outcome = desk.node(verdict, EARL.outcome) or EARL.cantTell
    return Given(
        node,
        reviewer,
        desk.text(reviewer, RDFS.label),
        outcome,
        desk.text(verdict, AITIA.reason),
        desk.text(node, PROV.endedAtTime),
        desk.node(node, AITIA.authentication) or AITIA.assertedOnly,
        Decimal(desk.text(node, AITIA.reviewWeight) or "1"),
        desk.text(node, AITIA.shownDigest),
        accepted and outcome == EARL.failed,
    )
