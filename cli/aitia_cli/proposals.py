"""Proposals in plain lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from aitia_cli.render import clean, quoted

if TYPE_CHECKING:
    from aitia.reviewing import Bulk
    from aitia.writeback.draft import Checked, Cited
    from aitia.writeback.propose import Proposed
    from aitia.writeback.read import Proposal
    from aitia.writeback.review import Decision
    from aitia.writeback.showing import Shown

LISTED = 10  # things touched that are listed
MARKS = {
    "passed": "ok",
    "failed": "NO",
    "cantTell": "??",
    "untested": "--",
    "inapplicable": "  ",
}


def proposed(found: Proposed) -> Iterator[str]:
    """Yield what became of a draft."""
    from aitia.writeback.states import WORDS

    item = found.proposal
    yield f"{item.id}: {WORDS[item.state]}: {clean(item.text)}"
    yield from sure(item)
    yield from (checked(check) for check in found.checks if _told(check))
    if found.refused:
        yield "Refused: see the lines marked NO."
    elif found.automatic:
        yield f"Waits for a review: {clean(found.automatic)}."
    else:
        yield "Accepted without a person, as the policy allows."


def _told(check: Checked) -> bool:
    return not check.outcome.value.endswith(("passed", "inapplicable"))


def row(item: Proposal) -> tuple[str, ...]:
    """Return a proposal as a row of a list."""
    touched = item.impact.total if item.impact else 0
    score = "" if item.confidence is None else f"{item.confidence:.2f}"
    day = item.made.date().isoformat()
    return item.id, score, str(touched), day, item.proposer_name, item.text


HEAD = ("id", "confidence", "touches", "made", "by", "asks for")


def shown(found: Shown) -> Iterator[str]:
    """Yield a proposal with all that a reviewer needs."""
    from aitia.writeback.record import impact_told
    from aitia.writeback.states import WORDS

    item = found.proposal
    yield f"Proposal {item.id} ({WORDS[item.state]}): {clean(item.text)}"
    yield f"By {clean(item.proposer_name)}, {item.made:%Y-%m-%d %H:%M} UTC: {clean(item.reason)}"
    if item.opinion_of:
        yield f"An opinion of {clean(item.opinion_of)}: it stands beside others."
    yield from sure(item)
    yield "Evidence:" if item.evidence else "Evidence: none."
    for (_, cited), words in zip(item.evidence, found.around, strict=True):
        yield f"  {evidence(cited)}"
        if any(words):
            yield f"    …{clean(words[0])}[{clean(cited.quote)}]{clean(words[1])}…"
    yield "Checks:"
    yield from (f"  {checked(check)}" for check in item.checks)
    yield f"Touches {impact_told(found.now)}."
    yield from (f"  {clean(iri)}" for iri in found.now.listed[:LISTED])
    if len(found.now.listed) > LISTED:
        yield f"  and {len(found.now.listed) - LISTED:,} more"
    yield from _reviews(found)
    yield f"Shown: {found.digest[:12]}"


def _reviews(found: Shown) -> Iterator[str]:
    from aitia.writeback import layout

    if found.reserved is not None:
        until = f"{found.reserved.until:%Y-%m-%d %H:%M} UTC"
        yield f"Reserved by {clean(found.reserved.name)} until {until}."
    for given, uncounted in zip(found.reviews, found.uncounted, strict=True):
        said = layout.review(given, uncounted)
        proof = {"byToken": "by token", "bySignature": "signed"}.get(
            said["authentication"], "asserted"
        )
        nothing = f" Counts nothing: {clean(uncounted)}." if uncounted else ""
        yield (
            f"{clean(given.name)} ({proof}, {_minute(given.time)}) says"
            f" {said['verdict']}: {clean(given.reason)}{nothing}"
        )
    yield f"Approvals: {found.counted:g} of {found.needed}."
    yield from _undoing(found)


def _undoing(found: Shown) -> Iterator[str]:
    if found.undone is not None:
        by = clean(", ".join(found.undone.names))
        when = _minute(found.undone.time)
        yield f"Undone by {by}, {when}: {clean(found.undone.reason)}"
    elif found.undo_counted:
        yield f"To undo it: {found.undo_counted:g} of {found.undo_needed}."


def _minute(time: str) -> str:
    return f"{time[:16].replace('T', ' ')} UTC"


def sure(item: Proposal) -> Iterator[str]:
    """Yield how sure a proposal is, where that was measured."""
    if item.confidence is not None:
        yield f"Confidence: {item.confidence:.2f} = {clean(item.confidence_rule)}"


def checked(check: Checked) -> str:
    """Return how a check came out."""
    name = check.kind.value.rsplit("#", 1)[-1].removesuffix("Check")
    mark = MARKS[check.outcome.value.rsplit("#", 1)[-1]]
    return f"{mark} {name}: {clean(check.text)}"


def evidence(cited: Cited) -> str:
    """Return a piece of evidence, with where it stands."""
    from aitia.lookup import short

    where = short(cited.ground.value) if cited.ground else clean(cited.address)
    place = f", characters {cited.start}–{cited.end}" if cited.quote else ""
    words = quoted(cited.text) if cited.quote else clean(cited.text)
    away = "" if cited.reached else ", not looked at"
    weight = f"{clean(cited.kind) or 'no kind set'}, weight {cited.weight or 0:.2f}"
    return f"{words} — {clean(where)}{place} ({weight}{away})"


def told(found: Decision) -> str:
    """Return what became of a decision."""
    from aitia.writeback.states import WORDS

    item = found.proposal
    if found.missing:
        return _waiting(found)
    return f"{item.id}: {WORDS[item.state]} (commit {found.commit}): {clean(item.text)}"


def _waiting(found: Decision) -> str:
    """Return what is missing, where a decision did not suffice by itself."""
    from aitia.vocab import AITIA

    one, much = found.missing == 1, f"{found.missing.normalize():f}"
    if found.proposal.state == AITIA.approved:
        did, noun = (
            "you want it undone",
            "wish to undo it" if one else "wishes to undo it",
        )
    else:
        did, noun = "approved by you", "approval" if one else "approvals"
    verb = "is" if one else "are"
    why = f" Yours counts nothing: {clean(found.why)}." if found.why else ""
    return f"{found.proposal.id}: {did}; {much} more {noun} {verb} needed.{why}"


def line(item: Bulk) -> str:
    """Return what became of one decision of many."""
    if item.refused:
        return f"{item.proposal}: refused: {clean(item.refused)}"
    if item.decision is None:
        return f"{item.proposal}: would be decided: {clean(item.text)}"
    return told(item.decision)


def decision(found: Decision) -> dict[str, Any]:
    """Return a decision as JSON."""
    from aitia.writeback import layout

    return {
        "proposal": layout.proposal(found.proposal),
        "commit": found.commit,
        "missing": float(found.missing),
        "why": found.why,
    }


def bulk(item: Bulk) -> dict[str, Any]:
    """Return one decision of many as JSON."""
    made = decision(item.decision) if item.decision else None
    return {"id": item.proposal, "decision": made, "refused": item.refused}
