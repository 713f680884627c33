"""How the contradiction check does on the pairs of FEVER Symmetric.

python -m tests.conflictdev.score NAME [SHARED_DATA]      NAME: dev or test
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from aitia.methods.base import Reads
from aitia.methods.contradiction.rules import AGREES, CONTRADICTS, judge
from aitia.methods.contradiction.sentences import read
from aitia.methods.contradiction_check import Pair, by_odds, contradiction_check
from aitia.settings import Settings
from tests.conflictdev.fever import Case, cases
from tests.conflictdev.fit import embedding

EVEN: Final = 0.5


@dataclass(frozen=True)
class Score:
    """How often a verdict was right.

    Attributes:
        pairs: How many pairs there were.
        accuracy: Share of them that were told right, each of which is told one way.
        precision: Of those told to contradict, the share that do.
        recall: Of those that contradict, the share that is told so.
        told: Share of the pairs of which the check says `contradicts` or `agrees`.
        sure: Share of those that it tells right.
    """

    pairs: int
    accuracy: float
    precision: float
    recall: float
    told: float
    sure: float


class Embeds:
    """In place of the indexes, of which the check asks vectors alone."""

    def __init__(self) -> None:
        self.embed = embedding()


def reads() -> Reads:
    """Return what the check may read: a model of vectors, and no language model."""
    nothing: Any = None
    indexes: Any = Embeds()
    return Reads(nothing, nothing, indexes, Settings())


def score(found: Sequence[Case]) -> Score:
    """Return how the check does on some pairs, offline."""
    able = reads()
    forced = [_contradicts(able, case) for case in found]
    said = [
        contradiction_check(able, Pair(case.claim, case.evidence)) for case in found
    ]
    right = [case.refutes for case in found]
    hits = sum(a and b for a, b in zip(forced, right, strict=True))
    told = [
        (item.verdict == CONTRADICTS) == case.refutes
        for item, case in zip(said, found, strict=True)
        if item.verdict in (CONTRADICTS, AGREES)
    ]
    return Score(
        pairs=len(found),
        accuracy=sum(a == b for a, b in zip(forced, right, strict=True)) / len(found),
        precision=hits / max(1, sum(forced)),
        recall=hits / max(1, sum(right)),
        told=len(told) / len(found),
        sure=sum(told) / max(1, len(told)),
    )


def _contradicts(able: Reads, case: Case) -> bool:
    """Tell whether a pair contradicts where one of the two must be said.

    A rule that says contradicts or agrees decides, else the odds do.
    """
    claim, sentence = read(case.claim), read(case.evidence)
    ruling = judge(claim, sentence)
    if ruling is not None and ruling.verdict in (CONTRADICTS, AGREES):
        return ruling.verdict == CONTRADICTS
    return (by_odds(able, claim, sentence).likely or 0.0) >= EVEN


def main() -> None:
    """Print the figures."""
    name, *rest = sys.argv[1:]
    print(score(cases(Path(rest[0] if rest else "../shared/data"), name)))


if __name__ == "__main__":
    main()
