r"""How sure a proposal is, by a written formula.

Each independent source i has a weight w_i from 0 to 1 (the `[sources]` settings) and
carries the proposal with c_i: 1 where its words name subject, property and value, or
where it is the statement itself; 1/2 where its words name the value only, or where only
the source is named; 0 where they name neither or say otherwise (`bearing`). What was
not reached and what is no source (`sources`) does not count. With
the weight o of the strongest source that contradicts the proposal (0 where none does):

    confidence = (1 - o) * (1 - (1 - w_1 c_1)(1 - w_2 c_2) ... (1 - w_n c_n))

This is the noisy-or of independent evidence (Pearl, Probabilistic Reasoning in
Intelligent Systems, 1988, section 4.3), discounted by what speaks against it. Where
nothing is cited there is no confidence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aitia.writeback.sources import Sourced


@dataclass(frozen=True)
class Confidence:
    """How sure a proposal is.

    Attributes:
        value: From 0 to 1.
        rule: The formula with its numbers.
    """

    value: float
    rule: str


def confidence(evidence: Sequence[Sourced], against: float = 0.0) -> Confidence | None:
    """Return how sure a proposal is; None where nothing was measured.

    Args:
        evidence: What speaks for it.
        against: Weight of the strongest source that contradicts it.
    """
    shares = _shares(evidence)
    if not shares:
        return None
    doubt = 1.0
    for share in shares.values():
        doubt *= 1 - share
    value = (1 - against) * (1 - doubt)
    factors = "".join(f"(1 - {share:.2f})" for share in shares.values())
    rule = f"(1 - {against:.2f}) * (1 - {factors}) over independent sources"
    return Confidence(value, rule)


def _shares(evidence: Sequence[Sourced]) -> Mapping[str, float]:
    """Return what each independent source carries, the best of its pieces."""
    found: dict[str, float] = {}
    for item in evidence:
        if item.counts:
            share = item.weight.value * _carried(item)
            found[item.key] = max(share, found.get(item.key, 0.0))
    return found


def _carried(item: Sourced) -> float:
    """Return how far its words carry the proposal; a mere source at most half."""
    return item.borne.share if item.cited.start >= 0 else min(item.borne.share, 0.5)
