"""Relevance check: which of the texts found speak of what is asked.

Without a model a text counts where its best sentence has enough of the question's
words or is near enough in meaning; with one, the model says which of the numbered texts
do. None that do: the search is to be changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from aitia.methods.arguments import NodeRef
from aitia.methods.asking import DATA, Asked, ask_model, data
from aitia.methods.base import Reads, method
from aitia.methods.keywords import keywords
from aitia.methods.mentions import Question
from aitia.methods.quote_check import Checked
from aitia.retrieval.words import all_tokens

if TYPE_CHECKING:
    from aitia.methods.replies import Chosen

VERSION: Final = "1"
WORDS: Final = 0.5
"""Share of the question's words, by weight, from which a text speaks of it."""
NEAR: Final = 0.45
"""Cosine to the question from which it does without that."""
SHOWN: Final = 1200  # characters of each text that a model is shown
RULE: Final = (
    "greatest share of the question's words, or cosine, of the texts that count"
)
_SYSTEM: Final = (
    "You tell which of the numbered texts help to answer a question. Answer with JSON: "
    f"`numbers`, a list, empty where none does; `reason`, one short sentence. {DATA}"
)


@dataclass(frozen=True)
class ToSift:
    """A question, and texts that may speak of it."""

    question: str
    texts: tuple[NodeRef, ...]


@dataclass(frozen=True)
class Sifted(Checked):
    """Which texts speak of the question.

    Attributes:
        relevant: Labels, or IRIs where there is none, of the texts that do.
    """

    relevant: tuple[str, ...] = field(default=())


@method("relevance_check", "Tells which texts help to answer a question.", offered=True)
def relevance_check(reads: Reads, given: ToSift) -> Sifted:
    """Return which texts speak of the question; it fails where none does."""
    measured = _measured(reads, given) if given.texts else []
    asked = _asked(reads, given)
    if asked.value is not None:
        kept = [at - 1 for at in asked.value.numbers if 1 <= at <= len(given.texts)]
    else:
        kept = [
            at
            for at, (words, near) in enumerate(measured)
            if words >= WORDS or near >= NEAR
        ]
    names = tuple(
        given.texts[at].label or given.texts[at].node for at in dict.fromkeys(kept)
    )
    reason = asked.value.reason if asked.value else ""
    told = f"{len(names)} of {len(given.texts)} speak of it"
    return Sifted(
        passed=bool(names),
        found=reason,
        relevant=names,
        summary=told,
        failure="" if names else f"None of the texts speaks of it. {reason}".strip(),
        confidence=max((max(measured[at]) for at in kept), default=None),
        confidence_rule=RULE if kept else "",
        notices=asked.notices,
    )


def _measured(reads: Reads, given: ToSift) -> list[tuple[float, float]]:
    """Return for each text its share of the question's words, and its cosine."""
    words = keywords(reads, Question(given.question)).words
    total = sum(word.weight for word in words) or 1.0
    vectors = reads.indexes.embed(
        [given.question, *(item.text for item in given.texts)]
    )
    near = [max(0.0, min(1.0, float(value))) for value in vectors[1:] @ vectors[0]]
    shares = []
    for item in given.texts:
        there = set(all_tokens(f"{item.about} {item.text}"))
        has = sum(w.weight for w in words if set(w.stems) & there)
        shares.append(has / total)
    return list(zip(shares, near, strict=True))


def _asked(reads: Reads, given: ToSift) -> Asked[Chosen]:
    if reads.models is None or not given.texts:
        return Asked()
    from aitia.methods.replies import Chosen

    return ask_model(
        reads,
        Chosen,
        purpose="relevance_check",
        version=VERSION,
        system=_SYSTEM,
        text=f"Question:\n{data(given.question)}\n\n{_numbered(given.texts)}",
    )


def _numbered(texts: Sequence[NodeRef]) -> str:
    return "\n\n".join(
        f"[{number}]\n{data(item.text[:SHOWN])}" for number, item in enumerate(texts, 1)
    )
