"""What the gate refused, put on record: who proposed what, and why it was refused."""

from __future__ import annotations

from typing import Final
from urllib.parse import unquote

from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.blobs import Blobs
from aitia.errors import ShapeViolation
from aitia.ledger import chain
from aitia.model import Origin, Patch
from aitia.model.patch import ENGINE_AGENT
from aitia.store import OxigraphStore
from aitia.vocab import AITIA, PROV, RDF, RDFS

REASON_CHARS: Final = 2000


def refused(
    store: OxigraphStore,
    blobs: Blobs,
    error: ShapeViolation,
    patch: Patch,
    graph: NamedNode,
    run: NamedNode | None,
) -> Patch:
    """Return the patch that records a refusal; keeps what it points to as blobs.

    The proposer goes on record too where it is not. A run that is not on record, since
    its first patch was the refused one, cannot be pointed to: then the refusal stands
    in the catalog.

    Args:
        store: Tells who and what is on record.
        blobs: Where the proposal and the report are kept.
        error: What the gate raised.
        patch: What was proposed.
        graph: Where to record it: the run's graph, or the catalog.
        run: The run it belongs to, if any.
    """
    if run is not None and not _on_record(store, run):
        run, graph = None, terms.GRAPH_CATALOG
    pairs = chain.lines(patch.adds, patch.deletes)
    proposal = b"".join(op + b" " + line + b"\n" for op, line in pairs)
    node = NamedNode(f"{terms.BASE}refusal:{terms.new_id()}")
    stated: list[tuple[NamedNode, NamedNode | Literal]] = [
        (RDF.type, AITIA.RefusedOperation),
        (AITIA.reason, terms.string(_reason(error))),
        (AITIA.proposedBy, patch.agent),
        (AITIA.patchBlob, terms.string(blobs.put(proposal))),
        (AITIA.reportBlob, terms.string(blobs.put(error.report.encode()))),
        (PROV.generatedAtTime, terms.time(terms.now())),
    ]
    if run is not None:
        stated.append((AITIA.inRun, run))
    stated += [(AITIA.about, batch) for batch in _batches(store, patch)]
    quads = [Quad(node, p, o, graph) for p, o in stated]
    if not _on_record(store, patch.agent):
        quads += _proposer(patch)
    cause = run or patch.cause
    # What only the refused change would have made is not there to be the cause.
    known = cause is not None and _on_record(store, cause)
    return Patch(frozenset(quads), agent=patch.agent, cause=cause if known else None)


def _batches(store: OxigraphStore, patch: Patch) -> list[NamedNode]:
    """Return the batches on record whose operations a patch was to state."""
    named = {quad.object for quad in patch.adds if quad.predicate == AITIA.inBatch}
    batches = (node for node in named if isinstance(node, NamedNode))
    return [node for node in batches if _on_record(store, node)]


def _on_record(store: OxigraphStore, node: NamedNode) -> bool:
    return any(True for _ in store.quads(node, RDF.type))


def _proposer(patch: Patch) -> list[Quad]:
    """Return what puts the proposer on record, as what is known of it."""
    kind = AITIA.Model if patch.origin is Origin.MODEL else AITIA.Agent
    if patch.agent == ENGINE_AGENT:
        kind = AITIA.Software
    name = unquote(patch.agent.value.rpartition(":")[2])
    return [
        Quad(patch.agent, RDF.type, kind, terms.GRAPH_CATALOG),
        Quad(patch.agent, RDFS.label, terms.string(name), terms.GRAPH_CATALOG),
    ]


def _reason(error: ShapeViolation) -> str:
    text = str(error)
    return text if len(text) <= REASON_CHARS else text[: REASON_CHARS - 1] + "…"
