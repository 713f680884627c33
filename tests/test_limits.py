"""Limits to values: numbers, and times that are told in part."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, strategies as st
from pyoxigraph import Literal

from aitia.methods.limits import read_bound
from aitia.vocab import XSD


def on(when: date) -> Literal:
    return Literal(when.isoformat(), datatype=XSD.date)


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)), st.integers(1900, 2099))
def test_a_year_parts_all_days_in_before_within_and_after(day: date, year: int) -> None:
    held = {
        word: bound.holds(on(day))
        for word in ("before", "in", "after", "since", "until")
        if (bound := read_bound(f"What was placed {word} {year}?")[0])
    }
    assert [held["before"], held["in"], held["after"]].count(True) == 1
    assert held["before"] == (day.year < year)
    assert held["since"] == (held["in"] or held["after"])
    assert held["until"] == (held["in"] or held["before"])


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)))
def test_a_month_holds_in_every_year_and_in_its_own(day: date) -> None:
    month, year = day.strftime("%B"), day.year
    for words, holds in (
        (f"in {month}", True),
        (f"in {month} {year}", True),
        (f"in {month} {year % 200 + 1700}", False),
        (f"on {day.day} {month} {year}", True),
        (f"since {day.isoformat()}", True),
        (f"after {day.isoformat()}", False),
        (f"until {day.day} {month} {year}", True),
    ):
        bound, place = read_bound(f"What was placed {words}?")
        assert bound is not None
        assert bound.holds(on(day)) is holds, words
        assert place == (16, 16 + len(words))


@pytest.mark.parametrize(
    ("text", "value", "holds"),
    [
        ("over 20", Literal("21", datatype=XSD.integer), True),
        ("at least 20", Literal("20", datatype=XSD.decimal), True),
        ("over 2,000", Literal("2000", datatype=XSD.integer), False),
        ("after 2025", Literal("2026-01-01", datatype=XSD.date), True),
        ("in 1931", Literal("1931", datatype=XSD.integer), True),
        ("before May", Literal("2025-04-30", datatype=XSD.date), None),
        ("after 20", Literal("2025-04-30", datatype=XSD.date), None),
        ("in March", Literal("3", datatype=XSD.integer), None),
        ("over 20", Literal("pending"), None),
    ],
)
def test_what_does_not_compare_is_not_compared(
    text: str, value: Literal, holds: bool | None
) -> None:
    bound, _ = read_bound(f"Which are {text}?")
    assert bound is not None
    assert bound.holds(value) is holds


@pytest.mark.parametrize(
    "text", ["May I cancel it?", "Sold in 1500 kg bags", "in time"]
)
def test_what_tells_no_time_sets_no_limit(text: str) -> None:
    assert read_bound(text) == (None, (0, 0))
