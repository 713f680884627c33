"""How much of a question a reading of it explains.

The rule: the share of the question's content words that are put to use, each by how
well it matches. A name of a resource is one unit of weight `NAMED`, however many
words it has; so is a word that only looks like a name, number or id; any other word
weighs 1. Words that only give the form of the answer do not count. Where a name is not
put to use the share is multiplied by `UNNAMED`, where a denial is not by `UNDENIED`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from aitia.methods.cues import Cues
from aitia.methods.mentions import ENTITY, Mention
from aitia.methods.words import Word, words

NAMED: Final = 2.0
UNNAMED: Final = 0.5
"""What the share is multiplied by where a name, number or id of the question is not put
to use: the answer is about something else."""
UNDENIED: Final = 0.5
"""The same where the question denies something and the query does not."""
RULE: Final = (
    "share of the question's content words that the query puts to use, each by how "
    "well it matches, names counting twice and halving it where they, or a denial, are not used"
)

Used = tuple[Mention, float]
"""A mention and how far it is put to use, from 0 to 1."""


def coverage(
    text: str, form: str, cues: Cues, used: Sequence[Used], *, limited: bool = False
) -> tuple[float, tuple[Word, ...]]:
    """Return the share that is explained, and the words that are not.

    Args:
        text: The question.
        form: The form that the reading gives its answer.
        cues: The form that the question asks for; its words count, unless the reading
            has that form.
        used: What the reading puts to use.
        limited: Whether it keeps to the limit that the question sets.
    """
    if not limited:
        spans = tuple(span for span in cues.spans if span != cues.limited)
        cues = replace(cues, spans=spans)
    names = [(item, share) for item, share in used if item.kind == ENTITY]
    total = NAMED * len(names)
    explained = sum(NAMED * item.quality * share for item, share in names)
    missing: list[Word] = []
    for word in _open_words(text, form, cues, names):
        weight = NAMED if word.naming else 1.0
        share = max((_share(item, part, word) for item, part in used), default=0.0)
        total += weight
        explained += weight * share
        if share < 0.5:
            missing.append(word)
    share = explained / total if total else 0.0
    if any(word.naming for word in missing):
        share *= UNNAMED
    if cues.denials and not any(item.denied for item, _ in used):
        share *= UNDENIED
    return share, tuple(missing)


def _open_words(text: str, form: str, cues: Cues, names: Iterable[Used]) -> list[Word]:
    """Return the content words outside names and words of form."""
    formal = [span for span in cues.spans if span != cues.formed or form == cues.form]
    taken = [*formal, *((item.start, item.end) for item, _ in names)]
    return [
        word
        for word in words(text)
        if word.content and not any(start <= word.start < end for start, end in taken)
    ]


def _share(item: Mention, part: float, word: Word) -> float:
    inside = item.start <= word.start and word.end <= item.end
    return item.quality * part if inside else 0.0
