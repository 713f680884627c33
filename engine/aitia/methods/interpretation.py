"""Interpretation: how a question can be read as a query over the facts.

Strategy: fill the roles of a query (what to start from, whose instances, which
property, which values) from the mentions in every way that makes a query, and rank
the readings by how much of the question they explain. A word that no reading explains
lowers them all; so a question about what the facts do not know is read badly, and
that is seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from pyoxigraph import NamedNode

from aitia.methods.base import Reads, method
from aitia.methods.coverage import RULE, coverage
from aitia.methods.cues import (
    COUNT_FORM,
    DESCRIBE_FORM,
    EXISTS_FORM,
    LIST_FORM,
    RANKED,
    VALUE_FORM,
    Cues,
    read_cues,
)
from aitia.methods.graph_confidence import hinted, names_form
from aitia.methods.implied import dated_by, kinds_of_values
from aitia.methods.mentions import (
    CLASS,
    ENTITY,
    KIND,
    PROPERTY,
    RELATION,
    VALUE,
    Mention,
)
from aitia.methods.modifiers import qualified
from aitia.methods.readings import Reading, ReadingInput, Readings
from aitia.methods.words import is_spaceless, singular

KEPT: Final = 6  # readings that are handed on
BESIDE: Final = 2  # characters between a thing and the word for its kind


@method(
    "interpretation",
    "Reads a question as queries over the facts and ranks them by what they explain.",
)
def interpretation(reads: Reads, given: ReadingInput) -> Readings:
    """Return the readings of the question, those that explain most first."""
    cues = read_cues(given.text)
    made: dict[str, Reading] = {}
    for reading in _readings(reads, given, cues):
        scored = _scored(given.text, reading, cues)
        whole = reading.form != DESCRIBE_FORM or scored.covered == 1
        before = made.get(reading.words())
        if whole and (before is None or scored.covered > before.covered):
            made[reading.words()] = scored
    ranked = sorted(made.values(), key=_order, reverse=True)[:KEPT]
    if not ranked:
        return Readings(
            summary="no reading", failure="The words name nothing that can be queried."
        )
    return Readings(
        readings=tuple(ranked),
        summary=ranked[0].words(),
        confidence=ranked[0].covered,
        confidence_rule=RULE,
    )


def _scored(text: str, reading: Reading, cues: Cues) -> Reading:
    """Return a reading with how much of the question it explains."""
    used = [(item, 1.0) for item in reading.mentions()]
    used += [(item, hinted(item, reading, set())) for item in reading.hints]
    limited = reading.bound is not None
    share, _ = coverage(text, reading.form, cues, used, limited=limited)
    return replace(reading, covered=share)


def _order(reading: Reading) -> tuple[float, bool, bool, int, int]:
    """Return what readings are ranked by: coverage, then what is asked for."""
    linked = reading.form == EXISTS_FORM and reading.asked is None
    return (
        round(reading.covered, 3),
        linked,
        reading.of_class is not None and reading.of_class.focus,
        len(reading.mentions()),
        -len(reading.hints),
    )


def _readings(reads: Reads, given: ReadingInput, cues: Cues) -> Iterator[Reading]:
    mentions = qualified(reads, given.text, given.mentions)
    kinds = _kinds(reads, given.text, mentions)
    open_mentions = [
        item
        for item in mentions
        if item not in kinds
        and not (item.kind == PROPERTY and any(item.overlaps(kind) for kind in kinds))
    ]
    named = [item for item in _of(open_mentions, CLASS) if not item.generic]
    unsaid = kinds_of_values(reads.schema, given.text, mentions)
    classes: list[Mention | None] = [None, *named, *unsaid]
    properties: list[Mention | None] = [None, *_of(open_mentions, PROPERTY)]
    for of_class in classes:
        for asked in properties:
            if of_class and asked and of_class.overlaps(asked):
                continue
            roles = [item for item in (of_class, asked) if item is not None]
            for things in _things(open_mentions, roles):
                if of_class and _circular(reads, things, of_class, open_mentions):
                    continue
                base = _base(
                    given.text, things, of_class, asked, open_mentions, kinds, cues
                )
                yield from _asking(_dated(reads, given.text, base, cues), cues)


def _dated(reads: Reads, text: str, base: Reading, cues: Cues) -> Reading:
    """Return a reading with the property that its time is told of, where none is named."""
    if cues.bound is None or base.of_class is None or base.asked is not None:
        return base
    asked = dated_by(reads.schema, text, base.of_class, cues)
    return base if asked is None else replace(base, asked=asked)


def _kinds(reads: Reads, text: str, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """Return the class mentions that only say what kind of thing an entity is.

    They stand right before it and are in the singular, as "order" in "order 7", or
    are of its very class.
    """
    return tuple(
        item
        for item in _of(mentions, CLASS)
        for entity in _of(mentions, ENTITY)
        if item.end <= entity.start
        and entity.start - item.end <= BESIDE
        and not text[item.end : entity.start].strip(" #'\"“”")
        and (_is_of(reads, entity, item) or item.text == singular(item.text))
    )


def _circular(
    reads: Reads,
    things: Sequence[Mention],
    of_class: Mention,
    mentions: Sequence[Mention],
) -> bool:
    """Tell whether what is looked for would be told by itself.

    "P-12" in "which reservoir does P-12 feed" is a value that one reservoir has: the
    reservoir is found by it, and is not called so.
    """
    values = {(item.start, item.end) for item in _of(mentions, VALUE)}
    return any(
        not item.named
        and (item.start, item.end) in values
        and _is_of(reads, item, of_class)
        for item in _of(things, ENTITY)
    )


def _is_of(reads: Reads, entity: Mention, kind: Mention) -> bool:
    return any(
        found.value in kind.targets
        for target in entity.targets
        for found in reads.schema.classes_of(NamedNode(target))
    )


def _things(
    mentions: Sequence[Mention], roles: Sequence[Mention]
) -> Iterator[list[Mention]]:
    """Return the entities and values to use: once with entities first, once values."""
    for first, second in ((ENTITY, VALUE), (VALUE, ENTITY)):
        chosen: list[Mention] = []
        for item in (*_of(mentions, first), *_of(mentions, second)):
            if not any(item.overlaps(other) for other in (*roles, *chosen)):
                chosen.append(item)
        yield sorted(chosen, key=lambda item: item.start)


def _base(
    text: str,
    things: Sequence[Mention],
    of_class: Mention | None,
    asked: Mention | None,
    mentions: Sequence[Mention],
    kinds: Sequence[Mention],
    cues: Cues,
) -> Reading:
    """Return the filled roles as a reading, what is left over as hints."""
    used = [item for item in (*things, of_class, asked) if item is not None]
    hints = (
        *(replace(item, kind=KIND) for item in kinds),
        *(
            item
            for item in mentions
            if item.kind in (CLASS, PROPERTY)
            and not any(item.overlaps(other) for other in used)
        ),
    )
    entities = tuple(_of(things, ENTITY))
    values = tuple(_denied(text, item, cues) for item in _of(things, VALUE))
    ranked = cues.form in RANKED or cues.bound is not None
    if of_class and asked and not ranked and _relates(asked, of_class):
        related = replace(asked, kind=RELATION)
        return Reading(cues.form, entities, of_class, None, values, (related, *hints))
    return Reading(cues.form, entities, of_class, asked, values, hints)


def _denied(text: str, value: Mention, cues: Cues) -> Mention:
    """Return a value as denied where a word that denies stands right before it."""
    near = any(
        end <= value.start and len(text[end : value.start].split()) <= 1
        for _, end in cues.denials
    )
    return replace(value, denied=near)


def _relates(asked: Mention, of_class: Mention) -> bool:
    """Tell whether a property says how a class is linked, and is not asked for.

    In English that is so where it follows the class ("which orders did X place"), in
    languages that put what is asked for last where it stands before it.
    """
    return (asked.start > of_class.start) != is_spaceless(of_class.text)


def _asking(base: Reading, cues: Cues) -> Iterator[Reading]:
    """Return a reading of each form that the filled roles allow."""
    loose = base if base.of_class else replace(base, filters=())
    has_focus = bool(base.entities or base.of_class)
    if base.asked and base.of_class and cues.bound:
        yield _bounded(loose, cues)
        return
    if base.of_class and cues.bound and not _filters_by(base, cues):
        return
    if base.asked and has_focus:
        if cues.form in RANKED and not names_form(base, cues):
            yield loose
        if cues.form == COUNT_FORM and not base.of_class and base.asked.focus:
            yield loose
        yield replace(loose, form=VALUE_FORM)
    counts = cues.form == COUNT_FORM
    if base.of_class and not base.asked and (base.of_class.focus or not counts):
        yield replace(base, form=COUNT_FORM if counts else LIST_FORM)
    tells = base.filters or base.asked or len(base.entities) == 2
    if cues.form == EXISTS_FORM and base.entities and tells and not base.of_class:
        yield replace(base, form=EXISTS_FORM)
        if len(base.entities) == 2 and base.asked and not base.filters:
            related = replace(base.asked, kind=RELATION)
            yield replace(
                base, form=EXISTS_FORM, asked=None, hints=(related, *base.hints)
            )
    if base.entities and cues.describe and not (base.asked or base.of_class):
        yield replace(loose, form=DESCRIBE_FORM)


def _filters_by(base: Reading, cues: Cues) -> bool:
    """Tell whether the words of a limit are a value that a reading filters by."""
    start, end = cues.limited
    return any(item.start < end and start < item.end for item in base.filters)


def _bounded(base: Reading, cues: Cues) -> Reading:
    """Return the reading that lists or counts what lies above or below a limit."""
    form = COUNT_FORM if cues.form == COUNT_FORM else LIST_FORM
    return replace(base, form=form, bound=cues.bound)


def _of(mentions: Sequence[Mention], kind: str) -> list[Mention]:
    return [item for item in mentions if item.kind == kind]
