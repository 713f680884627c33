"""Literals as text and as numbers: what methods compare and show."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

from pyoxigraph import Literal, NamedNode, RdfFormat, parse

from aitia.vocab import RDF, XSD

_NUMBERS: Final = frozenset({XSD.integer, XSD.decimal, XSD.double})
_TIMES: Final = frozenset({XSD.date, XSD.dateTime})


def parse_literal(text: str) -> Literal:
    """Return the literal that a text in N-Triples form stands for."""
    line = f"<{RDF.value.value}> <{RDF.value.value}> {text} ."
    quad = next(iter(parse(line, format=RdfFormat.N_TRIPLES)))
    if not isinstance(quad.object, Literal):
        raise TypeError(f"{text} is no literal.")
    return quad.object


def magnitude(term: object) -> float | None:
    """Return a number that orders a literal among its like, or None.

    Numbers stand for themselves; dates and times for seconds; a string that is only
    a number for that number.
    """
    if not isinstance(term, Literal):
        return None
    if term.datatype in _TIMES:
        return _seconds(term.value)
    try:
        number = float(term.value)
    except ValueError:
        return None
    return number if term.datatype in (*_NUMBERS, XSD.string) else None


def is_number(term: object) -> bool:
    """Tell whether a term is a number literal."""
    return isinstance(term, Literal) and term.datatype in _NUMBERS


def is_time(term: object) -> bool:
    """Tell whether a term is a date or time literal."""
    return isinstance(term, Literal) and term.datatype in _TIMES


def is_resource(term: object) -> bool:
    """Tell whether a term is a resource."""
    return isinstance(term, NamedNode)


def _seconds(text: str) -> float | None:
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        return None
    if when.tzinfo is not None:
        return when.timestamp()
    return float(date.toordinal(when.date())) * 86400.0
