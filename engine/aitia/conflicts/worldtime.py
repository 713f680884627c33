"""When a statement holds in the world, by what is on record of it.

Two statements conflict only where their times overlap. What is read, all of which must
hold at once:

- `aitia:validFrom` and `aitia:validUntil` of its version in the catalog that is in use;
- the same, or properties of the usual names (`FROM`, `UNTIL`, `AT`), of an RDF
  reification in people's data, or of the named graph the statement stands in;
- for events and roles, those of the node that has the property, and of an interval
  node that it links to (`org:memberDuring`, `time:hasBeginning`).

A time is half open: who leaves on the day another comes does not overlap. A date that
is told by its year alone starts with the year; as an end it ends with its start, so
that "until 2022" and "from 2022" do not overlap.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from typing import Final

from pyoxigraph import Literal, NamedNode

from aitia import terms
from aitia.methods.facts import Fact, local_name
from aitia.store import Reader, Term
from aitia.vocab import AITIA, RDF

FROM: Final = frozenset(
    [
        "validfrom",
        "startdate",
        "startedattime",
        "starttime",
        "start",
        "from",
        "since",
        "begin",
        "begins",
        "beginning",
        "hasbeginning",
        "p580",
        "joined",
        "effectivefrom",
    ]
)
UNTIL: Final = frozenset(
    [
        "validuntil",
        "validthrough",
        "validto",
        "enddate",
        "endedattime",
        "endtime",
        "end",
        "until",
        "till",
        "to",
        "hasend",
        "p582",
        "left",
        "effectiveuntil",
        "effectiveto",
    ]
)
AT: Final = frozenset(
    ["year", "date", "during", "pointintime", "p585", "inxsddate", "season"]
)
INTERVALS: Final = frozenset(
    [
        "memberduring",
        "hastime",
        "during",
        "interval",
        "temporal",
        "period",
        "hasbeginning",
        "hasend",
        "timeinterval",
        "validtime",
    ]
)
INSTANTS: Final = frozenset(
    ["inxsddate", "inxsddatetime", "inxsdgyear", "inxsddatetimestamp"]
)
_MOST: Final = 64
"""Quads of one node that are looked at."""
_REIFIED: Final = 2000
"""Reifications of one subject that are looked at."""
_TEXT: Final = re.compile(
    r"(?P<y>\d{4})(?:-(?P<m>\d\d)(?:-(?P<d>\d\d)(?P<time>T[\d:.]+)?)?)?"
    r"(?P<zone>Z|[+-]\d\d:\d\d)?"
)


@dataclass(frozen=True)
class Validity:
    """When something holds in the world, from `start` up to and without `end`.

    Attributes:
        start: From when; None for ever before.
        end: Until when; None for ever after.
    """

    start: datetime | None = None
    end: datetime | None = None

    def overlaps(self, other: Validity) -> bool:
        """Tell whether some moment lies in both."""
        return _before(self.start, other.end) and _before(other.start, self.end)

    def within(self, other: Validity) -> Validity:
        """Return the time that lies in both."""
        starts = [x for x in (self.start, other.start) if x is not None]
        ends = [x for x in (self.end, other.end) if x is not None]
        return Validity(max(starts, default=None), min(ends, default=None))


ALWAYS: Final = Validity()


def _before(start: datetime | None, end: datetime | None) -> bool:
    return start is None or end is None or start < end


def of_fact(reader: Reader, fact: Fact) -> Validity:
    """Return when a statement holds."""
    found = of_node(reader, fact.graph)
    for node in _reified(reader, fact):
        found = found.within(of_node(reader, node))
    return found


def of_node(reader: Reader, node: NamedNode, *, depth: int = 2) -> Validity:
    """Return the time that is told of a node: of a statement, an event, an interval."""
    found = ALWAYS
    for predicate, value in _said(reader, node):
        name = local_name(predicate).lower()
        if name in FROM:
            starts = list(_times(reader, value, depth))
            found = found.within(Validity(start=min(starts)[0] if starts else None))
        elif name in UNTIL:
            ends = list(_times(reader, value, depth))
            found = found.within(Validity(end=max(ends)[0] if ends else None))
        elif name in AT and (spans := list(_times(reader, value, depth))):
            found = found.within(Validity(min(spans)[0], max(x[1] for x in spans)))
        elif name in INTERVALS and isinstance(value, NamedNode) and depth:
            found = found.within(of_node(reader, value, depth=depth - 1))
    return _not_empty(found)


def span(value: Term) -> tuple[datetime, datetime] | None:
    """Return the time that a date stands for: a day, a month, a year, a moment."""
    if not isinstance(value, Literal):
        return None
    match = _TEXT.fullmatch(value.value.strip())
    if match is None or not 1000 <= int(match["y"]) <= 2999:
        return None
    try:
        return _span(match)
    except ValueError:
        return None


def _span(match: re.Match[str]) -> tuple[datetime, datetime]:
    year, month, day = int(match["y"]), int(match["m"] or 1), int(match["d"] or 1)
    if match["time"]:
        moment = datetime.fromisoformat(match.group())
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return moment, moment + timedelta(milliseconds=1)
    start = datetime(year, month, day, tzinfo=UTC)
    if match["d"]:
        return start, start + timedelta(days=1)
    if match["m"]:
        following = date(year + month // 12, month % 12 + 1, 1)
    else:
        following = date(year + 1, 1, 1)
    return start, datetime(following.year, following.month, 1, tzinfo=UTC)


def _times(
    reader: Reader, value: Term, depth: int
) -> Iterator[tuple[datetime, datetime]]:
    """Yield the times that a value or an instant node stands for."""
    if (found := span(value)) is not None:
        yield found
    elif isinstance(value, NamedNode) and depth:
        for predicate, told in _said(reader, value):
            if local_name(predicate).lower() in INSTANTS | AT:
                yield from _times(reader, told, depth - 1)


def _not_empty(found: Validity) -> Validity:
    """Return a time that ends before it starts as one without end."""
    if found.start and found.end and found.end <= found.start:
        return Validity(found.start, found.start + timedelta(days=1))
    return found


def _said(reader: Reader, node: NamedNode) -> Iterable[tuple[NamedNode, Term]]:
    for quad in islice(reader.quads(node), _MOST):
        if isinstance(quad.object, (NamedNode, Literal)):
            yield quad.predicate, quad.object


def _reified(reader: Reader, fact: Fact) -> Iterator[NamedNode]:
    """Yield what tells of a statement: its versions in use, reifications of people's."""
    catalog = terms.GRAPH_CATALOG
    for quad in reader.quads(None, RDF.subject, fact.subject, catalog):
        node = quad.subject
        if isinstance(node, NamedNode) and any(
            reader.quads(node, AITIA.inGraph, fact.graph, catalog)
        ):
            deprecated = any(reader.quads(node, AITIA.rank, AITIA.deprecated, catalog))
            if not deprecated and _is_of(reader, node, fact):
                yield node
    found = reader.quads(None, RDF.subject, fact.subject)
    for quad in islice(found, _REIFIED):
        node = quad.subject
        theirs = terms.is_current(quad.graph_name)
        if theirs and isinstance(node, NamedNode) and _is_of(reader, node, fact):
            yield node


def _is_of(reader: Reader, node: NamedNode, fact: Fact) -> bool:
    """Tell whether a reification has the property and the value of a statement."""
    return any(reader.quads(node, RDF.predicate, fact.predicate)) and any(
        reader.quads(node, RDF.object, fact.object)
    )
