"""Whose graph is it: ours, which only aitia writes, or one that holds users' data?"""

from __future__ import annotations

from typing import Final

from pyoxigraph import NamedNode

from aitia import terms
from aitia.gate.index import Term

_SYSTEM: Final = terms.BASE + "graph:"
_RUN: Final = terms.BASE + "run:"
_TRACE: Final = "/trace"
_OF_USERS: Final = frozenset({terms.GRAPH_CURRENT, terms.GRAPH_INFERRED})


def is_run_graph(graph: object) -> bool:
    """Tell whether a graph holds the trace of a run."""
    return (
        isinstance(graph, NamedNode)
        and graph.value.startswith(_RUN)
        and graph.value.endswith(_TRACE)
    )


def is_system(graph: object) -> bool:
    """Tell whether a graph's name is reserved: nobody's data may name it."""
    named = isinstance(graph, NamedNode) and graph.value.startswith(_SYSTEM)
    return named or is_run_graph(graph)


def is_ours(graph: object) -> bool:
    """Tell whether a graph holds our own records, where every node needs a shape.

    The graph of accepted facts and the graph of inferred triples are written by aitia
    and speak of users' things, so they are not.
    """
    return is_system(graph) and graph not in _OF_USERS


def is_user(graph: object) -> bool:
    """Tell whether a graph holds users' facts: a document's, a named one, the accepted."""
    return graph == terms.GRAPH_CURRENT or not is_system(graph)


def under_base(term: Term) -> bool:
    """Tell whether an IRI is one of ours."""
    return isinstance(term, NamedNode) and term.value.startswith(terms.BASE)
