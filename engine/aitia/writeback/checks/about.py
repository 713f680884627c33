"""Is what a proposal speaks of on record, and as it was when the proposal was made?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from pyoxigraph import Literal, NamedNode, Quad

from aitia import lookup, terms
from aitia.errors import AitiaError
from aitia.store import Term
from aitia.vocab import AITIA, RDF, RDFS, XSD
from aitia.writeback import slots
from aitia.writeback.checks.case import Case, judged
from aitia.writeback.draft import Change, Checked, Words
from aitia.writeback.evidence import is_live, text_of
from aitia.writeback.impact import is_waiting, speaking_of
from aitia.writeback.words import fact

_SAMPLE: Final = 200
_FAMILIES: Final = {
    XSD.integer: "a number",
    XSD.decimal: "a number",
    XSD.double: "a number",
    XSD.date: "a date",
    XSD.dateTime: "a date",
    XSD.boolean: "true or false",
}


def subjects(case: Case) -> Checked:
    """Check that what is spoken of is on record, and what is withdrawn stands."""
    found = [
        *_unknown(case),
        *_not_standing(case),
        *(told for words in case.draft.words if (told := _not_there(case, words))),
    ]
    return judged(
        AITIA.subjectsCheck, found, "what it speaks of is on record", blocks=True
    )


def _unknown(case: Case) -> Iterator[str]:
    described = {
        change.subject
        for change in case.draft.adds
        if change.predicate in (RDF.type, RDFS.label)
    }
    for change in case.draft.adds:
        if change.subject not in described and not _in_force(case, change.subject):
            yield f"nothing on record describes {lookup.name(change.subject.value)}"


def _in_force(case: Case, node: NamedNode) -> bool:
    quads = case.desk.store.quads(node)
    return any(terms.is_current(quad.graph_name) for quad in quads)


def _not_standing(case: Case) -> Iterator[str]:
    for change in case.draft.withdraws:
        if change.quad() not in case.desk.store:
            yield f"“{fact(case.desk.store, change)}” does not stand"


def _not_there(case: Case, words: Words) -> str:
    if not is_live(case.desk, words.document):
        return f"{lookup.name(words.document.value)} is not in use"
    try:
        text = text_of(case.desk, words.document)
    except (AitiaError, OSError, UnicodeDecodeError) as error:
        return f"the text cannot be read: {error}"
    if text[words.start : words.end] != words.text:
        return f"{lookup.name(words.document.value)} does not say “{words.text}” there"
    return ""


def types(case: Case) -> Checked:
    """Check that each value is of the kind that its property has elsewhere."""
    found = (told for change in case.draft.adds if (told := _odd(case, change)))
    return judged(
        AITIA.typesCheck, found, "the values are of the kinds in use", blocks=True
    )


def _odd(case: Case, change: Change) -> str:
    """Return what is odd about a value; a property not in use yet may have any."""
    quads = case.desk.store.quads(None, change.predicate)
    current = (q for q in quads if terms.is_current(q.graph_name))
    kinds = {
        _family(q.object)
        for q in islice(current, _SAMPLE)
        if isinstance(q.object, NamedNode | Literal)
    }
    kind = _family(change.object)
    if not kinds or kind in kinds:
        return ""
    name = lookup.name(change.predicate.value)
    return f"{name} has {' or '.join(sorted(kinds))} elsewhere, and here {kind}"


def _family(value: Term) -> str:
    if isinstance(value, NamedNode):
        return "a thing"
    return _FAMILIES.get(value.datatype, "words")


def duplicates(case: Case) -> Checked:
    """Check that it is neither on record nor proposed already."""
    found = [*_stated(case), *_proposed(case)]
    return judged(AITIA.duplicatesCheck, found, "it is new", blocks=True)


def _stated(case: Case) -> Iterator[str]:
    for change in case.draft.adds:
        there = slots.standing(
            case.desk.store, change.subject, change.predicate, change.object
        )
        if not case.draft.opinion_of and any(
            not _of_another_time(case, change, quad) for quad in there
        ):
            yield f"“{fact(case.desk.store, change)}” is on record already"


def _of_another_time(case: Case, change: Change, quad: Quad) -> bool:
    """Tell whether a fact that stands is known to hold at other times only.

    A document's facts say nothing of their time; what was accepted says it, if at all,
    with the statements that it was accepted as.
    """
    desk = case.desk
    if quad.graph_name != terms.GRAPH_CURRENT:
        return False
    periods = {
        (desk.text(node, AITIA.validFrom), desk.text(node, AITIA.validUntil))
        for node in speaking_of(desk.store, change.subject, change.predicate)
        if any(desk.store.quads(node, RDF.type, AITIA.Statement))
        and any(desk.store.quads(node, RDF.object, change.object))
        and desk.node(node, AITIA.rank) != AITIA.deprecated
        and not desk.text(node, AITIA.opinionOf)
    }
    wanted = tuple(
        terms.time(when).value if when is not None else ""
        for when in (change.valid_from, change.valid_until)
    )
    return bool(periods) and ("", "") not in periods and wanted not in periods


def _proposed(case: Case) -> Iterator[str]:
    """Find proposals that wait and ask for the same.

    What a proposal would state tells it from others; where it states nothing, what it
    would take out.
    """
    desk, draft = case.desk, case.draft
    linked = AITIA.proposes if draft.adds else AITIA.withdraws
    for change in draft.adds or draft.withdraws:
        for node in speaking_of(desk.store, change.subject, change.predicate):
            if not any(desk.store.quads(node, RDF.object, change.object)):
                continue
            for other in desk.subjects(linked, node):
                bare = draft.adds or not desk.nodes(other, AITIA.proposes)
                if (
                    bare
                    and other != draft.revision_of
                    and is_waiting(desk.store, other)
                ):
                    yield f"{lookup.short(other.value)} asks for it already"
    if draft.text:
        text = terms.string(draft.text)
        for other in desk.subjects(AITIA.proposedText, text):
            if other != draft.revision_of and is_waiting(desk.store, other):
                yield f"{lookup.short(other.value)} asks for it already"


def base(case: Case) -> Checked:
    """Check that what it was made against is still so."""
    draft = case.draft
    now = slots.base(case.desk.store, case.desk.head(), draft.changes, draft.words)
    stale = draft.base.digest != now.digest or draft.base.commit > now.commit
    told = f"what it speaks of has changed since commit {draft.base.commit}"
    return judged(
        AITIA.baseCheck,
        [told] if stale else [],
        f"nothing that it speaks of changed since commit {draft.base.commit}",
        blocks=True,
    )
