"""From the scalars of JSON and CSV to literals that keep their datatype.

- JSON true and false: xsd:boolean. Numbers: xsd:integer, or xsd:decimal with every
  digit that was written, or xsd:double where they have an exponent.
- A text that is a whole ISO 8601 date, or a date and time with a zone: xsd:date or
  xsd:dateTime. A time without a zone stays text, because it cannot be compared.
- CSV knows only text, so a column is typed as a whole: it is integer, decimal or
  boolean where every cell that is not empty is. Numbers with leading zeros, such as
  postal codes, stay text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal

from pyoxigraph import Literal

from aitia import terms
from aitia.vocab import XSD

Scalar = str | int | Decimal | float | bool
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)")
_INTEGER = re.compile(r"-?(?:0|[1-9]\d{0,17})")
_DECIMAL = re.compile(r"-?(?:0|[1-9]\d{0,17})\.\d{1,18}")


def literal(value: Scalar) -> Literal:
    """Return the literal of a scalar."""
    if isinstance(value, bool):
        return terms.boolean(value)
    if isinstance(value, int):
        return terms.integer(value)
    if isinstance(value, Decimal):
        return Literal(format(value, "f"), datatype=XSD.decimal)
    if isinstance(value, float):
        return terms.double(value)
    return _text(value)


def text(value: Scalar) -> str:
    """Return a scalar as it is written, the form by which keys are compared."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return format(value, "f") if isinstance(value, Decimal) else str(value)


def column(cells: Iterable[str]) -> type[str] | type[int] | type[Decimal] | type[bool]:
    """Return the type of a CSV column, given its cells; empty ones do not count."""
    kinds: set[type[str] | type[int] | type[Decimal] | type[bool]] = set()
    for cell in cells:
        if cell:
            kinds.add(_kind(cell))
        if str in kinds:
            return str
    if kinds == {int, Decimal}:
        return Decimal
    return kinds.pop() if len(kinds) == 1 else str


def typed(cell: str, kind: type) -> Scalar:
    """Return a CSV cell as a value of its column's type."""
    if kind is bool:
        return cell.lower() == "true"
    if kind is int:
        return int(cell)
    return Decimal(cell) if kind is Decimal else cell


def _kind(cell: str) -> type[str] | type[int] | type[Decimal] | type[bool]:
    if _INTEGER.fullmatch(cell):
        return int
    if _DECIMAL.fullmatch(cell):
        return Decimal
    return bool if cell.lower() in ("true", "false") else str


def _text(value: str) -> Literal:
    if _DATE.fullmatch(value) and _exists(date, value):
        return Literal(value, datatype=XSD.date)
    if _TIME.fullmatch(value) and _exists(datetime, value):
        return Literal(value, datatype=XSD.dateTime)
    return terms.string(value)


def _exists(kind: type[date], value: str) -> bool:
    try:
        kind.fromisoformat(value)
    except ValueError:
        return False
    return True
