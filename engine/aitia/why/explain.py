"""Why a node is as it is: the recorded links behind it, and where they end."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from pyoxigraph import NamedNode, Triple

from aitia import resources, terms
from aitia.blobs import Blobs
from aitia.lookup import imported, short
from aitia.model.graph import CausalGraph, CausalLink, CausalNode
from aitia.store import Reader
from aitia.vocab import AITIA, RDF
from aitia.why.describe import Descriptions, describe, links
from aitia.why.details import Details, asker, refusals
from aitia.why.places import OTHER_BASES, Places, ending
from aitia.why.walk import STATEMENT, Walk, distances, walk

_STANDS_FOR: Final = (AITIA.Answer, AITIA.Decision, AITIA.Abstention, AITIA.Abort)


def explain(
    reader: Reader,
    blobs: Blobs,
    node: NamedNode,
    *,
    depth: int | None = None,
    bases: Collection[str] = (),
    limit: int | None = None,
    only: Collection[str] | None = None,
) -> CausalGraph:
    """Return the causal graph behind `node`; recorded links only, by SPARQL.

    Args:
        reader: What to read from.
        blobs: Where the documents' texts are, for checking quotes.
        node: What is asked about; a run stands for its answer or conclusion.
        depth: How many links to go back; None for all.
        bases: Local names of the bases on which a link must stand to be followed;
            all where empty.
        limit: How many nodes to describe, the nearest first; None for all.
        only: The nodes to describe, of those that are found; None for all.
    """
    whole = _widened(reader, blobs, walk(reader, standing_for(reader, node)))
    return _explained(reader, blobs, whole, depth, bases, limit, only)


def explain_fact(
    reader: Reader,
    blobs: Blobs,
    fact: Triple,
    *,
    depth: int | None = None,
    bases: Collection[str] = (),
    limit: int | None = None,
) -> CausalGraph:
    """Return what lies behind one triple: who states it, or what it follows from.

    Args are those of `explain`; `fact` is a triple on record, asserted or inferred.
    """
    from aitia.why.facts import behind_fact

    whole = behind_fact(reader, blobs, fact)
    return _explained(reader, blobs, whole, depth, bases, limit, None)


def _widened(reader: Reader, blobs: Blobs, walked: Walk) -> Walk:
    """Add what lies behind facts, if there are any: only then is it loaded."""
    people = [
        node
        for node in walked.depths
        if not node.startswith(terms.BASE) and not walked.causes.get(node)
    ]
    if not people and not any(node.startswith(STATEMENT) for node in walked.depths):
        return walked
    from aitia.why.facts import widen

    return widen(reader, blobs, walked, people)


def _explained(
    reader: Reader,
    blobs: Blobs,
    whole: Walk,
    depth: int | None,
    bases: Collection[str],
    limit: int | None,
    only: Collection[str] | None,
) -> CausalGraph:
    walked = _on_bases(reader, whole, bases) if bases else whole
    nodes = [x for x in walked.within(depth) if only is None or x in only]
    return _tell(reader, blobs, walked, nodes[:limit], whole)


def standing_for(reader: Reader, node: NamedNode) -> NamedNode:
    """Return a run's answer, or else its conclusion; any other node itself."""
    if not any(reader.quads(node, RDF.type, AITIA.Run)):
        return node
    rows = reader.select(resources.query("why", "start"), {"run": node})
    found = {row["kind"]: row["node"] for row in rows}
    chosen = next((found[kind] for kind in _STANDS_FOR if kind in found), node)
    return chosen if isinstance(chosen, NamedNode) else node


def _on_bases(reader: Reader, walked: Walk, bases: Collection[str]) -> Walk:
    """Return the walk along links on those bases only."""
    causes: dict[str, dict[str, None]] = {}
    for link in links(reader, walked, describe(reader, walked.depths)):
        if link.basis in bases:
            causes.setdefault(link.effect, {})[link.cause] = None
    depths = distances(walked.start, causes)
    return walked._replace(depths=depths, causes=causes)


def _tell(
    reader: Reader, blobs: Blobs, walked: Walk, nodes: list[str], whole: Walk
) -> CausalGraph:
    """Describe `nodes` of `walked`, which is `whole` or a part of it."""
    shown = describe(reader, nodes)
    told = imported.imported(reader)
    runs = [run for run in told if any(_is_part(node, run) for node in walked.depths)]
    places, details = Places(reader, blobs, shown), Details(reader, shown)
    return CausalGraph(
        start=walked.start,
        nodes={
            node: _node(node, walked, shown, places, details, whole) for node in nodes
        },
        links=_strongest_first(links(reader, walked, shown)),
        total_nodes=len(walked.depths),
        total_links=sum(1 for _ in walked.edges()),
        imported=tuple(f"{short(run)} was {told[run]}" for run in sorted(runs)),
        refused=refusals(reader, walked.start),
        asker=asker(reader, walked.start),
    )


def _is_part(node: str, run: str) -> bool:
    return imported.run_of(node) == run


def _strongest_first(found: list[CausalLink]) -> tuple[CausalLink, ...]:
    """Keep the order of effects; among the causes of one, the surest come first."""
    place = {
        effect: i for i, effect in enumerate(dict.fromkeys(x.effect for x in found))
    }
    return tuple(
        sorted(
            found,
            key=lambda x: (place[x.effect], -(x.confidence or 0.0), x.kind, x.cause),
        )
    )


def _node(
    node: str,
    walked: Walk,
    shown: Descriptions,
    places: Places,
    details: Details,
    whole: Walk,
) -> CausalNode:
    kind, label = walked.unrecorded.get(node, ("", ""))
    kind, place = shown.kind(node) or kind, places.of(node)
    exact = place.exact if place else ""
    if kind == "Passage":
        label = exact  # its words say more than its heading
    causes = walked.causes.get(node, ())
    path = shown.text(node, AITIA.path)
    left_out = bool(whole.causes.get(node)) and not causes
    end = OTHER_BASES if left_out else ending(kind, place, path)
    return CausalNode(
        iri=node,
        kind=kind,
        label=label or shown.words(node) or details.label(node) or exact,
        depth=walked.depths[node],
        confidence=shown.real(node, AITIA.confidence),
        confidence_rule=shown.text(node, AITIA.confidenceRule),
        status=shown.state(node),
        error=shown.text(node, AITIA.error),
        place=place,
        ending="" if causes else end,
        hidden=sum(1 for cause in causes if cause not in shown.facts),
        unrecorded=shown.number(node, AITIA.notRecorded) or 0,
        agent=details.agent(node),
        details=details.of(node),
    )
