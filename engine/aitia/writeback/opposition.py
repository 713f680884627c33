"""What on record contradicts a proposal, with the weight of the source that says so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pyoxigraph import NamedNode, Triple

from aitia.conflicts import Validity, check_statement, check_text
from aitia.writeback.desk import Desk
from aitia.writeback.draft import Change, Draft
from aitia.writeback.sources import weigh


@dataclass(frozen=True)
class Opposed:
    """Something on record that contradicts a proposal.

    Attributes:
        reason: Why, in a sentence.
        rule: Name of the rule.
        source: IRI of the document or graph that says otherwise, or "".
        weight: How far it is trusted.
        said: What it says.
    """

    reason: str
    rule: str
    source: str
    weight: float
    said: str


def opposition(desk: Desk, draft: Draft) -> Iterator[Opposed]:
    """Yield what contradicts a proposal; an opinion is contradicted by nothing."""
    if draft.opinion_of:
        return
    leaving = tuple(
        Triple(change.subject, change.predicate, change.object)
        for change in draft.withdraws
    )
    for change in draft.adds:
        yield from _of_statement(desk, change, leaving)
    if draft.text:
        yield from _of_text(desk, draft)


def _of_statement(
    desk: Desk, change: Change, leaving: tuple[Triple, ...]
) -> Iterator[Opposed]:
    valid = Validity(change.valid_from, change.valid_until)
    for found in check_statement(
        desk.reads,
        change.subject,
        change.predicate,
        change.object,
        valid=valid,
        ignoring=leaving,
    ):
        others = found.sides[1:]
        weights = [weigh(desk, side.graph).value for side in others]
        source = others[0].graph.value if others else ""
        said = "; ".join(side.told() for side in others)
        yield Opposed(found.reason, found.rule, source, max(weights, default=0.0), said)


def _of_text(desk: Desk, draft: Draft) -> Iterator[Opposed]:
    leaving = [words.text for words in draft.words]
    for found in check_text(desk.reads, draft.text, ignoring=leaving):
        # Odds by likeness alone are too weak to count against anything.
        if found.judged.verdict != "contradicts" or found.judged.by == "weights":
            continue
        passage = found.piece.passage
        if _withdrawn(draft, NamedNode(passage.document), found.piece.start):
            continue
        reason = f"{passage.path} says “{found.piece.text}”: {found.judged.reason}"
        weight = weigh(desk, NamedNode(passage.document)).value
        yield Opposed(
            reason, "contradiction check", passage.document, weight, found.piece.text
        )


def _withdrawn(draft: Draft, document: NamedNode, start: int) -> bool:
    return any(
        words.document == document and words.start <= start < words.end
        for words in draft.words
    )
