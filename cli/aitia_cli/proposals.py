"""Proposals in plain lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aitia_cli.render import clean, quoted

if TYPE_CHECKING:
    from aitia.reviewing import Shown
    from aitia.writeback.draft import Checked, Cited
    from aitia.writeback.propose import Proposed
    from aitia.writeback.read import Proposal

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
    for given in found.reviews:
        told = layout.review(given)
        proof = {"byToken": "by token", "bySignature": "signed"}.get(
            told["authentication"], "asserted"
        )
        yield (
            f"{clean(given.name)} ({proof}) says {told['verdict']}:"
            f" {clean(given.reason)}"
        )
    yield f"Approvals: {found.counted:g} of {found.needed}."


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
