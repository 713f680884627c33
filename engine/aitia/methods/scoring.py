"""How well a sentence answers a question: what is measured, and how it is weighed.

Five things are measured, each from 0 to 1:

- `covered`: share of the question's words that the sentence has, each weighted by its
  rarity among the passages found; a word in the heading counts `HEADING`, one only in
  the sentence before `BEFORE`;
- `alike`: cosine of question and sentence;
- `run`: the longest run of the question's words that stands in the sentence in order;
- `typed`: whether it holds a date or quantity where one is asked for;
- `named`: share of the question's names, numbers and ids that it or its heading has.

`confidence` is a logistic function of them; its weights were fitted on development
questions of our own (tests/ask_dev.py makes them again), not on the questions that the
rates are reported on.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from aitia.methods.answer_types import has_type
from aitia.methods.keywords import Keyword
from aitia.methods.passages import Piece
from aitia.methods.words import is_spaceless
from aitia.model import Hit
from aitia.retrieval.words import all_tokens

HEADING: Final = 0.8
BEFORE: Final = 0.5
CHARACTERS: Final = 0.8
"""What the characters of a word count for in a script without spaces, where its pairs
are not found: 送到 and 送达 share one of two."""
WEIGHTS: Final[Mapping[str, float]] = {
    "covered": 6.0,
    "alike": 4.0,
    "run": 1.0,
    "typed": 1.0,
    "named": 1.0,
}
BIAS: Final = -7.5
RULE: Final = (
    "logistic of word coverage by rarity, cosine, longest common run, answer type and "
    "names, weights fitted on development questions"
)


@dataclass(frozen=True)
class Measured:
    """A sentence with what was measured of it.

    Attributes:
        piece: The sentence.
        measures: Name → value from 0 to 1.
        confidence: Their logistic sum.
        missing: The question's words that it lacks.
    """

    piece: Piece
    measures: Mapping[str, float]
    confidence: float
    missing: tuple[str, ...] = ()


def rarity(words: Sequence[Keyword], hits: Sequence[Hit]) -> dict[str, float]:
    """Return each word's weight: from 1 where all passages have it to 2 where none.

    Names, numbers and ids weigh twice that.
    """
    counts: Counter[str] = Counter()
    for hit in hits:
        passage = hit.passage
        counts.update(set(all_tokens(f"{passage.heading} {passage.text}")))
    top = math.log(len(hits) + 2)
    return {
        word.text: word.weight
        * (
            1
            + math.log((len(hits) + 2) / (min(counts[s] for s in word.stems) + 1)) / top
        )
        for word in words
    }


def measure(
    words: Sequence[Keyword],
    weights: Mapping[str, float],
    wants: str,
    piece: Piece,
    alike: float,
) -> Measured:
    """Return what a sentence measures against the question's words."""
    stems = all_tokens(piece.text)
    heading = set(all_tokens(f"{piece.passage.heading} {piece.passage.title}"))
    before = set(all_tokens(piece.before))
    shares = [_share(word, set(stems), heading, before) for word in words]
    total = sum(weights[word.text] for word in words) or 1.0
    naming = [
        share for word, share in zip(words, shares, strict=True) if word.weight > 1
    ]
    measures = {
        "covered": sum(
            weights[word.text] * share
            for word, share in zip(words, shares, strict=True)
        )
        / total,
        "alike": max(0.0, min(1.0, alike)),
        "run": _run([stem for word in words for stem in word.stems], stems),
        "typed": float(has_type(wants, piece.text)),
        "named": sum(naming) / len(naming) if naming else 1.0,
    }
    missing = tuple(
        word.text for word, share in zip(words, shares, strict=True) if share < BEFORE
    )
    return Measured(piece, measures, confidence(measures), missing)


def confidence(measures: Mapping[str, float]) -> float:
    """Return the logistic of the weighted measures."""
    total = BIAS + sum(WEIGHTS[name] * value for name, value in measures.items())
    return 1 / (1 + math.exp(-total))


def _share(
    word: Keyword, stems: set[str], heading: set[str], before: set[str]
) -> float:
    """Return how far a sentence has a word, 1 for all of it in the sentence."""
    found = [
        next((share for share, where in places if stem in where), 0.0)
        for stem in word.stems
        for places in [((1.0, stems), (HEADING, heading), (BEFORE, before))]
    ]
    whole = sum(found) / len(word.stems)
    if whole < CHARACTERS and is_spaceless(word.text):
        there = set("".join(stems))
        shared = sum(char in there for char in word.text) / len(word.text)
        return max(whole, CHARACTERS * shared)
    return whole


def _run(wanted: Sequence[str], stems: Sequence[str]) -> float:
    """Return the longest run of the wanted terms in the sentence, as a share."""
    telling = [stem for stem in stems if stem in set(wanted)]
    best = 0
    for first in range(len(wanted)):
        for at in range(len(telling)):
            length = 0
            while (
                first + length < len(wanted)
                and at + length < len(telling)
                and wanted[first + length] == telling[at + length]
            ):
                length += 1
            best = max(best, length)
    return best / len(wanted) if wanted else 0.0
