"""How sure an answer from the facts is: what its reading and its way explain.

The share of the question's content words that the reading puts to use (see
`aitia.methods.interpretation`), where a class or property that is only hinted at
counts in full if the way to the answer leads over it and half otherwise; times
`FAR` for each link walked beyond the first that the question does not name; times
`UNTYPED` where a date or quantity is asked for and none is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pyoxigraph import NamedNode

from aitia.methods.cues import COUNT_FORM, Cues
from aitia.methods.graph_query import Row
from aitia.methods.interpretation import NAMING_WEIGHT
from aitia.methods.literals import is_number, is_time, magnitude
from aitia.methods.mentions import Mention
from aitia.methods.readings import Reading
from aitia.methods.schema import Schema
from aitia.methods.words import words

FAR: Final = 0.9
UNTYPED: Final = 0.6
OFF_THE_WAY: Final = 0.5
RULE: Final = (
    "share of the question's content words that the query uses, names counting twice, "
    "less for unnamed links walked over and for an answer of another type"
)


def sureness(
    schema: Schema, text: str, cues: Cues, reading: Reading, rows: Sequence[Row]
) -> tuple[float, tuple[str, ...]]:
    """Return how sure an answer is, and the question's words it leaves open."""
    passed = _passed(schema, rows)
    used = [(item, 1.0) for item in reading.mentions()]
    used += [
        (item, 1.0 if set(item.targets) & passed else OFF_THE_WAY)
        for item in reading.hints
    ]
    total = explained = 0.0
    missing = []
    for word in words(text):
        if not word.content or any(a <= word.start < b for a, b in cues.spans):
            continue
        weight = NAMING_WEIGHT if word.naming else 1.0
        share = max(
            (_share(item, part, word.start, word.end) for item, part in used),
            default=0.0,
        )
        total, explained = total + weight, explained + weight * share
        if share < OFF_THE_WAY:
            missing.append(word.text)
    sure = explained / total if total else 0.0
    return sure * FAR ** _unnamed(reading, rows) * _typed(cues, reading, rows), tuple(
        missing
    )


def _share(item: Mention, part: float, start: int, end: int) -> float:
    return item.quality * part if item.start <= start and end <= item.end else 0.0


def _passed(schema: Schema, rows: Iterable[Row]) -> set[str]:
    """Return the classes and properties that the ways to some rows lead over."""
    found: set[str] = set()
    for row in list(rows)[:5]:
        for quad in row.facts:
            found.add(quad.predicate.value)
            for node in (quad.subject, quad.object):
                if isinstance(node, NamedNode):
                    found.update(kind.value for kind in schema.classes_of(node))
    return found


def _unnamed(reading: Reading, rows: Sequence[Row]) -> int:
    """Return how many links were walked beyond one, less those that are named."""
    walked = max((len(row.facts) for row in rows), default=0)
    named = sum(
        1 for item in (*reading.hints, *reading.filters, reading.of_class) if item
    )
    return max(0, walked - 2 - named)


def _typed(cues: Cues, reading: Reading, rows: Sequence[Row]) -> float:
    """Return 1 where the values are of the kind asked for, `UNTYPED` where not."""
    values = [row.value for row in rows]
    if cues.wants == "date" and not any(is_time(item) for item in values):
        return UNTYPED
    sized = any(is_number(item) or magnitude(item) is not None for item in values)
    if cues.wants == "quantity" and reading.form != COUNT_FORM and not sized:
        return UNTYPED
    return 1.0
