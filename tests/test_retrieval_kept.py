"""Vectors of texts that come up again are kept, and made anew where they are lost."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from aitia.retrieval import embedder, kept
from aitia.retrieval.embedder import Embedder, Vectors

TEXTS = ["What is the fee?", "泵向罐供水。", "What is the fee?", ""]


class Counting:
    """The packaged model, which counts the texts that it embeds."""

    def __init__(self) -> None:
        self._model = embedder.load("packaged")
        self.name, self.version = self._model.name, self._model.version
        self.dimension = self._model.dimension
        self.embedded = 0

    def embed(self, texts: Sequence[str], heads: Sequence[str] = ()) -> Vectors:
        self.embedded += len(texts)
        return self._model.embed(texts, heads)


@pytest.fixture
def model() -> Counting:
    return Counting()


def embed(folder: Path, model: Embedder, texts: Sequence[str] = TEXTS) -> Vectors:
    return kept.embed(folder / "kept", lambda: model, texts)


def test_kept_vectors_are_those_that_the_model_gives(
    tmp_path: Path, model: Counting
) -> None:
    expected = model.embed(TEXTS)
    for _ in range(2):
        np.testing.assert_array_equal(embed(tmp_path, model), expected)


def test_only_new_texts_are_embedded(tmp_path: Path, model: Counting) -> None:
    embed(tmp_path, model)
    assert model.embedded == 3
    embed(tmp_path, model, [*TEXTS, "another"])
    assert model.embedded == 4


def test_a_damaged_or_missing_vector_is_made_anew(
    tmp_path: Path, model: Counting
) -> None:
    first = embed(tmp_path, model)
    damaged, missing, _ = sorted((tmp_path / "kept").iterdir())
    damaged.write_bytes(b"short")
    missing.unlink()
    np.testing.assert_array_equal(embed(tmp_path, model), first)
    assert model.embedded == 5


def test_a_place_that_cannot_be_written_to_is_done_without(
    tmp_path: Path, model: Counting
) -> None:
    (tmp_path / "kept").write_text("a file where the folder should be")
    assert embed(tmp_path, model).shape == (4, model.dimension)


def test_another_model_has_vectors_of_its_own(tmp_path: Path, model: Counting) -> None:
    embed(tmp_path, model)
    model.version = "another"
    embed(tmp_path, model)
    assert model.embedded == 6
