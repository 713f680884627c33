"""Characters that hide something: invisible ones, turned directions, look-alikes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from aitia.plain import clean, short

_JOINERS: Final = "\u200c\u200d"
_PLAIN: Final = "\n\r\t"
_BLANK: Final = "\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Letters and signs that show nothing."""
_SELECTORS: Final = re.compile("[\ufe00-\ufe0f\U000e0000-\U000e01ef]")
"""Variation selectors and tags, which can carry a hidden text. One after an emoji or
an ideograph chooses how that is drawn; a run of them draws nothing."""
_WORD: Final = re.compile(r"\w+")
_SHOWN: Final = 40


def suspicious(texts: Iterable[str]) -> list[str]:
    """Return a sentence for each thing that texts hide, escaped so that it shows."""
    return list(dict.fromkeys(told for text in texts for told in _in(text)))


def as_it_looks(text: str) -> str:
    """Return a text as it looks, in no case and without what shows nothing.

    Letters that look like ASCII ones stand as these (the skeleton of UTS #39), so that
    texts and names that look alike have one skeleton.
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(
        char if char.isascii() else _looks_like(char)
        for char in plain
        if not _SELECTORS.match(char) and char not in _JOINERS and not _is_hidden(char)
    )


@lru_cache(maxsize=4096)
def _looks_like(char: str) -> str:
    from confusable_homoglyphs.confusables import confusables_data

    if not char.isalpha():
        return char
    alike = [found["c"] for found in confusables_data.get(char, ())]
    plain = (one for one in alike if len(one) == 1 and one.isascii() and one.isalpha())
    return next(plain, char).casefold()


def _in(text: str) -> Iterator[str]:
    hidden = {char for char in text if _is_hidden(char)}
    hidden |= {m[0] for m in _SELECTORS.finditer(text) if _hides(text, m.start())}
    hidden |= {c for c in _JOINERS if c in text and _joins_nothing(text, c)}
    for char in sorted(hidden):
        name = unicodedata.name(char, "a control character").lower()
        yield f"{_escaped(char)} ({name}) in “{short(_visible(text), _SHOWN)}”"
    for word in dict.fromkeys(_WORD.findall(text)):
        if not word.isascii() and _looks_like_another(word):
            spelt = ascii(word)[1:-1]
            yield f"“{clean(word)}” mixes letters that look alike: {spelt}"


def _is_hidden(char: str) -> bool:
    if char in _PLAIN or char in _JOINERS or _SELECTORS.match(char):
        return False
    return char in _BLANK or unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs")


def _hides(text: str, at: int) -> bool:
    """Tell whether a selector follows nothing that it could select."""
    before = text[at - 1] if at else ""
    return not before or unicodedata.category(before) not in (
        "So",
        "Sm",
        "Sk",
        "Lo",
        "Po",
        "Nd",
    )


def _joins_nothing(text: str, char: str) -> bool:
    """Tell whether a joiner stands in Latin, Greek or Cyrillic, where it does nothing."""
    for at, found in enumerate(text):
        if found == char and at and "LATIN" in unicodedata.name(text[at - 1], ""):
            return True
    return False


def _looks_like_another(word: str) -> bool:
    from confusable_homoglyphs.confusables import is_dangerous

    # Digits and signs are of no script and look like letters of many.
    letters = "".join(char for char in word if char.isalpha())
    return bool(letters) and bool(is_dangerous(letters))


def _escaped(char: str) -> str:
    return f"U+{ord(char):04X}"


def _visible(text: str) -> str:
    return "".join(
        f"\\u{ord(char):04x}" if _is_hidden(char) or char in _JOINERS else char
        for char in text
    )
