"""Fits the weights of `aitia.methods.contradiction.weights`.

python -m tests.conflictdev.fit [SHARED_DATA]
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from aitia.methods.contradiction.measures import measure
from aitia.methods.contradiction.sentences import read
from aitia.methods.contradiction.weights import WEIGHTS
from aitia.retrieval.embedder import Packaged
from tests.conflictdev.fever import Case, development

RIDGE: Final = 1.0
FOLDS: Final = 8

Embed = Callable[[Sequence[str]], np.ndarray]


def embedding() -> Embed:
    """Return what embeds texts, each once."""
    model, known = Packaged(), dict[str, np.ndarray]()

    def embed(texts: Sequence[str]) -> np.ndarray:
        new = [text for text in dict.fromkeys(texts) if text not in known]
        known.update(zip(new, model.embed(new), strict=True))
        return np.stack([known[text] for text in texts])

    return embed


def measures(found: Sequence[Case]) -> tuple[np.ndarray, np.ndarray]:
    """Return what is measured of each pair, and whether its sentence refutes."""
    embed = embedding()
    rows = [measure(read(case.claim), read(case.evidence), embed) for case in found]
    table = np.array([[row[name] for name in WEIGHTS] for row in rows])
    return table, np.array([float(case.refutes) for case in found])


def fit(rows: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the bias and weights of a logistic regression with a ridge, by Newton."""
    design = np.hstack([np.ones((len(rows), 1)), rows])
    ridge = np.diag([0.0, *[RIDGE] * rows.shape[1]])
    weights = np.zeros(design.shape[1])
    for _ in range(50):
        sure = 1 / (1 + np.exp(-design @ weights))
        gradient = design.T @ (sure - right) + ridge @ weights
        curve = design.T @ (design * (sure * (1 - sure))[:, None]) + ridge
        weights -= np.linalg.solve(curve, gradient)
    return weights


def held_out(found: Sequence[Case], rows: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the odds of each pair by weights fitted without the pairs of its group."""
    groups = sorted({case.group for case in found})
    fold = np.array([groups.index(case.group) % FOLDS for case in found])
    odds = np.zeros(len(found))
    for number in range(FOLDS):
        weights = fit(rows[fold != number], right[fold != number])
        design = np.hstack([np.ones((len(rows), 1)), rows])[fold == number]
        odds[fold == number] = 1 / (1 + np.exp(-design @ weights))
    return odds


def main() -> None:
    """Print the weights and how they do on folds."""
    found = development(Path(sys.argv[1] if sys.argv[1:] else "../shared/data"))
    rows, right = measures(found)
    weights = fit(rows, right)
    for name, weight in zip(("BIAS", *WEIGHTS), weights, strict=True):
        print(f"{name}: {weight:.2f}")
    odds = held_out(found, rows, right)
    print(
        f"{len(found)} pairs; accuracy on folds {((odds >= 0.5) == right).mean():.3f}"
    )
    for least in (0.6, 0.65, 0.7, 0.75, 0.8):
        says, denies = odds >= least, odds <= 1 - least
        print(
            f"from {least}: contradicts {right[says].mean():.3f} of {says.sum()}, "
            f"agrees {1 - right[denies].mean():.3f} of {denies.sum()}"
        )


if __name__ == "__main__":
    main()
