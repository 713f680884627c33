"""What a proposal is made of before it is on record."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from pyoxigraph import NamedNode, Quad

from aitia import terms
from aitia.store import Term
from aitia.vocab import AITIA

KINDS: Final = {
    "add": AITIA.add,
    "revise": AITIA.revise,
    "deprecate": AITIA.deprecate,
    "retract": AITIA.retract,
    "merge": AITIA.mergeAliases,
}
"""Kinds of proposals by the word that people use."""
TRIGGERS: Final = {
    "missing": AITIA.missingTrigger,
    "conflict": AITIA.conflictTrigger,
    "derived": AITIA.derivedTrigger,
    "correction": AITIA.correctionTrigger,
    "recheck": AITIA.recheckTrigger,
}
"""What makes a proposal arise, by word."""


@dataclass(frozen=True)
class Change:
    """A triple that would be stated, or taken out of the graph it stands in.

    Attributes:
        subject: What it is about.
        predicate: The property.
        object: The value.
        graph: Where it stands or would stand.
        rank: The rank it would have; of one taken out, what it has no more.
        valid_from: Since when it holds in the world, or None.
        valid_until: Until when, itself not included, or None.
    """

    subject: NamedNode
    predicate: NamedNode
    object: Term
    graph: NamedNode = terms.GRAPH_CURRENT
    rank: NamedNode = AITIA.normal
    valid_from: datetime | None = None
    valid_until: datetime | None = None

    def quad(self) -> Quad:
        """Return it as the store would hold it."""
        return Quad(self.subject, self.predicate, self.object, self.graph)


@dataclass(frozen=True)
class Words:
    """Words at a place of a document's stored text.

    Attributes:
        document: The document.
        text: The words.
        start: Offset of the first character.
        end: Offset after the last character.
    """

    document: NamedNode
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Cited:
    """One piece of evidence.

    Attributes:
        text: What it says, or what it is, in words.
        ground: What it rests on, on record: a document, passage, statement, claim, or
            None where it is kept as a blob or not at hand.
        quote: Its exact words, or "".
        start: Where they start in the text of `ground`'s document or of the blob.
        end: Where they end.
        blob: Name of the blob that holds it where it is nothing on record, or "".
        address: Where it was read or would have to be fetched from, or "".
        reached: It is at hand.
        trouble: Why it is not, or "".
        weight: How far its source is trusted, where it is on record, or None.
        kind: What kind of source that is, or "".
    """

    text: str
    ground: NamedNode | None = None
    quote: str = ""
    start: int = 0
    end: int = 0
    blob: str = ""
    address: str = ""
    reached: bool = True
    trouble: str = ""
    weight: float | None = None
    kind: str = ""


@dataclass(frozen=True)
class Proposer:
    """Who proposes.

    Attributes:
        name: By what name.
        kind: `aitia:Person`, `aitia:Software` or `aitia:Model`.
    """

    name: str
    kind: NamedNode = AITIA.Person

    @property
    def node(self) -> NamedNode:
        """Its IRI."""
        return terms.agent_iri(self.name)


@dataclass(frozen=True)
class Base:
    """What a proposal was made against.

    Attributes:
        commit: Number of the newest commit then.
        digest: SHA-256 over the facts that it speaks of.
    """

    commit: int
    digest: str


@dataclass(frozen=True)
class Draft:
    """A proposal that is not on record yet.

    Attributes:
        kind: What kind of change: one of `KINDS`.
        reason: Why, in words.
        proposer: Who proposes it.
        base: What it was made against.
        adds: What would be stated.
        withdraws: What would be taken out of the graphs it stands in.
        text: Words that would become a document of their own, or "".
        words: Words of texts that would no longer be used.
        evidence: What speaks for it.
        trigger: What made it arise: one of `TRIGGERS`.
        about: What it is about besides its subjects: a gap, a conflict.
        run: The run that it came out of, or None.
        opinion_of: Whose opinion it is, or "" for a fact.
        confidence: A measured confidence of the proposer's own, or None.
        confidence_rule: How that was measured.
        revision_of: The returned proposal that this is a new version of, or None.
    """

    kind: str
    reason: str
    proposer: Proposer
    base: Base
    adds: tuple[Change, ...] = ()
    withdraws: tuple[Change, ...] = ()
    text: str = ""
    words: tuple[Words, ...] = ()
    evidence: tuple[Cited, ...] = ()
    trigger: str = "correction"
    about: tuple[NamedNode, ...] = ()
    run: NamedNode | None = None
    opinion_of: str = ""
    confidence: float | None = None
    confidence_rule: str = ""
    revision_of: NamedNode | None = None

    @property
    def changes(self) -> tuple[Change, ...]:
        """What would be stated and what would be taken out."""
        return self.adds + self.withdraws

    @property
    def subjects(self) -> tuple[NamedNode, ...]:
        """What its triples are about, each once."""
        return tuple(dict.fromkeys(change.subject for change in self.changes))


@dataclass(frozen=True)
class Checked:
    """How one check came out.

    Attributes:
        kind: Which check: an `aitia:CheckKind`.
        outcome: `earl:passed`, `failed`, `cantTell`, `inapplicable` or `untested`.
        text: What was found, in words.
        blocks: A failure that no reviewer can accept: the proposal is refused.
        by: Name of the model that made it, or "" for aitia itself.
    """

    kind: NamedNode
    outcome: NamedNode
    text: str
    blocks: bool = False
    by: str = ""


@dataclass(frozen=True)
class Impact:
    """What a change would touch, counted; the list is cut at `MOST`.

    Attributes:
        statements: How many statements.
        inferred: How many inferred triples.
        answers: How many answers.
        proposals: How many other proposals.
        listed: IRIs of what is touched, the nearest first.
    """

    statements: int = 0
    inferred: int = 0
    answers: int = 0
    proposals: int = 0
    listed: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """All of it."""
        return self.statements + self.inferred + self.answers + self.proposals
