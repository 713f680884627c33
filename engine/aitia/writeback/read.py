"""Proposals as they stand on record."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from pyoxigraph import Literal, NamedNode, Quad

from aitia import lookup, terms
from aitia.errors import AmbiguousId, NotFound
from aitia.store import Term
from aitia.vocab import AITIA, DCTERMS, EARL, PROV, RDF, RDFS
from aitia.writeback.desk import CATALOG, Desk
from aitia.writeback.draft import KINDS, TRIGGERS, Change, Checked, Cited, Impact, Words

_KIND: Final = {node: word for word, node in KINDS.items()}
_TRIGGER: Final = {node: word for word, node in TRIGGERS.items()}
_BASE: Final = f"{terms.BASE}proposal:"
_UNSHOWN: Final = frozenset({AITIA.proposalState, AITIA.hasCheck})
"""What changes with decisions, and is no part of what a reviewer judges. Of the checks
it is the latest outcomes that count, not how often they were made."""


@dataclass(frozen=True)
class Proposal:
    """A proposal on record.

    Attributes:
        node: Its IRI.
        kind: What kind of change it is, by word.
        state: Its state.
        text: What it asks for, in one line.
        reason: Why.
        proposer: Who proposes it.
        proposer_name: By what name.
        made: When.
        trigger: What made it arise, by word.
        adds: What it would state.
        withdraws: What it would take out.
        words: Words that it would no longer use.
        proposed_text: Words that would become a document, or "".
        evidence: Its evidence, with the node of each piece.
        checks: Its checks, the latest of each kind.
        impact: What it would touch, or None.
        needed: How many approvals it needs.
        base_commit: The newest commit when it was made.
        base_digest: Digest of the facts that it was made against.
        confidence: How sure it is, or None.
        confidence_rule: By what formula.
        opinion_of: Whose opinion it is, or "".
        run: The run that it came out of, or None.
        revision_of: The proposal that it is a new version of, or None.
    """

    node: NamedNode
    kind: str
    state: NamedNode
    text: str
    reason: str
    proposer: NamedNode
    proposer_name: str
    made: datetime
    trigger: str
    adds: tuple[Change, ...]
    withdraws: tuple[Change, ...]
    words: tuple[Words, ...]
    proposed_text: str
    evidence: tuple[tuple[NamedNode, Cited], ...]
    checks: tuple[Checked, ...]
    impact: Impact | None
    needed: int
    base_commit: int
    base_digest: str
    confidence: float | None
    confidence_rule: str
    opinion_of: str
    run: NamedNode | None
    revision_of: NamedNode | None

    @property
    def id(self) -> str:
        """Its id, as people type it."""
        return self.node.value.removeprefix(_BASE)

    @property
    def changes(self) -> tuple[Change, ...]:
        """What it would state and what it would take out."""
        return self.adds + self.withdraws


def find(desk: Desk, named: str) -> NamedNode:
    """Return the proposal that is meant: by id, start of an id, or IRI.

    Raises:
        NotFound: There is none.
        AmbiguousId: There are several.
    """
    bare = named.removeprefix(terms.BASE).removeprefix("proposal:")
    found = [
        node
        for node in every(desk)
        if bare and node.value.removeprefix(_BASE).startswith(bare)
    ]
    exact = [node for node in found if node.value == _BASE + bare]
    if len(exact or found) == 1:
        return (exact or found)[0]
    if found:
        ids = [node.value.removeprefix(_BASE) for node in found]
        raise AmbiguousId(f"{named!r} fits {len(found)} proposals.", ids)
    raise NotFound(
        f"There is no proposal {named!r}.", hint="`aitia review list` lists them."
    )


def every(desk: Desk, state: NamedNode | None = None) -> Iterator[NamedNode]:
    """Yield every proposal, of one state if asked."""
    for quad in desk.store.quads(None, AITIA.proposalState, state, CATALOG):
        if isinstance(quad.subject, NamedNode):
            yield quad.subject


def read(desk: Desk, node: NamedNode) -> Proposal:
    """Return a proposal as it stands on record."""
    proposer = desk.node(node, AITIA.proposedBy) or node
    sure = desk.text(node, AITIA.confidence)
    return Proposal(
        node,
        _KIND[desk.node(node, AITIA.proposalKind) or AITIA.add],
        desk.node(node, AITIA.proposalState) or AITIA.draft,
        desk.text(node, AITIA.text),
        desk.text(node, AITIA.reason),
        proposer,
        desk.text(proposer, RDFS.label),
        made_at(desk, node),
        _TRIGGER.get(desk.node(node, AITIA.trigger) or node, "correction"),
        tuple(_changes(desk, node, AITIA.proposes)),
        tuple(_changes(desk, node, AITIA.withdraws)),
        tuple(_words(desk, node)),
        desk.text(node, AITIA.proposedText),
        tuple(_evidence(desk, node)),
        tuple(_checks(desk, node)),
        _impact(desk, node),
        int(desk.text(node, AITIA.approvalsNeeded) or 1),
        int(desk.text(node, AITIA.baseCommit) or 0),
        desk.text(node, AITIA.baseDigest),
        float(sure) if sure else None,
        desk.text(node, AITIA.confidenceRule),
        desk.text(node, AITIA.opinionOf),
        desk.node(node, AITIA.inRun),
        desk.node(node, PROV.wasRevisionOf),
    )


def made_at(desk: Desk, node: NamedNode) -> datetime:
    """Return when a proposal was made."""
    return _time(desk.text(node, PROV.generatedAtTime)) or terms.now()


def shown(desk: Desk, node: NamedNode, checks: Iterable[Checked] | None = None) -> str:
    """Return the digest over what a reviewer is shown of a proposal.

    It covers the change, the evidence, the impact and how each check came out, and
    neither the state nor other people's reviews and reservations.

    Args:
        desk: What to work with.
        node: The proposal.
        checks: How the checks come out now; as they are on record for None.
    """
    made = hashlib.sha256()
    lines = [terms.nquad(quad) for quad in _shown(desk, node)]
    for check in _checks(desk, node) if checks is None else checks:
        if check.kind != AITIA.baseCheck:  # that is refused with its own reason
            lines.append(f"{check.kind} {check.outcome} {check.text}")
    for line in sorted(lines):
        data = line.encode()
        made.update(len(data).to_bytes(8, "big") + data)
    return made.hexdigest()


def _shown(desk: Desk, node: NamedNode) -> Iterator[Quad]:
    parts = [node]
    for predicate in (
        AITIA.proposes,
        AITIA.withdraws,
        AITIA.hasEvidence,
        AITIA.hasImpact,
    ):
        parts += desk.nodes(node, predicate)
    for part in parts:
        for quad in desk.store.quads(part, None, None, CATALOG):
            if quad.predicate not in _UNSHOWN:
                yield quad


def _parts(desk: Desk, node: NamedNode, predicate: NamedNode) -> list[NamedNode]:
    """Return the parts of a proposal in the order in which they were numbered."""

    def number(part: NamedNode) -> int:
        tail = part.value.rsplit("/", 1)[-1]
        return int(tail) if tail.isdecimal() else 0

    return sorted(desk.nodes(node, predicate), key=number)


def _changes(desk: Desk, node: NamedNode, predicate: NamedNode) -> Iterator[Change]:
    for part in _parts(desk, node, predicate):
        if AITIA.ProposedStatement in desk.kinds(part):
            yield Change(
                _needed(desk, part, RDF.subject),
                _needed(desk, part, RDF.predicate),
                _value(desk, part, RDF.object),
                _needed(desk, part, AITIA.inGraph),
                _needed(desk, part, AITIA.rank),
                _time(desk.text(part, AITIA.validFrom)),
                _time(desk.text(part, AITIA.validUntil)),
            )


def _needed(desk: Desk, node: NamedNode, predicate: NamedNode) -> NamedNode:
    found = desk.node(node, predicate)
    assert found is not None  # the shapes demand it
    return found


def _value(desk: Desk, node: NamedNode, predicate: NamedNode) -> Term:
    quads = desk.store.quads(node, predicate, None, CATALOG)
    values = (q.object for q in quads)
    return next(v for v in values if isinstance(v, NamedNode | Literal))


def _words(desk: Desk, node: NamedNode) -> Iterator[Words]:
    for part in _parts(desk, node, AITIA.withdraws):
        if AITIA.Span in desk.kinds(part):
            yield Words(
                _needed(desk, part, DCTERMS.isPartOf),
                desk.text(part, AITIA.text),
                int(desk.text(part, AITIA.start)),
                int(desk.text(part, AITIA.end)),
            )


def _evidence(desk: Desk, node: NamedNode) -> Iterator[tuple[NamedNode, Cited]]:
    for part in _parts(desk, node, AITIA.hasEvidence):
        text, start = desk.text(part, AITIA.text), desk.text(part, AITIA.start)
        ground = desk.node(part, AITIA.derivesFrom)
        # What is no text is evidence as a whole; a text whose words are not named
        # is a mere source.
        kinds = desk.kinds(ground) if ground else {AITIA.Document}
        whole = not kinds & {AITIA.Document, AITIA.Passage}
        yield (
            part,
            Cited(
                text,
                ground,
                text if start else "",
                int(start) if start else 0 if whole else -1,
                int(desk.text(part, AITIA.end) or -1),
                desk.text(part, AITIA.evidenceBlob),
                desk.text(part, AITIA.location),
                desk.node(part, EARL.outcome) == EARL.passed,
                weight=float(desk.text(part, AITIA.evidenceWeight) or 0),
                kind=desk.text(part, AITIA.sourceKind),
            ),
        )


def _checks(desk: Desk, node: NamedNode) -> Iterator[Checked]:
    latest: dict[NamedNode, Checked] = {}
    for part in _parts(desk, node, AITIA.hasCheck):
        kind = _needed(desk, part, EARL.test)
        outcome = _needed(desk, part, EARL.outcome)
        latest[kind] = Checked(kind, outcome, desk.text(part, AITIA.text))
    yield from latest.values()


def _impact(desk: Desk, node: NamedNode) -> Impact | None:
    part = desk.node(node, AITIA.hasImpact)
    if part is None:
        return None
    listed = sorted(one.value for one in desk.nodes(part, AITIA.affects))

    def count(predicate: NamedNode) -> int:
        return int(desk.text(part, predicate) or 0)

    return Impact(
        count(AITIA.affectedStatements),
        count(AITIA.affectedInferred),
        count(AITIA.affectedAnswers),
        count(AITIA.affectedProposals),
        tuple(listed),
    )


def _time(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def name_of(node: NamedNode) -> str:
    """Return the id of a proposal, as people type it."""
    return lookup.short(node.value).removeprefix("proposal:")
