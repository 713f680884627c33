"""What a run may use up of models, and what it has."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from decimal import Decimal

from aitia.llm.calls import BudgetSpent
from aitia.settings.model import BudgetSettings
from aitia.settings.prices import Price


@dataclass(frozen=True)
class Spent:
    """What was used up.

    Attributes:
        calls: Times that a model was asked.
        tokens: Tokens read and written; estimated where a server does not count.
        money: In the currency of the prices.
        unpriced: How many calls have no known price and are not in `money`.
        seconds: Since the start of the run.
    """

    calls: int = 0
    tokens: int = 0
    money: Decimal = Decimal(0)
    unpriced: int = 0
    seconds: float = 0.0


@dataclass
class Call:
    """One call while it is out: what it used is put here once it is known."""

    tokens: int
    cost: Decimal | None
    calls: int = 1

    def unsent(self) -> None:
        """Nothing was sent, and so nothing is used."""
        self.calls, self.tokens, self.cost = 0, 0, Decimal(0)

    def unanswered(self) -> None:
        """No reply came, and so no tokens are known to be used."""
        self.tokens, self.cost = 0, Decimal(0)


class Budget:
    """The bounds of one run. Safe to use from several threads at once."""

    def __init__(
        self, bounds: BudgetSettings, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Start the run's clock.

        Args:
            bounds: What it may use up; 0 sets no bound.
            clock: What tells the seconds.
        """
        self.bounds, self._clock = bounds, clock
        self._lock = threading.Lock()
        self._started, self._spent = clock(), Spent()

    @property
    def spent(self) -> Spent:
        """What was used up so far, calls that are out included."""
        return replace(self._spent, seconds=self._clock() - self._started)

    @property
    def left(self) -> float | None:
        """Seconds that are left, not below 0; None where there is no bound."""
        if not self.bounds.seconds:
            return None
        return max(0.0, self.bounds.seconds - self.spent.seconds)

    @contextmanager
    def call(self, tokens: int, price: Price | None) -> Iterator[Call]:
        """Reserve what a call will use at least; on leaving, count what it used.

        Args:
            tokens: What the prompt is estimated at.
            price: Of the model, or None where it is unknown.

        Raises:
            BudgetSpent: The call would go over the budget; it must not be made.
        """
        least = price.of(tokens, 0) if price else None
        out = Call(tokens, least)
        with self._lock:
            self._refuse(tokens, least or Decimal(0))
            self._count(1, tokens, least or Decimal(0), unknown=False)
        try:
            yield out
        finally:
            with self._lock:
                more = (out.cost or Decimal(0)) - (least or Decimal(0))
                changed = out.calls - 1, out.tokens - tokens, more
                self._count(*changed, unknown=out.cost is None)

    def over(self) -> BudgetSpent:
        """Return the error that the run's time is over."""
        return _spent("seconds", f"{self.bounds.seconds:g} seconds")

    def _refuse(self, tokens: int, cost: Decimal) -> None:
        bounds, spent = self.bounds, self._spent
        if bounds.calls and spent.calls >= bounds.calls:
            raise _spent("calls", f"{bounds.calls:,} calls of a model")
        if bounds.tokens and spent.tokens + tokens > bounds.tokens:
            raise _spent("tokens", f"{bounds.tokens:,} tokens", f"{spent.tokens:,}")
        limit = Decimal(str(bounds.money))
        if limit and spent.money + cost > limit:
            raise _spent("money", f"{limit} of money", f"{spent.money:f}")
        if self.left == 0.0:
            raise self.over()

    def _count(self, calls: int, tokens: int, cost: Decimal, *, unknown: bool) -> None:
        spent = self._spent
        self._spent = Spent(
            spent.calls + calls,
            spent.tokens + tokens,
            spent.money + cost,
            spent.unpriced + unknown,
        )


def _spent(name: str, bound: str, used: str = "") -> BudgetSpent:
    told = f"; {used} are used, and the next call would go over" if used else ""
    return BudgetSpent(
        f"The budget of this run is spent: {bound}{told}.",
        hint=f"The setting budget.{name} allows more.",
    )
