"""The rules on the steps of proposals found another way: two whole states compared."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pyoxigraph import Quad

NS = "https://w3id.org/aitia/ns#"
KEPT = {"Transition", "Review", "Verdict", "Check", "Revision"}


class State:
    """All that stands at one time, by subject and predicate."""

    def __init__(self, quads: Iterable[Quad]) -> None:
        self.quads = set(quads)
        self.of: dict[tuple[str, str], set[str]] = {}
        self.to: dict[tuple[str, str], set[str]] = {}
        for quad in self.quads:
            name = quad.predicate.value.rpartition("#")[2]
            ends = _text(quad.subject), _text(quad.object)
            self.of.setdefault((ends[0], name), set()).add(ends[1])
            self.to.setdefault((ends[1], name), set()).add(ends[0])

    def values(self, node: str, name: str) -> set[str]:
        """The objects of a node by a predicate's local name."""
        return self.of.get((node, name), set())

    def kinds(self, node: str) -> set[str]:
        """The local names of a node's classes."""
        return {kind.rpartition("#")[2] for kind in self.values(node, "type")}


def stepped(before: Iterable[Quad], after: Iterable[Quad]) -> set[str]:
    """Return the names of the rules that the way from one state to the next breaks."""
    old, new = State(before), State(after)
    broken = set[str]()
    if any(KEPT & old.kinds(_text(q.subject)) for q in old.quads - new.quads):
        broken.add("decisionsKept")
    proposals = {
        _text(
            quad.subject
            if quad.predicate.value == f"{NS}proposalState"
            else quad.object
        )
        for quad in old.quads ^ new.quads
        if quad.predicate.value in (f"{NS}proposalState", f"{NS}ofProposal")
    }
    for proposal in proposals:
        broken |= _walked(old, new, proposal)
    for quad in new.quads - old.quads:
        if quad.predicate.value == f"{NS}reviews":
            broken |= _reviewed(new, _text(quad.subject), _text(quad.object))
    return broken


def _walked(old: State, new: State, proposal: str) -> set[str]:
    known = old.to.get((proposal, "ofProposal"), set())
    added = new.to.get((proposal, "ofProposal"), set()) - known
    steps = sorted(
        (_number(new, step), new.values(step, "fromState"), new.values(step, "toState"))
        for step in added
    )
    at = old.values(proposal, "proposalState")
    for place, (number, start, end) in enumerate(steps, len(known) + 1):
        if number != place or start != at:
            return {"proposalSteps"}
        at = end
    state = new.values(proposal, "proposalState")
    if state != at:
        return {"proposalSteps"}
    if added and state == {f"{NS}approved"} and not _approved(new, proposal):
        return {"approvedBySomebody"}
    return set()


def _number(state: State, step: str) -> int:
    return min(
        (int(x) for x in state.values(step, "order") if x.isdecimal()), default=0
    )


def _approved(state: State, proposal: str) -> bool:
    revisions = state.to.get((proposal, "carriesOut"), set())
    if any("automatic" in state.values(one, "policy") for one in revisions):
        return True
    reviews = state.to.get((proposal, "reviews"), set())
    return bool(revisions) and any(_passes(state, review) for review in reviews)


def _passes(state: State, review: str) -> bool:
    outcomes = (
        outcome
        for verdict in state.values(review, "hasVerdict")
        for outcome in state.values(verdict, "outcome")
    )
    return any(outcome.endswith("#passed") for outcome in outcomes)


def _reviewed(state: State, review: str, proposal: str) -> set[str]:
    for who in state.values(review, "wasAssociatedWith"):
        own = who in state.values(proposal, "proposedBy") and _passes(state, review)
        if own or {"Model", "Software"} & state.kinds(who):
            return {"notOnesOwn"}
    return set()


def _text(term: Any) -> str:
    return str(term.value)
