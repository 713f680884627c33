"""What is measured of a claim and of a sentence that may bear on it.

Each from 0 to 1. A word of the claim is covered where the sentence has its term, else
as far as the nearest of the sentence's words is like it (cosine of the two words):

- `missing`: share of the claim's telling words that are not covered by their term;
- `names_missing`: the same of those that name something;
- `least`: how far the word that is covered least is;
- `last`: how far the last telling word is covered, the one that a claim mostly ends
  in saying;
- `apart`: whether one of the two denies and the other does not;
- `numbers_missing`: whether the claim has a value that agrees with none of its kind in
  the sentence, which has some; `numbers_there`: whether all its values are there;
- `opposed`: whether the two have opposites;
- `alike`: cosine of the two.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from aitia.methods.contradiction.sentences import DENIES, Said
from aitia.methods.contradiction.values import Value
from aitia.methods.words import Word, content

if TYPE_CHECKING:
    from aitia.retrieval.embedder import Vectors

NAMES: Final = (
    "missing",
    "names_missing",
    "least",
    "last",
    "apart",
    "numbers_missing",
    "numbers_there",
    "opposed",
    "alike",
)


@dataclass(frozen=True)
class _Covered:
    """A word of the claim, whether the sentence has it, and how far it is covered."""

    word: Word
    there: bool
    far: float


def measure(
    claim: Said, sentence: Said, embed: Callable[[Sequence[str]], Vectors]
) -> dict[str, float]:
    """Return what is measured of a claim and a sentence, by `NAMES`.

    Args:
        claim: The claim.
        sentence: The sentence that may bear on it.
        embed: Gives a vector of length 1 for each text.
    """
    covered, alike = _covered(claim, sentence, embed)
    named = [item for item in covered if item.word.naming]
    wanting = [_wanting(value, sentence.values) for value in claim.values]
    found = (
        _share(covered),
        _share(named),
        min(item.far for item in covered),
        covered[-1].far,
        float(claim.denied != sentence.denied),
        float(True in wanting),
        float(bool(wanting) and set(wanting) == {False}),
        float(claim.opposed(sentence) is not None),
        alike,
    )
    return dict(zip(NAMES, found, strict=True))


def _covered(
    claim: Said, sentence: Said, embed: Callable[[Sequence[str]], Vectors]
) -> tuple[list[_Covered], float]:
    """Return each telling word of the claim, and the cosine of the two as wholes."""
    wanted = [w for w in content(claim.text) if not DENIES.fullmatch(w.text)]
    wanted = wanted or content(claim.text)
    there = content(sentence.text)
    stems = {stem for word in there for stem in word.stems}
    have = [set(word.stems) <= stems for word in wanted]
    lacking = [word.text for word, has in zip(wanted, have, strict=True) if not has]
    vectors = embed([claim.text, sentence.text, *lacking, *(w.text for w in there)])
    many = 2 + len(lacking)
    table = vectors[2:many] @ vectors[many:].T
    near = iter(float(row.max()) if len(there) else 0.0 for row in table)
    far = [1.0 if has else max(0.0, next(near)) for has in have]
    covered = [_Covered(*item) for item in zip(wanted, have, far, strict=True)]
    return covered, max(0.0, float(vectors[0] @ vectors[1]))


def _share(items: Sequence[_Covered]) -> float:
    """Return the share of words that are missing; 0 where there are none."""
    return sum(not item.there for item in items) / len(items) if items else 0.0


def _wanting(value: Value, others: Sequence[Value]) -> bool | None:
    """Tell whether a value agrees with none of those it compares with; None for none."""
    verdicts = [value.agrees(other) for other in others]
    told = [verdict for verdict in verdicts if verdict is not None]
    return not any(told) if told else None
