"""Rule selection: which sentences rule on a case.

Of the sentences that speak of what is to be done, those that rule come first: that say
what can, may, must or cannot be done, and that name a value or property of the case,
on which the ruling turns. Sentences that come near the best in confidence count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from pyoxigraph import NamedNode

from aitia.methods.base import Reads, method
from aitia.methods.rerank import Sentences
from aitia.methods.rule_conditions import turned_on
from aitia.methods.scoring import RULE, Measured, speaks_of_another

NORMATIVE: Final = re.compile(
    r"\b(?:can|cannot|can't|may|must|only|shall|should|required?|allowed|permitted|"
    r"possible|eligible|entitled|need(?:s|ed)? to|unless|if)\b|可以|必须|不能|不得|须|应当|仅",
    re.I,
)


@dataclass(frozen=True)
class Case:
    """Ranked sentences, the case they are to rule on, and what is asked of it."""

    sentences: Sentences
    cases: tuple[NamedNode, ...]
    question: str = ""


@method("rule_selection", "Picks the sentences that rule on a case.")
def rule_selection(
    reads: Reads, given: Case, *, near: float = 0.6, most: int = 2
) -> Sentences:
    """Return the sentences that rule on the case, those that turn on it first."""
    ranked = [
        item
        for item in given.sentences.sentences
        if not speaks_of_another(given.question, item.piece.text)
    ]
    best = ranked[0].confidence if ranked else 0.0
    close = [item for item in ranked if item.confidence >= near * best]
    weighed = sorted(
        ((_weight(reads, item, given), item) for item in close),
        key=lambda pair: (-pair[0], -pair[1].confidence),
    )
    top = weighed[0][0] if weighed else 0
    chosen = tuple(item for weight, item in weighed if weight == top)[:most]
    return Sentences(
        sentences=chosen,
        summary=f"{len(chosen)} sentences",
        failure="" if chosen else "No sentence to choose from.",
        confidence=chosen[0].confidence if chosen else None,
        confidence_rule=RULE if chosen else "",
    )


def _weight(reads: Reads, item: Measured, given: Case) -> int:
    """Return 0 to 3: 1 for ruling, 1 for a property, 2 for a value of the case."""
    named = turned_on(reads, item.piece.text, given.question)
    facts = (fact for case in given.cases for fact in reads.schema.facts(case))
    had = {fact.predicate.value for fact in facts}
    values = any(iri in had and wanted for iri, wanted in named.items())
    properties = any(iri in had for iri in named)
    rules = bool(NORMATIVE.search(item.piece.text))
    return int(rules) + (2 if values else 1 if properties else 0)
