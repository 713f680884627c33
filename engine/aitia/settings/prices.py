"""What models cost. A price that nobody told is unknown, never nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from aitia.errors import SettingsError

MILLION: Final = Decimal(1_000_000)
MOST: Final = Decimal(1_000_000_000)
"""A price of more is a mistake, and could not be added up."""
PLACES: Final = 12
"""Digits after the point that a price may have: costs are added up exactly."""


@dataclass(frozen=True)
class Price:
    """What a million tokens cost.

    Attributes:
        read: Of tokens that the model reads.
        written: Of tokens that it writes.
    """

    read: Decimal
    written: Decimal

    def of(self, read: int, written: int) -> Decimal:
        """Return what so many tokens cost."""
        return (self.read * read + self.written * written) / MILLION


def checked(prices: Mapping[str, Any]) -> dict[str, Price]:
    """Return the price of each model that the settings name.

    Args:
        prices: Model name → {"input", "output"}, as in the settings.

    Raises:
        SettingsError: What is said of a price has no meaning.
    """
    return {model: _price(model, told) for model, told in prices.items()}


def price(prices: Mapping[str, Any], model: str) -> Price | None:
    """Return the price of a model, or None where the settings name none.

    Args:
        prices: Model name → {"input", "output"}, as in the settings.
        model: The model's name in the settings.

    Raises:
        SettingsError: What is said of its price has no meaning.
    """
    return _price(model, prices[model]) if model in prices else None


def _price(model: str, told: Any) -> Price:
    if not isinstance(told, Mapping) or set(told) != {"input", "output"}:
        raise _nonsense(model, told)
    return Price(_amount(model, told["input"]), _amount(model, told["output"]))


def _amount(model: str, value: Any) -> Decimal:
    try:
        found = Decimal(str(value))
    except InvalidOperation as error:
        raise _nonsense(model, value) from error
    if isinstance(value, bool) or not found.is_finite() or not 0 <= found <= MOST:
        raise _nonsense(model, value)
    # 0.10 has as many places as 0.1; 1e-999999 has too many to be counted with.
    if found and found != round(found, PLACES):
        raise _nonsense(model, value)
    return found


def _nonsense(model: str, value: Any) -> SettingsError:
    return SettingsError(
        f"The setting model.prices must tell of {model!r} two amounts from 0 to"
        f" {MOST:,} with at most {PLACES} digits after the point, not {value!r}.",
        hint='It is written: prices."the-model" = { input = 0.15, output = 0.60 }',
    )
