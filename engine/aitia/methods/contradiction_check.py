"""Contradiction check: whether a sentence contradicts a claim, agrees with it, or neither.

In this order, until one can tell: rules; an NLI cross-encoder, where the user
configured a local one; a model, where there is one; the odds by words and meaning. What
decided is told as `by`: only rules, an NLI model and a model are sure enough for a
conflict to be put on record by itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from aitia.methods.asking import DATA, Asked, ask_model, data
from aitia.methods.base import Outcome, Reads, method
from aitia.methods.contradiction.rules import (
    AGREES,
    CANNOT_TELL,
    CONTRADICTS,
    UNRELATED,
    Ruling,
    judge,
)
from aitia.methods.contradiction.sentences import Said, read
from aitia.methods.words import content

if TYPE_CHECKING:
    from aitia.methods.replies import Judgement

VERSION: Final = "1"
SURE: Final = 0.7
"""Odds from which words and meaning tell: on folds of the development pairs, 78 % of
those held to contradict do, and 86 % of those held to agree."""
NEAR: Final = 0.3
"""Cosine under which a sentence with hardly a word of a claim has no bearing on it."""
RULES, NLI, MODEL, WEIGHTS = "rules", "nli", "model", "weights"
_SYSTEM: Final = (
    "You check whether a text contradicts a claim. Answer with JSON: `relation` is "
    "`contradicts` where both cannot be true of the same thing at the same time, "
    "`entails` where the text says what the claim says, `unrelated` where the text "
    "speaks of another thing or another time, `cannot tell` otherwise; `quote` is the "
    "exact words of the text that you go by, copied letter by letter, or empty; "
    "`reason` is one short sentence. Different things that share a name contradict "
    f"nothing. {DATA}"
)
_FROM_MODEL: Final = {"entails": AGREES}


@dataclass(frozen=True)
class Pair:
    """A claim, and a sentence that may contradict it.

    Attributes:
        claim: The claim.
        sentence: The sentence.
        claim_about: Heading and title that the claim stands under, or "".
        sentence_about: The same of the sentence.
    """

    claim: str
    sentence: str
    claim_about: str = ""
    sentence_about: str = ""


@dataclass(frozen=True)
class Judged(Outcome):
    """How a sentence stands to a claim.

    Attributes:
        verdict: `contradicts`, `agrees`, `unrelated` or `cannot tell`.
        reason: Why, in words.
        by: What decided: `rules`, `nli`, `model` or `weights`.
        rule: The rule that decided, or "".
        likely: Odds of a contradiction by words and meaning, where they were reckoned.
    """

    verdict: str = CANNOT_TELL
    reason: str = ""
    by: str = RULES
    rule: str = ""
    likely: float | None = None

    @property
    def contradicts(self) -> bool:
        """Whether it contradicts, by more than mere odds."""
        return self.verdict == CONTRADICTS and self.by != WEIGHTS


@method(
    "contradiction_check",
    "Tells whether a sentence contradicts a claim, agrees with it, or neither.",
    offered=True,
)
def contradiction_check(reads: Reads, given: Pair, *, ask: bool = True) -> Judged:
    """Return how a sentence stands to a claim.

    Args:
        reads: What may be read.
        given: The two.
        ask: Whether a model may be asked, where one is configured.
    """
    claim, sentence = read(given.claim), read(given.sentence)
    ruling = judge(claim, sentence)
    if ruling is not None:
        return by_rule(ruling)
    if found := _by_nli(reads, given):
        return found
    asked: Asked[Judgement] = _asked(reads, given) if ask else Asked()
    if asked.value is not None:
        judged = _by_model(given, asked.value)
    else:
        judged = by_odds(reads, claim, sentence)
    return replace(judged, notices=asked.notices)


def by_rule(ruling: Ruling) -> Judged:
    """Return what a rule says as the outcome of the check."""
    return Judged(
        verdict=ruling.verdict,
        reason=ruling.reason,
        by=RULES,
        rule=ruling.rule,
        summary=f"{ruling.verdict}: {ruling.reason}",
    )


def by_odds(reads: Reads, claim: Said, sentence: Said) -> Judged:
    """Return what words and meaning say; they tell how sure that is."""
    from aitia.methods.contradiction.measures import measure
    from aitia.methods.contradiction.weights import RULE, odds

    if not content(claim.text) or not content(sentence.text):
        reason = "one of them has no telling word"
        return Judged(verdict=CANNOT_TELL, reason=reason, by=WEIGHTS, summary=reason)
    measures = measure(claim, sentence, reads.indexes.embed)
    likely = odds(measures)
    if measures["alike"] < NEAR and measures["missing"] > 0.5:
        reason = "they have few words and little meaning in common"
        return Judged(
            verdict=UNRELATED, reason=reason, by=WEIGHTS, summary=reason, likely=likely
        )
    verdict = CONTRADICTS if likely >= SURE else CANNOT_TELL
    verdict = AGREES if likely <= 1 - SURE else verdict
    reason = f"odds of a contradiction by words and meaning: {likely:.2f}"
    return Judged(
        verdict=verdict,
        reason=reason,
        by=WEIGHTS,
        summary=f"{verdict}: {reason}",
        likely=likely,
        confidence=max(likely, 1 - likely),
        confidence_rule=RULE,
    )


def _by_nli(reads: Reads, given: Pair) -> Judged | None:
    folder = reads.settings.conflicts.nli
    if not folder:
        return None
    from aitia.retrieval import nli

    verdict, sure = nli.load(folder).judge(given.sentence, given.claim)
    names = {"contradiction": CONTRADICTS, "entailment": AGREES}
    told = names.get(verdict, CANNOT_TELL)
    reason = f"the NLI model finds {verdict}"
    return Judged(
        verdict=told,
        reason=reason,
        by=NLI,
        summary=f"{told}: {reason}",
        confidence=sure,
        confidence_rule=f"softmax of the NLI model {folder}",
    )


def _asked(reads: Reads, given: Pair) -> Asked[Judgement]:
    if reads.models is None:
        return Asked()
    from aitia.methods.replies import Judgement

    claim = f"{given.claim_about}\n{given.claim}".strip()
    text = f"{given.sentence_about}\n{given.sentence}".strip()
    return ask_model(
        reads,
        Judgement,
        purpose="contradiction_check",
        version=VERSION,
        system=_SYSTEM,
        text=f"Claim:\n{data(claim)}\n\nText:\n{data(text)}",
    )


def _by_model(given: Pair, told: Judgement) -> Judged:
    """Return a model's verdict; without words of the text it tells nothing."""
    verdict = _FROM_MODEL.get(told.relation, told.relation)
    reason = told.reason or verdict
    quoted = " ".join(told.quote.split())
    stands = bool(quoted) and quoted in " ".join(given.sentence.split())
    if verdict in (CONTRADICTS, AGREES) and not stands:
        verdict = CANNOT_TELL
        reason = "what the model quotes does not stand in the text"
    return Judged(
        verdict=verdict, reason=reason, by=MODEL, summary=f"{verdict}: {reason}"
    )
