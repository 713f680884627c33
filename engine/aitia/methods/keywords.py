"""Keywords: the words of a question that a text must speak of to answer it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from aitia.methods.base import Outcome, Reads, method
from aitia.methods.cues import read_cues
from aitia.methods.mentions import Question
from aitia.methods.words import RELATIONS, Word, content

NAMING_WEIGHT = 1.5
SIDE_WEIGHT = 0.5
_SIDE = re.compile(
    r"\bhow (\w+)|\b(?:which|what) (?:day|date|month|year|time|way|kind|sort|type|"
    r"conditions?|circumstances|cases?|reasons?)\b"
    r"|\b(?:takes?|gets?|goes?|works?|means?|does|done)\b",
    re.I,
)
"""Words that say of what kind the answer is, and verbs that say little: a text seldom
repeats them."""


@dataclass(frozen=True)
class Keyword:
    """One word to look for.

    Attributes:
        text: As the question has it.
        stems: Its index terms; several for a run of a script without spaces.
        weight: How much it counts: names, numbers and ids more than other words.
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


@method(
    "keywords",
    "Picks the words of a question that a text must speak of.",
    offered=True,
)
def keywords(reads: Reads, given: Question, *, drop: tuple[str, ...] = ()) -> Keywords:
    """Return the words to look for, without those in `drop` and those of form."""
    cues = read_cues(given.text)
    within = cues.bound is not None and cues.bound.within
    spans = [span for span in cues.spans if not (within and span == cues.limited)]
    telling = [
        word
        for word in content(given.text)
        if word.text not in drop
        and not any(start <= word.start < end for start, end in spans)
    ]
    sides = {match.end() for match in _SIDE.finditer(given.text)}
    found = tuple(
        Keyword(word.text, word.stems, _weight(word, sides)) for word in telling
    )
    query = " ".join(word.text for word in found)
    return Keywords(
        question=given.text,
        words=found,
        query=query,
        summary=query or "no telling word",
        failure="" if found else "The question has no word to look for.",
    )


def _weight(word: Word, sides: set[int]) -> float:
    if word.end in sides or word.text.lower() in RELATIONS:
        return SIDE_WEIGHT
    return NAMING_WEIGHT if word.naming else 1.0
