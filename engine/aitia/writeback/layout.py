"""Proposals and decisions as JSON; docs/json.md says what each key means."""

from __future__ import annotations

from typing import Any

from aitia.writeback.draft import Change, Checked, Cited, Impact, Words
from aitia.writeback.given import Given, Reserved, Undone
from aitia.writeback.policy import Calibration
from aitia.writeback.read import Proposal
from aitia.writeback.states import WORDS


def proposal(found: Proposal) -> dict[str, Any]:
    """Return a proposal."""
    return {
        "id": found.id,
        "iri": found.node.value,
        "kind": found.kind,
        "state": WORDS[found.state],
        "text": found.text,
        "reason": found.reason,
        "proposer": found.proposer_name,
        "made": found.made.isoformat(),
        "trigger": found.trigger,
        "confidence": found.confidence,
        "confidence_rule": found.confidence_rule,
        "opinion_of": found.opinion_of,
        "needed": found.needed,
        "base_commit": found.base_commit,
        "run": found.run.value if found.run else "",
        "revision_of": found.revision_of.value if found.revision_of else "",
        "adds": [change(item) for item in found.adds],
        "withdraws": [change(item) for item in found.withdraws],
        "words": [words(item) for item in found.words],
        "proposed_text": found.proposed_text,
        "evidence": [cited(item) for _, item in found.evidence],
        "checks": [checked(item) for item in found.checks],
        "impact": impact(found.impact) if found.impact else None,
    }


def change(item: Change) -> dict[str, Any]:
    """Return a triple that would be stated or taken out."""
    return {
        "subject": item.subject.value,
        "predicate": item.predicate.value,
        "object": item.object.value,
        "graph": item.graph.value,
        "rank": _local(item.rank.value),
        "valid_from": item.valid_from.isoformat() if item.valid_from else "",
        "valid_until": item.valid_until.isoformat() if item.valid_until else "",
    }


def words(item: Words) -> dict[str, Any]:
    """Return words that would no longer be used."""
    return {
        "document": item.document.value,
        "text": item.text,
        "start": item.start,
        "end": item.end,
    }


def cited(item: Cited) -> dict[str, Any]:
    """Return a piece of evidence."""
    return {
        "text": item.text,
        "ground": item.ground.value if item.ground else "",
        "quoted": bool(item.quote),
        "start": max(item.start, 0) if item.quote else None,
        "end": item.end if item.quote else None,
        "blob": item.blob,
        "address": item.address,
        "reached": item.reached,
        "weight": item.weight,
        "kind": item.kind,
    }


def checked(item: Checked) -> dict[str, Any]:
    """Return how a check came out."""
    return {
        "check": _local(item.kind.value).removesuffix("Check"),
        "outcome": _local(item.outcome.value),
        "text": item.text,
    }


def impact(found: Impact) -> dict[str, Any]:
    """Return what a change would touch."""
    return {
        "statements": found.statements,
        "inferred": found.inferred,
        "answers": found.answers,
        "proposals": found.proposals,
        "listed": list(found.listed),
    }


def review(given: Given, uncounted: str = "") -> dict[str, Any]:
    """Return a review.

    Args:
        given: The review.
        uncounted: Why it counts nothing, or "".
    """
    verdicts = {"passed": "approve", "failed": "reject", "cantTell": "return"}
    return {
        "reviewer": given.name,
        "verdict": "undo" if given.undoes else verdicts[_local(given.outcome.value)],
        "reason": given.reason,
        "time": given.time,
        "authentication": _local(given.authentication.value),
        "weight": float(given.weight),
        "shown": given.digest,
        "uncounted": uncounted,
    }


def undone(found: Undone | None) -> dict[str, Any] | None:
    """Return how an acceptance was taken back."""
    if found is None:
        return None
    return {"by": list(found.names), "reason": found.reason, "time": found.time}


def reserved(found: Reserved | None) -> dict[str, Any] | None:
    """Return a reservation."""
    if found is None:
        return None
    return {
        "by": found.name,
        "until": found.until.isoformat(),
        "authentication": _local(found.authentication.value),
    }


def calibration(found: Calibration) -> dict[str, Any]:
    """Return how scores and verdicts of one kind agree."""
    return {
        "kind": found.kind,
        "reviewed": found.reviewed,
        "approved": found.approved,
        "precision": found.precision,
        "wanted": found.wanted,
        "precision_wanted": found.precision_wanted,
        "unlocked": found.unlocked,
        "bins": [
            {
                "least": item.least,
                "most": item.most,
                "reviewed": item.reviewed,
                "approved": item.approved,
            }
            for item in found.bins
        ],
    }


def _local(iri: str) -> str:
    return iri.rsplit("#", 1)[-1]
