"""The rules that are no shapes: their names, and how each is mended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pyoxigraph import NamedNode

from aitia import terms
from aitia.gate.index import Term
from aitia.gate.result import Result

SHAPES_NS: Final = "https://w3id.org/aitia/shapes#"


@dataclass(frozen=True)
class Rule:
    """A rule of the store.

    Attributes:
        name: Its local name beside the shapes.
        label: Its name for people.
        mend: What would make it right.
    """

    name: str
    label: str
    mend: str

    @property
    def iri(self) -> NamedNode:
        """The IRI that reports name it by."""
        return NamedNode(SHAPES_NS + self.name)

    def broken(
        self,
        focus: Term,
        found: str,
        value: Term | None = None,
        *,
        severity: str = "Violation",
    ) -> Result:
        """Return a result that says how the rule was broken."""
        return Result(
            focus, self.iri, "SPARQLConstraintComponent", self.iri,
            value=value, messages=(self.mend,), found=found, severity=severity,
        )  # fmt: skip


STORABLE: Final = Rule(
    "storable",
    "storable",
    "Name every node by an IRI and every graph too; triple terms cannot be kept.",
)
LEDGER_ALONE: Final = Rule(
    "ledgerAlone",
    "the ledger writes itself",
    "Leave the ledger graph alone: the ledger adds its own record to every change.",
)
DECLARED_GRAPH: Final = Rule(
    "declaredGraph",
    "declared graph",
    "Put data into the graph of its document, or state document aitia:containsGraph"
    " graph in the catalog.",
)
WELL_TYPED: Final = Rule(
    "wellTyped", "well typed", "Write the value as its datatype demands."
)
ILL_TYPED: Final = Rule(
    "illTyped",
    "value as its datatype demands",
    "It is kept as it is, but no comparison will find it; write it as its datatype"
    " demands, or as a plain string.",
)
DEFINED_TERM: Final = Rule(
    "definedTerm", "defined term", "Use a term that the ontology defines."
)
COVERED: Final = Rule(
    "covered",
    "covered by a shape",
    "Give the node a type that a shape speaks of, or leave it out.",
)
NO_DANGLING: Final = Rule(
    "noDangling",
    "no dangling reference",
    "Put the node on record in the same change, or take out what points to it.",
)
MIRRORED: Final = Rule(
    "mirroredCause",
    "mirrored cause",
    "State a causal link and effect aitia:hasCause cause together, or neither"
    " (aitia.model.graph does).",
)
NO_CYCLE: Final = Rule(
    "noCausalCycle",
    "no causal cycle",
    "Take out one of the links: nothing can be among its own causes.",
)
NO_LOOP: Final = Rule(
    "noStructuralLoop",
    "no loop in a tree",
    "Take out one of the links: nothing can be a part of itself, its own subgoal, or"
    " wait for itself.",
)
LINK_STATED: Final = Rule(
    "linkStated",
    "link stated",
    "State the plain triple that the aitia:Link describes, or take the link node out"
    " with it (aitia.model.link writes both).",
)
QUOTE_INSIDE: Final = Rule(
    "quoteInsidePassage",
    "quote inside its passage",
    "Correct the offsets: a quote lies within the passage that it is part of.",
)
TIME_ORDER: Final = Rule(
    "causeBeforeEffect",
    "cause before effect",
    "Correct the times or the link: an effect cannot end before its cause begins.",
)
OUR_GRAPHS_CLOSED: Final = Rule(
    "noSystemGraph",
    "no graph of ours",
    "Give the graph another name; what another workspace exported goes in by"
    " `aitia import`.",
)
OUR_TERMS_CLOSED: Final = Rule(
    "noOwnTerm",
    "no term of ours",
    "Leave out what uses aitia's own terms: runs, decisions and reviews are written by"
    " aitia alone. What another workspace exported goes in by `aitia import`.",
)
OUR_NODES_CLOSED: Final = Rule(
    "noOwnNode",
    "no node of ours",
    f"Describe your own IRIs; what begins with {terms.BASE} is described by aitia.",
)
NO_AXIOM: Final = Rule(
    "noAxiomAboutOurs",
    "no axiom about our terms",
    "Leave aitia's terms out of your class and property axioms.",
)
ADDS_ONLY: Final = Rule(
    "modelAddsOnly", "a model only adds", "Propose a new version instead of deleting."
)
PERMITTED: Final = Rule(
    "permitted",
    "permitted to a model",
    "Leave the triple out, or propose it with the terms that a model may use.",
)
STEPS: Final = Rule(
    "proposalSteps",
    "steps of a proposal",
    "State the step (aitia:Transition) from the state on record to the new one, with the"
    " next number in order.",
)
APPROVED: Final = Rule(
    "approvedBySomebody",
    "approved by somebody",
    "State the review that approved the proposal and the revision that carries it out.",
)
KEPT: Final = Rule(
    "decisionsKept",
    "decisions are kept",
    "Leave steps, checks, reviews, verdicts and revisions as they are; take a decision"
    " back by a new one.",
)
NOT_ONES_OWN: Final = Rule(
    "notOnesOwn",
    "not one's own",
    "Let a person review who did not make the proposal.",
)
SUBMITTED: Final = Rule(
    "submittedStays",
    "what was submitted stays",
    "Leave a proposal on record, its change, evidence and impact as they are; propose a"
    " new version.",
)
BY_PROGRAM: Final = Rule(
    "checkedByProgram",
    "checked by a program",
    "Let aitia, or a model that is named as one, assert checks; people review.",
)
ACCEPTED: Final = Rule(
    "acceptedByDecision",
    "accepted by a decision",
    "State in the same change the revision and the step by which a proposal on record"
    " that says so is approved or undone.",
)
SAME_SHOWN: Final = Rule(
    "sameShown",
    "approved as shown",
    "Let all who approve decide on the proposal as it is shown now.",
)
RULES: Final = {
    rule.iri: rule
    for rule in (
        STORABLE, LEDGER_ALONE, DECLARED_GRAPH, WELL_TYPED, ILL_TYPED, DEFINED_TERM, COVERED,
        NO_DANGLING, MIRRORED, NO_CYCLE, NO_LOOP, LINK_STATED, QUOTE_INSIDE,
        TIME_ORDER, OUR_GRAPHS_CLOSED,
        OUR_TERMS_CLOSED, OUR_NODES_CLOSED, NO_AXIOM, ADDS_ONLY, PERMITTED,
        STEPS, APPROVED, KEPT, NOT_ONES_OWN, SUBMITTED, BY_PROGRAM, ACCEPTED, SAME_SHOWN,
    )
}  # fmt: skip
"""Every rule, by its IRI."""
