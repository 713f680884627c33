"""A causal graph as data: JSON of a documented layout, and Turtle."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any, Final

from pyoxigraph import NamedNode, RdfFormat, Triple, serialize

from aitia import terms
from aitia.model.graph import CausalGraph, CausalLink
from aitia.model.links import LINKS
from aitia.vocab import AITIA, PROV, RDF, RDFS

PREFIXES: Final = {"aitia": AITIA.NS, "prov": PROV.NS, "rdfs": RDFS.NS}


def layout(graph: CausalGraph) -> dict[str, Any]:
    """Return the graph as JSON values.

    The keys are `start`, `total_nodes`, `total_links`, `imported`, `stale`,
    `refused`, `asker`, `roots` (IRIs), `nodes` and
    `links`; a node and a link have the fields of `CausalNode` and `CausalLink`.
    """
    return {
        "start": graph.start,
        "total_nodes": graph.total_nodes,
        "total_links": graph.total_links,
        "imported": list(graph.imported),
        "stale": graph.stale,
        "refused": list(graph.refused),
        "asker": graph.asker,
        "roots": [node.iri for node in graph.roots()],
        "nodes": [asdict(node) for node in graph.nodes.values()],
        "links": [asdict(link) for link in graph.links],
    }


def as_json(graph: CausalGraph) -> str:
    """Return the graph as JSON text, every character beyond ASCII escaped."""
    return json.dumps(layout(graph), indent=2) + "\n"


def roots_json(graph: CausalGraph) -> str:
    """Return the nodes where the chains end as JSON text, with the same totals."""
    whole = layout(graph)
    del whole["links"]
    whole["nodes"] = [asdict(node) for node in graph.roots()]
    return json.dumps(whole, indent=2) + "\n"


def turtle(graph: CausalGraph) -> str:
    """Return the graph as Turtle: the links as on record, with kinds and labels.

    A document that states a fact, and a premise that one follows from, stand as what it
    was derived from in PROV; people's own PROV links stand as they stated them.
    """
    triples: dict[Triple, None] = {}
    for node in graph.nodes.values():
        subject = NamedNode(node.iri)
        if node.label:
            triples[Triple(subject, RDFS.label, terms.string(node.label))] = None
    for link in graph.links:
        triples.update(dict.fromkeys(_triples(link)))
    data = serialize(triples, format=RdfFormat.TURTLE, prefixes=PREFIXES)
    return data.decode() if data else ""


def _triples(link: CausalLink) -> list[Triple]:
    effect, cause = NamedNode(link.effect), NamedNode(link.cause)
    kind = NamedNode(AITIA.NS + link.kind)
    if link.kind in ("statedIn", "followsFrom", "isSaidBy"):
        return [Triple(effect, PROV.wasDerivedFrom, cause)]
    if kind not in (*LINKS, AITIA.hasCause):
        return [Triple(effect, NamedNode(PROV.NS + link.kind), cause)]
    found = [Triple(effect, AITIA.hasCause, cause)]
    if kind == AITIA.hasCause:
        return found
    ends = (effect, cause) if LINKS[kind].effect_is_subject else (cause, effect)
    found.append(Triple(ends[0], kind, ends[1]))
    if link.node:
        node = NamedNode(link.node)
        found += [
            Triple(node, RDF.type, AITIA.Link),
            Triple(node, AITIA.linkFrom, ends[0]),
            Triple(node, AITIA.linkTo, ends[1]),
            Triple(node, AITIA.linkKind, kind),
        ]
        if link.basis:
            found.append(Triple(node, AITIA.basis, NamedNode(AITIA.NS + link.basis)))
        if link.confidence is not None:
            found += [
                Triple(node, AITIA.confidence, terms.double(link.confidence)),
                Triple(node, AITIA.confidenceRule, terms.string(link.confidence_rule)),
            ]
    return found
