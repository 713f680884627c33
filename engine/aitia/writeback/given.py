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


@dataclass(frozen=True)
class Reserved:
    """A reservation in force.

    Attributes:
        by: Who reserved it.
        name: By what name.
        until: When it ends.
    """

    by: NamedNode
    name: str
    until: datetime


def reserved(desk: Desk, proposal: NamedNode) -> Reserved | None:
    """Return the reservation of a proposal that is in force, or None."""
    newest: Reserved | None = None
    made = ""
    for node in desk.subjects(AITIA.reserves, proposal):
        when = desk.text(node, PROV.generatedAtTime)
        agent = desk.node(node, AITIA.reservedBy)
        if agent is not None and when >= made:
            until = datetime.fromisoformat(desk.text(node, AITIA.reservedUntil))
            newest, made = Reserved(agent, desk.text(agent, RDFS.label), until), when
    return newest if newest and newest.until > terms.now() else None


def reviews(desk: Desk, proposal: NamedNode) -> list[Given]:
    """Return the reviews of a proposal, the oldest first."""
    found = (_given(desk, node) for node in desk.subjects(AITIA.reviews, proposal))
    return sorted(found, key=lambda review: review.time)


def _given(desk: Desk, node: NamedNode) -> Given:
    verdict = desk.node(node, AITIA.hasVerdict) or node
    reviewer = desk.node(node, PROV.wasAssociatedWith) or node
    return Given(
        node,
        reviewer,
        desk.text(reviewer, RDFS.label),
        desk.node(verdict, EARL.outcome) or EARL.cantTell,
        desk.text(verdict, AITIA.reason),
        desk.text(node, PROV.endedAtTime),
        desk.node(node, AITIA.authentication) or AITIA.assertedOnly,
        Decimal(desk.text(node, AITIA.reviewWeight) or "1"),
        desk.text(node, AITIA.shownDigest),
    )
