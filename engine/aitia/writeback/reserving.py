"""Reservations: one reviewer has a proposal to himself for some time, or gives it up."""

from __future__ import annotations

from datetime import datetime, timedelta
from math import isfinite
from typing import Final

from pyoxigraph import NamedNode, Quad

from aitia import terms
from aitia.errors import UsageError
from aitia.model import Patch
from aitia.vocab import AITIA, PROV, RDF
from aitia.writeback import propose
from aitia.writeback.afresh import shown_now
from aitia.writeback.desk import CATALOG, Desk
from aitia.writeback.given import Reserved
from aitia.writeback.read import read
from aitia.writeback.refusals import (
    refuse_holder,
    refuse_release,
    refuse_reserved,
    refuse_state,
    refuse_who,
)
from aitia.writeback.reviewers import Identity, authentication, signed_text

RESERVE: Final = "reserve"
RELEASE: Final = "release"
_HOURS: Final = 8_760
REASON: Final = "reserved"
"""What a signature of a reservation, or of its end, says as the reason."""


def reserve(
    desk: Desk, proposal: NamedNode, who: Identity, hours: float = 0
) -> Reserved:
    """Let one reviewer have a proposal to himself for some time.

    It takes the same proof as an approval that counts, and ends once he has decided.

    Args:
        desk: What to work with.
        proposal: The proposal.
        who: Who reserves it, with proof where approvals need it.
        hours: For how long; the setting where 0.

    Raises:
        Refused: It does not wait for a review, somebody else has reserved it, or an
            approval of who asks would count nothing.
        UsageError: The hours make no sense.
    """
    with desk.ledger.lock:
        propose.expire(desk, proposal)
        found = read(desk, proposal)
        refuse_who(desk, who, REASON)
        refuse_state(desk, found)
        refuse_reserved(desk, found, who)
        proof = _proof(desk, proposal, who, RESERVE)
        refuse_holder(desk, found, who, proof)
        if not (isfinite(hours) and 0 <= hours <= _HOURS):
            raise UsageError(
                f"A reservation lasts from 0 to {_HOURS:,} hours, not {hours:g}."
            )
        now = terms.now()
        until = now + timedelta(hours=hours or desk.settings.reserve_hours)
        held = Reserved(terms.agent_iri(who.name), who.name, until, proof)
        return _put(desk, proposal, held, who, now)


def release(desk: Desk, proposal: NamedNode, who: Identity) -> Reserved:
    """Give a reservation up, so that others can decide.

    Args:
        desk: What to work with.
        proposal: The proposal.
        who: Who gives it up: who has it, with the proof that it was reserved with; or,
            where it was reserved without any, whoever proves who he is.

    Raises:
        Refused: There is none, or it is somebody else's.
    """
    with desk.ledger.lock:
        found = read(desk, proposal)
        refuse_who(desk, who, REASON)
        proof = _proof(desk, proposal, who, RELEASE)
        held = refuse_release(desk, found, who, proof)
        now = terms.now()
        ended = Reserved(held.by, held.name, now, proof)
        return _put(desk, proposal, ended, who, now)


def _proof(desk: Desk, proposal: NamedNode, who: Identity, verb: str) -> NamedNode:
    signed = signed_text(proposal.value, verb, shown_now(desk, proposal), REASON)
    return authentication(desk, who, signed)


def _put(
    desk: Desk, proposal: NamedNode, held: Reserved, who: Identity, now: datetime
) -> Reserved:
    node = NamedNode(f"{terms.BASE}reservation:{terms.new_id()}")
    said = (
        (RDF.type, AITIA.Reservation),
        (AITIA.reserves, proposal),
        (AITIA.reservedBy, held.by),
        (AITIA.reservedUntil, terms.time(held.until)),
        (AITIA.authentication, held.authentication),
        (PROV.generatedAtTime, terms.time(now)),
    )
    adds = {Quad(node, p, o, CATALOG) for p, o in said}
    adds.update(desk.agent(who.name, AITIA.Person))
    agent = terms.agent_iri(who.name)
    desk.ledger.commit_or_record(Patch(frozenset(adds), agent=agent))
    return held
