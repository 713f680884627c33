"""What kinds of values settings have, and how a text or a TOML value becomes one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import Field, field
from types import MappingProxyType
from typing import Any, Final

from aitia.errors import SettingsError

LONGEST: Final = 1_000_000.0
"""Seconds that may be waited for anything at most, eleven days: the system's clocks
take no time without bound."""
_TRUE: Final = frozenset({"1", "true", "yes", "on"})
_FALSE: Final = frozenset({"0", "false", "no", "off"})
_WANTED: Final[Mapping[type, str]] = {
    bool: "true or false",
    float: "a number",
    int: "a whole number",
    str: "a text",
    tuple: "a list of texts",
    MappingProxyType: "a table",
}


def choice(default: str, *others: str) -> Any:
    """Return a setting that is one of several words."""
    return field(default=default, metadata={"choices": (default, *others)})


def number(default: float, least: float, most: float = math.inf) -> Any:
    """Return a setting that is a number within bounds, both included."""
    return field(default=default, metadata={"least": least, "most": most})


def table() -> Any:
    """Return a setting that is a table of aitia.toml with names of the user's own.

    The room that uses it checks what it holds.
    """
    return field(default_factory=lambda: MappingProxyType({}))


def default_of(item: Field[Any]) -> Any:
    """Return the value of a setting that nobody sets."""
    if callable(item.default_factory):
        return item.default_factory()
    return item.default


def meant(name: str, item: Field[Any], value: Any, source: str) -> Any:
    """Return a value as what the setting is, checked.

    Raises:
        SettingsError: It has no meaning.
    """
    kind = type(default_of(item))
    try:
        made = _typed(kind, value)
    except (TypeError, ValueError) as error:
        raise _nonsense(name, source, _WANTED[kind], value) from error
    choices = item.metadata.get("choices", ())
    if choices and made not in choices:
        raise _nonsense(name, source, " or ".join(choices), value)
    least, most = item.metadata.get("least"), item.metadata.get("most", math.inf)
    if least is not None and not (least <= made <= most and math.isfinite(made)):
        bounds = f"a finite number of at least {least:,.10g}" + (
            f" and at most {most:,.10g}" if most < 1e9 else ""
        )
        raise _nonsense(name, source, bounds, value)
    return made


def _nonsense(name: str, source: str, wanted: str, value: Any) -> SettingsError:
    return SettingsError(
        f"The setting {name} ({source}) must be {wanted}, not {value!r}."
    )


def _typed(kind: type, value: Any) -> Any:
    if kind is tuple:
        return _texts(value)
    if kind is bool:
        return _boolean(value)
    if kind is MappingProxyType:
        if not isinstance(value, Mapping):
            raise TypeError
        return MappingProxyType(dict(value))
    if kind is str:
        if not isinstance(value, str):
            raise TypeError
        return value
    if isinstance(value, bool) or (kind is int and isinstance(value, float)):
        raise TypeError
    return kind(value)


def _texts(value: Any) -> tuple[str, ...]:
    """Return several texts: a list, or one a line."""
    parts = value.split("\n") if isinstance(value, str) else value
    if not isinstance(parts, list | tuple) or not all(
        isinstance(p, str) for p in parts
    ):
        raise TypeError
    return tuple(part for part in parts if part)


def _boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    text = str(value).strip().lower()
    if text not in _TRUE | _FALSE:
        raise ValueError
    return text in _TRUE
