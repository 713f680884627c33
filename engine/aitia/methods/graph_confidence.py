"""How sure an answer from the facts is: what its reading and its way explain.

The coverage of the question (see `aitia.methods.coverage`), where a property that is
only hinted at counts half unless the way to the answer leads over it; times `FAR` for
each other record that the way leads over and the question does not name, `BESIDE`
where a value is asked of a thing and that record has it instead; times `BROADER` where
a word that may restrict what is listed or counted is not explained (see
`aitia.methods.restrictions`);
times `SCATTERED` where the values are those of several things that it does not name;
times `OPEN` where all instances of a class are listed though a word is not explained;
times what `OTHER_TYPE` says where the answer is of another type than asked for, and
`OTHER_FORM` where it is no number, largest, smallest, sum or average and such was
asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from pyoxigraph import Literal, NamedNode

from aitia.methods.coverage import RULE as COVERAGE_RULE, coverage
from aitia.methods.cues import COUNT_FORM, DATE, PERSON, QUANTITY, RANKED, Cues
from aitia.methods.graph_query import Row
from aitia.methods.literals import is_number, is_time
from aitia.methods.mentions import ENTITY, KIND, PROPERTY, RELATION, VALUE, Mention
from aitia.methods.readings import Reading
from aitia.methods.restrictions import restricts
from aitia.methods.schema import Schema
from aitia.vocab import RDF

FAR: Final = 0.7
BESIDE: Final = 0.4
BROADER: Final = 0.4
SCATTERED: Final = 0.8
OFF_THE_WAY: Final = 0.5
OTHER_TYPE: Final[Mapping[str, float]] = {DATE: 0.4, PERSON: 0.4, QUANTITY: 0.6}
OTHER_FORM: Final = 0.5
OPEN: Final = 0.5
LOOKED_AT: Final = 5  # rows whose way is looked at
RULE: Final = (
    f"{COVERAGE_RULE}; less for unnamed records on the way, for values of several "
    "unnamed things, for an answer of another type than asked for and for words left "
    "open that may restrict it"
)


def sureness(
    schema: Schema, text: str, cues: Cues, reading: Reading, rows: Sequence[Row]
) -> tuple[float, tuple[str, ...]]:
    """Return how sure an answer is, and the question's words it leaves open."""
    passed = _passed(schema, rows)
    used = [(item, 1.0) for item in reading.mentions()]
    used += [(item, hinted(item, reading, passed)) for item in reading.hints]
    limited = reading.bound is not None
    share, missing = coverage(text, reading.form, cues, used, limited=limited)
    named = {target for item, _ in used for target in item.targets}
    if share < 1 and _is_open(reading):
        share *= OPEN
    if restricts(text, reading, missing):
        share *= BROADER
    far = (FAR if reading.of_class else BESIDE) ** _unnamed(schema, rows, named)
    scattered = SCATTERED if _scattered(schema, reading, rows, named) else 1.0
    sure = share * far * scattered * _typed(cues, reading, rows)
    return sure, tuple(word.text for word in missing)


def _is_open(reading: Reading) -> bool:
    """Tell whether a reading takes all instances of a class."""
    limits = (*reading.entities, *reading.filters, *reading.found, reading.bound)
    return reading.of_class is not None and not any(limits)


def hinted(item: Mention, reading: Reading, passed: set[str]) -> float:
    """Return how far a mention that is only hinted at is put to use.

    Before a query is run `passed` is empty, and a relation is taken to be walked.
    """
    if item.kind in (KIND, ENTITY):
        return 1.0
    filtering = {target for value in reading.filters for target in value.targets}
    on_the_way = bool(set(item.targets) & (passed | filtering))
    if on_the_way or (item.kind == RELATION and not passed):
        return 1.0
    return OFF_THE_WAY if item.kind != VALUE else 0.0


def _passed(schema: Schema, rows: Iterable[Row]) -> set[str]:
    """Return the properties and classes that the ways to some rows lead over."""
    facts = [fact for row in list(rows)[:LOOKED_AT] for fact in row.facts]
    met = {node for fact in facts for node in (fact.subject, fact.object)}
    kinds = {
        kind.value
        for node in met
        if isinstance(node, NamedNode)
        for kind in schema.classes_of(node)
    }
    return kinds | {fact.predicate.value for fact in facts}


def _unnamed(schema: Schema, rows: Sequence[Row], named: set[str]) -> int:
    """Return how many other records a way leads over that are not named."""
    return max(
        (len(_strangers(schema, row, named)) for row in rows[:LOOKED_AT]), default=0
    )


def _strangers(schema: Schema, row: Row, named: set[str]) -> set[NamedNode]:
    """Return the records on the way to a row whose kind or link is not named."""
    met: set[NamedNode] = set()
    for fact in row.facts:
        there = fact.object
        if not isinstance(there, NamedNode) or fact.predicate == RDF.type:
            continue
        if there.value.startswith(fact.subject.value + "/"):
            continue
        if fact.predicate.value not in named:
            met |= {fact.subject, there}
    return {node for node in met if not _is_named(schema, node, row, named)}


def _is_named(schema: Schema, node: NamedNode, row: Row, named: set[str]) -> bool:
    """Tell whether a record is one that was asked about, or is of a named kind."""
    whole = schema.owner(node) or node
    return (
        whole == row.focus
        or whole == row.value
        or node.value in named
        or any(kind.value in named for kind in schema.classes_of(whole))
    )


def _scattered(
    schema: Schema, reading: Reading, rows: Sequence[Row], named: set[str]
) -> bool:
    """Tell whether the values are those of several things that are not named."""
    holders = {row.facts[-1].subject for row in rows if row.facts}
    if len(holders) < 2 or reading.of_class or len({row.focus for row in rows}) > 1:
        return False
    return not any(
        kind.value in named for node in holders for kind in schema.classes_of(node)
    )


def _typed(cues: Cues, reading: Reading, rows: Sequence[Row]) -> float:
    """Return 1 where the values are of the type asked for, less where not."""
    values = [row.value for row in rows]
    dates = any(is_time(item) for item in values)
    numbers = any(is_number(item) for item in values)
    literal = all(isinstance(item, Literal) for item in values)
    other = (
        (cues.wants == DATE and not dates)
        or (cues.wants == PERSON and literal and (dates or numbers))
        or (cues.wants == QUANTITY and reading.form != COUNT_FORM and not numbers)
    )
    ranked = cues.form in RANKED and not names_form(reading, cues)
    counts = cues.form == COUNT_FORM and not numbers
    form = OTHER_FORM if (ranked or counts) and reading.form != cues.form else 1.0
    return (OTHER_TYPE[cues.wants] if other else 1.0) * form


def names_form(reading: Reading, cues: Cues) -> bool:
    """Tell whether the words of form are part of the name of the property itself.

    "The total of order 7" asks for a property; "the total of all orders" for a sum. So
    it is where that property is asked for beside another.
    """
    start, end = cues.formed
    beside = (item for item in reading.hints if item.kind == PROPERTY)
    named = (reading.asked, *beside) if reading.asked else ()
    return bool(reading.entities) and any(
        start < item.end and item.start < end for item in named
    )
