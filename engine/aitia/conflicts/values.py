"""Whether two values of a property are two, or one told in two ways."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Final

from pyoxigraph import Literal, NamedNode

from aitia.conflicts import worldtime
from aitia.store import Reader, Term
from aitia.vocab import OWL, XSD

NUMBERS: Final = frozenset({XSD.integer, XSD.decimal, XSD.double})
_DATES: Final = ("date", "dateTime", "gYear", "gYearMonth")


def differ(reader: Reader, one: Term, other: Term) -> bool:
    """Tell whether two values are two different things.

    Numbers are compared by what they are (5 and 5.0 are one), dates by what both tell
    (1999 and 1999-05-03 can be one), texts of different languages can say the same, and
    resources that are said to be the same are one.
    """
    if one == other:
        return False
    if isinstance(one, Literal) and isinstance(other, Literal):
        return _literals(one, other)
    if isinstance(one, NamedNode) and isinstance(other, NamedNode):
        return not same(reader, one, other)
    return True


def same(reader: Reader, one: NamedNode, other: NamedNode) -> bool:
    """Tell whether two resources are said to be the same."""
    return any(reader.quads(one, OWL.sameAs, other)) or any(
        reader.quads(other, OWL.sameAs, one)
    )


def different(reader: Reader, one: Term, other: Term) -> bool:
    """Tell whether two values are certainly different, by what is on record."""
    if isinstance(one, Literal) or isinstance(other, Literal):
        return differ(reader, one, other)
    return any(reader.quads(one, OWL.differentFrom, other)) or any(
        reader.quads(other, OWL.differentFrom, one)
    )


def is_date(value: Term) -> bool:
    """Tell whether a value is a date by its datatype."""
    return isinstance(value, Literal) and value.datatype.value in {
        XSD.NS + name for name in _DATES
    }


def _literals(one: Literal, other: Literal) -> bool:
    if (one.language or "") != (other.language or ""):
        return False
    if one.datatype in NUMBERS and other.datatype in NUMBERS:
        return _number(one) != _number(other)
    if is_date(one) or is_date(other):
        mine, theirs = worldtime.span(one), worldtime.span(other)
        if mine is not None and theirs is not None:
            return mine[0] >= theirs[1] or theirs[0] >= mine[1]
    return one.value.strip() != other.value.strip()


def _number(value: Literal) -> Decimal | str:
    try:
        return Decimal(value.value)
    except InvalidOperation:
        return value.value
