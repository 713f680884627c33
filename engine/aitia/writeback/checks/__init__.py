"""The automatic checks that every proposal goes through, each with its verdict."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from aitia.writeback.checks.about import base, duplicates, subjects, types
from aitia.writeback.checks.case import Case, case_of
from aitia.writeback.checks.grounds import circularity, evidence, independence, quotes
from aitia.writeback.checks.holds import conflicts, shapes
from aitia.writeback.checks.reading import characters, instructions, verifier
from aitia.writeback.draft import Checked

__all__ = ["CHECKS", "Case", "case_of", "run"]

CHECKS: Final[tuple[Callable[[Case], Checked], ...]] = (
    subjects,
    types,
    shapes,
    quotes,
    evidence,
    circularity,
    independence,
    duplicates,
    conflicts,
    base,
    characters,
    instructions,
    verifier,
)
"""In the order in which they are recorded. No setting takes one out."""


def run(case: Case) -> tuple[Checked, ...]:
    """Return how each check came out."""
    return tuple(check(case) for check in CHECKS)
