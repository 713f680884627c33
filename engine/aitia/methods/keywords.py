"""Keywords: the words of a question that a text must speak of to answer it."""

from __future__ import annotations

from dataclasses import dataclass, field

from aitia.methods.base import Outcome, Reads, method
from aitia.methods.cues import read_cues
from aitia.methods.mentions import Question
from aitia.methods.words import content

NAMING_WEIGHT = 2.0


@dataclass(frozen=True)
class Keyword:
    """One word to look for.

    Attributes:
        text: As the question has it.
        stems: Its index terms; several for a run of a script without spaces.
        weight: How much it counts: names, numbers and ids count twice.
    """

    text: str
    stems: tuple[str, ...]
    weight: float


@dataclass(frozen=True)
class Keywords(Outcome):
    """The words to look for.

    Attributes:
        question: The question they are from.
        words: The words, in order.
        query: The words as a query for the indexes.
    """

    question: str
    words: tuple[Keyword, ...] = field(default=())
    query: str = ""


@method("keywords", "Picks the words of a question that a text must speak of.")
def keywords(reads: Reads, given: Question, *, drop: tuple[str, ...] = ()) -> Keywords:
    """Return the words to look for, without those in `drop` and those of form."""
    spans = read_cues(given.text).spans
    telling = [
        word
        for word in content(given.text)
        if word.text not in drop
        and not any(start <= word.start < end for start, end in spans)
    ]
    found = tuple(
        Keyword(word.text, word.stems, NAMING_WEIGHT if word.naming else 1.0)
        for word in telling
    )
    query = " ".join(word.text for word in found)
    return Keywords(
        question=given.text,
        words=found,
        query=query,
        summary=query or "no telling word",
        failure="" if found else "The question has no word to look for.",
    )
