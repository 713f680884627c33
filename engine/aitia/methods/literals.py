"""Literals as text and as numbers: what methods compare and show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime
from typing import Final

from pyoxigraph import Literal, RdfFormat, parse

from aitia.methods.words import singular
from aitia.vocab import RDF, XSD

LONGEST_NAME: Final = 40
_NAME: Final = re.compile(r"[^\W\d_][^\d@:/]* [^\d@:/]*|[\u3400-\u9fff]{2,10}")
_NUMBERS: Final = frozenset({XSD.integer, XSD.decimal, XSD.double})
_TIMES: Final = frozenset({XSD.date, XSD.dateTime})


def parse_literal(text: str) -> Literal:
    """Return the literal that a text in N-Triples form stands for."""
    line = f"<{RDF.type.value}> <{RDF.type.value}> {text} ."
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


def is_measure(literal: Literal) -> bool:
    """Tell whether a literal is a number, date or truth value: no name of anything."""
    return not literal.language and literal.datatype != XSD.string


def is_name(literal: Literal) -> bool:
    """Tell whether a literal has the form of a name: a few words without digits."""
    if is_measure(literal) or len(literal.value) > LONGEST_NAME:
        return False
    return bool(_NAME.fullmatch(literal.value))


def forms(text: str, languages: frozenset[str]) -> Iterator[list[Literal]]:
    """Return the literals that a run of words may stand for, likeliest first.

    Each list is one spelling: as a plain string, and in each language.
    """
    single = singular(text)
    spellings = [text, single, text.replace(" ", "_"), single.replace(" ", "_")]
    for base in dict.fromkeys(spellings):
        cased = (base, base.lower(), base.upper(), base.capitalize(), base.title())
        for form in dict.fromkeys(cased):
            yield [
                Literal(form),
                *(Literal(form, language=item) for item in sorted(languages)),
            ]
    if measures := list(_measures(text)):
        yield measures


def _measures(text: str) -> Iterator[Literal]:
    """Return the number or date literals that a word may stand for."""
    if re.fullmatch(r"[-+]?\d+", text):
        yield Literal(str(int(text)), datatype=XSD.integer)
    if re.fullmatch(r"[-+]?\d+(\.\d+)?", text):
        plain = text.rstrip("0").rstrip(".") if "." in text else text
        yield Literal(plain, datatype=XSD.decimal)
        yield Literal(text, datatype=XSD.double)
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        yield Literal(text, datatype=XSD.date)


def _seconds(text: str) -> float | None:
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        return None
    if when.tzinfo is not None:
        return when.timestamp()
    return float(date.toordinal(when.date())) * 86400.0
