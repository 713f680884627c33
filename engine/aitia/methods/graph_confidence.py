"""How sure an answer from the facts is: what its reading and its way explain.

The coverage of the question (see `aitia.methods.coverage`), where a property that is
only hinted at counts half unless the way to the answer leads over it; times `FAR` for
each link walked beyond the first that the question does not name; times what
`OTHER_TYPE` says where the answer is of another type than the one asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from pyoxigraph import Literal, NamedNode

from aitia.methods.coverage import RULE as COVERAGE_RULE, coverage
from aitia.methods.cues import COUNT_FORM, DATE, PERSON, QUANTITY, Cues
from aitia.methods.graph_query import Row
from aitia.methods.literals import is_number, is_time
from aitia.methods.mentions import PROPERTY, Mention
from aitia.methods.readings import Reading
from aitia.methods.schema import Schema

FAR: Final = 0.9
OFF_THE_WAY: Final = 0.5
OTHER_TYPE: Final[Mapping[str, float]] = {DATE: 0.4, PERSON: 0.4, QUANTITY: 0.6}
RULE: Final = (
    f"{COVERAGE_RULE}; less for unnamed links walked over and for an answer of "
    "another type than asked for"
)


def sureness(
    schema: Schema, text: str, cues: Cues, reading: Reading, rows: Sequence[Row]
) -> tuple[float, tuple[str, ...]]:
    """Return how sure an answer is, and the question's words it leaves open."""
    passed = _passed(rows)
    used = [(item, 1.0) for item in reading.mentions()]
    used += [(item, hinted(item, reading, passed)) for item in reading.hints]
    share, missing = coverage(text, cues, used)
    far = FAR ** _unnamed(reading, rows)
    return share * far * _typed(cues, reading, rows), missing


def hinted(item: Mention, reading: Reading, passed: set[str]) -> float:
    """Return how far a class or property that is only hinted at is put to use."""
    filtering = {target for value in reading.filters for target in value.targets}
    targets = set(item.targets)
    used = item.kind != PROPERTY or bool(targets & (passed | filtering))
    return 1.0 if used else OFF_THE_WAY


def _passed(rows: Iterable[Row]) -> set[str]:
    """Return the properties that the ways to some rows lead over."""
    return {fact.predicate.value for row in list(rows)[:5] for fact in row.facts}


def _unnamed(reading: Reading, rows: Sequence[Row]) -> int:
    """Return how many links were walked beyond one, less those that are named."""
    walked = max((_links(row) for row in rows), default=0)
    named = len(reading.hints) + len(reading.filters) + bool(reading.of_class)
    return max(0, walked - 1 - named)


def _links(row: Row) -> int:
    return sum(isinstance(fact.object, NamedNode) for fact in row.facts)


def _typed(cues: Cues, reading: Reading, rows: Sequence[Row]) -> float:
    """Return 1 where the values are of the type asked for, less where not."""
    values = [row.value for row in rows]
    dates = any(is_time(item) for item in values)
    numbers = any(is_number(item) for item in values)
    other = (
        (cues.wants == DATE and not dates)
        or (cues.wants == PERSON and (dates or numbers) and _literal(values))
        or (cues.wants == QUANTITY and reading.form != COUNT_FORM and not numbers)
    )
    return OTHER_TYPE[cues.wants] if other else 1.0


def _literal(values: Sequence[object]) -> bool:
    return all(isinstance(item, Literal) for item in values)
