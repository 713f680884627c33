"""Taking an acceptance back: the facts are as they were, and the history tells why."""

from __future__ import annotations

from collections.abc import Iterator

from pyoxigraph import NamedNode, Quad

from aitia import lookup, terms
from aitia.errors import UsageError
from aitia.vocab import AITIA, PROV, RDF
from aitia.writeback.accept import Act, Written, begin, holding, version_iri
from aitia.writeback.desk import CATALOG, Desk
from aitia.writeback.draft import Change
from aitia.writeback.evidence import is_live
from aitia.writeback.read import Proposal
from aitia.writeback.states import WORDS, Steps


def taken_back(desk: Desk, proposal: Proposal, act: Act) -> Written:
    """Return what undoing the acceptance of a proposal writes.

    What it stated is deprecated, and goes out of the graph of accepted facts unless
    another acceptance that is in force states the same; what it
    took out stands again where it stood, unless the document has gone out of use since;
    words that it withdrew are in use again; a document that it made is retired.

    Raises:
        UsageError: It was not accepted, or something was built on it since that has to
            be undone first.
    """
    if proposal.state != AITIA.approved:
        state = WORDS[proposal.state]
        raise UsageError(f"The proposal {proposal.id} is {state}, not approved.")
    if later := next(_later(desk, proposal), ""):
        raise UsageError(
            f"The proposal {later} changed the same since.", hint="Undo that first."
        )
    made = begin(proposal.node, act)
    earlier = _revision(desk, proposal)
    made.say(made.revision, AITIA.undoes, earlier)
    for change in proposal.adds:
        _no_more(desk, made, proposal, change, act)
    for change in proposal.withdraws:
        _again(desk, made, earlier, change)
    for part in desk.nodes(proposal.node, AITIA.withdraws):
        if AITIA.Span in desk.kinds(part):
            made.deletes.update(_invalidation(desk, part))
    for wrote in desk.nodes(earlier, AITIA.wrote):
        if AITIA.Document in desk.kinds(wrote) and is_live(desk, wrote):
            _retired(made, wrote, act)
    steps = Steps.of(desk, proposal.node).to(AITIA.undone, act.agents[0], act.when)
    made.adds.update(steps.adds)
    made.deletes.update(steps.deletes)
    return made


def _later(desk: Desk, proposal: Proposal) -> Iterator[str]:
    """Yield the ids of accepted proposals that put this one's statements out of use."""
    for change in proposal.adds:
        node = version_iri(change, proposal.node)
        if desk.node(node, AITIA.rank) != AITIA.deprecated:
            continue
        revision = desk.node(node, PROV.wasInvalidatedBy)
        other = desk.node(revision, AITIA.carriesOut) if revision else None
        yield lookup.short(other.value) if other else "of a later revision"


def _revision(desk: Desk, proposal: Proposal) -> NamedNode:
    """Return the revision that carried a proposal out."""
    found = desk.subjects(AITIA.carriesOut, proposal.node)
    return next(node for node in found if desk.node(node, AITIA.undoes) is None)


def _no_more(
    desk: Desk, made: Written, proposal: Proposal, change: Change, act: Act
) -> None:
    node = version_iri(change, proposal.node)
    # Another acceptance that is in force may state the same.
    others = (one for one in holding(desk, change) if one != node)
    if not proposal.opinion_of and next(others, None) is None:
        made.deletes.add(change.quad())
    rank = desk.node(node, AITIA.rank)
    if rank is not None:
        made.unsay(node, AITIA.rank, rank)
    made.say(node, AITIA.rank, AITIA.deprecated)
    made.say(node, PROV.invalidatedAtTime, terms.time(act.when))
    made.say(node, PROV.wasInvalidatedBy, made.revision)


def _again(desk: Desk, made: Written, earlier: NamedNode, change: Change) -> None:
    """Let a triple stand again that an acceptance took out of its graph."""
    if _may_stand(desk, change.graph):
        made.adds.add(change.quad())
    for node in desk.subjects(PROV.wasInvalidatedBy, earlier):
        if _is_of(desk, node, change):
            made.unsay(node, AITIA.rank, AITIA.deprecated)
            made.say(node, AITIA.rank, change.rank)
            made.deletes.update(_invalidation(desk, node))


def _may_stand(desk: Desk, graph: NamedNode) -> bool:
    """Tell whether facts may be put back into a graph: one of no retired document."""
    if AITIA.Document in desk.kinds(graph):
        return is_live(desk, graph)
    owners = desk.subjects(AITIA.containsGraph, graph)
    return not owners or any(is_live(desk, owner) for owner in owners)


def _is_of(desk: Desk, node: NamedNode, change: Change) -> bool:
    return (
        desk.node(node, RDF.subject) == change.subject
        and desk.node(node, RDF.predicate) == change.predicate
        and any(desk.store.quads(node, RDF.object, change.object, CATALOG))
        and desk.node(node, AITIA.inGraph) == change.graph
    )


def _invalidation(desk: Desk, node: NamedNode) -> Iterator[Quad]:
    for predicate in (PROV.invalidatedAtTime, PROV.wasInvalidatedBy):
        yield from desk.store.quads(node, predicate, None, CATALOG)


def _retired(made: Written, document: NamedNode, act: Act) -> None:
    made.unsay(document, AITIA.documentState, AITIA.live)
    made.say(document, AITIA.documentState, AITIA.retired)
    made.say(document, PROV.invalidatedAtTime, terms.time(act.when))
    made.say(document, PROV.wasInvalidatedBy, made.revision)
