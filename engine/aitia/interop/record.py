"""An import on record: the activity itself, who did it, and the runs it brought."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from pathlib import Path

from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.vocab import AITIA, PROV, RDF, RDFS


def new_activity() -> NamedNode:
    """Return the IRI of an import that starts now."""
    return NamedNode(f"{terms.BASE}import:{terms.new_id()}")


def activity(
    node: NamedNode, who: NamedNode, path: Path, started: datetime, number: int
) -> list[Quad]:
    """Return the quads that put an import on record.

    Args:
        node: The import.
        who: Who imports.
        path: The file.
        started: When it started.
        number: How many quads it brings.
    """
    pairs: list[tuple[NamedNode, NamedNode, NamedNode | Literal]] = [
        (node, RDF.type, AITIA.Import),
        (node, PROV.startedAtTime, terms.time(started)),
        (node, PROV.endedAtTime, terms.time(terms.now())),
        (node, PROV.wasAssociatedWith, who),
        (node, AITIA.location, terms.any_uri(path.resolve().as_uri())),
        (node, AITIA.quadCount, terms.integer(number)),
    ]
    return [Quad(*pair, terms.GRAPH_CATALOG) for pair in pairs]


def introduced(who: NamedNode, name: str) -> list[Quad]:
    """Return the quads that put who imports on record, as a person."""
    return [
        Quad(who, RDF.type, AITIA.Person, terms.GRAPH_CATALOG),
        Quad(who, RDFS.label, terms.string(name), terms.GRAPH_CATALOG),
    ]


def marks(quads: Iterable[Quad], node: NamedNode) -> list[Quad]:
    """Return, for each run that quads are of, that it was imported and not made here."""
    found: Collection[tuple[NamedNode, NamedNode]] = {
        (NamedNode(graph.value.removesuffix(_TRACE)), graph)
        for quad in quads
        if isinstance(graph := quad.graph_name, NamedNode) and is_run_graph(graph.value)
    }
    return [
        Quad(run, AITIA.importedBy, node, graph)
        for run, graph in sorted(found, key=str)
    ]


def is_run_graph(graph: str) -> bool:
    """Return whether a graph is that of a run."""
    return graph.startswith(f"{terms.BASE}run:") and graph.endswith(_TRACE)


_TRACE = "/trace"
