"""Rows in words: sentences made of labels and values, and of nothing else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pyoxigraph import Literal, NamedNode

from aitia.methods.cues import (
    AVERAGE_FORM,
    COUNT_FORM,
    DESCRIBE_FORM,
    EXISTS_FORM,
    LARGEST_FORM,
    SMALLEST_FORM,
    TOTAL_FORM,
)
from aitia.methods.graph_query import Row
from aitia.methods.limits import Bound
from aitia.methods.literals import is_number, is_time, magnitude, parse_literal
from aitia.methods.mentions import Mention
from aitia.methods.naming import Naming, listed
from aitia.methods.readings import Reading
from aitia.methods.schema import Schema
from aitia.methods.words import PLURALS, singular


@dataclass(frozen=True)
class Worded:
    """A candidate answer in words.

    Attributes:
        text: The sentence.
        rows: The rows it tells.
        numbers: The numbers among the values that it tells.
        dated: Whether those are dates and times.
    """

    text: str
    rows: tuple[Row, ...]
    numbers: tuple[float, ...] = ()
    dated: bool = False


def word(schema: Schema, reading: Reading, rows: Sequence[Row]) -> list[Worded]:
    """Return the sentences that tell what a query found; none where it found nothing."""
    if not rows:
        return []
    naming = Naming(schema, reading.entities)
    if reading.bound is not None:
        return _bounded(naming, reading, reading.bound, rows)
    if reading.form == DESCRIBE_FORM:
        return _described(naming, rows)
    if reading.form == EXISTS_FORM:
        return _exists(naming, reading, rows)
    if reading.form == COUNT_FORM and not _all_numbers(reading, rows):
        return [_counted(naming, reading, rows, names=False)]
    if reading.form in (TOTAL_FORM, AVERAGE_FORM, LARGEST_FORM, SMALLEST_FORM):
        return _ranked(naming, reading, rows)
    if reading.of_class is not None and reading.asked is None:
        return [_counted(naming, reading, rows, names=True)]
    return _values(naming, rows)


def _bounded(
    naming: Naming, reading: Reading, bound: Bound, rows: Sequence[Row]
) -> list[Worded]:
    """Return which things have a value that keeps to a limit.

    Nothing where no value can be held against it, as no status can be before May.
    """
    held = [(bound.holds(row.value), row) for row in rows]
    compared = tuple(row for holds, row in held if holds is not None)
    if not compared:
        return []
    kept = tuple(row for holds, row in held if holds)
    label = naming.property(compared[0].facts[-1].predicate)
    found = list(dict.fromkeys(row.focus for row in kept))
    called = singular(_called(naming, reading))
    told = " ".join(
        [
            str(len(found)),
            called if len(found) == 1 else _plural(called),
            *_conditions(naming, reading, kept or compared),
            f"with {label} {bound.text}",
        ]
    )
    if reading.form != COUNT_FORM and found:
        told += f": {listed(naming.name(node) for node in found)}"
    return [Worded(f"{told}.", kept or compared, (float(len(found)),))]


def _described(naming: Naming, rows: Sequence[Row]) -> list[Worded]:
    """Return one sentence per resource with all that is told of it."""
    groups: dict[NamedNode, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.focus].append(row)
    return [
        Worded(
            f"{naming.thing(focus)}: "
            + "; ".join(
                f"{naming.property(row.facts[-1].predicate)} {naming.value(row.value)}"
                for row in found
            )
            + ".",
            tuple(found),
        )
        for focus, found in groups.items()
    ]


def none(schema: Schema, reading: Reading, rows: Sequence[Row]) -> list[Worded]:
    """Return the sentence that tells that no such thing is there, and what is."""
    if not rows:
        return []
    naming = Naming(schema, reading.entities)
    nothing = _counted(naming, reading, [], names=False).text.rstrip(".")
    there = listed(
        f"the {naming.property(row.facts[-1].predicate)} of {naming.thing(row.focus)} "
        f"is {naming.value(row.value)}"
        for row in rows
    )
    return [Worded(f"{nothing}: {there}.", tuple(rows), (0.0,))]


def _all_numbers(reading: Reading, rows: Sequence[Row]) -> bool:
    """Tell whether a property was asked for whose values already are the count."""
    return reading.of_class is None and all(is_number(row.value) for row in rows)


def _values(naming: Naming, rows: Sequence[Row]) -> list[Worded]:
    """Return one sentence per resource asked about: the values of a property."""
    groups: dict[tuple[NamedNode, NamedNode], list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.focus, row.facts[-1].predicate].append(row)
    made: dict[str, Worded] = {}
    for (focus, predicate), found in groups.items():
        values = list(dict.fromkeys(naming.value(row.value) for row in found))
        holder = _holder(naming, focus, found)
        told = "is" if len(values) == 1 else "are"
        text = f"The {naming.property(predicate)} of {holder} {told} {listed(values)}."
        numbers = [magnitude(row.value) for row in found]
        sized = tuple(number for number in numbers if number is not None)
        dated = all(is_time(row.value) for row in found)
        made.setdefault(text, Worded(text, tuple(found), sized, dated))
    return list(made.values())


def _holder(naming: Naming, focus: NamedNode, rows: Sequence[Row]) -> str:
    """Return what has the values: what was asked about, or what it is linked to."""
    holders = {row.facts[-1].subject for row in rows}
    holder = holders.pop()
    nested = holder.value.startswith(focus.value + "/") or focus.value.startswith(
        holder.value + "/"
    )
    if holders or holder == focus or nested:
        return naming.thing(focus)
    return f"{naming.thing(holder)} (linked to {naming.thing(focus)})"


def _counted(
    naming: Naming, reading: Reading, rows: Sequence[Row], *, names: bool
) -> Worded:
    """Return how many things there are, and which where that was asked."""
    found = list(dict.fromkeys(row.value for row in rows))
    what = reading.of_class or reading.asked
    called = singular(_called(naming, reading)) if what else "thing"
    parts = [str(len(found)), called if len(found) == 1 else _plural(called)]
    parts += _conditions(naming, reading, rows)
    text = " ".join(parts)
    if names:
        text += f": {listed(naming.value(value) for value in found)}"
    return Worded(f"{text}.", tuple(rows), (float(len(found)),))


def _called(naming: Naming, reading: Reading) -> str:
    """Return the name of what was counted: as the facts call it."""
    target = NamedNode(
        (reading.of_class or reading.asked or reading.entities[0]).targets[0]
    )
    known = naming.schema.classes.get(target) or naming.schema.properties.get(target)
    return known.label if known else "thing"


_SAME: Final = frozenset(
    ["personnel", "staff", "series", "species", "equipment", "data", "stock"]
)
"""Names that are plural already, or have no plural."""
_MANY: Final = {one: many for many, one in PLURALS.items()}


def _plural(name: str) -> str:
    if name.lower() in _SAME:
        return name
    if name in _MANY:
        return _MANY[name]
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return f"{name[:-1]}ies"
    return f"{name}es" if name.endswith(("s", "x", "ch", "sh")) else f"{name}s"


def _conditions(naming: Naming, reading: Reading, rows: Sequence[Row]) -> list[str]:
    """Return what the things have in common, by the properties it was found under."""
    told = [
        f"with {_held_by(naming, item, rows)} "
        f"{'other than ' if item.denied else ''}{parse_literal(item.value).value!r}"
        for item in reading.filters
    ]
    if reading.entities:
        nodes = [NamedNode(item.targets[0]) for item in reading.entities]
        told.append(f"of {listed(naming.thing(node) for node in nodes)}")
    return told


def _held_by(naming: Naming, item: Mention, rows: Sequence[Row]) -> str:
    """Name the property that a value was found under, or all that it could be under.

    One value can stand under several properties; only what the facts say is told.
    """
    value = parse_literal(item.value)
    met = {
        fact.predicate.value
        for row in rows
        for fact in row.facts
        if (fact.object == value) != item.denied
    }
    could = [target for target in item.targets if target in met] or item.targets
    names = (naming.property(NamedNode(target)) for target in could)
    return " or ".join(dict.fromkeys(names))


def _ranked(naming: Naming, reading: Reading, rows: Sequence[Row]) -> list[Worded]:
    """Return the largest, smallest, total or average value of the rows."""
    sized = [(size, row) for row in rows if (size := magnitude(row.value)) is not None]
    if not sized:
        return []
    sizes = [size for size, _ in sized]
    label = naming.property(rows[0].facts[-1].predicate)
    of = " ".join([_among(naming, reading, rows), *_conditions(naming, reading, rows)])
    if reading.form in (TOTAL_FORM, AVERAGE_FORM):
        many = len(sizes) if reading.form == AVERAGE_FORM else 1
        result = sum(sizes) / many
        name = "average" if reading.form == AVERAGE_FORM else "sum"
        told = f"The {name} of {label} over {of} is {round(result, 6):g}."
        return [Worded(told, tuple(row for _, row in sized), (result,))]
    best = max(sizes) if reading.form == LARGEST_FORM else min(sizes)
    chosen = tuple(row for size, row in sized if size == best)
    holders = listed(naming.thing(row.facts[-1].subject) for row in chosen)
    told = naming.value(chosen[0].value)
    text = f"The {reading.form} {label} among {of} is {told}: {holders}."
    return [Worded(text, chosen, (best,))]


def _among(naming: Naming, reading: Reading, rows: Sequence[Row]) -> str:
    """Return how many things were looked at, by the name of their class."""
    if reading.of_class is None:
        return f"{len(rows)} values"
    called = singular(_called(naming, reading))
    count = len({row.focus for row in rows})
    return f"{count} {called if count == 1 else _plural(called)}"


def _exists(naming: Naming, reading: Reading, rows: Sequence[Row]) -> list[Worded]:
    """Return yes or no, with what stands where the value asked about could stand."""
    if not reading.filters and reading.asked is None:
        return _linked(naming, reading, rows)
    wanted = {parse_literal(item.value).value for item in reading.filters}
    held = {row.value.value for row in rows if isinstance(row.value, Literal)}
    denied = held <= {"false", "0", "no"}
    yes = wanted <= held if wanted else not denied
    return [
        Worded(
            f"{'Yes' if yes else 'No'}: {item.text[0].lower()}{item.text[1:]}",
            item.rows,
            item.numbers,
        )
        for item in _values(naming, rows)
    ]


def _linked(naming: Naming, reading: Reading, rows: Sequence[Row]) -> list[Worded]:
    """Return whether two things are linked, and what stands in the place if not."""
    named = {target for item in reading.entities for target in item.targets}
    hit = [
        row
        for row in rows
        if isinstance(row.value, NamedNode) and row.value.value in named
    ]
    told = hit[:1] or list(rows)
    things = listed(
        naming.thing(row.value) for row in told if isinstance(row.value, NamedNode)
    )
    answer = "Yes" if hit else "No"
    text = f"{answer}: {naming.thing(told[0].focus)} is linked to {things}."
    return [Worded(text, tuple(told))]
