"""The words of a question, with their places: what methods match against.

Words are cut and stemmed as the lexical index cuts them (`aitia.retrieval.words`);
here they keep their offsets. The lists below are function words of English and
Chinese: grammar, not vocabulary of anybody's data.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from aitia.retrieval.words import STOP_WORDS, all_tokens

_SPACELESS: Final = "\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_WORD: Final = re.compile(
    rf"(?P<spaceless>[{_SPACELESS}]+)"
    rf"|(?P<word>[#$€£]?(?:(?![{_SPACELESS}])\w)+"
    rf"(?:[-._@/:+&'’](?:(?![{_SPACELESS}])\w)+)*)"
)
_REQUESTS: Final = (
    "describe display explain find give happen happens list many may me might much must need please "
    "say says shall show tell thanks want whether whose there's what's who's"
)
_REQUEST_WORDS: Final = frozenset(_REQUESTS.split())
RELATIONS: Final = frozenset(
    ["after", "against", "before", "during", "until", "without"]
)
"""Function words that change what is asked for; they count as content."""
PLURALS: Final = {
    "people": "person",
    "children": "child",
    "men": "man",
    "women": "woman",
}
"""Plurals that no ending tells, and their singulars."""
_SPACELESS_FUNCTION: Final = (
    "什么时候 为什么 哪一个 多少个 有哪些 是什么 请问 何时 什么 怎么 怎样 如何 哪里 哪儿 哪个 哪些 "
    "哪位 多少 多久 几个 可以 能够 是否 有没有 由谁 谁 哪 吗 呢 吧 的 了 是 在 有 被 能 会 几 我 你 "
    "他 她 它 这 那 和 与 或"
)
_SPACELESS_CUT: Final = re.compile(_SPACELESS_FUNCTION.replace(" ", "|"))


@dataclass(frozen=True)
class Word:
    """A word of a question, or a run of a script without spaces.

    Attributes:
        text: As it stands.
        start: Offset of its first character in the question.
        end: Offset after its last character.
        stems: Its index terms; several for a spaceless run.
        content: False for a function word.
        naming: True where its form says that it names one thing: digits in it, or a
            capital inside the sentence, or a sign such as `#`, `@`, `_`.
    """

    text: str
    start: int
    end: int
    stems: tuple[str, ...]
    content: bool
    naming: bool


def words(text: str) -> list[Word]:
    """Return the words of a question in order."""
    found: list[Word] = []
    for match in _WORD.finditer(text):
        if match["spaceless"]:
            found.extend(_spaceless(match["spaceless"], match.start()))
        else:
            found.append(_word(match["word"], match.start(), first=not found))
    return found


def content(text: str) -> list[Word]:
    """Return the words of a question that carry meaning."""
    return [word for word in words(text) if word.content]


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return the index term of one word."""
    found = all_tokens(word)
    return found[0] if found else word.lower()


def name_stems(name: str) -> tuple[str, ...]:
    """Return the terms of a name: of a label, a field name, an IRI's last part."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[_\-./#:\s]+", " ", name)
    return tuple(term for part in parted.split() for term in all_tokens(part))


def singular(name: str) -> str:
    """Return an English noun in the singular, as far as its ending tells."""
    if name in PLURALS:
        return PLURALS[name]
    for ending, single in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch")):
        if name.endswith(ending) and len(name) > len(ending) + 1:
            return name.removesuffix(ending) + single
    plural = name.endswith("s") and not name.endswith(("ss", "us", "is"))
    return name[:-1] if plural and len(name) > 3 else name


def is_spaceless(text: str) -> bool:
    """Tell whether a text has a script that puts no space between words."""
    return bool(re.search(f"[{_SPACELESS}]", text))


def is_stop(word: str) -> bool:
    """Return True for a function word of English."""
    plain = unicodedata.normalize("NFKC", word).lower().replace("’", "'")
    return plain not in RELATIONS and (plain in STOP_WORDS or plain in _REQUEST_WORDS)


def _word(text: str, start: int, *, first: bool) -> Word:
    whole = re.sub(r"['’]s?$", "", text)
    inner_capital = whole[:1].isupper() and not first
    return Word(
        text=whole,
        start=start,
        end=start + len(whole),
        stems=(stem(whole),),
        content=not is_stop(text) and not is_stop(whole),
        naming=bool(re.search(r"[\d#@_]", whole)) or inner_capital,
    )


def _spaceless(run: str, offset: int) -> list[Word]:
    """Cut a spaceless run at its function words; what is between carries meaning."""
    found: list[Word] = []
    at = 0
    for cut in [*_SPACELESS_CUT.finditer(run), None]:
        end = cut.start() if cut else len(run)
        if end > at:
            found.append(_piece(run[at:end], offset + at, content=True))
        if cut:
            found.append(_piece(cut.group(), offset + cut.start(), content=False))
            at = cut.end()
    return found


def _piece(text: str, start: int, *, content: bool) -> Word:
    return Word(text, start, start + len(text), tuple(all_tokens(text)), content, False)
