"""Claim check: whether a sentence of an answer stands on the evidence it cites.

In this order: the evidence exists and its words stand in the stored text at their
place; the numbers, dates and names of the sentence occur in it; the sentence follows
from it (`aitia.methods.entailment_check`). Evidence that was found and not cited is
looked through too: where it says otherwise, the sentence is contradicted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from aitia.methods.arguments import NodeRef
from aitia.methods.asserted import Asserted, asserted, has, stands_in
from aitia.methods.base import Reads, method
from aitia.methods.entailment_check import (
    Entailed,
    Entailment,
    Place,
    by_rules,
    entailment_check,
)
from aitia.methods.instructions import FAILURE, instructions
from aitia.methods.quote_check import Checked, Quoted, quote_check
from aitia.methods.results import against

Verdict = Literal["supported", "unsupported", "contradicted"]


@dataclass(frozen=True)
class ClaimToCheck:
    """A sentence and what it cites.

    Attributes:
        sentence: The sentence, without marks such as `[2]`.
        evidence: What it cites.
        beside: Other evidence that was found; it can only contradict.
        unknown: What it cites that does not exist, as it is written.
    """

    sentence: str
    evidence: tuple[NodeRef, ...]
    beside: tuple[NodeRef, ...] = ()
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True)
class ClaimVerdict(Checked):
    """Whether a sentence stands.

    Attributes:
        verdict: `supported`, `unsupported` or `contradicted`.
        reason: Why, in one sentence.
        by: What decided: `citation`, `quote`, `occurrence`, `words`, `rules`, `model`.
        places: The words that bear it out, or that contradict it.
        judge: The model that judged, where `by` is `model`.
    """

    verdict: Verdict = "unsupported"
    reason: str = ""
    by: str = "citation"
    places: tuple[Place, ...] = field(default=())
    judge: str = ""


@method(
    "claim_check",
    "Tells whether a sentence stands on the evidence that it cites, word for word.",
    offered=True,
)
def claim_check(reads: Reads, given: ClaimToCheck) -> ClaimVerdict:
    """Return whether a sentence stands on its evidence, and on which words."""
    kept, lost = _in_their_place(reads, given.evidence)
    ruled = by_rules(Entailed(given.sentence, (*kept, *given.beside)))
    if ruled.relation == "contradicts":
        return _verdict("contradicted", ruled.reason, ruled)
    if (other := _returned(given, kept)) is not None:
        return other
    if given.unknown:
        names = ", ".join(given.unknown)
        return _unsupported("citation", f"It cites {names}, which is no source.")
    if not kept:
        reason = lost[0] if lost else "It cites no evidence."
        return _unsupported("quote" if lost else "citation", reason)
    if lacking := missing(asserted(given.sentence), kept):
        told = ", ".join(lacking)
        return _unsupported("occurrence", f"Its evidence does not have {told}.")
    found = entailment_check(reads, Entailed(given.sentence, kept))
    if found.relation == "entails" and (told := _telling(found)):
        return _unsupported("quote", told)
    if found.relation == "entails":
        return _verdict("supported", found.reason, found)
    if found.relation == "contradicts":
        return _verdict("contradicted", found.reason, found)
    return _verdict("unsupported", found.reason, found)


def _returned(given: ClaimToCheck, cited: Sequence[NodeRef]) -> ClaimVerdict | None:
    """Return that a result has another number for the same thing; None for none."""
    said = asserted(given.sentence)
    if any(has(asserted(item.text), v) for item in cited for v in said.values):
        return None
    for item in (*cited, *given.beside):
        if reason := against(said, item, cited=item in cited):
            told = f"A result says otherwise: {reason}."
            place = Place(item.node, item.text)
            found = Entailment(
                relation="contradicts", reason=told, by="rules", places=(place,)
            )
            return _verdict("contradicted", told, found)
    return None


def _in_their_place(
    reads: Reads, evidence: Sequence[NodeRef]
) -> tuple[tuple[NodeRef, ...], list[str]]:
    """Return the evidence whose words stand where it says, and why other does not."""
    kept, lost = [], []
    for item in evidence:
        if not item.document:
            kept.append(item)
            continue
        place = Quoted(item.document, item.text, item.start, item.end)
        checked = quote_check(reads, place)
        if checked.passed:
            kept.append(item)
        else:
            lost.append(f"{item.label or 'What it cites'}: {checked.failure}")
    return tuple(kept), lost


def missing(said: Asserted, evidence: Sequence[NodeRef]) -> list[str]:
    """Return the numbers, dates and names of a sentence that no evidence has."""
    whole = [f"{item.about}\n{item.text}" for item in evidence]
    return list(dict.fromkeys(_lacking(said, "\n".join(whole))))


def _lacking(said: Asserted, text: str) -> Iterator[str]:
    there = asserted(text)
    for value in said.values:
        if not has(there, value):
            yield value.text
    for name in sorted(said.names):
        if not stands_in(name, there.text):
            yield name


def _unsupported(by: str, reason: str) -> ClaimVerdict:
    return ClaimVerdict(reason=reason, by=by, summary=reason, failure=reason)


def _telling(found: Entailment) -> str:
    """Return why words that bear a sentence out are no evidence, or ""."""
    told = (words for place in found.places for words in instructions(place.exact))
    first = next(told, "")
    return FAILURE.format(first) if first else ""


def _verdict(verdict: Verdict, reason: str, found: Entailment) -> ClaimVerdict:
    passed = verdict == "supported"
    return ClaimVerdict(
        passed=passed,
        found=found.places[0].exact[:200] if found.places else "",
        verdict=verdict,
        reason=reason,
        by=found.by,
        places=found.places,
        judge=found.judge,
        summary=f"{verdict}: {reason}",
        failure="" if passed else reason,
        confidence=found.confidence if passed else None,
        confidence_rule=found.confidence_rule if passed else "",
        notices=found.notices,
    )
