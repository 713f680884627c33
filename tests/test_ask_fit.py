"""The weights of a sentence's confidence are those that the development set gives."""

from __future__ import annotations

import numpy as np
import pytest

from aitia.methods.scoring import BIAS, WEIGHTS
from tests.askdev.fit import cases, fit, measures

APART = 0.5
"""How far a weight may lie from the fitted one: the model's vectors differ a little
between processors."""


@pytest.mark.full
def test_the_weights_are_the_fitted_ones() -> None:
    found = [case for case in cases() if case.sentences]
    rows, right = measures(found)
    fitted = fit(rows, right)
    kept = np.array([BIAS, *WEIGHTS.values()])
    assert np.abs(fitted - kept).max() < APART
    sure = 1 / (1 + np.exp(-(kept[0] + rows @ kept[1:])))
    told = np.array([bool(case.expected) for case in found])
    assert (sure[~told] < 0.5).mean() > 0.8
    assert (sure[told & (right == 1)] >= 0.5).mean() > 0.8
