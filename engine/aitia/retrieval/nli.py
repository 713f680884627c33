"""An NLI cross-encoder of the user's own: whether one sentence follows from another.

Nothing is fetched: the model lies in a folder or in the local model cache.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, Protocol

from aitia.errors import SettingsError

LABELS: Final = ("contradiction", "entailment", "neutral")


class Judges(Protocol):
    """What tells how a premise stands to a hypothesis."""

    def judge(self, premise: str, hypothesis: str) -> tuple[str, float]:
        """Return one of `LABELS`, and how sure the model is, from 0 to 1."""
        ...


@lru_cache(maxsize=1)
def load(model: str) -> Judges:
    """Return the cross-encoder that the setting `conflicts.nli` names.

    Args:
        model: A folder, or the name of a model in the local cache.

    Raises:
        SettingsError: There is no such model on this machine, or it does not tell
            contradiction, entailment and neutral apart.
    """
    return CrossEncoder(model)


class CrossEncoder:
    """Any sentence-transformers cross-encoder with the three labels of NLI."""

    def __init__(self, model: str) -> None:
        from aitia.retrieval.embedder import local_model, offline

        folder = local_model(model)
        offline()
        import sentence_transformers

        try:
            self._model: Any = sentence_transformers.CrossEncoder(
                str(folder), local_files_only=True
            )
        except (OSError, ValueError, RuntimeError) as error:
            raise SettingsError(
                f"The NLI model {model!r} cannot be loaded: {error}"
            ) from error
        self._labels = _labels(model, self._model.config.id2label)

    def judge(self, premise: str, hypothesis: str) -> tuple[str, float]:
        """Return one of `LABELS`, and how sure the model is, from 0 to 1."""
        scores = self._model.predict(
            [(premise, hypothesis)], apply_softmax=True, show_progress_bar=False
        )[0]
        best = max(range(len(self._labels)), key=lambda at: float(scores[at]))
        return self._labels[best], float(scores[best])


def _labels(model: str, told: dict[int, str]) -> list[str]:
    """Return the model's labels in order, as `LABELS` names them."""
    named = [str(told[at]).lower() for at in sorted(told)]
    found = [next((x for x in LABELS if x[:7] in name), "") for name in named]
    if set(found) != set(LABELS) or len(found) != len(LABELS):
        raise SettingsError(
            f"The NLI model {model!r} does not tell contradiction, entailment and "
            f"neutral apart: its labels are {', '.join(named)}."
        )
    return found
