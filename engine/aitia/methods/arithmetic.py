"""Expressions over numbers, dates and durations, reckoned without ever running code.

An expression is parsed by Python's own grammar and walked node by node; what is not
listed here is refused. Numbers are decimals, so 0.1 + 0.2 is 0.3. Length, nesting,
magnitude, powers, dates and durations are bounded, so that no expression takes long.

    (12.5 + 3) * 4        max(3, 4, 5)        round(10 / 3, 2)        7 > 5
    date("2026-03-01") + days(30)             days_between(date("2026-01-31"), date("2026-03-01"))
    months_after(date("2026-01-31"), 1)       weekday(date("2026-03-01"))
"""

from __future__ import annotations

import ast
import calendar
import operator
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from decimal import (
    ROUND_CEILING,
    ROUND_FLOOR,
    ROUND_HALF_UP,
    Context,
    Decimal,
    DecimalException,
    DivisionByZero,
    InvalidOperation,
    Overflow,
    localcontext,
)
from typing import Any, Final

from aitia.errors import UsageError

LONGEST: Final = 500  # characters of an expression
MOST_NODES: Final = 200
DEEPEST: Final = 40
LARGEST: Final = Decimal(10) ** 40
"""Numbers of greater magnitude are refused; below it whole numbers are exact."""
LEAST: Final = 1 / LARGEST
LARGEST_POWER: Final = 200
LONGEST_SPAN: Final = timedelta(days=4_000_000)
MOST_PLACES: Final = 30  # decimal places that can be asked for
_PRECISION: Final = 50
_SHOWN: Final = 28  # significant digits of a result that does not end

Result = Decimal | date | datetime | timedelta | bool | str


class CannotReckon(UsageError):
    """An expression that has no result here; the message says what is wrong with it."""


def reckon(expression: str) -> Result:
    """Return what an expression comes to.

    Raises:
        CannotReckon: It is no expression, uses what is not offered, or goes over a bound.
    """
    tree = _parsed(expression)
    traps = [InvalidOperation, Overflow, DivisionByZero]
    with localcontext(Context(prec=_PRECISION, Emax=999, Emin=-999, traps=traps)):
        try:
            found = _walk(tree, 0)
        except CannotReckon:
            raise
        except ZeroDivisionError as error:
            raise CannotReckon("It divides by zero.") from error
        except (DecimalException, OverflowError) as error:
            raise CannotReckon("It goes beyond what can be reckoned here.") from error
        except ValueError as error:
            raise CannotReckon(f"It does not fit together: {error}.") from error
        except (TypeError, AttributeError) as error:
            raise CannotReckon("Its parts do not fit together.") from error
    if isinstance(found, list):
        raise CannotReckon("A list is no result; name what is wanted of it: sum, max.")
    result: Result = found
    return result


def told(result: Result) -> str:
    """Return a result as text: a plain number, an ISO date, a duration in words."""
    if isinstance(result, bool):
        return "true" if result else "false"
    if isinstance(result, Decimal):
        return number(result)
    if isinstance(result, timedelta):
        return _span(result)
    return result if isinstance(result, str) else result.isoformat()


def number(value: Decimal) -> str:
    """Return a number without exponent and without trailing zeros."""
    plain = f"{Context(prec=_SHOWN).plus(value):f}"
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def literals(expression: str) -> list[Decimal]:
    """Return the numbers that an expression is written with, in order.

    Raises:
        CannotReckon: It is no expression.
    """
    return [
        Decimal(repr(node.value))
        for node in ast.walk(_parsed(expression))
        if isinstance(node, ast.Constant) and type(node.value) in (int, float)
    ]


def _parsed(expression: str) -> ast.expr:
    text = expression.strip().removesuffix("=").strip()
    if not text or len(text) > LONGEST:
        raise CannotReckon(f"An expression has 1 to {LONGEST} characters.")
    try:
        tree = ast.parse(text, mode="eval").body
        count = sum(1 for _ in ast.walk(tree))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise CannotReckon(f"{text!r} is no expression.") from error
    if count > MOST_NODES:
        raise CannotReckon("The expression has too many parts.")
    return tree


def _walk(node: ast.expr, depth: int) -> Any:
    if depth > DEEPEST:
        raise CannotReckon("The expression is nested too deep.")
    walker = _WALKERS.get(type(node))
    if walker is None:
        raise CannotReckon(f"{ast.unparse(node)[:80]!r} is not offered here.")
    return _bounded(walker(node, depth + 1))


def _bounded(value: Any) -> Any:
    if isinstance(value, Decimal) and not (value == 0 or LEAST < abs(value) < LARGEST):
        raise CannotReckon("A number goes beyond what can be reckoned here.")
    if isinstance(value, timedelta) and abs(value) > LONGEST_SPAN:
        raise CannotReckon("A duration goes beyond what can be reckoned here.")
    return value


def _constant(node: ast.Constant, depth: int) -> Any:
    value = node.value
    if type(value) is int and value.bit_length() < 200:
        return Decimal(value)
    if type(value) is float:
        return Decimal(repr(value))
    if type(value) in (str, bool):
        return value
    raise CannotReckon(f"{str(value)[:40]!r} is no number, date or text.")


def _unary(node: ast.UnaryOp, depth: int) -> Any:
    value = _walk(node.operand, depth)
    if isinstance(node.op, ast.Not):
        return not value
    sign = _SIGNS.get(type(node.op))
    if sign is None or isinstance(value, bool):
        raise CannotReckon(f"{ast.unparse(node)[:80]!r} is not offered here.")
    return sign(value)


def _binary(node: ast.BinOp, depth: int) -> Any:
    action = _ACTIONS.get(type(node.op))
    if action is None:
        raise CannotReckon(f"{ast.unparse(node)[:80]!r} is not offered here.")
    left, right = _walk(node.left, depth), _walk(node.right, depth)
    if isinstance(left, str | bool | list) or isinstance(right, str | bool | list):
        raise CannotReckon("Texts, lists and truth values are not added or multiplied.")
    return action(_scale(left, right), _scale(right, left))


def _scale(value: Any, other: Any) -> Any:
    """Return a number as a float where it stretches a duration, else itself."""
    stretches = isinstance(value, Decimal) and isinstance(other, timedelta)
    return float(value) if stretches else value


def _power(base: Any, exponent: Any) -> Decimal:
    if not isinstance(base, Decimal) or not isinstance(exponent, Decimal):
        raise CannotReckon("Only numbers have powers.")
    if abs(exponent) > LARGEST_POWER:
        raise CannotReckon(f"A power is at most {LARGEST_POWER}.")
    return base**exponent


def _divided(left: Any, right: Any) -> Any:
    found = left / right
    return Decimal(repr(found)) if isinstance(found, float) else found


def _compared(node: ast.Compare, depth: int) -> bool:
    left = _walk(node.left, depth)
    for sign, item in zip(node.ops, node.comparators, strict=True):
        right = _walk(item, depth)
        action = _COMPARISONS.get(type(sign))
        if action is None:
            raise CannotReckon(f"{ast.unparse(node)[:80]!r} is not offered here.")
        if not action(left, right):
            return False
        left = right
    return True


def _together(node: ast.BoolOp, depth: int) -> bool:
    values = [bool(_walk(item, depth)) for item in node.values]
    return all(values) if isinstance(node.op, ast.And) else any(values)


def _called(node: ast.Call, depth: int) -> Any:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    function = FUNCTIONS.get(name)
    if function is None or node.keywords:
        raise CannotReckon(f"{ast.unparse(node.func)[:80]!r} is not offered here.")
    return function(*(_walk(item, depth) for item in node.args))


def _list(node: ast.List | ast.Tuple, depth: int) -> list[Any]:
    return [_walk(item, depth) for item in node.elts]


def _flat(values: Sequence[Any]) -> list[Any]:
    """Return the values of `sum(1, 2)` and `sum([1, 2])` alike."""
    found = values[0] if len(values) == 1 and isinstance(values[0], list) else values
    if not found:
        raise CannotReckon("Of no values there is no sum, mean, least or greatest.")
    if any(isinstance(item, list | str | bool) for item in found):
        raise CannotReckon("Texts, lists and truth values are not reckoned with.")
    return list(found)


def _total(*values: Any) -> Any:
    first, *rest = _flat(values)
    for item in rest:
        first = _bounded(first + item)
    return first


def _mean(*values: Any) -> Any:
    found = _flat(values)
    return _divided(_total(found), Decimal(len(found)))


def _rounded(value: Decimal, places: Decimal = Decimal(0), /) -> Decimal:
    if not 0 <= places <= MOST_PLACES:
        raise CannotReckon(f"Decimal places are 0 to {MOST_PLACES}.")
    return value.quantize(Decimal(1).scaleb(-int(places)), ROUND_HALF_UP)


def _span_of(unit: str) -> Callable[[Decimal], timedelta]:
    def made(amount: Decimal, /) -> timedelta:
        return timedelta(**{unit: float(amount)})

    return made


def _months_after(start: date, months: Decimal, /) -> date:
    """Return the same day so many months later, or the month's last day before it."""
    whole = start.year * 12 + start.month - 1 + int(months)
    year, month = divmod(whole, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return start.replace(year=year, month=month + 1, day=min(start.day, last))


def _days_between(one: date, other: date, /) -> Decimal:
    return Decimal((_day(other) - _day(one)).days)


def _day(value: date) -> date:
    return value.date() if isinstance(value, datetime) else value


def _span(value: timedelta) -> str:
    """Return a duration in words: days, hours, minutes and seconds."""
    sign = "-" if value < timedelta(0) else ""
    left = abs(value)
    hours, rest = divmod(left.seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    counts = {"day": left.days, "hour": hours, "minute": minutes, "second": seconds}
    parts = [f"{n} {unit}{'' if n == 1 else 's'}" for unit, n in counts.items() if n]
    return sign + (" ".join(parts) or "0 days")


_SIGNS: Final[Mapping[type, Callable[[Any], Any]]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}
_ACTIONS: Final[Mapping[type, Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: _divided,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: _power,
}
_COMPARISONS: Final[Mapping[type, Callable[[Any, Any], bool]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "abs": abs,
    "ceil": lambda value: value.to_integral_value(ROUND_CEILING),
    "count": lambda *values: Decimal(len(_flat(values))),
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
    "day": lambda value: Decimal(value.day),
    "days": _span_of("days"),
    "days_between": _days_between,
    "floor": lambda value: value.to_integral_value(ROUND_FLOOR),
    "hours": _span_of("hours"),
    "max": lambda *values: max(_flat(values)),
    "mean": _mean,
    "min": lambda *values: min(_flat(values)),
    "minutes": _span_of("minutes"),
    "month": lambda value: Decimal(value.month),
    "months_after": _months_after,
    "round": _rounded,
    "sqrt": lambda value: value.sqrt(),
    "sum": _total,
    "weekday": lambda value: calendar.day_name[value.weekday()],
    "weeks": _span_of("weeks"),
    "year": lambda value: Decimal(value.year),
}
"""What can be called, by name."""
_WALKERS: Final[Mapping[type, Callable[..., Any]]] = {
    ast.BinOp: _binary,
    ast.BoolOp: _together,
    ast.Call: _called,
    ast.Compare: _compared,
    ast.Constant: _constant,
    ast.List: _list,
    ast.Tuple: _list,
    ast.UnaryOp: _unary,
}
