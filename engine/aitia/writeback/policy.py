"""What it takes to accept a proposal, and when no person is needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pyoxigraph import NamedNode

from aitia.settings.writeback import WriteBackSettings
from aitia.vocab import AITIA, EARL
from aitia.writeback.checks import Case
from aitia.writeback.desk import Desk
from aitia.writeback.draft import KINDS, Checked, Impact
from aitia.writeback.read import Proposal, every, read
from aitia.writeback.sources import keys

_CLEAN: Final = frozenset({EARL.passed, EARL.inapplicable})
BINS: Final = 10
"""Into so many steps of confidence reviews are counted."""


@dataclass(frozen=True)
class Bin:
    """Reviews of proposals whose confidence lies in one step.

    Attributes:
        least: Where the step begins.
        most: Where it ends.
        reviewed: How many were decided by authenticated people.
        approved: How many of them were approved and not undone.
    """

    least: float
    most: float
    reviewed: int
    approved: int


@dataclass(frozen=True)
class Calibration:
    """How scores and verdicts of one kind of proposal agree.

    Attributes:
        kind: The kind, by word.
        reviewed: Decisions by authenticated people on proposals of a score that
            would do for automatic acceptance.
        approved: How many of them approved and were not undone.
        wanted: How many it takes.
        precision_wanted: What share of them must have approved.
        bins: All decided proposals with a score, by their score.
    """

    kind: str
    reviewed: int
    approved: int
    wanted: int
    precision_wanted: float
    bins: tuple[Bin, ...] = ()

    @property
    def precision(self) -> float | None:
        """Share that was approved; None where nothing was reviewed."""
        return self.approved / self.reviewed if self.reviewed else None

    @property
    def unlocked(self) -> bool:
        """Whether automatic acceptance may be used for this kind."""
        precise = self.precision is not None and self.precision >= self.precision_wanted
        return self.reviewed >= self.wanted and precise


def needed(settings: WriteBackSettings, impact: Impact) -> int:
    """Return how many approvals a proposal of that impact needs.

    Other proposals that wait do not count: anybody can make them, and would so make any
    change the harder.
    """
    wide = impact.total - impact.proposals >= settings.wide_from
    most = max(settings.approvals, settings.approvals_wide)
    return most if wide else settings.approvals


def why_not(
    desk: Desk, case: Case, checks: Sequence[Checked], proposal: Proposal
) -> str:
    """Return why a proposal is not accepted without a person; "" where it is."""
    return next(_against(desk, case, checks, proposal), "")


def _against(
    desk: Desk, case: Case, checks: Sequence[Checked], proposal: Proposal
) -> Iterator[str]:
    settings = desk.settings
    if settings.policy != "auto":
        yield "the policy is propose-only"
        return
    for check in checks:
        if check.outcome not in _CLEAN:
            yield check.text
    if proposal.opinion_of:
        yield "it is an opinion"
    score = _score(case, proposal)
    if score is None or score < settings.auto_score:
        yield f"its confidence is below {settings.auto_score:g}"
    if len(keys(case.evidence)) < settings.auto_sources:
        yield f"it has fewer than {settings.auto_sources} independent sources"
    if case.impact.total > settings.auto_impact:
        yield f"it touches more than {settings.auto_impact} things"
    if not calibration(desk, proposal.kind).unlocked:
        yield "people's reviews have not shown yet that scores can be trusted"


def _score(case: Case, proposal: Proposal) -> float | None:
    """Return the lower of the formula's confidence and the proposer's own."""
    found = case.confidence
    values = [found.value] if found else []
    if proposal.confidence is not None and values:
        values.append(proposal.confidence)
    return min(values, default=None)


def calibration(desk: Desk, kind: str) -> Calibration:
    """Return how scores and people's verdicts agree for one kind of proposal."""
    settings = desk.settings
    decided = list(_decided(desk, kind))
    fit = [good for score, good in decided if score >= settings.auto_score]
    return Calibration(
        kind,
        len(fit),
        sum(fit),
        settings.calibration_reviews,
        settings.calibration_precision,
        tuple(_bins(decided)),
    )


def _bins(decided: Sequence[tuple[float, bool]]) -> Iterator[Bin]:
    for place in range(BINS):
        inside = [good for score, good in decided if _place(score) == place]
        if inside:
            yield Bin(place / BINS, (place + 1) / BINS, len(inside), sum(inside))


def _place(score: float) -> int:
    return min(int(score * BINS), BINS - 1)


def _decided(desk: Desk, kind: str) -> Iterator[tuple[float, bool]]:
    """Yield score and verdict of what authenticated people decided."""
    ends = {AITIA.approved: True, AITIA.rejected: False, AITIA.undone: False}
    for state, good in ends.items():
        for node in every(desk, state):
            if desk.node(node, AITIA.proposalKind) != KINDS[kind]:
                continue
            proposal = read(desk, node)
            if proposal.confidence is not None and _by_people(desk, node):
                yield proposal.confidence, good


def _by_people(desk: Desk, proposal: NamedNode) -> bool:
    """Tell whether an authenticated person decided on a proposal, or undid it."""
    proven = {AITIA.byToken, AITIA.bySignature}
    acts = [
        *desk.subjects(AITIA.reviews, proposal),
        *desk.subjects(AITIA.carriesOut, proposal),
    ]
    return any(desk.node(one, AITIA.authentication) in proven for one in acts)
