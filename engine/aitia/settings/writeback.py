"""Settings of write-back: what makes proposals arise, who may accept them, and how."""

from __future__ import annotations

from dataclasses import dataclass

from aitia.settings.kinds import choice, number


@dataclass(frozen=True)
class WriteBackSettings:
    """What makes proposals arise, and what it takes to accept one.

    No setting switches off the checks of shapes, quotes and circular evidence.

    Attributes:
        policy: `propose-only`: nothing is written without a person. `auto`: what
            passes every check is accepted without one, once people's reviews have
            shown that scores can be trusted.
        missing: A run that abstains puts a gap on record.
        conflict: A conflict between sources of different weight becomes a proposal.
        derived: What several runs derived and no source states becomes a proposal.
        derived_runs: So many runs must have derived it.
        correction: People may propose changes of their own accord (`aitia propose`).
        fetch: Evidence at an address (URL, DOI) is fetched; it stays untested else.
        fetch_seconds: How long fetching may take.
        fetch_mb: Megabytes of fetched evidence at most.
        verifier: A configured model is asked whether the evidence carries a proposal.
        approvals: Approvals that a proposal needs.
        approvals_wide: Approvals that one of wide impact needs.
        wide_from: Things touched from which on impact is wide.
        auto_score: Confidence that `auto` needs; never below 0.98.
        auto_sources: Independent sources that `auto` needs; never below two.
        auto_impact: Things that a change may touch and still be accepted by `auto`.
        calibration_reviews: Authenticated reviews that `auto` needs, for each kind.
        calibration_precision: Share of them that must have approved.
        reserve_hours: How long a reservation holds.
        recheck_after_ingest: Accepted changes that a new document touches are tested
            again after every ingest.
        expire_days: Days after which a proposal that nobody reviewed expires; 0 never.
    """

    policy: str = choice("propose-only", "auto")
    missing: bool = True
    conflict: bool = True
    derived: bool = True
    derived_runs: int = number(3, 2)
    correction: bool = True
    fetch: bool = False
    fetch_seconds: float = number(20.0, 0.1)
    fetch_mb: int = number(10, 1)
    verifier: bool = False
    approvals: int = number(1, 1)
    approvals_wide: int = number(2, 1)
    wide_from: int = number(25, 1)
    auto_score: float = number(0.98, 0.98, 1)
    auto_sources: int = number(2, 2)
    auto_impact: int = number(10, 0)
    calibration_reviews: int = number(20, 1)
    calibration_precision: float = number(0.95, 0.5, 1)
    reserve_hours: float = number(24.0, 0.01)
    recheck_after_ingest: bool = True
    expire_days: float = number(90.0, 0)
