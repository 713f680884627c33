"""Fits the weights of `aitia.methods.scoring` on the development questions here.

python -m tests.askdev.fit

The questions are of our own, about documents of our own, and no part of the sets that
the abstention rates are reported on. For each question the sentences are ranked as
`ask` ranks them; the best one is right where it has the expected words. A logistic
regression over what was measured of it gives the weights; folds tell how it does on
questions that it has not seen.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from aitia import Workspace
from aitia.methods.base import Reads
from aitia.methods.dense_search import dense_search
from aitia.methods.fusion import Rankings, fusion
from aitia.methods.keywords import keywords
from aitia.methods.lexical_search import lexical_search
from aitia.methods.mentions import Question
from aitia.methods.passage_filter import Screened, passage_filter
from aitia.methods.rerank import ToRank, rerank
from aitia.methods.scoring import WEIGHTS, Measured

HERE = Path(__file__).parent
FOLDS = 5
RIDGE = 1.0


@dataclass(frozen=True)
class Case:
    """A question with its sentences, best first, and the words that answer it."""

    question: str
    expected: str
    sentences: tuple[Measured, ...]

    def right(self, place: int = 0) -> bool:
        """Tell whether the sentence at a place answers the question."""
        found = self.sentences[place].piece.text if self.sentences else ""
        return bool(self.expected) and self.expected in " ".join(found.split())


def cases() -> list[Case]:
    """Return every development question with its ranked sentences."""
    lines = (HERE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    texts = json.loads((HERE / "documents.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
        with Workspace.open(folder / "ws") as workspace:
            workspace.ingest([folder / name for name in texts])
            reads = Reads(
                workspace.store, workspace.blobs, workspace.indexes, workspace.settings
            )
            told = [json.loads(line) for line in lines]
            return [Case(t["q"], t.get("a", ""), _ranked(reads, t["q"])) for t in told]


def _ranked(reads: Reads, text: str) -> tuple[Measured, ...]:
    words = keywords(reads, Question(text))
    if not words.words:
        return ()
    rankings = Rankings(
        lexical_search(reads, words), dense_search(reads, Question(text))
    )
    kept = passage_filter(reads, Screened(words, fusion(reads, rankings)))
    return rerank(reads, ToRank(words, kept)).sentences


def fit(rows: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the bias and weights of a logistic regression with a ridge."""
    design = np.hstack([np.ones((len(rows), 1)), rows])
    weights = np.zeros(design.shape[1])
    for _ in range(200):
        sure = 1 / (1 + np.exp(-design @ weights))
        gradient = design.T @ (sure - right)
        gradient[1:] += RIDGE * weights[1:]
        curve = design.T @ (design * (sure * (1 - sure))[:, None])
        curve += RIDGE * np.eye(len(weights))
        weights -= np.linalg.solve(curve, gradient)
    return weights


def measures(found: Sequence[Case]) -> tuple[np.ndarray, np.ndarray]:
    """Return what was measured of each best sentence, and whether it is right."""
    rows = [[c.sentences[0].measures[n] for n in WEIGHTS] for c in found]
    return np.array(rows), np.array([float(case.right()) for case in found])


def main() -> None:
    """Print the weights and how they do on folds."""
    every = cases()
    found = [case for case in every if case.sentences]
    rows, right = measures(found)
    answerable = sum(bool(case.expected) for case in every)
    first = sum(case.right() for case in every)
    print(
        f"{len(every)} questions, {answerable} answerable; best sentence right {first}"
    )
    sure = np.zeros(len(found))
    for fold in range(FOLDS):
        out = np.arange(len(found)) % FOLDS == fold
        weights = fit(rows[~out], right[~out])
        sure[out] = 1 / (1 + np.exp(-(weights[0] + rows[out] @ weights[1:])))
    told = np.array([bool(case.expected) for case in found])
    print(
        f"folds: answered wrongly or needlessly {int(((sure >= 0.5) & (right == 0)).sum())}, "
        f"abstained though right {int(((sure < 0.5) & (right == 1)).sum())}, "
        f"unanswerable answered {int(((sure >= 0.5) & ~told).sum())}"
    )
    weights = fit(rows, right)
    print("BIAS", round(float(weights[0]), 2))
    print(
        {name: round(float(w), 2) for name, w in zip(WEIGHTS, weights[1:], strict=True)}
    )
    for value, case in sorted(zip(sure, found, strict=True), key=lambda pair: pair[0]):
        wrong = (value >= 0.5) != case.right() or (case.expected and not case.right())
        if wrong:
            best = case.sentences[0]
            print(
                f"{value:.2f} {case.right():d} {case.question} -> {best.piece.text[:80]!r}"
                f" {[round(v, 2) for v in best.measures.values()]} {best.missing}"
            )


if __name__ == "__main__":
    main()
