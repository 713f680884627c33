"""Facts in words: sentences made of labels and values, and of nothing else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode, Quad

from aitia.methods.cues import (
    AVERAGE_FORM,
    COUNT_FORM,
    EXISTS_FORM,
    LARGEST_FORM,
    SMALLEST_FORM,
    TOTAL_FORM,
)
from aitia.methods.graph_query import Row
from aitia.methods.literals import magnitude, parse_literal
from aitia.methods.readings import Reading
from aitia.methods.schema import NAMING, Schema, local_name
from aitia.store import Term

LISTED = 25  # names that a sentence lists
NESTED = 6  # values of a nested resource that are told


@dataclass(frozen=True)
class Worded:
    """A candidate answer in words.

    Attributes:
        text: The sentence.
        rows: The rows it tells.
        number: The number it is about, where it is about one.
    """

    text: str
    rows: tuple[Row, ...]
    number: float | None = None


def word(schema: Schema, reading: Reading, rows: Sequence[Row]) -> list[Worded]:
    """Return the sentences that tell what a query found."""
    if reading.form == EXISTS_FORM:
        return _exists(schema, reading, rows)
    if reading.form == COUNT_FORM:
        return _count(schema, reading, rows)
    if reading.form in (TOTAL_FORM, AVERAGE_FORM, LARGEST_FORM, SMALLEST_FORM):
        return _ranked(schema, reading, rows) or _values(schema, rows)
    if reading.of_class is not None and reading.asked is None:
        return [_listing(schema, reading, rows)]
    return _values(schema, rows)


def fact(schema: Schema, quad: Quad) -> str:
    """Return one fact in words."""
    return (
        f"{thing(schema, quad.subject)}: {property_label(schema, quad.predicate)} = "
        f"{value(schema, quad.object)}"
    )


def thing(schema: Schema, node: NamedNode) -> str:
    """Return what a resource is called, with what kind of thing it is."""
    name = schema.label(node)
    kinds = [
        schema.classes[kind].label
        for kind in schema.classes_of(node)
        if kind in schema.classes
    ]
    owner = _owner(schema, node)
    if owner is not None:
        return f"{name.replace('_', ' ')} of {thing(schema, owner)}"
    kind = singular(kinds[0]) if kinds else ""
    return f"{kind} {name}" if kind and kind.lower() not in name.lower() else name


def value(schema: Schema, term: Term) -> str:
    """Return a value in words: a literal's text, a resource's name or what it holds."""
    if isinstance(term, Literal):
        return str(term.value)
    if any(True for naming in NAMING for _ in schema.facts(term, naming)):
        return schema.label(term)
    literals = [quad for quad in schema.facts(term) if isinstance(quad.object, Literal)]
    parts = [
        f"{property_label(schema, quad.predicate)} {quad.object.value}"
        for quad in sorted(literals, key=str)[:NESTED]
    ]
    return ", ".join(parts) or local_name(term)


def property_label(schema: Schema, node: NamedNode) -> str:
    """Return what a property is called."""
    known = schema.properties.get(node)
    return (known.label if known else local_name(node)).replace("_", " ")


def singular(name: str) -> str:
    """Return a class name for one of its instances."""
    for ending, single in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch")):
        if name.endswith(ending):
            return name.removesuffix(ending) + single
    return name[:-1] if name.endswith("s") and not name.endswith(("ss", "us")) else name


def _owner(schema: Schema, node: NamedNode) -> NamedNode | None:
    """Return the resource that a nested resource without a name belongs to."""
    if any(True for naming in NAMING for _ in schema.facts(node, naming)):
        return None
    for quad in schema.facts(None, None, node):
        if node.value.startswith(quad.subject.value + "/"):
            owner: NamedNode = quad.subject
            return owner
    return None


def _values(schema: Schema, rows: Sequence[Row]) -> list[Worded]:
    """Return one sentence per resource and way: the property's values."""
    groups: dict[tuple[NamedNode, tuple[NamedNode, ...]], list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.focus, tuple(q.predicate for q in row.facts)].append(row)
    made: dict[str, Worded] = {}
    for (focus, _), found in groups.items():
        last = found[0].facts[-1]
        holder = thing(schema, focus if len(found) > 1 else last.subject)
        near = (
            f" (by way of {thing(schema, focus)})" if _apart(last, focus, found) else ""
        )
        told = _listed(value(schema, row.value) for row in found)
        verb = "is" if len({str(row.value) for row in found}) == 1 else "are"
        name = property_label(schema, last.predicate)
        text = f"The {name} of {holder}{near} {verb} {told}."
        made.setdefault(text, Worded(text, tuple(found), magnitude(found[0].value)))
    return list(made.values())


def _apart(last: Quad, focus: NamedNode, found: Sequence[Row]) -> bool:
    """Tell whether a value's holder is another thing than the one asked about."""
    return (
        len(found) == 1
        and last.subject != focus
        and not last.subject.value.startswith(focus.value)
    )


def _listing(schema: Schema, reading: Reading, rows: Sequence[Row]) -> Worded:
    names = [schema.label(row.focus) for row in rows]
    text = f"{_counted(schema, reading, rows)}: {_listed(names)}."
    return Worded(text, tuple(rows), float(len(names)))


def _count(schema: Schema, reading: Reading, rows: Sequence[Row]) -> list[Worded]:
    number = len({str(row.value) for row in rows})
    return [Worded(f"{_counted(schema, reading, rows)}.", tuple(rows), float(number))]


def _counted(schema: Schema, reading: Reading, rows: Sequence[Row]) -> str:
    number = len({str(row.value) for row in rows})
    what = reading.of_class or reading.asked
    name = what.text if what else "found"
    plural = name if number != 1 else singular(name)
    return " ".join([str(number), plural, *_conditions(schema, reading)])


def _conditions(schema: Schema, reading: Reading) -> list[str]:
    told = []
    for item in reading.filters:
        label = property_label(schema, NamedNode(item.targets[0]))
        told.append(f"with {label} {parse_literal(item.value).value!r}")
    if reading.entities:
        names = [thing(schema, NamedNode(item.targets[0])) for item in reading.entities]
        told.append(f"of {_listed(names)}")
    return told


def _ranked(schema: Schema, reading: Reading, rows: Sequence[Row]) -> list[Worded]:
    """Return the largest, smallest, total or average value of the rows."""
    sized = [(size, row) for row in rows if (size := magnitude(row.value)) is not None]
    if not sized:
        return []
    name = property_label(schema, rows[0].facts[-1].predicate)
    sizes = [size for size, _ in sized]
    if reading.form in (TOTAL_FORM, AVERAGE_FORM):
        total = sum(sizes) / (len(sizes) if reading.form == AVERAGE_FORM else 1)
        text = f"The {reading.form} of {name} over {len(sizes)} values is {round(total, 6):g}."
        return [Worded(text, tuple(row for _, row in sized), total)]
    best = max(sizes) if reading.form == LARGEST_FORM else min(sizes)
    chosen = [row for size, row in sized if size == best]
    things = _listed(thing(schema, row.facts[-1].subject) for row in chosen)
    told = value(schema, chosen[0].value)
    text = f"The {reading.form} {name} of {len(sizes)} is {told}: {things}."
    return [Worded(text, tuple(chosen), best)]


def _exists(schema: Schema, reading: Reading, rows: Sequence[Row]) -> list[Worded]:
    """Return yes or no, with what stands where the value asked about could stand."""
    wanted = {parse_literal(item.value).value for item in reading.filters}
    found = _values(schema, rows)
    if not found:
        return []
    held = {str(row.value.value) for row in rows}
    if wanted:
        yes = wanted <= held
    else:
        yes = not held <= {"false", "0", "no"}
    return [
        Worded(
            f"{'Yes' if yes else 'No'}: {item.text[0].lower()}{item.text[1:]}",
            item.rows,
        )
        for item in found
    ]


def _listed(names: Iterable[str]) -> str:
    found = list(dict.fromkeys(names))
    more = f" and {len(found) - LISTED} more" if len(found) > LISTED else ""
    return ", ".join(found[:LISTED]) + more
