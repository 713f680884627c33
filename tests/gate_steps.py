"""The rules on the steps of proposals found another way: two whole states compared."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pyoxigraph import Quad

NS = "https://w3id.org/aitia/ns#"
KEPT = {"Transition", "Review", "Verdict", "Check", "Revision"}
PARTS = {"ProposedStatement", "Evidence", "ImpactAnalysis", "Span"}
ENDS = {"invalidatedAtTime", "wasInvalidatedBy"}
FIXED = {
    "type",
    "proposes",
    "withdraws",
    "hasEvidence",
    "hasImpact",
    "proposalKind",
    "trigger",
    "proposedBy",
    "approvalsNeeded",
    "baseCommit",
    "baseDigest",
    "proposedText",
    "opinionOf",
    "confidence",
    "confidenceRule",
    "reason",
    "text",
    "about",
}
CURRENT = "urn:aitia:graph:current"


class State:
    """All that stands at one time, by subject and predicate."""

    def __init__(self, quads: Iterable[Quad]) -> None:
        self.quads = set(quads)
        self.current = {q.triple for q in self.quads if _text(q.graph_name) == CURRENT}
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
    broken |= _changed(old, new) | _accepted(old, new)
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
    if added and state == {f"{NS}approved"}:
        return _approved(old, new, proposal)
    return set()


def _number(state: State, step: str) -> int:
    return min(
        (int(x) for x in state.values(step, "order") if x.isdecimal()), default=0
    )


def _approved(old: State, new: State, proposal: str) -> set[str]:
    before = old.to.get((proposal, "carriesOut"), set())
    revisions = new.to.get((proposal, "carriesOut"), set()) - before
    people = {who for one in revisions for who in new.values(one, "wasAssociatedWith")}
    if any("automatic" in new.values(one, "policy") for one in revisions):
        good = _trusted(new, proposal, people)
        return set() if good else {"approvedBySomebody"}
    reviews = {
        one for one in new.to.get((proposal, "reviews"), set()) if _passes(new, one)
    }
    if not revisions or not reviews:
        return {"approvedBySomebody"}
    if "Proposal" not in old.kinds(proposal):
        return set()
    needed = max(map(float, new.values(proposal, "approvalsNeeded")), default=1)
    if needed > 1:
        reviews = {
            one
            for one in reviews
            if new.values(one, "authentication") & {f"{NS}byToken", f"{NS}bySignature"}
        }
    by = {
        who: {one for one in reviews if who in new.values(one, "wasAssociatedWith")}
        for who in people
    }
    counts = [
        max(max(map(float, new.values(x, "reviewWeight")), default=1) for x in given)
        for given in by.values()
        if given
    ]
    broken = set() if sum(counts) >= needed else {"approvedBySomebody"}
    shown = [
        {digest for one in given for digest in new.values(one, "shownDigest")}
        for given in by.values()
        if given
    ]
    if len(shown) > 1 and not set.intersection(*shown):
        broken.add("sameShown")
    return broken


def _trusted(state: State, proposal: str, people: set[str]) -> bool:
    checks = state.values(proposal, "hasCheck")
    outcomes = [{_name(o) for o in state.values(c, "outcome")} for c in checks]
    sources = {
        key
        for piece in state.values(proposal, "hasEvidence")
        for key in state.values(piece, "sourceKey")
    }
    sure = state.values(proposal, "confidence")
    proven = (f"{NS}byToken", f"{NS}bySignature")
    return (
        all("Software" in state.kinds(who) for who in people)
        and all(one & {"passed", "inapplicable"} for one in outcomes)
        and min(map(float, sure), default=0) >= 0.98
        and not state.values(proposal, "opinionOf")
        and len(sources) >= 2
        and any(state.to.get((one, "authentication")) for one in proven)
    )


def _changed(old: State, new: State) -> set[str]:
    """What was submitted and is other now, and checks that people assert."""
    broken = set[str]()
    for quad in old.quads ^ new.quads:
        node, name = _text(quad.subject), _name(_text(quad.predicate))
        kinds = old.kinds(node)
        if ("Proposal" in kinds and name in FIXED) or (
            kinds & PARTS and name not in ENDS
        ):
            broken.add("submittedStays")
    for quad in new.quads - old.quads:
        if _text(quad.predicate) == f"{NS}hasCheck":
            for who in new.values(_text(quad.object), "assertedBy"):
                if not new.kinds(who) & {"Model", "Software"}:
                    broken.add("checkedByProgram")
    return broken


def _accepted(old: State, new: State) -> set[str]:
    """Accepted facts and withdrawn words that change by no decision."""
    said = {True: set[Any](), False: set[Any]()}
    spans = set[str]()
    for quad in new.quads - old.quads:
        proposal, state = _text(quad.subject), _name(_text(quad.object))
        if _text(quad.predicate) != f"{NS}proposalState" or state not in (
            "approved", "undone",
        ):  # fmt: skip
            continue
        carried = new.to.get((proposal, "carriesOut"), set())
        fresh = carried - old.to.get((proposal, "carriesOut"), set())
        if not fresh or "Proposal" not in old.kinds(proposal):
            continue
        spans |= new.values(proposal, "withdraws")
        for name in ("proposes", "withdraws"):
            for part in new.values(proposal, name):
                if CURRENT in new.values(part, "inGraph"):
                    said[(name == "proposes") == (state == "approved")].add(
                        tuple(
                            frozenset(new.values(part, end))
                            for end in ("subject", "predicate", "object")
                        )
                    )
    changes = [(True, new.current - old.current), (False, old.current - new.current)]
    for coming, triples in changes:
        for triple in triples:
            ends = (triple.subject, triple.predicate, triple.object)
            if tuple(frozenset({_text(end)}) for end in ends) not in said[coming]:
                return {"acceptedByDecision"}
    for quad in old.quads ^ new.quads:
        node = _text(quad.subject)
        if (
            _name(_text(quad.predicate)) in ENDS
            and "Span" in old.kinds(node) | new.kinds(node)
            and any("Document" in old.kinds(x) for x in new.values(node, "isPartOf"))
            and node not in spans
        ):
            return {"acceptedByDecision"}
    return set()


def _name(iri: str) -> str:
    return iri.rpartition("#")[2]


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
