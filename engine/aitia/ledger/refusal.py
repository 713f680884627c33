"""What the gate refused, put on record: who proposed what, and why it was refused."""

from __future__ import annotations

from typing import Final

from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.blobs import Blobs
from aitia.errors import ShapeViolation
from aitia.ledger import chain
from aitia.model import Patch
from aitia.vocab import AITIA, PROV, RDF

REASON_CHARS: Final = 2000


def refused(
    blobs: Blobs,
    error: ShapeViolation,
    patch: Patch,
    graph: NamedNode,
    run: NamedNode | None,
) -> Patch:
    """Return the patch that records a refusal; keeps what it points to as blobs.

    Args:
        blobs: Where the proposal and the report are kept.
        error: What the gate raised.
        patch: What was proposed.
        graph: Where to record it: the run's graph, or the catalog.
        run: The run it belongs to, if any.
    """
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
    return Patch(
        frozenset(Quad(node, p, o, graph) for p, o in stated),
        agent=patch.agent,
        cause=run or patch.cause,
    )


def _reason(error: ShapeViolation) -> str:
    text = str(error)
    return text if len(text) <= REASON_CHARS else text[: REASON_CHARS - 1] + "…"
