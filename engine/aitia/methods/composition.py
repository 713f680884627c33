"""Composition: makes one answer of the sentences that were found."""

from __future__ import annotations

from dataclasses import dataclass, field

from aitia.methods.base import Outcome, Reads, method


@dataclass(frozen=True)
class Drafted:
    """What an answer is made of.

    Attributes:
        sentences: The sentences that were found, in the order of the question.
        open: The parts of the question that were not answered.
    """

    sentences: tuple[str, ...]
    open: tuple[str, ...] = ()


@dataclass(frozen=True)
class Composed(Outcome):
    """An answer.

    Attributes:
        sentences: Its sentences: those that were found, then what stays open.
        text: The whole.
    """

    sentences: tuple[str, ...] = field(default=())
    text: str = ""


@method(
    "composition", "Makes one answer of the sentences that were found.", offered=True
)
def composition(reads: Reads, given: Drafted) -> Composed:
    """Return the answer: the sentences in order, then what could not be answered."""
    left = tuple(
        f"No answer was found to: {part}" for part in dict.fromkeys(given.open)
    )
    sentences = (*given.sentences, *left)
    text = "\n".join(sentences)
    return Composed(
        sentences=sentences, text=text, summary=f"{len(sentences)} sentences"
    )
