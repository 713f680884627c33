"""The catalog of a random valid world: documents, passages, agents, proposals."""

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from random import Random

from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.model.links import causal, link
from aitia.vocab import AITIA, DCTERMS, EARL, PROV, RDF, RDFS

Term = NamedNode | Literal

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
WORDS = [
    "order",
    "pump",
    "crane",
    "policy",
    "refund",
    "退货",
    "Zürich",
    "naïve",
    "shipment",
    "status",
    "fee",
    "tank",
]
SHOWN = "0" * 64
"""Digest of the proposal as it is shown to reviewers."""
RULES = ("share of checks passed", "rank of the hit", "overlap of words")


class Maker:
    """Makes the catalog of a random valid world part by part.

    Attributes:
        quads: What was made so far.
    """

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.quads: list[Quad] = []
        self.graph = terms.GRAPH_CATALOG
        self.clock = EPOCH
        self.passages: list[tuple[NamedNode, int, int]] = []
        self.documents: list[NamedNode] = []
        self.agents = [
            self.agent(name, kind)
            for name, kind in (
                ("aitia", AITIA.Software),
                ("Ann Łukasz", AITIA.Person),
                ("tiny-model", AITIA.Model),
            )
        ]
        self.methods = [self.method(name) for name in ("search", "quote-check", "plan")]

    # Stating

    def say(self, subject: NamedNode, predicate: NamedNode, *values: Term) -> NamedNode:
        """State one triple for each value; return the subject."""
        self.quads += [Quad(subject, predicate, v, self.graph) for v in values]
        return subject

    def link(self, subject: NamedNode, kind: NamedNode, *objs: NamedNode) -> None:
        """State a causal link to each of `objs`."""
        for obj in objs:
            self.quads += causal(subject, kind, obj, self.graph)

    def weighed(
        self, subject: NamedNode, kind: NamedNode, obj: NamedNode, basis: NamedNode
    ) -> None:
        """State a causal link with a node that says more about it."""
        sure = self.rng.random() if self.rng.random() < 0.5 else None
        self.quads += link(
            subject,
            kind,
            obj,
            self.graph,
            basis=basis,
            confidence=sure,
            rule=self.rng.choice(RULES),
            reason=self.rng.choice(("", "it says so")),
        )

    def new(self, node: NamedNode, kind: NamedNode) -> NamedNode:
        """Type a node."""
        return self.say(node, RDF.type, kind)

    def text(self, length: int = 4) -> Literal:
        """Return some words."""
        return terms.string(" ".join(self.rng.choices(WORDS, k=length)))

    def tick(self) -> Literal:
        """Return a time; each is at or after the one before."""
        self.clock += timedelta(milliseconds=self.rng.choice((0, 1, 500, 60_000)))
        return terms.time(self.clock)

    def digest(self) -> Literal:
        """Return a hash of nothing in particular."""
        return terms.string(hashlib.sha256(self.rng.randbytes(8)).hexdigest())

    def maybe(self, say: Callable[[], object]) -> None:
        """Do it, or not."""
        if self.rng.random() < 0.5:
            say()

    def sure(self, node: NamedNode) -> None:
        """Give a node a confidence and its rule, or neither."""
        if self.rng.random() < 0.5:
            confidence = self.rng.choice((0.0, 1.0, self.rng.random()))
            self.say(node, AITIA.confidence, terms.double(confidence))
            self.say(node, AITIA.confidenceRule, terms.string(self.rng.choice(RULES)))

    # Catalog

    def agent(self, name: str, kind: NamedNode) -> NamedNode:
        """Put an agent on record."""
        return self.say(
            self.new(terms.agent_iri(name), kind), RDFS.label, terms.string(name)
        )

    def method(self, name: str) -> NamedNode:
        """Put a method on record."""
        node = self.new(terms.method_iri(name), AITIA.Method)
        self.say(node, RDFS.label, terms.string(name))
        self.maybe(lambda: self.say(node, AITIA.competence, self.text()))
        return node

    def document(self, number: int) -> None:
        """Put a document with its reading and passages on record.

        Every third is a new version of the one before, every fifth is retired.
        """
        name = f"folder/file {number}.txt"
        made = self.describe(name, self.reading(name))
        self.documents.append(made)
        if number % 3 == 2:
            self.supersede(self.documents[-2], made)
        elif number % 5 == 4:
            self.retire(made)
        else:
            self.say(made, AITIA.documentState, AITIA.live)
        if self.rng.random() < 0.3:
            self.say(made, AITIA.sameContentAs, self.rng.choice(self.documents))

    def reading(self, name: str) -> NamedNode:
        """Put the reading of a file on record; now and then a failed one besides."""
        if self.rng.random() < 0.2:
            failed = self.activity(AITIA.Reading, "reading")
            self.say(failed, AITIA.location, terms.any_uri("file:///gone.txt"))
            self.say(failed, AITIA.status, AITIA.failed)
            self.say(failed, AITIA.error, self.text())
        made = self.activity(AITIA.Reading, "reading")
        self.say(made, AITIA.location, self.location(name))
        self.say(made, AITIA.status, AITIA.succeeded)
        self.say(made, AITIA.reader, terms.string("plain text"))
        self.say(made, AITIA.readerVersion, terms.string("1.0"))
        self.maybe(lambda: self.say(made, AITIA.warning, self.text()))
        return made

    def activity(
        self, kind: NamedNode, name: str, by: NamedNode | None = None
    ) -> NamedNode:
        """Put an activity on record that started, ended and was somebody's."""
        key = hashlib.sha256(self.rng.randbytes(8)).hexdigest()[:8]
        made = self.new(NamedNode(f"{terms.BASE}{name}:{key}"), kind)
        self.say(made, PROV.startedAtTime, self.tick())
        self.say(made, PROV.endedAtTime, self.tick())
        who = by or self.rng.choice(self.agents)
        return self.say(made, PROV.wasAssociatedWith, who)

    def location(self, name: str) -> Literal:
        """Return where a file is."""
        return terms.any_uri("file:///" + name.replace(" ", "%20"))

    def describe(self, name: str, reading: NamedNode) -> NamedNode:
        """Put a document and its passages on record, all but its state."""
        content = self.digest()
        made = terms.document_iri(name, content.value)
        self.new(made, AITIA.Document)
        self.say(made, DCTERMS.title, self.text(2))
        self.say(made, DCTERMS.format, terms.string("text/plain"))
        self.say(made, AITIA.path, terms.string(name))
        self.say(made, AITIA.location, self.location(name))
        self.say(made, AITIA.contentHash, content)
        self.say(made, AITIA.textHash, self.digest())
        self.say(made, AITIA.byteLength, terms.integer(4000))
        self.say(made, AITIA.charLength, terms.integer(4000))
        self.say(made, AITIA.encoding, terms.string("utf-8"))
        self.say(made, PROV.generatedAtTime, self.tick())
        self.say(made, PROV.wasGeneratedBy, reading)
        guessed = terms.boolean(self.rng.random() < 0.5)
        self.maybe(lambda: self.say(made, AITIA.encodingGuessed, guessed))
        self.maybe(lambda: self.say(made, AITIA.redactions, terms.integer(2)))
        self.maybe(lambda: self.say(made, AITIA.containsGraph, NamedNode("urn:g:1")))
        for order in range(1, self.rng.randint(2, 6)):
            self.passage(made, order)
        return made

    def passage(self, document: NamedNode, order: int) -> None:
        """Put a passage on record."""
        start = 100 * (order - 1)
        end = start + self.rng.randint(1, 100)
        made = self.new(terms.passage_iri(document, start, end), AITIA.Passage)
        self.say(made, DCTERMS.isPartOf, document)
        self.say(made, AITIA.start, terms.integer(start))
        self.say(made, AITIA.end, terms.integer(end))
        self.say(made, AITIA.order, terms.integer(order))
        self.maybe(lambda: self.say(made, AITIA.heading, self.text(2)))
        self.maybe(lambda: self.say(made, AITIA.page, terms.integer(1)))
        self.maybe(lambda: self.say(made, AITIA.describes, NamedNode("urn:data:x:1")))
        self.passages.append((made, start, end))

    def supersede(self, old: NamedNode, new: NamedNode) -> None:
        """Make `new` a version of `old`."""
        state = Quad(old, AITIA.documentState, AITIA.live, self.graph)
        if state in self.quads:
            self.quads.remove(state)
            reading = self.reading("folder/new.txt")
            self.end(old, AITIA.superseded, reading)
            self.say(new, PROV.wasRevisionOf, old)
        self.say(new, AITIA.documentState, AITIA.live)

    def retire(self, document: NamedNode) -> None:
        """Take a document out of use."""
        self.end(document, AITIA.retired, self.activity(AITIA.Retirement, "retirement"))

    def end(self, document: NamedNode, state: NamedNode, by: NamedNode) -> None:
        """State that a document is out of use, when and by what."""
        self.say(document, AITIA.documentState, state)
        self.say(document, PROV.invalidatedAtTime, self.tick())
        self.say(document, PROV.wasInvalidatedBy, by)

    # Write-back

    def reviewed_proposal(self) -> None:
        """Put a gap, a proposal with evidence and impact, and its review on record."""
        self.graph = terms.GRAPH_CATALOG
        gap = self.new(NamedNode(terms.BASE + "gap:1"), AITIA.Gap)
        self.say(gap, AITIA.text, self.text())
        made = self.new(NamedNode(terms.BASE + "proposal:1"), AITIA.Proposal)
        self.say(made, AITIA.proposalState, AITIA.needsReview)
        self.say(made, AITIA.proposalKind, AITIA.add)
        self.say(made, AITIA.reason, self.text())
        self.say(made, AITIA.about, gap)
        self.say(made, AITIA.proposedBy, self.agents[-1])
        self.say(made, PROV.generatedAtTime, self.tick())
        self.steps(made)
        evidence = self.new(NamedNode(terms.BASE + "evidence:1"), AITIA.Evidence)
        self.say(evidence, AITIA.text, self.text())
        self.say(evidence, EARL.outcome, EARL.passed)
        self.say(made, AITIA.hasEvidence, evidence)
        review = self.activity(AITIA.Review, "review", self.agents[1])
        self.say(review, AITIA.reviews, made)
        self.say(review, AITIA.shownDigest, terms.string(SHOWN))
        verdict = self.new(NamedNode(terms.BASE + "verdict:1"), AITIA.Verdict)
        self.say(verdict, EARL.outcome, EARL.passed)
        self.say(verdict, AITIA.reason, self.text())
        self.say(review, AITIA.hasVerdict, verdict)

    def steps(self, proposal: NamedNode) -> None:
        """State how a proposal came to need a review."""
        states = (AITIA.draft, AITIA.checking, AITIA.needsReview)
        for order, (before, after) in enumerate(
            zip((None, *states), states, strict=False), 1
        ):
            step = self.new(terms.part(proposal, "step", order), AITIA.Transition)
            self.say(step, AITIA.ofProposal, proposal)
            self.say(step, AITIA.order, terms.integer(order))
            if before is not None:
                self.say(step, AITIA.fromState, before)
            self.say(step, AITIA.toState, after)
            self.say(step, PROV.wasAttributedTo, self.agents[-1])
            self.say(step, PROV.generatedAtTime, self.tick())

    def approved(self, proposal: NamedNode) -> Quad:
        """State that a proposal is approved; return the state that it was in.

        By who reviewed it, by somebody more who saw the same or something else, or by
        a policy.
        """
        step = self.new(terms.part(proposal, "step", 4), AITIA.Transition)
        self.say(step, AITIA.ofProposal, proposal)
        self.say(step, AITIA.order, terms.integer(4))
        self.say(step, AITIA.fromState, AITIA.needsReview)
        self.say(step, AITIA.toState, AITIA.approved)
        self.say(step, PROV.wasAttributedTo, self.agents[1])
        self.say(step, PROV.generatedAtTime, self.tick())
        self.say(proposal, AITIA.proposalState, AITIA.approved)
        revision = self.activity(AITIA.Revision, "revision", self.agents[1])
        self.say(revision, AITIA.carriesOut, proposal)
        way = self.rng.choice(("reviewed", "reviewed", "automatic"))
        self.say(revision, AITIA.policy, terms.string(way))
        if self.rng.random() < 0.5:
            bob = self.agent(f"bob {self.rng.random()}", AITIA.Person)
            self.say(revision, PROV.wasAssociatedWith, bob)
            self._approval(proposal, bob)
        return Quad(proposal, AITIA.proposalState, AITIA.needsReview, self.graph)

    def _approval(self, proposal: NamedNode, who: NamedNode) -> None:
        review = self.activity(AITIA.Review, "review", who)
        self.say(review, AITIA.reviews, proposal)
        shown = self.rng.choice((terms.string(SHOWN), self.digest()))
        self.say(review, AITIA.shownDigest, shown)
        verdict = self.new(terms.part(review, "verdict"), AITIA.Verdict)
        self.say(verdict, EARL.outcome, EARL.passed)
        self.say(verdict, AITIA.reason, self.text())
        self.say(review, AITIA.hasVerdict, verdict)

    def authored(self, node: NamedNode) -> None:
        """State who proposed a node, and when."""
        self.say(node, AITIA.proposedBy, self.rng.choice(self.agents))
        self.say(node, PROV.generatedAtTime, self.tick())
