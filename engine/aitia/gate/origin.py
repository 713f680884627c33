"""What may come from whom: users' data and what models propose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pyoxigraph import NamedNode, Quad

from aitia.gate.change import Change
from aitia.gate.graphs import is_ours, is_system, under_base
from aitia.gate.index import Term, text_of
from aitia.gate.overlay import Overlay
from aitia.gate.result import Result
from aitia.gate.rulebook import (
    ADDS_ONLY,
    DECLARED_GRAPH,
    NO_AXIOM,
    OUR_GRAPHS_CLOSED,
    OUR_NODES_CLOSED,
    OUR_TERMS_CLOSED,
    PERMITTED,
)
from aitia.model import Patch
from aitia.vocab import AITIA, OWL, RDF, RDFS


def user_data(quads: Iterable[Quad]) -> Iterator[Result]:
    """Find what users' data may not say, quad by quad."""
    for quad in quads:
        subject, predicate, value = quad.subject, quad.predicate, quad.object
        if predicate.value.startswith(AITIA.NS):
            yield OUR_TERMS_CLOSED.broken(
                subject, f"is described by {predicate.value}", value
            )
        elif predicate == RDF.type and _is_term(value):
            yield OUR_TERMS_CLOSED.broken(subject, f"is typed {text_of(value)}", value)
        if _is_term(subject):
            yield NO_AXIOM.broken(subject, f"is described by {predicate.value}", value)
        elif _is_axiom(predicate) and (_is_term(value) or under_base(value)):
            yield NO_AXIOM.broken(
                subject, f"is tied to {text_of(value)} by {predicate.value}", value
            )
        if under_base(subject):
            yield OUR_NODES_CLOSED.broken(
                subject, f"is described by {predicate.value}", value
            )


def _is_term(term: object) -> bool:
    return isinstance(term, NamedNode) and term.value.startswith(AITIA.NS)


def _is_axiom(predicate: NamedNode) -> bool:
    return predicate.value.startswith((RDFS.NS, OWL.NS))


def user_graphs(quads: Iterable[Quad]) -> Iterator[Result]:
    """Find graphs of ours that a file of a user's names."""
    for graph in dict.fromkeys(quad.graph_name for quad in quads):
        if isinstance(graph, NamedNode) and (is_system(graph) or under_base(graph)):
            yield OUR_GRAPHS_CLOSED.broken(graph, "is named as a graph")


def mixed(change: Change, overlay: Overlay) -> Iterator[Result]:
    """Check the users' data in a patch of ours: what an ingest brings in.

    Whose data it is shows in the graph. Quads in the catalog and in runs are aitia's
    own record; quads in any other graph are users' data, whoever commits them, and the
    graph must be a document's, or one that a document on record contains. The graph of
    accepted facts holds users' data as well.
    """
    yield from user_data(change.user_adds)
    for graph in dict.fromkeys(quad.graph_name for quad in change.user_adds):
        if not isinstance(graph, NamedNode) or is_system(graph):
            continue
        if not _declared(graph, overlay):
            yield DECLARED_GRAPH.broken(graph, "belongs to no document on record")


def _declared(graph: NamedNode, overlay: Overlay) -> bool:
    if AITIA.Document in overlay.types(graph):
        return True
    return not under_base(graph) and overlay.has(graph, AITIA.containsGraph, False)


def of_user(change: Change) -> Iterator[Result]:
    """Check a patch that is a user's alone."""
    for graph in change.graphs:
        if isinstance(graph, NamedNode) and is_system(graph):
            yield OUR_GRAPHS_CLOSED.broken(graph, "is named as a graph")
    yield from user_data(change.user_adds)


def of_model(patch: Patch, permitted: set[Term]) -> Iterator[Result]:
    """Check what a model proposes: everything is denied that no closed shape allows.

    Args:
        patch: The proposal.
        permitted: Nodes that a closed shape for proposals was asked about; that shape
            denies every predicate it does not list.
    """
    for quad in patch.deletes:
        yield ADDS_ONLY.broken(quad.subject, "would lose a triple", quad.object)
    for quad in patch.adds:
        if not is_ours(quad.graph_name):
            yield OUR_GRAPHS_CLOSED.broken(
                quad.subject, "would be stated outside the record of proposals"
            )
        if quad.subject not in permitted:
            name = quad.predicate.value
            yield PERMITTED.broken(
                quad.subject, f"is described by {name}, which nothing permits", None
            )
