"""Text to index terms: what counts as a word, in any script.

The same function cuts documents and queries, so that the lexical index's own parser
never sees a person's text. Words are compatibility-normalised, lower-cased, freed of
accents and, where they are plain letters, stemmed as English. Compound words and ids
(`#W2890441`, `noah.brown@example.com`, `2024-05-01`) are kept whole and in parts.
Scripts that put no space between words are cut into pairs of characters.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

LONGEST: Final = 64
"""Characters of a word that count; what follows them is cut off."""

_SPACELESS: Final = (
    "\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\uac00-\ud7af\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\U00020000-\U0003ffff"
)
_MARKS: Final = (
    "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"
)
_CHAR: Final = rf"(?:(?![{_SPACELESS}])[\w{_MARKS}])"
_RUN: Final = re.compile(
    rf"(?P<spaceless>[{_SPACELESS}]+)|(?P<word>#?{_CHAR}+(?:[-._@/:+&'’]{_CHAR}+)*)"
)
_JOINT: Final = re.compile("[-._@/:+&'’#]+")
_PART: Final = re.compile(r"\d+|\D+")
_POSSESSIVE: Final = re.compile(r"['’]s?$")
_ACCENTS: Final = re.compile("[\u0300-\u036f]")

_ENGLISH: Final = (
    "a about above after again against all am an and any are as at be because been "
    "before being below between both but by can could did do does doing don down during "
    "each few for from further had has have having he her here hers herself him himself "
    "his how i if in into is it its itself just me more most my myself no nor not now of "
    "off on once only or other our ours ourselves out over own s same she should so some "
    "such t than that the their theirs them themselves then there these they this those "
    "through to too under until up very was we were what when where which while who whom "
    "why will with would you your yours yourself yourselves"
)
STOP_WORDS: Final = frozenset(_ENGLISH.split())


def tokens(text: str) -> list[str]:
    """Return the terms of a text that carry meaning, in order.

    Stop words are left out, unless the text has nothing else.

    Args:
        text: Any text, control characters and markup included.
    """
    found = list(_words(text))
    telling = [word for word in found if word not in STOP_WORDS]
    return _stems(telling or found)


def all_tokens(text: str) -> list[str]:
    """Return every term of a text, stop words too: what an index keeps."""
    return _stems(list(_words(text)))


def characters(text: str) -> list[str]:
    """Return the single characters of a text's spaceless scripts, in order."""
    if text.isascii():
        return []
    return [
        char
        for found in _RUN.finditer(_normal(text))
        for char in found["spaceless"] or ""
    ]


def _normal(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower()


def _words(text: str) -> Iterator[str]:
    for found in _RUN.finditer(_normal(text)):
        run = found["spaceless"]
        if run is None:
            yield from _forms(found["word"])
        elif len(run) > 1:
            yield from (run[at : at + 2] for at in range(len(run) - 1))
        else:
            yield run


def _forms(word: str) -> Iterator[str]:
    """Return a word whole and, where it is a compound, its parts."""
    whole = _POSSESSIVE.sub("", word).strip("_")
    if not whole.isascii():
        whole = _unaccented(whole)
    if not whole:
        return
    yield whole[:LONGEST]
    for piece in _JOINT.split(whole):
        if piece and piece != whole:
            yield piece[:LONGEST]
        parts = _PART.findall(piece)
        if len(parts) > 1:
            yield from (part[:LONGEST] for part in parts if len(part) > 1)


def _unaccented(word: str) -> str:
    plain = _ACCENTS.sub("", unicodedata.normalize("NFD", word))
    return unicodedata.normalize("NFC", plain)


def _stems(words: list[str]) -> list[str]:
    stems: list[str] = _stemmer().analyze(" ".join(words))
    return stems


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    builder = TextAnalyzerBuilder(Tokenizer.whitespace())
    return builder.filter(Filter.stemmer("english")).build()
