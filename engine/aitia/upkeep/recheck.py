"""The falsifier: tests accepted write-backs again, and proposes to take them back.

What was written back once is not right for good. A recheck looks for the quotes again
in the stored texts, for facts and sentences on record that contradict what was
accepted, and for evidence that is gone. What it finds becomes a proposal with the
counter-evidence, which waits for a review like any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from pyoxigraph import NamedNode

from aitia import terms
from aitia.model import Patch
from aitia.upkeep.accepted import Chosen, chosen, document_written
from aitia.upkeep.against import Against, contradicted, evidence_gone
from aitia.vocab import AITIA, EARL, PROV
from aitia.writeback import record
from aitia.writeback.asking import of_record
from aitia.writeback.checks import Case
from aitia.writeback.checks.grounds import evidence, quotes
from aitia.writeback.desk import Desk
from aitia.writeback.draft import (
    Base,
    Checked,
    Cited,
    Draft,
    Impact,
    Proposer,
    Words,
)
from aitia.writeback.evidence import text_of
from aitia.writeback.impact import is_waiting
from aitia.writeback.propose import Proposed, against_now, propose
from aitia.writeback.read import Proposal
from aitia.writeback.sources import sourced

HOLDS = "holds"
CONTRADICTED = "contradicted"
GONE = "evidence gone"
MISQUOTED = "misquoted"
ENGINE = Proposer("aitia", AITIA.Software)
TOLD = 3
"""Reasons that a proposal tells in full."""


@dataclass(frozen=True)
class Rechecked:
    """What came of rechecking one write-back.

    Attributes:
        proposal: The accepted proposal.
        outcome: `HOLDS`, `CONTRADICTED`, `GONE` or `MISQUOTED`.
        reasons: Why, in sentences.
        against: What contradicts it.
        proposed: The proposal that follows, or None.
        known: Id of an earlier proposal on the same grounds, or "".
    """

    proposal: Proposal
    outcome: str
    reasons: tuple[str, ...] = ()
    against: tuple[Against, ...] = ()
    proposed: Proposed | None = None
    known: str = ""

    def told(self) -> str:
        """Return it in a line."""
        after = ""
        if self.proposed is not None:
            done = (
                "was refused by checks" if self.proposed.refused else "waits for review"
            )
            after = f"; the proposal {self.proposed.proposal.id} {done}"
        elif self.known:
            after = f"; the proposal {self.known} says so already"
        why = f": {_joined(self.reasons)}" if self.reasons else ""
        name = f"{self.proposal.id} ({self.proposal.text})"
        return f"Accepted change {name}: {self.outcome}{why}{after}"

    def as_json(self) -> dict[str, Any]:
        """Return the stable layout of `--json`."""
        return {
            "id": self.proposal.id,
            "text": self.proposal.text,
            "outcome": self.outcome,
            "reasons": list(self.reasons),
            "against": [
                {
                    "reason": item.reason,
                    "rule": item.rule,
                    "source": item.source,
                    "weight": item.weight,
                    "said": item.said,
                }
                for item in self.against
            ],
            "proposed": self.proposed.proposal.id if self.proposed else "",
            "known": self.known,
        }


def recheck(
    desk: Desk, which: Chosen | None = None, *, dry_run: bool = False
) -> list[Rechecked]:
    """Test write-backs again; what fails is proposed to be taken back.

    Args:
        desk: What to work with.
        which: Which of them; all in force for None.
        dry_run: Tell what is found; put nothing on record and propose nothing.

    Raises:
        UsageError: A choice has no meaning.
    """
    return [
        _one(desk, found, dry_run=dry_run) for found in chosen(desk, which or Chosen())
    ]


def _one(desk: Desk, found: Proposal, *, dry_run: bool) -> Rechecked:
    draft = of_record(desk, found.node)
    written = document_written(desk, found.node)
    case = Case(desk, draft, tuple(sourced(desk, draft.evidence)), (), Impact())
    quoted, at_hand = quotes(case), evidence(case)
    against = contradicted(desk, found, draft, written)
    lost = evidence_gone(desk, found)
    conflicts = Checked(
        AITIA.conflictsCheck,
        EARL.failed if against else EARL.passed,
        "; ".join(item.reason for item in against)
        or "nothing on record contradicts it",
    )
    known = _known_then(desk, found)
    fresh = [item for item in against if item.reason not in known]
    outcome, reasons = HOLDS, list[str]()
    if quoted.outcome == EARL.failed:
        outcome, reasons = MISQUOTED, [quoted.text]
    elif fresh:
        outcome, reasons = CONTRADICTED, [item.reason for item in fresh]
    elif lost:
        outcome, reasons = GONE, lost
    made = Rechecked(found, outcome, tuple(reasons), tuple(fresh))
    if dry_run:
        return made
    _on_record(desk, found.node, [quoted, at_hand, conflicts])
    return made if outcome == HOLDS else _proposed(desk, made, written)


def _on_record(desk: Desk, node: NamedNode, checks: Sequence[Checked]) -> None:
    with desk.ledger.lock:
        quads = frozenset(record.checked(desk, node, checks, terms.now()))
        desk.ledger.commit(Patch(quads))


def _known_then(desk: Desk, found: Proposal) -> str:
    """Return what the reviewers were told until they accepted it."""
    ends = [
        desk.text(revision, PROV.startedAtTime)
        for revision in desk.subjects(AITIA.carriesOut, found.node)
        if desk.node(revision, AITIA.undoes) is None
    ]
    accepted = max(map(datetime.fromisoformat, ends), default=None)
    told = [
        desk.text(node, AITIA.text)
        for node in desk.nodes(found.node, AITIA.hasCheck)
        if desk.node(node, EARL.test) == AITIA.conflictsCheck
        and accepted is not None
        and datetime.fromisoformat(desk.text(node, PROV.generatedAtTime)) <= accepted
    ]
    return "; ".join(told)


def _proposed(desk: Desk, made: Rechecked, written: NamedNode | None) -> Rechecked:
    """Propose to take a write-back back, unless that was proposed on the same grounds."""
    reason = f"Recheck of {made.proposal.id}: {_joined(made.reasons[:TOLD])}."
    known = _before(desk, made.proposal.node, reason)
    if known:
        return replace(made, known=known)
    cited = tuple(item.cited for item in made.against if item.cited is not None)
    draft = _backwards(desk, made.proposal, written, reason, cited)
    if draft is None:
        return made
    return replace(made, proposed=propose(desk, against_now(desk, draft)))


def _joined(reasons: Sequence[str]) -> str:
    return "; ".join(text.rstrip(".") for text in reasons)


def _before(desk: Desk, about: NamedNode, reason: str) -> str:
    """Return the id of an earlier proposal to take a write-back back, or "".

    One that still waits, whatever it is based on, or one for the same reason that was
    decided on.
    """
    ended = (AITIA.undone, AITIA.expired)
    for node in desk.subjects(AITIA.about, about):
        state = desk.node(node, AITIA.proposalState)
        arose = desk.node(node, AITIA.trigger) == AITIA.recheckTrigger
        same = desk.text(node, AITIA.reason) == reason
        if (arose and is_waiting(desk.store, node)) or (same and state not in ended):
            return node.value.rsplit(":", 1)[-1]
    return ""


def _backwards(
    desk: Desk,
    found: Proposal,
    written: NamedNode | None,
    reason: str,
    cited: tuple[Cited, ...],
) -> Draft | None:
    """Return the draft that takes a write-back back; None where nothing is left of it.

    What it stated would be deprecated; what it only took out of use would be stated
    again.
    """
    standing = tuple(change for change in found.adds if change.quad() in desk.store)
    words: tuple[Words, ...] = ()
    if written is not None:
        text = text_of(desk, written)
        words = (Words(written, text, 0, len(text)),)
    base, about = Base(0, ""), (found.node,)
    if standing or words:
        return Draft(
            "deprecate",
            reason,
            ENGINE,
            base,
            withdraws=standing,
            words=words,
            evidence=cited,
            trigger="recheck",
            about=about,
        )
    again = tuple(
        replace(change, graph=terms.GRAPH_CURRENT)
        for change in found.withdraws
        if not found.adds
    )
    text = " ".join(item.text for item in found.words)
    if not (again or text):
        return None
    return Draft(
        "add",
        reason,
        ENGINE,
        base,
        adds=again,
        text=text,
        evidence=cited,
        trigger="recheck",
        about=about,
    )


def resting(desk: Desk, revisions: Sequence[NamedNode]) -> set[NamedNode]:
    """Return the accepted proposals with evidence that rests on what revisions ended."""
    from aitia.writeback.gone import ended_by
    from aitia.writeback.stale import onwards

    starts = {node for one in revisions for node in ended_by(desk.store, one)}
    return {
        proposal
        for node in onwards(desk.store, starts)
        if AITIA.Evidence in desk.kinds(node)
        for proposal in desk.subjects(AITIA.hasEvidence, node)
        if desk.node(proposal, AITIA.proposalState) == AITIA.approved
    }
