"""What the checks look at, worked out once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyoxigraph import NamedNode

from aitia.vocab import EARL
from aitia.writeback.confidence import Confidence, confidence
from aitia.writeback.desk import Desk
from aitia.writeback.draft import Checked, Draft, Impact
from aitia.writeback.impact import impact
from aitia.writeback.opposition import Opposed, opposition
from aitia.writeback.sources import Sourced, sourced

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True)
class Case:
    """A draft with what was found out about it.

    Attributes:
        desk: What to work with.
        draft: The proposal.
        evidence: Its evidence, each piece with where it comes from.
        opposed: What contradicts it.
        impact: What it would touch.
    """

    desk: Desk
    draft: Draft
    evidence: tuple[Sourced, ...]
    opposed: tuple[Opposed, ...]
    impact: Impact

    @property
    def confidence(self) -> Confidence | None:
        """How sure it is, by the written formula; None where nothing is cited."""
        against = max((item.weight for item in self.opposed), default=0.0)
        return confidence(self.evidence, against)


def case_of(desk: Desk, draft: Draft) -> Case:
    """Return a draft with what can be found out about it."""
    return Case(
        desk,
        draft,
        tuple(sourced(desk, draft.evidence)),
        tuple(opposition(desk, draft)),
        impact(desk.store, draft),
    )


def passed(kind: NamedNode, text: str) -> Checked:
    """Return a check that was passed."""
    return Checked(kind, EARL.passed, text)


def judged(
    kind: NamedNode, found: Iterable[str], good: str, *, blocks: bool
) -> Checked:
    """Return a check that fails where anything was found."""
    told = list(dict.fromkeys(found))
    if not told:
        return passed(kind, good)
    return Checked(kind, EARL.failed, "; ".join(told), blocks)
