"""One measured figure, and how it stands to what was asked of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Figure:
    """One line of RESULTS.md.

    Attributes:
        what: What was measured, in words.
        value: The figure: a ratio within one run, a share, or milliseconds.
        unit: `x` for a ratio, `ms`, `s`, or "" for a share.
        limit: What was asked for, or None for a figure that only orients.
        better: Whether the figure must stay `below` the limit or reach it (`above`).
        note: What it was measured against, with the absolute figures.
    """

    what: str
    value: float
    unit: str = "x"
    limit: float | None = None
    better: Literal["below", "above"] = "below"
    note: str = ""

    @property
    def met(self) -> str:
        """`met`, `NOT met`, or "" where nothing was asked."""
        if self.limit is None:
            return ""
        good = (
            self.value <= self.limit
            if self.better == "below"
            else self.value >= self.limit
        )
        return "met" if good else "NOT met"

    @property
    def asked(self) -> str:
        """What was asked, in words."""
        if self.limit is None:
            return ""
        sign = "at most" if self.better == "below" else "at least"
        return f"{sign} {self.limit:g} {self.unit}".strip()
