"""Making a proposal: draft, checks, record; and where policy lets it, acceptance."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from pyoxigraph import Literal, NamedNode

from aitia import terms
from aitia.errors import UsageError
from aitia.model import Patch
from aitia.model.patch import ENGINE_AGENT
from aitia.vocab import AITIA, EARL, XSD
from aitia.writeback import accept, checks, heard, policy, record
from aitia.writeback.desk import Desk
from aitia.writeback.draft import Checked, Draft
from aitia.writeback.names import refuse_hiding
from aitia.writeback.read import Proposal, made_at, name_of, read
from aitia.writeback.slots import base
from aitia.writeback.states import WORDS, Steps

_DAY: Final = 86_400


@dataclass(frozen=True)
class Proposed:
    """What became of a draft.

    Attributes:
        proposal: The proposal as it is on record.
        checks: How the checks came out.
        automatic: Why it was not accepted at once, or "" where it was.
        commit: Number of the last commit.
    """

    proposal: Proposal
    checks: tuple[Checked, ...]
    automatic: str
    commit: int

    @property
    def refused(self) -> bool:
        """Whether a check refused it."""
        return self.proposal.state == AITIA.rejected


def against_now(desk: Desk, draft: Draft) -> Draft:
    """Return a draft as made against what stands now."""
    now = base(desk.store, desk.head(), draft.changes, draft.words)
    return replace(draft, base=now)


def propose(desk: Desk, draft: Draft) -> Proposed:
    """Check a draft and put it on record; nothing of it is asserted.

    A draft that a check refuses goes on record as rejected, with the reasons. One that
    the gate refuses goes on record as a refused operation.

    Raises:
        UsageError: It asks for nothing, or is a new version of what was not returned.
        ShapeViolation: The gate refused it, which is on record.
    """
    _refuse_empty(draft)
    refuse_hiding(draft.proposer.name)
    draft = _masked(desk, draft)
    with desk.ledger.lock:
        before = _returned(desk, draft)
        asking, told = heard.listening(desk)
        case = checks.case_of(asking, draft)
        found = checks.run(case)
        node = NamedNode(f"{terms.BASE}proposal:{terms.new_id()}")
        when, who = terms.now(), draft.proposer.node
        steps = Steps(node).to(AITIA.draft, who, when)
        steps.to(AITIA.checking, who, when)
        bad = any(c.blocks and c.outcome == EARL.failed for c in found)
        end = AITIA.rejected if bad else AITIA.needsReview
        steps.to(end, ENGINE_AGENT, when)
        needed = policy.needed(desk.settings, case.impact)
        adds = {*record.quads(case, node, found, needed, when), *steps.adds}
        deletes = set(steps.deletes)
        if before is not None:
            before.to(AITIA.supersededProposal, who, when)
            adds.update(before.adds)
            deletes.update(before.deletes)
        patch = Patch(frozenset(adds), frozenset(deletes), who, draft.run)
        try:
            number = desk.ledger.commit_or_record(patch).number
        finally:
            heard.record(desk, name_of(node), told)
        made = read(desk, node)
        why = policy.why_not(desk, case, found, made)
        if not bad and not why:
            number = accept.automatically(desk, made)
            made = read(desk, node)
    return Proposed(made, found, why, number)


def _masked(desk: Desk, draft: Draft) -> Draft:
    """Return a draft with the secrets masked in what its proposer wrote."""
    adds = tuple(
        replace(change, object=Literal(desk.masked(change.object.value)))
        if isinstance(change.object, Literal) and change.object.datatype == XSD.string
        else change
        for change in draft.adds
    )
    return replace(
        draft,
        reason=desk.masked(draft.reason),
        text=desk.masked(draft.text),
        opinion_of=desk.masked(draft.opinion_of),
        adds=adds,
    )


def _refuse_empty(draft: Draft) -> None:
    if not (draft.changes or draft.text or draft.words):
        raise UsageError("The proposal asks for nothing.")
    if draft.kind in ("deprecate", "retract") and draft.adds:
        raise UsageError(f"A proposal to {draft.kind} states nothing new.")


def _returned(desk: Desk, draft: Draft) -> Steps | None:
    """Return the steps of the returned proposal that a draft is a new version of.

    Raises:
        UsageError: It was not returned, or is somebody else's.
    """
    if draft.revision_of is None:
        return None
    before = read(desk, draft.revision_of)
    if before.state != AITIA.returned:
        state = WORDS[before.state]
        raise UsageError(
            f"The proposal {before.id} is {state}; only a returned one comes back as a"
            " new version."
        )
    if before.proposer != draft.proposer.node:
        raise UsageError(
            f"The proposal {before.id} is {before.proposer_name}'s, who alone may"
            " bring it back."
        )
    return Steps.of(desk, before.node)


def expire(desk: Desk, only: NamedNode | None = None) -> list[str]:
    """Let the proposals expire that nobody reviewed in time; return their ids.

    Args:
        desk: What to work with.
        only: Look at this one alone.
    """
    days = desk.settings.expire_days
    if not days:
        return []
    now = terms.now()
    waiting = desk.subjects(AITIA.proposalState, AITIA.needsReview)
    old = [
        node
        for node in (waiting if only is None else {only} & set(waiting))
        if (now - made_at(desk, node)).total_seconds() > days * _DAY
    ]
    for node in old:
        steps = Steps.of(desk, node).to(AITIA.expired, ENGINE_AGENT, now)
        adds = {*steps.adds, *desk.agent("aitia", AITIA.Software)}
        desk.ledger.commit(Patch(frozenset(adds), frozenset(steps.deletes)))
    return [name_of(node) for node in old]
