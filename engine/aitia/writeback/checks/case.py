"""What the checks look at, worked out once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pyoxigraph import NamedNode

from aitia.plain import quoted
from aitia.vocab import EARL
from aitia.writeback.bearing import borne
from aitia.writeback.confidence import Confidence, confidence
from aitia.writeback.desk import Desk
from aitia.writeback.draft import Checked, Draft, Impact
from aitia.writeback.impact import impact
from aitia.writeback.opposition import Opposed, opposition
from aitia.writeback.sources import Sourced, sourced


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
    evidence = tuple(
        replace(item, borne=borne(desk, draft, item.cited))
        for item in sourced(desk, draft.evidence)
    )
    opposed = (*opposition(desk, draft), *_own_evidence(draft, evidence))
    return Case(desk, draft, evidence, opposed, impact(desk.store, draft))


def _own_evidence(draft: Draft, evidence: Iterable[Sourced]) -> Iterator[Opposed]:
    """Yield what the evidence itself says against a proposal."""
    if draft.opinion_of:
        return
    for item in evidence:
        if said := item.borne.against:
            source = item.document.value if item.document else ""
            reason = f"its own evidence {item.path} says {quoted(said)}"
            yield Opposed(reason, "evidence", source, item.weight.value, said)


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
