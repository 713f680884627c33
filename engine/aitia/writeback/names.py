"""Whether two names are of one: what looks or reads the same is the same.

A name is compared by a skeleton: compatibility forms are made plain (NFKC), case is
folded, a character that looks like a Latin one stands for that, and only letters and
digits are kept. https://www.unicode.org/reports/tr39/#Confusable_Detection
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache

from aitia.errors import UsageError
from aitia.writeback.characters import suspicious

_SAME = str.maketrans("i10", "llo")
"""Of ASCII characters those that many fonts draw alike."""


@lru_cache(maxsize=4096)
def skeleton(name: str) -> str:
    """Return what is the same for all names that look or read like one."""
    # Look-alikes first: folding case makes other letters of some of them.
    likened = "".join(map(_latin, unicodedata.normalize("NFKC", name)))
    folded = unicodedata.normalize("NFKC", likened).casefold()
    bare = "".join(char for char in folded if char.isalnum())
    return "".join(map(_latin, bare)).casefold().translate(_SAME)


def same(one: str, other: str) -> bool:
    """Tell whether two names are of one person or program."""
    return skeleton(one) == skeleton(other)


def refuse_hiding(name: str) -> None:
    """Refuse a name that shows nothing, or is not what it shows.

    Raises:
        UsageError: It has no letter or digit, or hides characters or look-alikes.
    """
    if not skeleton(name):
        raise UsageError("A name must have at least one letter or digit.")
    if told := next(iter(suspicious([name])), ""):
        raise UsageError(f"A name must be what it shows: {told}.")


@cache
def _latin(char: str) -> str:
    """Return the ASCII letter or digit that a character looks like, or itself."""
    if char.isascii():
        return char
    from confusable_homoglyphs.confusables import is_confusable

    found = is_confusable(char, greedy=True) or []
    alike = (like["c"] for one in found for like in one["homoglyphs"])
    return next((x for x in alike if x.isascii() and x.isalnum()), char)
