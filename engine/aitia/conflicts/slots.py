"""Conflicts of values: more of them than a property may have, or of one value's owner."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from pyoxigraph import Literal, NamedNode, Triple

from aitia.conflicts import values
from aitia.conflicts.checked import Checked
from aitia.conflicts.found import Found
from aitia.conflicts.limits import Limit
from aitia.methods.facts import NAMING, Fact
from aitia.vocab import OWL, RDF, RDFS, SKOS

SAMPLE: Final = 200
"""Facts of a property by which it is told whether things have one value of it."""
OTHERS: Final = 3
"""So many other things must have one value each."""
_DESCRIBING: Final = (RDF.NS, RDFS.NS, OWL.NS, SKOS.NS)


def limits(checked: Checked) -> Iterator[Found]:
    """Yield where the subject has more values of a property than it may."""
    for property_, steps in checked.axioms.above(checked.fact.predicate).items():
        for limit in checked.axioms.limits(property_):
            because = _applies(checked, limit)
            if because is not None:
                yield from _exceeded(
                    checked, property_, limit, (*steps, *limit.premises, *because)
                )


def owners(checked: Checked) -> Iterator[Found]:
    """Yield other things that have a value which belongs to one thing alone."""
    for property_, steps in checked.axioms.above(checked.fact.predicate).items():
        for axioms in checked.axioms.identifying(property_).values():
            below = checked.axioms.below(property_)
            for other in checked.holders(below):
                if values.same(checked.reader, checked.fact.subject, other.subject):
                    continue
                mine, theirs = checked.fact.subject, other.subject
                certain = values.different(checked.reader, mine, theirs)
                reason = (
                    f"{checked.called(checked.fact.object)} belongs to one thing alone "
                    f"by {checked.called(property_)}, and both "
                    f"{checked.called(mine)} and {checked.called(theirs)} have it"
                    + ("" if certain else ", unless they are the same")
                )
                used = (*steps, *below[other.predicate], *axioms)
                yield checked.found("prp-ifp", reason, [other], used, certain=certain)


def one_value(checked: Checked) -> Iterator[Found]:
    """Yield where documents fill a slot differently that others fill once."""
    fact = checked.fact
    if fact.predicate.value.startswith(_DESCRIBING) or fact.predicate in NAMING:
        return
    slot = list(checked.slot([fact.predicate]))
    elsewhere = [x for x in slot if x.graph != fact.graph]
    if not elsewhere or any(x.graph == fact.graph for x in slot):
        return
    against = [x for x in elsewhere if _differs(checked, x)]
    listed = {x.graph for x in elsewhere if _others_in(elsewhere, x)}
    if len(against) < len(elsewhere) or listed or not _is_single(checked):
        return
    for other in against:
        reason = (
            f"{checked.called(fact.predicate)} of {checked.called(fact.subject)}: "
            f"{checked.called(fact.object)} against {checked.called(other.object)}; "
            "everything else has one value of it"
        )
        yield checked.found("one-value", reason, [other], (), certain=False)


def _others_in(facts: list[Fact], one: Fact) -> bool:
    return any(x is not one and x.graph == one.graph for x in facts)


def _is_single(checked: Checked) -> bool:
    """Tell whether each of some other things has one value of the property."""
    predicate, subject = checked.fact.predicate, checked.fact.subject
    sample = islice(checked.axioms.facts(None, predicate), SAMPLE)
    others = {fact.subject for fact in sample} - {subject}
    counted = [
        len({fact.object for fact in checked.axioms.facts(other, predicate)})
        for other in sorted(others, key=str)[: 4 * OTHERS]
    ]
    return len(counted) >= OTHERS and set(counted) == {1}


def _applies(checked: Checked, limit: Limit) -> tuple[Triple, ...] | None:
    """Return by which premises a limit bounds the subject; None where it does not."""
    subject = checked.fact.subject
    if limit.kind is not None:
        return checked.types(subject).get(limit.kind)
    if limit.only is not None:
        return () if limit.only == subject else None
    if limit.having is not None:
        has = limit.having == checked.fact.predicate or any(
            checked.axioms.facts(subject, limit.having)
        )
        return () if has else None
    return ()


def _exceeded(
    checked: Checked,
    property_: NamedNode,
    limit: Limit,
    premises: tuple[Triple, ...],
) -> Iterator[Found]:
    below = checked.axioms.below(property_)
    if limit.of is not None and not _counts(checked, limit.of, checked.fact):
        return
    others: list[Fact] = []
    for other in checked.slot(below):
        counts = limit.of is None or _counts(checked, limit.of, other)
        if counts and all(
            values.differ(checked.reader, other.object, known.object)
            for known in (checked.fact, *others)
        ):
            others.append(other)
    if len(others) < limit.most:
        return
    used = (*premises, *(axiom for x in others for axiom in below[x.predicate]))
    if limit.most == 1:
        for other in others:
            yield _one(checked, property_, limit, other, used)
    else:
        yield _many(checked, property_, limit, others, used)


def _one(
    checked: Checked,
    property_: NamedNode,
    limit: Limit,
    other: Fact,
    premises: tuple[Triple, ...],
) -> Found:
    mine, theirs = checked.fact.object, other.object
    certain = values.different(checked.reader, mine, theirs)
    reason = (
        f"{checked.called(checked.fact.subject)} has at most one "
        f"{checked.called(property_)}{_by(limit)}: {checked.called(mine)} against "
        f"{checked.called(theirs)}" + ("" if certain else ", unless they are the same")
    )
    return checked.found(limit.rule, reason, [other], premises, certain=certain)


def _many(
    checked: Checked,
    property_: NamedNode,
    limit: Limit,
    others: list[Fact],
    premises: tuple[Triple, ...],
) -> Found:
    told = ", ".join(checked.called(x.object) for x in (checked.fact, *others))
    certain = all(isinstance(x.object, Literal) for x in (checked.fact, *others))
    reason = (
        f"{checked.called(checked.fact.subject)} has at most {limit.most} "
        f"{checked.called(property_)}{_by(limit)} at a time: {told}"
        + ("" if certain else ", unless some are the same")
    )
    return checked.found(limit.rule, reason, others, premises, certain=certain)


def _by(limit: Limit) -> str:
    return f" by the shapes {limit.shape!r}" if limit.shape else ""


def _counts(checked: Checked, kind: NamedNode, fact: Fact) -> bool:
    value = fact.object
    return isinstance(value, NamedNode) and kind in checked.types(value)


def _differs(checked: Checked, other: Fact) -> bool:
    return values.differ(checked.reader, checked.fact.object, other.object)
