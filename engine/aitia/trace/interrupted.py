"""Runs whose process ended before they did: found, and ended on record."""

from __future__ import annotations

from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.model import ENGINE_AGENT, Patch, causal
from aitia.store import Reader
from aitia.trace.run import Commit
from aitia.vocab import AITIA, PROV, RDF

REASON = "The process ended before the run did."


def running(reader: Reader) -> list[NamedNode]:
    """Return the runs that are on record as running; while nobody writes, none is."""
    found = {
        quad.subject
        for quad in reader.quads(None, AITIA.status, AITIA.running)
        if isinstance(quad.subject, NamedNode)
        and any(True for _ in reader.quads(quad.subject, RDF.type, AITIA.Run))
    }
    return sorted(found, key=lambda run: run.value)


def end(
    reader: Reader,
    commit: Commit,
    run: NamedNode,
    *,
    reason: str = REASON,
    lost: int = 0,
) -> None:
    """Put on record that a run broke off; only the writer may, for a run of no process.

    A run has one conclusion: what it decided before it broke off stands.

    Args:
        reader: The store.
        commit: What the change is handed to.
        run: The run.
        reason: Why, in words.
        lost: Steps of it that were done and are not on record.

    Raises:
        ShapeViolation: The gate refused it.
    """
    graph = terms.run_graph(run)
    adds: list[Quad] = []
    deletes: list[Quad] = []
    for state in (AITIA.pending, AITIA.running):
        for quad in reader.quads(None, AITIA.status, state, graph):
            ended = AITIA.failed if quad.subject == run else AITIA.abandoned
            deletes.append(quad)
            adds.append(Quad(quad.subject, AITIA.status, ended, graph))
    made = terms.part(run, "abort")
    stated: list[tuple[NamedNode, NamedNode, NamedNode | Literal]] = [
        (run, PROV.endedAtTime, terms.time(terms.now())),
    ]
    if not any(True for _ in reader.quads(run, AITIA.conclusion, None, graph)):
        stated += [
            (run, AITIA.conclusion, made),
            (made, RDF.type, AITIA.Abort),
            (made, AITIA.inRun, run),
            (made, AITIA.reason, terms.string(reason)),
        ]
        # What was changed outside led up to the end, wherever the run broke off.
        for quad in reader.quads(None, AITIA.permittedBy, None, graph):
            if isinstance(quad.subject, NamedNode):
                adds += causal(quad.subject, AITIA.triggers, made, graph)
    if lost:
        stated.append((run, AITIA.notRecorded, terms.integer(lost)))
    adds += [Quad(s, p, o, graph) for s, p, o in stated]
    commit(Patch(frozenset(adds), frozenset(deletes), ENGINE_AGENT, run), durable=True)
