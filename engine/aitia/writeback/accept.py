"""What acceptance writes: a new version, in one change with its revision.

A fact that was accepted stands as a plain triple in the graph of accepted facts, and as
a statement in the catalog: a node of its own for each acceptance, so that its history
is never mixed with that of an earlier acceptance of the same triple. The triple that it
takes the place of goes out of every graph that it stood in, and stays on record as a
deprecated statement. An opinion stands in the catalog alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from pyoxigraph import NamedNode, Quad

from aitia import terms
from aitia.gate.decided import AUTOMATIC
from aitia.model import Patch
from aitia.model.links import causal
from aitia.model.patch import ENGINE_AGENT
from aitia.plain import short
from aitia.store import Term
from aitia.vocab import AITIA, PROV, RDF
from aitia.writeback.desk import CATALOG, Desk, NewText
from aitia.writeback.draft import Change
from aitia.writeback.gone import going
from aitia.writeback.impact import speaking_of
from aitia.writeback.read import Proposal
from aitia.writeback.record import triple
from aitia.writeback.stale import resting_on
from aitia.writeback.states import Steps
from aitia.writeback.words import fact

REVIEWED = "reviewed"
"""What `aitia:policy` says of a revision that people approved."""


@dataclass(frozen=True)
class Act:
    """Who makes a revision, when and why.

    Attributes:
        agents: Who.
        when: When.
        reason: Why.
        policy: `REVIEWED` or `AUTOMATIC`.
    """

    agents: Sequence[NamedNode]
    when: datetime
    reason: str
    policy: str = REVIEWED


@dataclass
class Written:
    """What a revision adds and deletes.

    Attributes:
        revision: Its IRI.
        adds: Quads to add.
        deletes: Quads to delete.
    """

    revision: NamedNode
    adds: set[Quad] = field(default_factory=set)
    deletes: set[Quad] = field(default_factory=set)

    def say(self, node: NamedNode, predicate: NamedNode, value: Term) -> None:
        """State something in the catalog."""
        self.adds.add(Quad(node, predicate, value, CATALOG))

    def unsay(self, node: NamedNode, predicate: NamedNode, value: Term) -> None:
        """Take something out of the catalog."""
        self.deletes.add(Quad(node, predicate, value, CATALOG))


def begin(proposal: NamedNode, act: Act) -> Written:
    """Return a revision that carries out a proposal, with nothing written yet."""
    made = Written(NamedNode(f"{terms.BASE}revision:{terms.new_id()}"))
    made.say(made.revision, RDF.type, AITIA.Revision)
    made.say(made.revision, PROV.startedAtTime, terms.time(act.when))
    made.say(made.revision, PROV.endedAtTime, terms.time(act.when))
    made.say(made.revision, AITIA.reason, terms.string(act.reason))
    made.say(made.revision, AITIA.carriesOut, proposal)
    made.say(made.revision, AITIA.policy, terms.string(act.policy))
    for agent in act.agents:
        made.say(made.revision, PROV.wasAssociatedWith, agent)
    return made


def written(desk: Desk, proposal: Proposal, act: Act) -> Written:
    """Return what accepting a proposal writes, its last step included."""
    made = begin(proposal.node, act)
    old = [
        node
        for change in proposal.withdraws
        for node in _deprecated(desk, made, proposal, change, act)
    ]
    for change in proposal.adds:
        _stated(desk, made, proposal, change, act, old)
    if proposal.proposed_text:
        _documented(desk, made, proposal, act)
    for part in desk.nodes(proposal.node, AITIA.withdraws):
        if AITIA.Span in desk.kinds(part):
            made.say(part, PROV.invalidatedAtTime, terms.time(act.when))
            made.say(part, PROV.wasInvalidatedBy, made.revision)
    steps = Steps.of(desk, proposal.node).to(AITIA.approved, act.agents[0], act.when)
    made.adds.update(steps.adds)
    made.deletes.update(steps.deletes)
    return made


def automatically(desk: Desk, proposal: Proposal) -> int:
    """Accept a proposal that no person needs to review; return the commit's number."""
    reason = "It passed every check, and reviews have shown that scores can be trusted."
    act = Act((ENGINE_AGENT,), terms.now(), reason, AUTOMATIC)
    made = written(desk, proposal, act)
    return commit(desk, made, ENGINE_AGENT)


def commit(desk: Desk, made: Written, agent: NamedNode) -> int:
    """Commit what was written, and let the next question find it.

    Raises:
        ShapeViolation: The gate refused it, which is on record.
    """
    made.adds.update(desk.agent("aitia", AITIA.Software))
    for answer in resting_on(desk.store, going(desk.store, made.adds, made.deletes)):
        made.say(made.revision, AITIA.madeStale, answer)
    patch = Patch(frozenset(made.adds), frozenset(made.deletes), agent, made.revision)
    number = desk.ledger.commit_or_record(patch, durable=True).number
    desk.settle()
    return number


def version_iri(change: Change, proposal: NamedNode) -> NamedNode:
    """Return the IRI of the statement that accepting a proposal makes of a triple."""
    bare = terms.statement_iri(
        str(change.subject),
        str(change.predicate),
        str(change.object),
        str(change.graph),
    )
    tail = proposal.value.rsplit(":", 1)[-1]
    return NamedNode(f"{bare.value}/version/{tail}")


def holding(desk: Desk, change: Change) -> Iterator[NamedNode]:
    """Yield the statements of the catalog that hold of a triple in its graph."""
    for node in speaking_of(desk.store, change.subject, change.predicate):
        kinds = desk.store.quads(node, RDF.type, AITIA.Statement, CATALOG)
        if (
            any(kinds)
            and any(desk.store.quads(node, RDF.object, change.object, CATALOG))
            and desk.node(node, AITIA.inGraph) == change.graph
            and desk.node(node, AITIA.rank) not in (None, AITIA.deprecated)
            and not desk.text(node, AITIA.opinionOf)
        ):
            yield node


def _stated(
    desk: Desk,
    made: Written,
    proposal: Proposal,
    change: Change,
    act: Act,
    old: Sequence[NamedNode],
) -> None:
    node = version_iri(change, proposal.node)
    if proposal.opinion_of:
        made.say(node, AITIA.opinionOf, terms.string(proposal.opinion_of))
    else:
        made.adds.add(change.quad())
    _described(desk, made, node, change, act.when)
    made.say(node, AITIA.rank, change.rank)
    made.say(node, PROV.wasGeneratedBy, made.revision)
    made.say(made.revision, AITIA.wrote, node)
    made.adds.update(causal(node, AITIA.derivesFrom, proposal.node, CATALOG))
    if proposal.confidence is not None:
        made.say(node, AITIA.confidence, terms.double(proposal.confidence))
        made.say(node, AITIA.confidenceRule, terms.string(proposal.confidence_rule))
    for before in old:
        made.say(node, PROV.wasRevisionOf, before)


def _deprecated(
    desk: Desk, made: Written, proposal: Proposal, change: Change, act: Act
) -> list[NamedNode]:
    """Take a triple out of its graph; return the statements that stay of it."""
    made.deletes.add(change.quad())
    nodes = list(holding(desk, change))
    for node in nodes:
        rank = desk.node(node, AITIA.rank)
        assert rank is not None  # `holding` has seen it
        made.unsay(node, AITIA.rank, rank)
    if not nodes:
        nodes = [version_iri(change, proposal.node)]
        _described(desk, made, nodes[0], change, act.when)
        if AITIA.Document in desk.kinds(change.graph):
            made.adds.update(causal(nodes[0], AITIA.derivesFrom, change.graph, CATALOG))
    for node in nodes:
        made.say(node, AITIA.rank, AITIA.deprecated)
        made.say(node, PROV.invalidatedAtTime, terms.time(act.when))
        made.say(node, PROV.wasInvalidatedBy, made.revision)
    return nodes


def _described(
    desk: Desk, made: Written, node: NamedNode, change: Change, when: datetime
) -> None:
    made.say(node, RDF.type, AITIA.Statement)
    for predicate, value in triple(change):
        made.say(node, predicate, value)
    made.say(node, AITIA.text, terms.string(fact(desk.store, change)))
    made.say(node, PROV.generatedAtTime, terms.time(when))


def _documented(desk: Desk, made: Written, proposal: Proposal, act: Act) -> None:
    # Not the words themselves: a sentence that repeats the title is taken for a heading.
    title = f"Accepted proposal {proposal.id}"
    if proposal.opinion_of:
        title = f"Opinion of {short(proposal.opinion_of, 80)}, {title.lower()}"
    text = NewText(proposal.node, proposal.proposed_text, title, act.agents[0])
    document, quads = desk.as_document(text)
    made.adds.update(quads)
    made.say(made.revision, AITIA.wrote, document)
