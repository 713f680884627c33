"""Reckoning with numbers, dates and durations: exact, bounded, and nothing else."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from aitia import Workspace
from aitia.errors import UsageError
from aitia.llm.models import Models
from aitia.methods import arguments
from aitia.methods.arguments import NodeRef
from aitia.methods.arithmetic import CannotReckon, number, reckon, told
from aitia.methods.base import Reads, offered
from aitia.methods.computation import Computed, ToCompute, computation
from aitia.settings import load
from tests.llm_server import ModelServer, dead_url


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("(12.5 + 3) * 4", "62"),
        ("0.1 + 0.2", "0.3"),
        ("2 ** 10 - 7 // 2", "1021"),
        ("5 % 3", "2"),
        ("-(2 - 5)", "3"),
        ("10 / 3", "3.333333333333333333333333333"),
        ("round(10 / 3, 2)", "3.33"),
        ("round(2.5)", "3"),
        ("floor(2.7) + ceil(2.1)", "5"),
        ("sum([1, 2, 3]) + max(4, 5)", "11"),
        ("mean(1, 2)", "1.5"),
        ("count(3, 4, 5)", "3"),
        ("sqrt(144)", "12"),
        ("1 < 2 <= 2", "true"),
        ("7 > 5 and not 3 == 4", "true"),
        ('date("2026-03-01") + days(30)', "2026-03-31"),
        ('days_between(date("2026-01-31"), date("2026-03-01"))', "29"),
        ('months_after(date("2026-01-31"), 1)', "2026-02-28"),
        ('months_after(date("2026-11-30"), -9)', "2026-02-28"),
        ('weekday(date("2026-03-01"))', "Sunday"),
        ('year(date("2026-03-01"))', "2026"),
        ('date("2026-03-01") < date("2026-03-02")', "true"),
        (
            'datetime("2026-03-01T10:30:00") - datetime("2026-02-28T08:00:00")',
            "1 day 2 hours 30 minutes",
        ),
        ("weeks(2) + hours(12)", "14 days 12 hours"),
        ("days(10) / days(4)", "2.5"),
        ("days(1) * 1.5", "1 day 12 hours"),
        ("3 * 4 =", "12"),
    ],
)
def test_what_can_be_reckoned(expression: str, value: str) -> None:
    assert told(reckon(expression)) == value


@pytest.mark.parametrize(
    "expression",
    [
        "__import__('os').system('true')",
        "().__class__",
        "open('/etc/passwd')",
        "lambda: 1",
        "[x for x in (1, 2)]",
        "(y := 3)",
        "x + 1",
        "'a' * 10 ** 9",
        "[1] * 10 ** 9",
        "9 ** 9 ** 9",
        "10 ** 200",
        "2 ** 201",
        "(10 ** 39) ** 2",
        "1e400",
        "1e-300 * 1e-300",
        "1 / 0",
        "0 ** -1",
        "sqrt(-1)",
        "round(1, 9999999)",
        "days(1e12)",
        "days(3000000) + days(3000000)",
        'date("9999-12-31") + days(1)',
        'months_after(date("9999-12-31"), 1)',
        'date("2026-02-30")',
        'date("2026-03-01") + 5',
        "max()",
        "abs('x')",
        "[1, 2]",
        "1j",
        "b'x'",
        "f'{1}'",
        "abs(x=1)",
        "date.today()",
        "",
        "(" * 240 + "1" + ")" * 240,
        "1" + "+1" * 249,
        "1" * 501,
    ],
)
def test_what_cannot_is_refused_with_a_reason(expression: str) -> None:
    with pytest.raises(CannotReckon) as caught:
        reckon(expression)
    assert str(caught.value).endswith((".", "max."))
    assert "Traceback" not in str(caught.value)


NUMBERS = st.integers(-(10**12), 10**12)


@given(NUMBERS, NUMBERS, st.sampled_from(["+", "-", "*"]))
def test_whole_numbers_are_exact(one: int, other: int, sign: str) -> None:
    exact = {"+": one + other, "-": one - other, "*": one * other}[sign]
    assert reckon(f"({one}) {sign} ({other})") == exact


@given(NUMBERS, st.integers(1, 10**6))
def test_quotients_are_right_to_the_last_digit_shown(one: int, other: int) -> None:
    shown = told(reckon(f"({one}) / {other}"))
    error = abs(Fraction(shown) - Fraction(one, other))
    assert error <= abs(Fraction(one, other)) / 10**27


@given(st.dates(date(1000, 1, 1), date(3000, 1, 1)), st.integers(-9999, 9999))
def test_days_are_counted_as_the_calendar_does(day: date, count: int) -> None:
    later = f'date("{day}") + days({count})'
    assert reckon(later) == day + timedelta(days=count)
    assert reckon(f'days_between(date("{day}"), {later})') == count


@given(
    st.text(max_size=80)
    | st.text("()[]+-*/%. 0123456789eE,\"'abdfilnorsty", max_size=80)
)
def test_any_text_is_reckoned_or_refused(text: str) -> None:
    try:
        assert isinstance(told(reckon(text)), str)
    except CannotReckon:
        return


@given(st.decimals(-1000, 1000, places=6))
def test_numbers_are_told_without_exponent_or_trailing_zeros(value: Decimal) -> None:
    shown = number(value)
    assert Decimal(shown) == value
    assert "E" not in shown
    assert "." not in shown or not shown.endswith("0")


# As a method


def test_it_says_which_numbers_are_from_nowhere(tmp_path: Path) -> None:
    with Workspace.open(tmp_path) as workspace:
        what = Reads(
            workspace.store, workspace.blobs, workspace.indexes, workspace.settings
        )
        _reckons(what)


def _reckons(what: Reads) -> None:
    nodes: dict[str, NodeRef] = {}
    order = NodeRef("S1", "urn:aitia:S1", "Order 7 has 3 chairs at 12.50 euro each.")
    done = computation(what, ToCompute("3 * 12.5 + 4", (order,)))
    assert (done.value, done.unfounded) == ("41.5", ("4",))
    assert done.summary == "3 * 12.5 + 4 = 41.5"
    failed = computation(what, ToCompute("3 * price"))
    assert failed.failure == "'price' is not offered here."
    assert not failed.value
    asked = computation(what, ToCompute(question="6 * 7"))
    assert asked.value == "42"
    given = arguments.arguments(
        offered()["computation"], {"expression": "1+1"}, nodes.__getitem__
    )
    assert computation(what, given).value == "2"
    with pytest.raises(UsageError):
        arguments.arguments(offered()["computation"], {"code": "1"}, nodes.__getitem__)


ORDER = NodeRef("S1", "urn:aitia:S1", "Order 7 has 3 chairs at 12.50 euro each.")
ASKED = ToCompute(question="What does order 7 come to?", uses=(ORDER,))


def _modelled(folder: Path, url: str) -> Computed:
    """Have what order 7 comes to reckoned with a model at an address."""
    with Workspace.open(folder) as workspace:
        settings, _ = load(None, {"model.url": url, "model.name": "m"})
        models = Models.of(settings, workspace.blobs, None)
        assert models is not None
        try:
            return computation(
                Reads(
                    workspace.store,
                    workspace.blobs,
                    workspace.indexes,
                    workspace.settings,
                    models=models,
                ),
                ASKED,
            )
        finally:
            models.close()


def test_a_model_writes_the_expression_and_does_not_reckon(tmp_path: Path) -> None:
    with ModelServer({"expression": "3 * 12.50"}) as server:
        done = _modelled(tmp_path, server.url)
    assert (done.value, done.expression, done.unfounded) == ("37.5", "3 * 12.50", ())
    told, asked = server.requests[-1]["messages"]
    assert "do not reckon yourself" in told["content"]
    assert "days_between" in told["content"]
    assert ASKED.question in asked["content"]
    assert f"<data>\n{ORDER.text}\n</data>" in asked["content"]


@pytest.mark.parametrize(
    ("expression", "failure", "unfounded"),
    [
        ("3 * 12.50 * 1.19", "", ("1.19",)),
        ("__import__('os').getpid()", "is not", ()),
        ("price * 3", "'price' is not offered here.", ()),
    ],
)
def test_what_a_model_writes_is_held_to_the_texts(
    tmp_path: Path, expression: str, failure: str, unfounded: tuple[str, ...]
) -> None:
    with ModelServer({"expression": expression}) as server:
        done = _modelled(tmp_path, server.url)
    assert failure in done.failure
    assert bool(done.value) is not bool(failure)
    assert done.unfounded == unfounded


def test_without_an_expression_nothing_is_reckoned(tmp_path: Path) -> None:
    done = _modelled(tmp_path, dead_url())
    assert done.failure
    assert not done.value
    assert any("Rules did in place of the model" in told for told in done.notices)
