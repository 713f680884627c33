"""How much earlier questions resemble a new one, from 0 to 1.

The larger of two measures counts. By words: the weight of the words that both have over
the weight of all words of either (Jaccard), a word weighing log(1 + questions / those
that have it). By meaning: the cosine of the two vectors of the embedding model, which
finds other wordings of the same. Meaning is only measured of the questions that are
closest by words, and of the newest ones.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from aitia.methods.base import Searches

MEANT: Final = 48
"""So many earlier questions have their meaning measured. Their vectors are kept, so that
only the new one takes time."""


def likeness(question: str, earlier: Sequence[str], indexes: Searches) -> list[float]:
    """Return how much each earlier question resembles the new one.

    Args:
        question: The new one.
        earlier: Earlier ones, newest first.
        indexes: What measures meaning.
    """
    found = _by_words(question, earlier)
    closest = sorted(range(len(earlier)), key=lambda at: (-found[at], at))
    chosen = dict.fromkeys([*closest[: MEANT // 2], *range(len(earlier))])
    near = list(chosen)[:MEANT]
    if near:
        vectors = indexes.embed_kept([question, *(earlier[at] for at in near)])
        for at, vector in zip(near, vectors[1:], strict=True):
            cosine = min(1.0, float(vectors[0] @ vector))
            found[at] = max(found[at], cosine)
    return found


def _by_words(question: str, earlier: Sequence[str]) -> list[float]:
    from aitia.retrieval.words import tokens

    wanted = frozenset(tokens(question))
    known = [frozenset(tokens(text)) for text in earlier]
    having = Counter(word for words in (wanted, *known) for word in words)
    weight = {word: math.log(1 + (len(known) + 1) / n) for word, n in having.items()}
    return [_shared(wanted, words, weight) for words in known]


def _shared(
    left: frozenset[str], right: frozenset[str], weight: dict[str, float]
) -> float:
    either = sum(weight[word] for word in left | right)
    return sum(weight[word] for word in left & right) / either if either else 0.0
