"""The states of a proposal and the steps between them, as quads."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from pyoxigraph import NamedNode, Quad

from aitia import terms
from aitia.store import Term
from aitia.vocab import AITIA, PROV, RDF
from aitia.writeback.desk import CATALOG, Desk

WORDS = {
    AITIA.draft: "draft",
    AITIA.checking: "checking",
    AITIA.needsReview: "needs review",
    AITIA.returned: "returned",
    AITIA.approved: "approved",
    AITIA.rejected: "rejected",
    AITIA.supersededProposal: "superseded",
    AITIA.expired: "expired",
    AITIA.undone: "undone",
}
"""What each state is called."""


@dataclass
class Steps:
    """Steps of one proposal under way.

    Which step may follow which is for the gate to say: here any can be stated.

    Attributes:
        proposal: The proposal.
        state: The state that it is in after the steps so far, None before the first.
        count: How many steps it has.
        adds: What puts the steps on record.
        deletes: What goes out with them.
    """

    proposal: NamedNode
    state: NamedNode | None = None
    count: int = 0
    adds: list[Quad] = field(default_factory=list)
    deletes: list[Quad] = field(default_factory=list)

    @classmethod
    def of(cls, desk: Desk, proposal: NamedNode) -> Steps:
        """Return the steps of a proposal on record, to go on from."""
        state = desk.node(proposal, AITIA.proposalState)
        return cls(proposal, state, len(desk.subjects(AITIA.ofProposal, proposal)))

    def to(self, state: NamedNode, by: NamedNode, when: datetime) -> Steps:
        """Add a step to another state; return the steps."""
        self.count += 1
        step = terms.part(self.proposal, "step", self.count)
        said: list[tuple[NamedNode, Term]] = [
            (RDF.type, AITIA.Transition),
            (AITIA.ofProposal, self.proposal),
            (AITIA.order, terms.integer(self.count)),
            (AITIA.toState, state),
            (PROV.wasAttributedTo, by),
            (PROV.generatedAtTime, terms.time(when)),
        ]
        if self.state is not None:
            said.append((AITIA.fromState, self.state))
        self.adds += [Quad(step, p, o, CATALOG) for p, o in said]
        self._now(state)
        return self

    def _now(self, state: NamedNode) -> None:
        place = (self.proposal, AITIA.proposalState)
        if self.state is not None:
            before = Quad(*place, self.state, CATALOG)
            if before in self.adds:
                self.adds.remove(before)
            else:
                self.deletes.append(before)
        self.adds.append(Quad(*place, state, CATALOG))
        self.state = state
