"""Conflicts on record: sources whose sentences disagree, both shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pyoxigraph import NamedNode

from aitia import terms
from aitia.ask.results import Finding
from aitia.ask.session import Session
from aitia.conflicts import Weigher, values, worldtime
from aitia.conflicts.side import Side
from aitia.conflicts.standing import Standing, standing
from aitia.methods.conflict_check import Compared, conflict_check
from aitia.methods.fact_conflict_check import Clash, Slots, fact_conflict_check
from aitia.methods.facts import Fact
from aitia.methods.scoring import Measured
from aitia.model.trace import Disagreement, Evidence, Goal
from aitia.vocab import AITIA

SLOT: Final = "slot"
"""The rule by which documents that give one property of a thing other values clash."""
ENTAILMENT: Final = "entailment"
"""The rule by which a text says otherwise than a sentence of an answer."""


def disagreements(
    session: Session,
    goal: Goal,
    part_of: NamedNode,
    sentences: Sequence[Measured],
    findings: Sequence[Finding],
) -> tuple[Disagreement, ...]:
    """Return where the sentences that were picked disagree, put on record."""
    check = session.perform(
        conflict_check,
        Compared(tuple(sentences)),
        goal.node,
        uses=[NamedNode(item.evidence[0].node) for item in findings],
        part_of=part_of,
    )
    pairs = [
        (item, [findings[place].evidence[0] for place in (item.first, item.second)])
        for item in check.output.conflicts
    ]
    return tuple(
        record(session, check.node, item.reason, sides, item.rule)
        for item, sides in pairs
        if not dismissed(session, sides)
    )


def clashes(
    session: Session,
    goal: Goal,
    part_of: NamedNode,
    facts: Sequence[Fact],
) -> tuple[Disagreement, ...]:
    """Return where documents fill a slot differently, put on record."""
    slots = [fact for fact in facts if fact in session.stated]
    if len({fact.graph for fact in slots}) < 2:
        return ()
    check = session.perform(
        fact_conflict_check,
        Slots(tuple(slots)),
        goal.node,
        uses=[NamedNode(session.stated[fact].node) for fact in slots],
        part_of=part_of,
    )
    return tuple(
        record(
            session,
            check.node,
            item.reason,
            [session.stated[item.first], session.stated[item.second]],
            SLOT,
        )
        for item in check.output.clashes
        if _at_once(session, item)
        and not _dismissed_facts(session, [item.first, item.second])
    )


def dismissed(session: Session, sides: Sequence[Evidence]) -> bool:
    """Tell whether somebody dismissed the conflict between these words of documents."""
    return any(
        len(known.sides) == len(sides)
        and all(any(_says(words, side) for side in known.sides) for words in sides)
        for known in _dismissed(session)
    )


def _dismissed_facts(session: Session, facts: Sequence[Fact]) -> bool:
    keys = {fact.told() for fact in facts}
    return any({x.key for x in known.sides} == keys for known in _dismissed(session))


def _dismissed(session: Session) -> list[Standing]:
    every = standing(session.reads, dismissed=True)
    return [item for item in every if item.dismissed]


def _says(words: Evidence, side: Side) -> bool:
    """Tell whether a side of a conflict is the sentence that words stand in."""
    same = side.fact is None and side.document == words.document
    return same and side.start < words.end and words.start < side.end


def record(
    session: Session,
    execution: NamedNode,
    reason: str,
    sides: Sequence[Evidence],
    rule: str = ENTAILMENT,
) -> Disagreement:
    """Put a conflict on record between what the sides rest on."""
    trace = session.trace
    node = trace.node(AITIA.Conflict, "conflict")
    trace.say(node, AITIA.reason, terms.string(reason))
    trace.say(node, AITIA.rule, terms.string(rule))
    for side in sides:
        trace.say(node, AITIA.between, NamedNode(side.node))
    trace.link(execution, AITIA.produced, node)
    weigher = Weigher(session.reads)
    weights = [weigher.weigh(NamedNode(side.document)) for side in sides]
    far = [weight.value for weight in weights]
    alone = far.count(max(far)) == 1
    return Disagreement(
        reason,
        tuple(sides),
        node.value,
        rule,
        tuple(weight.told() for weight in weights) if weigher.sources else (),
        far.index(max(far)) if alone else None,
    )


def _at_once(session: Session, clash: Clash) -> bool:
    """Tell whether two facts differ, and hold at one time."""
    store = session.reads.store
    times = [worldtime.of_fact(store, fact) for fact in (clash.first, clash.second)]
    return times[0].overlaps(times[1]) and values.differ(
        store, clash.first.object, clash.second.object
    )
