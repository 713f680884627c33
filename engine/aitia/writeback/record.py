"""A checked draft as quads of the catalog: reified, and nothing of it asserted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from pyoxigraph import NamedNode, Quad

from aitia import terms
from aitia.model.links import causal
from aitia.model.patch import ENGINE_AGENT
from aitia.store import Term
from aitia.vocab import AITIA, DCTERMS, EARL, PROV, RDF
from aitia.writeback.checks import Case
from aitia.writeback.desk import CATALOG, Desk
from aitia.writeback.draft import KINDS, TRIGGERS, Change, Checked, Impact, Words
from aitia.writeback.sources import Sourced
from aitia.writeback.words import fact, sentence

Said = tuple[NamedNode, Term]


def quads(
    case: Case,
    node: NamedNode,
    checks: Sequence[Checked],
    needed: int,
    when: datetime,
) -> Iterator[Quad]:
    """Yield what puts a proposal on record, without its state.

    Args:
        case: The draft with what was found out about it.
        node: The proposal's IRI.
        checks: How the checks came out.
        needed: How many approvals it needs.
        when: When it was made.
    """
    draft, desk = case.draft, case.desk
    yield from desk.agent(draft.proposer.name, draft.proposer.kind)
    yield from _said(node, _head(case, needed, when))
    for reason in draft.about:
        if reason.value.startswith(terms.BASE):
            yield from causal(node, AITIA.derivesFrom, reason, CATALOG)
    for number, change in enumerate(draft.adds, 1):
        part = terms.part(node, "new", number)
        yield Quad(node, AITIA.proposes, part, CATALOG)
        yield from _said(part, _statement(desk, change, draft.opinion_of))
    for number, change in enumerate(draft.withdraws, 1):
        part = terms.part(node, "old", number)
        yield Quad(node, AITIA.withdraws, part, CATALOG)
        yield from _said(part, _statement(desk, change, ""))
    for number, words in enumerate(draft.words, 1):
        part = terms.part(node, "words", number)
        yield Quad(node, AITIA.withdraws, part, CATALOG)
        yield from _said(part, _span(words))
    for number, item in enumerate(case.evidence, 1):
        part = terms.part(node, "evidence", number)
        yield Quad(node, AITIA.hasEvidence, part, CATALOG)
        yield from causal(node, AITIA.derivesFrom, part, CATALOG)
        yield from _evidence(part, item)
    yield from impact(node, case.impact, when)
    yield from checked(desk, node, checks, when)


def checked(
    desk: Desk, node: NamedNode, checks: Sequence[Checked], when: datetime
) -> Iterator[Quad]:
    """Yield what puts checks of a proposal on record, after those that it has."""
    done = len(desk.nodes(node, AITIA.hasCheck))
    yield from desk.agent("aitia", AITIA.Software)
    for number, check in enumerate(checks, done + 1):
        part = terms.part(node, "check", number)
        by = ENGINE_AGENT
        if check.by:
            by = terms.agent_iri(check.by)
            yield from desk.agent(check.by, AITIA.Model)
        yield Quad(node, AITIA.hasCheck, part, CATALOG)
        yield from _said(
            part,
            [
                (RDF.type, AITIA.Check),
                (EARL.subject, node),
                (EARL.test, check.kind),
                (EARL.outcome, check.outcome),
                (EARL.mode, EARL.automatic),
                (EARL.assertedBy, by),
                (AITIA.text, terms.string(check.text)),
                (PROV.generatedAtTime, terms.time(when)),
            ],
        )


def impact(node: NamedNode, found: Impact, when: datetime) -> Iterator[Quad]:
    """Yield what puts the impact analysis of a proposal on record."""
    part = terms.part(node, "impact")
    yield Quad(node, AITIA.hasImpact, part, CATALOG)
    said: list[Said] = [
        (RDF.type, AITIA.ImpactAnalysis),
        (AITIA.text, terms.string(impact_told(found))),
        (PROV.generatedAtTime, terms.time(when)),
        (AITIA.affectedStatements, terms.integer(found.statements)),
        (AITIA.affectedInferred, terms.integer(found.inferred)),
        (AITIA.affectedAnswers, terms.integer(found.answers)),
        (AITIA.affectedProposals, terms.integer(found.proposals)),
        *((AITIA.affects, NamedNode(iri)) for iri in found.listed),
    ]
    yield from _said(part, said)


def impact_told(found: Impact) -> str:
    """Return an impact in words."""
    counts = (
        (found.statements, "statement"),
        (found.inferred, "inferred triple"),
        (found.answers, "answer"),
        (found.proposals, "other proposal"),
    )
    return ", ".join(f"{n:,} {name}{'' if n == 1 else 's'}" for n, name in counts)


def _head(case: Case, needed: int, when: datetime) -> Iterator[Said]:
    draft = case.draft
    yield RDF.type, AITIA.Proposal
    yield AITIA.proposalKind, KINDS[draft.kind]
    yield AITIA.trigger, TRIGGERS[draft.trigger]
    yield AITIA.text, terms.string(sentence(case.desk.store, draft))
    yield AITIA.reason, terms.string(draft.reason)
    yield AITIA.proposedBy, draft.proposer.node
    yield PROV.generatedAtTime, terms.time(when)
    yield AITIA.baseCommit, terms.integer(draft.base.commit)
    yield AITIA.baseDigest, terms.string(draft.base.digest)
    yield AITIA.approvalsNeeded, terms.integer(needed)
    for node in (*draft.about, *draft.subjects, *(w.document for w in draft.words)):
        yield AITIA.about, node
    if draft.run is not None:
        yield AITIA.inRun, draft.run
    if draft.text:
        yield AITIA.proposedText, terms.string(draft.text)
    if draft.opinion_of:
        yield AITIA.opinionOf, terms.string(draft.opinion_of)
    if draft.revision_of is not None:
        yield PROV.wasRevisionOf, draft.revision_of
    yield from _sure(case)
    if not (draft.about or draft.changes or draft.words):
        yield AITIA.about, terms.GRAPH_CURRENT


def _sure(case: Case) -> Iterator[Said]:
    """Yield how sure it is: by the proposer's own measure, or by the formula."""
    draft, found = case.draft, case.confidence
    value, rule = draft.confidence, draft.confidence_rule
    if value is None and found is not None:
        value, rule = found.value, found.rule
    if value is not None:
        yield AITIA.confidence, terms.double(value)
        yield AITIA.confidenceRule, terms.string(rule)


def _statement(desk: Desk, change: Change, opinion_of: str) -> Iterator[Said]:
    yield RDF.type, AITIA.ProposedStatement
    yield from triple(change)
    yield AITIA.rank, change.rank
    yield AITIA.text, terms.string(fact(desk.store, change))
    if opinion_of:
        yield AITIA.opinionOf, terms.string(opinion_of)


def triple(change: Change) -> Iterator[Said]:
    """Yield the parts of a triple, its graph, and when it holds in the world."""
    yield RDF.subject, change.subject
    yield RDF.predicate, change.predicate
    yield RDF.object, change.object
    yield AITIA.inGraph, change.graph
    if change.valid_from is not None:
        yield AITIA.validFrom, terms.time(change.valid_from)
    if change.valid_until is not None:
        yield AITIA.validUntil, terms.time(change.valid_until)


def _span(words: Words) -> Iterator[Said]:
    yield RDF.type, AITIA.Span
    yield DCTERMS.isPartOf, words.document
    yield AITIA.text, terms.string(words.text)
    yield AITIA.start, terms.integer(words.start)
    yield AITIA.end, terms.integer(words.end)


def _evidence(node: NamedNode, item: Sourced) -> Iterator[Quad]:
    cited = item.cited
    said: list[Said] = [
        (RDF.type, AITIA.Evidence),
        (AITIA.text, terms.string(cited.text)),
        (EARL.outcome, EARL.passed if cited.reached else EARL.untested),
        (EARL.mode, EARL.automatic),
        (AITIA.evidenceWeight, terms.double(item.weight.value)),
        (AITIA.sourceKey, terms.string(item.key)),
    ]
    if item.weight.kind:
        said.append((AITIA.sourceKind, terms.string(item.weight.kind)))
    if cited.quote and cited.start >= 0:
        said.append((AITIA.start, terms.integer(cited.start)))
        said.append((AITIA.end, terms.integer(cited.end)))
    if cited.blob:
        said.append((AITIA.evidenceBlob, terms.string(cited.blob)))
    if cited.address:
        said.append((AITIA.location, terms.any_uri(cited.address)))
    yield from _said(node, said)
    if cited.ground is not None:
        yield from causal(node, AITIA.derivesFrom, cited.ground, CATALOG)


def _said(node: NamedNode, said: Iterator[Said] | Sequence[Said]) -> Iterator[Quad]:
    for predicate, value in said:
        yield Quad(node, predicate, value, CATALOG)
