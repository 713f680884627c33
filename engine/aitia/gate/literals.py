"""Is a literal's text one that its datatype allows?"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import UTC, datetime
from typing import Final

from pyoxigraph import Literal

from aitia.gate.index import Term
from aitia.vocab import XSD

_YEAR = r"-?(?:[1-9]\d{3,}|0\d{3})"
_DAY = rf"(?P<y>{_YEAR})-(?P<m>0[1-9]|1[0-2])-(?P<d>0[1-9]|[12]\d|3[01])"
_CLOCK = r"(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?|24:00:00(?:\.0+)?)"
_ZONE = r"(?:Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00))?"
_FLOAT = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|[+-]?INF|NaN"
_DURATION = (
    r"-?P(?=\d|T\d)(?:\d+Y)?(?:\d+M)?(?:\d+D)?"
    r"(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?"
)

_FORMS: Final = {
    XSD.NS + name: re.compile(pattern)
    for names, pattern in {
        "boolean": r"true|false|1|0",
        "integer": r"[+-]?\d+",
        "decimal": r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)",
        "double float": _FLOAT,
        "dateTime": rf"{_DAY}T{_CLOCK}{_ZONE}",
        "dateTimeStamp": rf"{_DAY}T{_CLOCK}{_ZONE[:-1]}",
        "date": _DAY + _ZONE,
        "time": _CLOCK + _ZONE,
        "gYear": _YEAR + _ZONE,
        "gYearMonth": rf"{_YEAR}-(?:0[1-9]|1[0-2]){_ZONE}",
        "gMonth": rf"--(?:0[1-9]|1[0-2]){_ZONE}",
        "gDay": rf"---(?:0[1-9]|[12]\d|3[01]){_ZONE}",
        "gMonthDay": rf"--(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]){_ZONE}",
        "duration": _DURATION,
        "dayTimeDuration": (
            r"-?P(?=\d|T\d)(?:\d+D)?"
            r"(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?"
        ),
        "yearMonthDuration": r"-?P(?=\d)(?:\d+Y)?(?:\d+M)?",
        "hexBinary": r"(?:[0-9a-fA-F]{2})*",
        "base64Binary": r"[A-Za-z0-9+/\s]*(?:=\s?){0,2}",
        "language": r"[a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*",
        "anyURI": r"\S*",
    }.items()
    for name in names.split()
}
_RANGES: Final = {
    XSD.NS + name: bounds
    for name, bounds in {
        "long": (-(2**63), 2**63 - 1),
        "int": (-(2**31), 2**31 - 1),
        "short": (-(2**15), 2**15 - 1),
        "byte": (-(2**7), 2**7 - 1),
        "nonNegativeInteger": (0, None),
        "positiveInteger": (1, None),
        "nonPositiveInteger": (None, 0),
        "negativeInteger": (None, -1),
        "unsignedLong": (0, 2**64 - 1),
        "unsignedInt": (0, 2**32 - 1),
        "unsignedShort": (0, 2**16 - 1),
        "unsignedByte": (0, 2**8 - 1),
    }.items()
}
_INTEGER: Final = _FORMS[XSD.NS + "integer"]


def is_ill_typed(literal: Literal) -> bool:
    """Tell whether a literal's text is not in the lexical space of its datatype.

    Datatypes that are not XML Schema's are taken to allow every text.
    """
    kind, text = literal.datatype.value, literal.value
    if not kind.startswith(XSD.NS) or kind == XSD.NS + "string":
        return False
    text = text.strip(" \t\r\n")  # these datatypes collapse white space
    if kind in _RANGES:
        return not _in_range(text, *_RANGES[kind])
    form = _FORMS.get(kind)
    if form is None:
        return False
    match = form.fullmatch(text)
    if match is None:
        return True
    parts = match.groupdict()
    return "d" in parts and int(parts["d"]) > _days(parts["y"], parts["m"])


def _in_range(text: str, low: int | None, high: int | None) -> bool:
    if not _INTEGER.fullmatch(text):
        return False
    if len(text) > 40:  # beyond every bound, and too long for int() in the end
        return low is None if text.startswith("-") else high is None
    number = int(text)
    return (low is None or number >= low) and (high is None or number <= high)


def _days(year: str, month: str) -> int:
    # The calendar repeats every 400 years, which keeps years beyond 9999 in range.
    return monthrange(2000 + int(year) % 400, int(month))[1]


def moment(term: Term) -> datetime | None:
    """Return the time an xsd:dateTime with a zone stands for; None for all else."""
    if not isinstance(term, Literal) or term.datatype != XSD.dateTime:
        return None
    try:
        found = datetime.fromisoformat(term.value)
    except ValueError:
        return None
    return found.astimezone(UTC) if found.tzinfo else None
