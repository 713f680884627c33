"""What models cost. A price that nobody told is unknown, never nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from aitia.errors import SettingsError

MILLION: Final = Decimal(1_000_000)


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


def price(prices: Mapping[str, Any], model: str) -> Price | None:
    """Return the price of a model, or None where the settings name none.

    Args:
        prices: Model name → {"input", "output"}, as in the settings.
        model: The model's name in the settings.

    Raises:
        SettingsError: What is said of its price has no meaning.
    """
    if model not in prices:
        return None
    told = prices[model]
    if not isinstance(told, Mapping) or set(told) != {"input", "output"}:
        raise _nonsense(model, told)
    return Price(_amount(model, told["input"]), _amount(model, told["output"]))


def _amount(model: str, value: Any) -> Decimal:
    try:
        found = Decimal(str(value))
    except InvalidOperation as error:
        raise _nonsense(model, value) from error
    if isinstance(value, bool) or not found.is_finite() or found < 0:
        raise _nonsense(model, value)
    return found


def _nonsense(model: str, value: Any) -> SettingsError:
    return SettingsError(
        f"The setting model.prices must tell of {model!r} two amounts, not {value!r}.",
        hint='It is written: prices."the-model" = { input = 0.15, output = 0.60 }',
    )
