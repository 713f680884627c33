"""Which proposal a reviewer should look at first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pyoxigraph import NamedNode

from aitia import terms
from aitia.errors import UsageError
from aitia.vocab import AITIA, EARL
from aitia.writeback.desk import Desk
from aitia.writeback.draft import KINDS, TRIGGERS
from aitia.writeback.read import Proposal, every, read
from aitia.writeback.states import WORDS

_DAY: Final = 86_400
_STATES: Final = {word: node for node, word in WORDS.items()}


@dataclass(frozen=True)
class Wanted:
    """Which proposals are wanted; what is "" or 0 does not matter.

    Attributes:
        state: In this state, by word; `needs review` where not told, `all` for any.
        kind: Of this kind.
        trigger: That arose by this trigger.
        proposer: Of this proposer.
        about: About this node.
        least: With at least this confidence.
        impact: Touching at most so many things; -1 for any.
        clean: Whose checks all passed, or did not apply.
        limit: How many at most.
    """

    state: str = "needs review"
    kind: str = ""
    trigger: str = ""
    proposer: str = ""
    about: NamedNode | None = None
    least: float = 0.0
    impact: int = -1
    clean: bool = False
    limit: int = 0

    def node(self) -> NamedNode | None:
        """Return the state that is wanted, None for any.

        Raises:
            UsageError: A state, kind or trigger is none.
        """
        for name, known in ((self.kind, KINDS), (self.trigger, TRIGGERS)):
            if name and name not in known:
                raise UsageError(f"There is no {name!r}; {', '.join(known)} are.")
        if self.state == "all":
            return None
        if self.state not in _STATES:
            raise UsageError(f"There is no state {self.state!r}: {', '.join(_STATES)}.")
        return _STATES[self.state]


def queue(desk: Desk, wanted: Wanted) -> list[Proposal]:
    """Return the proposals that are wanted, the most pressing first."""
    found = [read(desk, node) for node in every(desk, wanted.node())]
    fitting = [item for item in found if _fits(desk, item, wanted)]
    fitting.sort(key=lambda item: (-priority(item), item.node.value))
    return fitting[: wanted.limit] if wanted.limit else fitting


def priority(proposal: Proposal) -> float:
    """Return how pressing a proposal is: confidence times impact times age.

    (1 + confidence) * (1 + things touched) ** 0.5 * (1 + days waited) ** 0.5: what is
    sure, touches much or has waited long comes first, and none of the three alone
    outweighs the others.
    """
    touched = proposal.impact.total if proposal.impact else 0
    days = max((terms.now() - proposal.made).total_seconds(), 0.0) / _DAY
    sure = 1 + (proposal.confidence or 0.0)
    return float(sure * (1 + touched) ** 0.5 * (1 + days) ** 0.5)


def _fits(desk: Desk, proposal: Proposal, wanted: Wanted) -> bool:
    good = (EARL.passed, EARL.inapplicable)
    touched = proposal.impact.total if proposal.impact else 0
    return (
        (not wanted.kind or proposal.kind == wanted.kind)
        and (not wanted.trigger or proposal.trigger == wanted.trigger)
        and (not wanted.proposer or proposal.proposer_name == wanted.proposer)
        and (proposal.confidence or 0.0) >= wanted.least
        and (wanted.impact < 0 or touched <= wanted.impact)
        and (
            wanted.about is None
            or wanted.about in desk.nodes(proposal.node, AITIA.about)
        )
        and (not wanted.clean or all(c.outcome in good for c in proposal.checks))
    )
