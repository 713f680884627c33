"""What a sentence says: its frame, what it names, its values, what it denies."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from aitia.methods.contradiction.opposites import OPPOSITES
from aitia.methods.contradiction.values import MONTHS, WEEKDAYS, Value, values
from aitia.methods.words import Word, words
from aitia.retrieval.words import tokens

DENIES: Final = re.compile(
    r"\b(?:not|no|never|none|neither|nor|cannot|without|nobody|nothing|nowhere|"
    r"hardly|lacks?|lacked|lacking|fails? to|failed to|refused? to|refuses to|"
    r"unable to|incapable of|yet to)\b|n[’']t\b|[不没未无非]",
    re.I,
)
POINTS_BACK: Final = re.compile(
    r"\s*(?:it|its|they|their|them|he|she|his|her|this|these|those|such|the latter)\b"
    r"|[它他她这该]",
    re.I,
)
_COPULA: Final = re.compile(
    r"\s(?:is|are|was|were|will be|shall be|equals?|amounts? to|costs?)\s(?!not\b)|[是为]",
    re.I,
)
_ONE_TIME: Final = re.compile(
    r"\b(?:founded|born|died|built|opened|published|released|launched|established|"
    r"signed|started|began|ended|completed|invented|discovered|created|elected|"
    r"acquired|formed|premiered|debuted|married|retired|installed|replaced|adopted|"
    r"deadline|expires?|due|birthday|dates? from)\b|成立|出生|去世|建成|开业|发布",
    re.I,
)
"""Words for what happens once: a date beside them is what is said, and no more than
a time at which something else holds."""
_NUMBERED: Final = re.compile(
    r"(?:room|section|chapter|article|level|unit|line|gate|platform|version|step|table|"
    r"figure|page|no|number|nr|paragraph|clause|item|part|floor|building|block|zone|"
    r"class|grade|phase|stage|track|channel|port|bay|lot|group|type|model|series)\.?",
    re.I,
)
_MEASURES: Final = re.compile(
    r"(?:costs?|weighs?|measures?|lifts?|holds?|ha[sd]|have|takes?|lasts?|pays?|paid|"
    r"employs?|contains?|reach(?:es)?|seats?|totals?|carries|carry|needs?|requires?|"
    r"allows?|offers?|sells?|sold|owns?|uses?|produces?|serves?|charges?|covers?|runs?|"
    r"won|wins?|scored?|made|makes?|gets?|got|kept|keeps?|gives?|gave)",
    re.I,
)
_CALENDAR: Final = frozenset((*MONTHS, *WEEKDAYS))


@dataclass(frozen=True)
class Said:
    """A sentence, read.

    Attributes:
        text: The sentence.
        values: Its values that are said, no names: "9 tonnes", not "crane 4".
        names: What it names by capitals, ids and numbered nouns, in lower case.
        frame: Its terms of meaning without values and denials.
    """

    text: str
    values: tuple[Value, ...]
    names: frozenset[str]
    frame: frozenset[str]

    @cached_property
    def denied(self) -> bool:
        """Whether it denies; two denials in it cancel."""
        return len(DENIES.findall(self.text)) % 2 == 1

    @cached_property
    def points_back(self) -> bool:
        """Whether it begins with a word for something named before it."""
        return bool(POINTS_BACK.match(self.text))

    @cached_property
    def happens_once(self) -> bool:
        """Whether it tells of what happens once."""
        return bool(_ONE_TIME.search(self.text))

    @cached_property
    def slot(self) -> tuple[Said, Said] | None:
        """What it says something of and what it says, where both are told apart."""
        found = _COPULA.search(self.text)
        if found is None:
            return None
        before = self.text[: found.start()]
        after = self.text[found.end() :].rstrip(" .!;。；")
        if not before.strip() or not after:
            return None
        return read(before), read(after, inside=True)

    @cached_property
    def bare(self) -> frozenset[str]:
        """Its frame without what it names."""
        return self.frame - set(tokens(" ".join(self.names)) if self.names else ())

    def opposed(self, other: Said) -> tuple[str, str] | None:
        """Return a word of each that are opposites and stand in one of them alone."""
        mine, theirs = _plain(self.text), _plain(other.text)
        only, others = mine - theirs, theirs - mine
        return next(
            (
                (word, against)
                for word in sorted(only)
                for against in sorted(OPPOSITES.get(word, frozenset()) & others)
            ),
            None,
        )


@lru_cache(maxsize=4096)
def read(text: str, *, inside: bool = False) -> Said:
    """Return what a sentence says.

    Args:
        text: The sentence, or a part of one.
        inside: It is a part that does not begin the sentence, so that a capital at its
            start names something.
    """
    found = values(text)
    at = words(text)
    numbering = {value.start: value for value in found if _numbers(text, at, value)}
    said = tuple(value for value in found if value.start not in numbering)
    names = frozenset(
        (*_names(at, found, inside), *_numbered(at, tuple(numbering.values())))
    )
    return Said(text, said, names, frozenset(_frame(text, said)))


def _frame(text: str, said: Sequence[Value]) -> Iterator[str]:
    """Yield the terms of meaning outside values and denials."""
    parts, at = [], 0
    for value in said:
        begins = value.start if value.bounded < 0 else value.bounded
        parts.append(text[at : max(at, begins)])
        at = value.end
    rest = DENIES.sub(" ", " ".join([*parts, text[at:]]))
    yield from tokens(rest) if any(char.isalnum() for char in rest) else ()


def _numbers(text: str, at: Sequence[Word], value: Value) -> bool:
    """Tell whether a number is part of a name, as in "crane 4" or "room 12"."""
    plain = value.kind == "number" and not value.unit and value.bound == "="
    if not plain or not value.figure.isdigit():
        return False
    before = next((word for word in reversed(at) if word.end <= value.start), None)
    if before is None or text[before.end : value.start].strip():
        return False
    if _NUMBERED.fullmatch(before.text) or before.text[:1].isupper():
        return before.content
    if not before.content or _MEASURES.fullmatch(before.text):
        return False
    after = next((word for word in at if word.start >= value.end), None)
    plural = after is not None and after.text.endswith("s") and after.content
    return not plural and after is not None


def _names(at: Sequence[Word], found: Sequence[Value], inside: bool) -> Iterator[str]:
    """Yield the words that name something by their form."""
    valued = {word.start for word in at for v in found if v.start <= word.start < v.end}
    for place, word in enumerate(at):
        lower = word.text.lower()
        if word.start in valued or not word.content or lower in _CALENDAR:
            continue
        leads = place == 0 and (
            inside or any(x.naming and x.start not in valued for x in at[1:2])
        )
        if word.naming or (leads and word.text[:1].isupper()):
            yield lower


def _numbered(at: Sequence[Word], numbering: Sequence[Value]) -> Iterator[str]:
    """Yield nouns with the numbers that make names of them: "crane 4"."""
    for value in numbering:
        before = next(word for word in reversed(at) if word.end <= value.start)
        yield f"{before.text.lower()} {value.figure}"


def _plain(text: str) -> set[str]:
    return {word.text.lower() for word in words(text)} | set(text) - set(
        "abcdefghijklmnopqrstuvwxyz"
    )
