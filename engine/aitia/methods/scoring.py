"""How well a sentence answers a question: what is measured, and how it is weighed.

Measured, each from 0 to 1:

- `covered`: share of the question's words that the sentence has, each weighted by its
  rarity among the passages found. A word in the heading or title counts `HEADING`; one
  only in the sentence before counts `BEFORE`, or `HEADING` where the sentence points
  back to it ("It was built …"); a word that only a like one stands for counts the
  square of how alike the two are. Where it is asked whether something is so, a word
  that only the sentence before has counts nothing, unless the sentence points back. So
  does a name, number or id that the sentence lacks where it speaks of another one of
  the same form ("P-13" for "P-11");
- `alike`: cosine of question and sentence;
- `run`: the longest run of the question's words that stands in the sentence in order;
- `typed`: how far it holds the kind of thing that is asked for;
- `named`: share of the question's names, numbers and ids that it or its heading has;
- `whole`: whether it is a whole sentence and no caption;
- `complete`: whether no word of the question is lacking for the most part.

`confidence` is a logistic function of them, halved where `typed` is 0 or
the sentence says it for others than the question asks ("for farms"); its weights were fitted on development
questions of our own (`python -m tests.askdev.fit` makes them again), not on the
questions that the rates are reported on.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from aitia.methods.answer_types import AskedType, fits, meant
from aitia.methods.keywords import Keyword
from aitia.methods.passages import Piece
from aitia.methods.words import content, is_spaceless
from aitia.model import Hit
from aitia.retrieval.words import all_tokens

HEADING: Final = 0.8
BEFORE: Final = 0.6
CHARACTERS: Final = 0.8
"""What the characters of a word count for in a script without spaces, where its pairs
are not found: 送到 and 送达 share one of two."""
WEIGHTS: Final[Mapping[str, float]] = {
    "covered": 1.99,
    "alike": 1.35,
    "run": 1.75,
    "typed": 1.39,
    "named": 0.68,
    "whole": 0.23,
    "complete": 1.84,
}
BIAS: Final = -6.0
RULE: Final = (
    "logistic of word coverage by rarity, cosine, longest common run, answer type, names "
    "and form, weights fitted on development questions"
)
_POINTS_BACK: Final = re.compile(
    r"\s*(?:it|its|they|their|them|he|she|his|her|this|these|those|such|the latter)\b|[它他她这该]",
    re.I,
)
_ENDS: Final = re.compile(r"[.!?。！？;；:：)\]”\"'」]\s*$")
LACKING: Final = 0.45  # share of a word under which a sentence lacks it
CAPTION: Final = 8  # words under which a line without an end mark is a caption

UNTYPED: Final = 0.5
"""What a confidence is multiplied by where nothing of the kind asked for is there."""

Likeness = Mapping[tuple[str, str], float]
"""Word of the question, term of a sentence → how alike they are."""


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


@dataclass(frozen=True)
class Sought:
    """What sentences are measured against.

    Attributes:
        words: The question's words.
        weights: Each word's weight by its rarity.
        kind: The kind of thing that is asked for.
        like: How alike words of the question and of sentences are, where measured.
    """

    words: tuple[Keyword, ...]
    weights: Mapping[str, float]
    kind: AskedType
    like: Likeness


def rarity(words: Sequence[Keyword], hits: Sequence[Hit]) -> dict[str, float]:
    """Return each word's weight: from 1 where all passages have it to 2 where none.

    Names, numbers and ids weigh `Keyword.weight` times that.
    """
    counts: Counter[str] = Counter()
    for hit in hits:
        passage = hit.passage
        counts.update(set(all_tokens(f"{passage.heading} {passage.text}")))
    many = len(hits) + 2
    return {
        word.text: word.weight
        * (
            1
            + math.log(many / (min(counts[s] for s in word.stems) + 1)) / math.log(many)
        )
        for word in words
    }


def measure(sought: Sought, piece: Piece, alike: float) -> Measured:
    """Return what a sentence measures against what is sought."""
    stems = all_tokens(piece.text)
    shares = {word: _share(sought, word, piece, stems) for word in sought.words}
    total = sum(sought.weights[word.text] for word in sought.words) or 1.0
    naming = [share for word, share in shares.items() if word.weight > 1]
    have = sum(sought.weights[word.text] * share for word, share in shares.items())
    missing = tuple(
        word.text
        for word, share in shares.items()
        if share < LACKING and word.weight >= 1
    )
    measures = {
        "covered": have / total,
        "alike": max(0.0, min(1.0, alike)),
        "run": _run([stem for word in sought.words for stem in word.stems], stems),
        "typed": fits(sought.kind, piece.text),
        "named": sum(naming) / len(naming) if naming else 1.0,
        "whole": _whole(piece.text),
        "complete": float(not missing),
        "others": float(_is_for_others(sought, piece.text, missing)),
    }
    return Measured(piece, measures, confidence(measures), missing)


def confidence(measures: Mapping[str, float]) -> float:
    """Return the logistic of the weighted measures."""
    total = BIAS + sum(weight * measures[name] for name, weight in WEIGHTS.items())
    fitting = measures["typed"] and not measures.get("others")
    halved = 1.0 if fitting else UNTYPED
    return halved / (1 + math.exp(-total))


def _share(sought: Sought, word: Keyword, piece: Piece, stems: Sequence[str]) -> float:
    """Return how far a sentence has a word, 1 for all of it in the sentence."""
    if _speaks_of_another(word, piece, stems):
        return 0.0
    aside = 0.0 if sought.kind.judged else BEFORE
    back = HEADING if points_back(piece.text) else aside
    heading = f"{piece.passage.heading} {piece.passage.title}"
    places = (
        (1.0, set(stems)),
        (HEADING, set(all_tokens(heading))),
        (back, set(all_tokens(piece.before))),
    )
    found = [
        next((share for share, where in places if stem in where), 0.0)
        for stem in word.stems
    ]
    whole = sum(found) / len(word.stems)
    if is_spaceless(word.text):
        there = "".join(stems)
        shared = sum(char in there for char in word.text) / len(word.text)
        return max(whole, CHARACTERS * shared)
    like = (sought.like.get((word.text, stem), 0.0) ** 2 for stem in stems)
    return max(whole, max(like, default=0.0))


def _is_for_others(sought: Sought, text: str, missing: Sequence[str]) -> bool:
    """Tell whether a sentence says for others what is asked for some that it lacks."""
    lacking = {
        stem
        for word in sought.words
        if word.text in missing
        for stem in word.stems
        if stem in sought.kind.meant
    }
    return bool(lacking and meant(text) - sought.kind.terms)


def speaks_of_another(question: str, text: str) -> bool:
    """Tell whether a text names an id like the question's ids, and none of those.

    "Pump P-13 is out of order" says nothing of P-11.
    """
    ids = [word.text for word in content(question) if re.search(r"\d", word.text)]
    there = {word.text.lower() for word in content(text)}
    forms = {_form(name) for name in ids} - {_form("1")}
    other = forms & {_form(name) for name in there}
    return bool(other) and not any(
        name.lower() in there for name in ids if _form(name) in other
    )


def _speaks_of_another(word: Keyword, piece: Piece, stems: Sequence[str]) -> bool:
    """Tell whether a sentence lacks an id of the question and has one like it."""
    if points_back(piece.text) or set(word.stems) <= set(stems):
        return False
    return word.weight > 1 and speaks_of_another(word.text, piece.text)


def _form(name: str) -> str:
    """Return the form of an id: its digits as one 0. All numbers have the same."""
    return re.sub(r"\d+(?:[.,:]\d+)*", "0", name.lower())


def points_back(text: str) -> bool:
    """Tell whether a sentence begins with a word for something named before it."""
    return bool(_POINTS_BACK.match(text))


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


def _whole(text: str) -> float:
    """Return 1 for a whole sentence, 0 for what looks like a caption."""
    long = len(text.split()) >= CAPTION or is_spaceless(text)
    return float(bool(_ENDS.search(text)) or long)
