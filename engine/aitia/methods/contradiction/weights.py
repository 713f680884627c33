"""The odds that a sentence contradicts a claim, from what is measured of the two.

A logistic function. Its weights were fitted with a ridge on the development file of
FEVER Symmetric 0.2 (Schuster et al. 2019, arXiv:1908.05267; MIT), without the pairs
that share claim or evidence with its test file: `python -m tests.conflictdev.fit` makes
them again. They are good for a claim and a sentence that was found for it, half of
which contradict; for whether two sentences of anywhere clash, the rules come first.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

WEIGHTS: Final[Mapping[str, float]] = {
    "missing": 0.45,
    "names_missing": 0.49,
    "least": -1.13,
    "last": -2.18,
    "apart": 0.7,
    "numbers_missing": 1.78,
    "numbers_there": -0.62,
    "opposed": 1.47,
}
BIAS: Final = 1.83
RULE: Final = (
    "logistic of words, names and values covered, denial and opposites, weights fitted "
    "on the development pairs of FEVER Symmetric"
)


def odds(measures: Mapping[str, float]) -> float:
    """Return how likely it is that the sentence contradicts the claim, from 0 to 1."""
    total = BIAS + sum(weight * measures[name] for name, weight in WEIGHTS.items())
    return 1 / (1 + math.exp(-total))
