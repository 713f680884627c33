"""Whether a sentence holds the kind of thing that a question asks for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from aitia.methods.cues import (
    DATE,
    EXISTS_FORM,
    PERSON,
    PLACE,
    QUANTITY,
    REASON,
    read_cues,
)
from aitia.methods.words import content, words

_NUMBER_WORDS: Final = (
    "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|"
    "fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|"
    "sixty|seventy|eighty|ninety|hundred|thousand|million|half|dozen"
)
_NUMBER: Final = re.compile(
    rf"\d|\b(?:{_NUMBER_WORDS}|once|twice|no|none)\b|[一二三四五六七八九十百千万两半]",
    re.I,
)
_FIGURE: Final = re.compile(r"[\d.,]*\d")
_YEAR: Final = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_OFTEN: Final = re.compile(
    r"\b(?:once|twice|times|every|each|daily|weekly|monthly|yearly|per|an? (?:day|week|"
    r"month|year|hour)|always|never)\b|每|次",
    re.I,
)
_DATE: Final = re.compile(
    rf"\b(?:at|by|from|past|to|till) (?:{_NUMBER_WORDS}|\d+)\b|"
    r"\d{4}|\d{1,2}[:.]\d\d|\d{1,2}/\d{1,2}|\b(?:january|february|march|april|may|june|"
    r"july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|"
    r"sun)days?|spring|summer|autumn|fall|winter|today|tomorrow|yesterday|morning|noon|"
    r"afternoon|evening|night|midnight|immediately|days?|weeks?|months?|years?|hours?|"
    r"minutes?|o'clock|once|if|when|whenever|until|before|after|while|during|on receipt)\b"
    r"|[年月日号天周]|星期|昨天|小时|分钟|[上下]午|时|后|前",
    re.I,
)
_PLACE: Final = re.compile(
    r"\b(?:in|at|on|behind|under|near|into|from|to|above|beside|inside|outside|onto|"
    r"next)\b|[在于到从往]",
    re.I,
)
_REASON: Final = re.compile(
    r"\b(?:because|since|as|due to|owing to|thanks to|caused by|result of|results? from|"
    r"on account of|on grounds of|for (?:lack|want|fear) of|so that|so as|in order to|"
    r"reason(?: for \w+)? (?:is|was)|to (?:prevent|avoid|protect|allow|ensure|keep|make|"
    r"reduce|save|let))\b(?P<why>[^,;.]*)"
    r"|(?P<told>\b(?:reasons?|causes?|caused)\b|因为|由于|因此|原因|以便|为了)",
    re.I,
)
_NAME: Final = re.compile(r"(?<=[\w,;:)] )[A-Z][\w'’-]+")
_FOR: Final = re.compile(
    r"\bfor\s+(?:(?:the|an?|all|our|every|each|most)\s+)*([^\W\d_][\w'’-]*)", re.I
)
_COUNTED: Final = re.compile(r"\bhow many\s+(.+)", re.I)
_COUNTED_SPACELESS: Final = re.compile(r"(?:多少|几)个?([^\s的是有??,,。]{1,4})")
NEAR: Final = 3  # words between a number and what it counts
PARTLY: Final = 0.4


@dataclass(frozen=True)
class AskedType:
    """The kind of thing that a question asks for.

    Attributes:
        wants: `date`, `quantity`, `person`, `place`, `reason` or "".
        counted: For "how many", the terms of what is counted.
        often: True where it asks how often.
        names: The question's words, which are no new names.
        terms: The terms of its words that carry meaning.
        meant: The terms of whom or what it is asked for ("for households").
        judged: True where it asks whether something is so.
    """

    wants: str
    counted: frozenset[str] = frozenset()
    often: bool = False
    names: frozenset[str] = frozenset()
    terms: frozenset[str] = frozenset()
    meant: frozenset[str] = frozenset()
    judged: bool = False


def meant(text: str) -> set[str]:
    """Return the terms of whom or what something is said to be for."""
    said = " ".join(found.group(1) for found in _FOR.finditer(text))
    return {stem for word in content(said) for stem in word.stems}


def asked_type(question: str) -> AskedType:
    """Return the kind of thing that a question asks for."""
    counted = _COUNTED.search(question)
    first = content(counted.group(1))[:1] if counted else []
    terms = {stem for word in first for stem in word.stems}
    if spaceless := _COUNTED_SPACELESS.search(question):
        terms.add(spaceless.group(1))
    cues = read_cues(question)
    return AskedType(
        wants=cues.wants,
        counted=frozenset(terms),
        often=bool(re.search(r"\bhow often\b|多久一次", question, re.I)),
        names=frozenset(word.text.lower() for word in words(question)),
        terms=_stems(question),
        meant=frozenset(meant(question)),
        judged=cues.form == EXISTS_FORM,
    )


def fits(asked: AskedType, text: str) -> float:
    """Return how far a sentence holds what is asked for: 1 wholly, 0 not at all."""
    if asked.wants == DATE:
        return float(bool(_DATE.search(text)))
    if asked.wants == QUANTITY:
        return _quantity(asked, text)
    if asked.wants == PERSON:
        found = {name.lower() for name in _NAME.findall(text) if not _DATE.match(name)}
        return 1.0 if found - asked.names else PARTLY
    if asked.wants == REASON:
        return _reasons(asked, text)
    if asked.wants == PLACE:
        return 1.0 if _PLACE.search(text) else PARTLY
    return 1.0


def _reasons(asked: AskedType, text: str) -> float:
    """Return 1 where a sentence gives a reason, and not for what it gives as one."""
    found = _REASON.search(text)
    if found is None:
        return 0.0
    if found["told"]:
        return 1.0
    rest = f"{text[: found.start()]} {text[found.end() :]}"
    there, reason = _stems(rest) & asked.terms, _stems(found["why"]) & asked.terms
    return float(len(there) >= len(reason) and bool(there))


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem for word in content(text) for stem in word.stems)


def _quantity(asked: AskedType, text: str) -> float:
    if asked.often:
        return float(bool(_OFTEN.search(text)))
    if not _NUMBER.search(_YEAR.sub(" ", text)):
        return 0.0
    if asked.counted and not _counts(asked.counted, text):
        return 0.0
    return 1.0


def _counts(counted: frozenset[str], text: str) -> bool:
    """Tell whether a number stands close before what is counted."""
    found = words(text)
    for at, word in enumerate(found):
        if _NUMBER.fullmatch(word.text) or _FIGURE.fullmatch(word.text):
            near = found[at : at + NEAR + 1]
            if any(
                term in item.text or term in item.stems
                for item in near
                for term in counted
            ):
                return True
    return False


def quantities(text: str) -> list[tuple[str, str]]:
    """Return the quantities in a text: each number with the word that follows it."""
    found = re.findall(
        r"(\d+(?:[.,:]\d+)*|[一二三四五六七八九十百千两]+)\s*([^\W\d_]+|[%€$£])?", text
    )
    return [(number, unit.lower()) for number, unit in found]
