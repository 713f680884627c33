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
    AVERAGE_FORM,
    COUNT_FORM,
    DESCRIBE_FORM,
    EXISTS_FORM,
    LARGEST_FORM,
    LIST_FORM,
    SMALLEST_FORM,
    TOTAL_FORM,
    VALUE_FORM,
    Cues,
    read_cues,
)
from aitia.methods.graph_confidence import hinted
from aitia.methods.mentions import CLASS, ENTITY, PROPERTY, VALUE, Mention
from aitia.methods.readings import Reading, ReadingInput, Readings
from aitia.methods.words import is_spaceless

KEPT: Final = 5  # readings that are handed on
_RANKED: Final = frozenset({LARGEST_FORM, SMALLEST_FORM, TOTAL_FORM, AVERAGE_FORM})


@method(
    "interpretation",
    "Reads a question as queries over the facts and ranks them by what they explain.",
)
def interpretation(reads: Reads, given: ReadingInput) -> Readings:
    """Return the readings of the question, those that explain most first."""
    cues = read_cues(given.text)
    made: dict[str, Reading] = {}
    for reading in _readings(reads, given.mentions, cues):
        scored = _scored(given.text, reading, cues)
        if reading.form == DESCRIBE_FORM and scored.covered < 1:
            continue
        before = made.get(reading.words())
        if before is None or scored.covered > before.covered:
            made[reading.words()] = scored
    ranked = sorted(made.values(), key=_order, reverse=True)[:KEPT]
    if not ranked:
        return Readings(
            summary="no reading", failure="The words name nothing that can be queried."
        )
    best = ranked[0]
    return Readings(
        readings=tuple(ranked),
        summary=best.words(),
        confidence=best.covered,
        confidence_rule=RULE,
    )


def _scored(text: str, reading: Reading, cues: Cues) -> Reading:
    """Return a reading with how much of the question it explains."""
    used = [(item, 1.0) for item in reading.mentions()]
    used += [(item, hinted(item, reading, set())) for item in reading.hints]
    return replace(reading, covered=coverage(text, cues, used)[0])


def _order(reading: Reading) -> tuple[float, int, int]:
    return (round(reading.covered, 3), -len(reading.hints), len(reading.mentions()))


def _readings(
    reads: Reads, mentions: Sequence[Mention], cues: Cues
) -> Iterator[Reading]:
    classes: list[Mention | None] = [None, *_of(mentions, CLASS)]
    properties: list[Mention | None] = [None, *_of(mentions, PROPERTY)]
    for of_class in classes:
        for asked in properties:
            if of_class and asked and of_class.overlaps(asked):
                continue
            roles = [item for item in (of_class, asked) if item is not None]
            for things in _things(mentions, roles):
                yield from _forms(reads, things, of_class, asked, mentions, cues)


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


def _forms(
    reads: Reads,
    things: Sequence[Mention],
    of_class: Mention | None,
    asked: Mention | None,
    mentions: Sequence[Mention],
    cues: Cues,
) -> Iterator[Reading]:
    """Return the readings that the filled roles allow."""
    entities = tuple(_of(things, ENTITY))
    values = tuple(_of(things, VALUE))
    described = of_class is not None and _describes(reads, of_class, entities)
    used = [item for item in (*things, of_class, asked) if item is not None]
    hints = tuple(
        item
        for item in mentions
        if item.kind in (CLASS, PROPERTY)
        and not any(item.overlaps(other) for other in used)
    )
    base = Reading(cues.form, entities, of_class, asked, values, hints)
    if of_class and asked and _relates(asked, of_class):
        base = replace(base, asked=None, hints=(asked, *hints))
    if described and of_class is not None:
        base = replace(base, of_class=None, hints=(of_class, *base.hints))
    yield from _asking(base, cues)


def _asking(base: Reading, cues: Cues) -> Iterator[Reading]:
    """Return a reading of each form that what it has allows."""
    has_focus = bool(base.entities or base.of_class)
    if (
        base.asked
        and cues.form in _RANKED
        and has_focus
        and not _names_form(base, cues)
    ):
        yield base
    if base.asked and has_focus:
        yield replace(base, form=VALUE_FORM)
        if cues.form == COUNT_FORM and not base.of_class:
            yield base
    if base.of_class and not base.asked:
        yield replace(base, form=COUNT_FORM if cues.form == COUNT_FORM else LIST_FORM)
    if cues.form == EXISTS_FORM and base.entities and (base.filters or base.asked):
        yield replace(base, form=EXISTS_FORM)
    if base.entities and cues.describe and not (base.asked or base.of_class):
        yield replace(base, form=DESCRIBE_FORM)


def _names_form(base: Reading, cues: Cues) -> bool:
    """Tell whether the words of form are part of the name of the property itself.

    "The total of order 7" asks for a property; "the total of all orders" for a sum.
    """
    asked = base.asked
    return bool(
        base.entities
        and asked
        and any(start < asked.end and asked.start < end for start, end in cues.spans)
    )


def _relates(asked: Mention, of_class: Mention) -> bool:
    """Tell whether a property says how a class is linked, and is not asked for.

    In English that is so where it follows the class ("which orders did X place"), in
    languages that put what is asked for last where it stands before it.
    """
    after = asked.start > of_class.start
    return after != is_spaceless(of_class.text)


def _describes(reads: Reads, of_class: Mention, entities: Sequence[Mention]) -> bool:
    """Tell whether a class mention only says what kind of thing an entity is."""
    kinds = {
        kind.value
        for entity in entities
        for target in entity.targets
        for kind in reads.schema.classes_of(NamedNode(target))
    }
    near = any(
        of_class.end <= entity.start and entity.start - of_class.end <= 2
        for entity in entities
    )
    return bool(kinds & set(of_class.targets)) and near


def _of(mentions: Sequence[Mention], kind: str) -> list[Mention]:
    return [item for item in mentions if item.kind == kind]
