"""Words that may restrict what is listed or counted, and were not understood.

"How many steel machines at Norrby" is not answered by how many machines there are at
Norrby. A word that only says how the things are tied to what was understood may be
left out, if that is said: the verb of "does Ines Falk maintain", of "maintained by Ines
Falk" and of "who maintain M-1", another word for the kind of a thing ("customer U-9"),
and the holder of everything in "does the plant have".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from aitia.methods.cues import COUNT_FORM, LIST_FORM, RANKED
from aitia.methods.mentions import ENTITY, KIND, Mention
from aitia.methods.readings import Reading
from aitia.methods.words import Word

_DOES: Final = re.compile(r"\b(?:do|does|did)\b", re.I)
_TIED: Final = re.compile(r"\s+(?:at|by|for|from|in|of|on|to|with)\s+(?:the\s+)?", re.I)
_OBJECT: Final = re.compile(r"\s+(?:(?:the|an?|my)\s+)?", re.I)
_HOLDER: Final = re.compile(r"\b(?:do|does|did)\s+(?:the|our|this)\s+$", re.I)
_HAVE: Final = re.compile(r"\s+have\b", re.I)


def restricts(text: str, reading: Reading, missing: Iterable[Word]) -> bool:
    """Tell whether a word that was not understood may restrict what is told."""
    if not gathers(reading):
        return False
    for kind in (item for item in reading.hints if item.kind == KIND):
        blank = " " * (kind.end - kind.start)
        text = f"{text[: kind.start]}{blank}{text[kind.end :]}"
    ties = (*reading.entities, *reading.filters)
    return any(not _only_ties(text, word, ties) for word in missing)


def gathers(reading: Reading) -> bool:
    """Tell whether a reading lists, counts or reckons over instances of a class."""
    forms = {LIST_FORM, COUNT_FORM, *RANKED}
    return reading.of_class is not None and reading.form in forms


def noted(text: str, missing: Sequence[str]) -> str:
    """Return a sentence that says which words were not understood."""
    if not missing:
        return text
    words = ", ".join(repr(word) for word in missing)
    return f"{text.removesuffix('.')} (not understood: {words})."


def _only_ties(text: str, word: Word, ties: Sequence[Mention]) -> bool:
    """Tell whether a word is a verb between the things and what was understood."""
    if word.naming:
        return False
    before, after = text[: word.start], text[word.end :]
    for item in ties:
        between = text[word.end : item.start]
        if _TIED.fullmatch(between):
            return True
        if item.kind == ENTITY and _OBJECT.fullmatch(between):
            return True
    auxiliary = _DOES.search(before)
    if auxiliary and any(auxiliary.end() <= item.start < word.start for item in ties):
        return not after.strip(" ?.!")
    return bool(_HOLDER.search(before) and _HAVE.match(after))
