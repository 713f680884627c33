"""Limit check: whether an amount in a question keeps to the limit that a rule sets.

"Shipping is free for orders above 500 euro" rules on an order of 900 euro: what the
rule says holds where the amount keeps to its limit. Where it does not, the rule does
not apply, which is all that is told: another rule may say the same of it. A rule that
denies ("are not paid for orders under 20 euro") says no where it applies. Only the two
amounts are compared, without a yes or no, where the sentence has an exception or speaks
of something that the question does not ("for members"); nothing where it has several
limits in one unit.

Units are normalised (2 weeks keep to "within 30 days"); currencies do not compare.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from aitia.methods.asserted import asserted
from aitia.methods.base import Outcome, Reads, method
from aitia.methods.contradiction.values import Value, values
from aitia.methods.rerank import Sentences
from aitia.methods.scoring import RULE
from aitia.methods.words import RELATIONS, content

OVER, UNDER, LEAST, MOST = "over", "under", "least", "most"
_BEFORE: Final = tuple(
    (re.compile(rf"(?:\b|(?<=\W))(?:{words})\s*$", re.I), kind)
    for words, kind in (
        (
            "(?:no|not) (?:more|longer|higher|heavier|larger|greater|older|later) than|"
            "not (?:over|above|exceeding)|at most|up to|within|maximum of|until",
            MOST,
        ),
        (
            "(?:no|not) (?:less|fewer|shorter|lower|lighter|smaller|younger|earlier) than"
            "|not (?:under|below)|at least|minimum of|from|starting at",
            LEAST,
        ),
        (
            "(?:more|longer|higher|heavier|larger|greater|older|later|wider|taller|deeper|"
            "faster|dearer) than|over|above|beyond|exceed(?:s|ing)?|after",
            OVER,
        ),
        (
            "(?:less|fewer|shorter|lower|lighter|smaller|younger|earlier|narrower|cheaper|"
            "slower) than|under|below|before",
            UNDER,
        ),
    )
)
_AFTER: Final = (
    (
        re.compile(r"\s+(?:or|and) (?:more|above|over|longer|later|older)\b", re.I),
        LEAST,
    ),
    (re.compile(r"\s+(?:or|and) (?:less|fewer|below|under|shorter)\b", re.I), MOST),
)
_EXCEPTS: Final = re.compile(
    r"\b(?:unless|except\w*|besides|apart from|other than)\b", re.I
)


@dataclass(frozen=True)
class Ruling:
    """Sentences that may rule on an amount, and the question that has it."""

    sentences: Sentences
    question: str


@dataclass(frozen=True)
class Limited:
    """A sentence with a limit, and a question with an amount."""

    sentence: str
    question: str


@dataclass(frozen=True)
class Verdict(Outcome):
    """Whether the amount keeps to the limit.

    Attributes:
        text: In words, with the rule.
        keeps: Whether it does.
    """

    text: str = ""
    keeps: bool = field(default=False)


@dataclass(frozen=True)
class _Limit:
    kind: str
    value: Value
    words: str

    def holds(self, amount: Value) -> bool:
        has, limit = amount.amount, self.value.amount
        if has == limit:
            return self.kind in (LEAST, MOST)
        return has > limit if self.kind in (OVER, LEAST) else has < limit


def amount(question: str) -> Value | None:
    """Return the one number with a unit in a question, or None."""
    found = [item for item in values(question) if item.kind == "number" and item.unit]
    return found[0] if len(found) == 1 else None


@method("limit_selection", "Picks the sentences that set a limit to an amount.")
def limit_selection(reads: Reads, given: Ruling, *, most: int = 2) -> Sentences:
    """Return the sentences that speak of all that is asked and set a limit to it."""
    chosen = tuple(
        item
        for item in given.sentences.sentences
        if _rules_on(item.piece.text, given.question)
    )[:most]
    return Sentences(
        sentences=chosen,
        summary=f"{len(chosen)} sentences",
        failure="" if chosen else "No sentence sets a limit to the amount.",
        confidence=chosen[0].confidence if chosen else None,
        confidence_rule=RULE if chosen else "",
    )


@method("limit_check", "Holds an amount in a question to the limit that a rule sets.")
def limit_check(reads: Reads, given: Limited) -> Verdict:
    """Return whether the rule applies to the amount, in words."""
    asked, limit = amount(given.question), _limit(given.sentence, given.question)
    if asked is None or limit is None:
        return Verdict(summary="no limit", failure="The two do not compare.")
    keeps = limit.holds(asked)
    said = f"{asked.text} is {'' if keeps else 'not '}{limit.words}"
    text = f"{_answer(given, limit, keeps)}{said} – “{given.sentence}”"
    return Verdict(text=text, keeps=keeps, summary=text)


def _answer(given: Limited, limit: _Limit, keeps: bool) -> str:
    """Return what a comparison answers, or "" where it alone decides nothing."""
    rule, question = given.sentence.replace(limit.words, " "), given.question
    known = {stem for word in content(question) for stem in word.stems}
    further = any(not known & set(word.stems) for word in content(rule))
    if further or _EXCEPTS.search(f"{rule} {question}") or asserted(question).denied:
        return ""
    if asserted(rule).denied:
        return "No: " if keeps else ""
    return "Yes: " if keeps else "No, not by this rule: "


def _rules_on(sentence: str, question: str) -> bool:
    asked = amount(question)
    assert asked is not None
    there = {stem for word in content(sentence) for stem in word.stems}
    wanted = [
        word
        for word in content(question)
        if not (asked.start <= word.start < asked.end)
        and word.text.lower() not in RELATIONS
    ]
    said = all(there & set(word.stems) for word in wanted)
    return said and _limit(sentence, question) is not None


def _limit(sentence: str, question: str) -> _Limit | None:
    """Return the one limit in a sentence in the unit of the question's amount."""
    asked = amount(question)
    found = [
        limit
        for limit in _limits(sentence)
        if asked is not None and limit.value.unit == asked.unit
    ]
    same_unit = [v for v in values(sentence) if asked and v.unit == asked.unit]
    return found[0] if len(found) == len(same_unit) == 1 else None


def _limits(sentence: str) -> Iterator[_Limit]:
    for value in values(sentence):
        before, after = sentence[: value.start], sentence[value.end :]
        for pattern, kind in _AFTER:
            if found := pattern.match(after):
                words = sentence[value.start : value.end + found.end()]
                yield _Limit(kind, value, words)
                break
        else:
            for pattern, kind in _BEFORE:
                if found := pattern.search(before):
                    yield _Limit(kind, value, sentence[found.start() : value.end])
                    break
