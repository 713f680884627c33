"""Why at depth 10 and 100 in a store of a million triples, against its bare path."""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pyoxigraph import Literal, NamedNode, Quad, Store

from aitia import terms
from aitia.blobs import Blobs
from aitia.model import causal, link
from aitia.store import OxigraphStore
from aitia.vocab import AITIA, PROV, RDF
from aitia.why import explain
from aitia.why.walk import walk
from tests.bench.figures import Figure

if TYPE_CHECKING:
    from tests.bench.run import Options

DEPTHS = (10, 100)
LIMITS = {10: 3.5, 100: 2.8}
PATH = """PREFIX aitia: <https://w3id.org/aitia/ns#>
SELECT DISTINCT ?cause WHERE { #bind
  ?start aitia:hasCause+ ?cause }"""
ROUNDS = 120
KINDS = (
    (AITIA.MethodExecution, AITIA.produced),
    (AITIA.Observation, AITIA.usedTool),
    (AITIA.Goal, AITIA.motivates),
    (AITIA.Claim, AITIA.derivesFrom),
)


def measure(options: Options) -> list[Figure]:
    """Time the walk and the whole explanation against the bare property path."""
    size = 50_000 if options.quick else 1_000_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        runs = _fill(folder / "store", size)
        store = OxigraphStore(folder / "store")
        blobs = Blobs(folder / "blobs")
        figures = []
        for depth in DEPTHS:
            starts = [start for start, deep in runs if deep == depth]
            took = _interleaved(store, blobs, starts, 20 if options.quick else ROUNDS)
            figures += _figures(depth, took, size)
        store.close()
    return figures


def _figures(depth: int, took: dict[str, float], size: int) -> list[Figure]:
    path = took["path"]
    note = f"{{:.2f}} ms; the bare path {path * 1000:.2f} ms; {size:,} triples"
    return [
        Figure(
            f"`why`, the walk, depth {depth}",
            took["walk"] / path,
            limit=LIMITS[depth],
            note=note.format(took["walk"] * 1000),
        ),
        Figure(
            f"`why` with every node and link described, depth {depth}",
            took["explain"] / path,
            note=note.format(took["explain"] * 1000),
        ),
    ]


def _interleaved(
    store: OxigraphStore, blobs: Blobs, starts: list[NamedNode], rounds: int
) -> dict[str, float]:
    """Return the median seconds of each, on runs that were not asked about before.

    Each start is used once by one of them: what one has read helps no other. Seconds
    are those of this thread on the processor, in which the store works too, so that
    whatever else the machine does counts for nothing.
    """
    ways: dict[str, Callable[[NamedNode], object]] = {
        "path": lambda start: store.select(PATH, {"start": start}),
        "walk": lambda start: walk(store, start),
        "explain": lambda start: explain(store, blobs, start),
    }
    shuffled = random.Random(1).sample(starts, len(starts))
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    places = iter(shuffled)
    for way in ways.values():
        way(next(places))
    for _ in range(min(rounds, len(shuffled) // len(ways) - 1)):
        for name, way in ways.items():
            start = next(places)
            began = time.thread_time()
            way(start)
            seconds[name].append(time.thread_time() - began)
    return {name: statistics.median(found) for name, found in seconds.items()}


def _fill(folder: Path, size: int) -> list[tuple[NamedNode, int]]:
    """Fill a store with runs, commit by commit as they come about; return the starts."""
    store = Store(str(folder))
    starts, written, number = [], 0, 0
    while written < size:
        depth = (10, 10, 30, 100)[number % 4]
        run = terms.run_iri(f"bench{number:06}")
        quads = list(_run(run, depth))
        store.extend(quads)
        starts.append((terms.part(run, "node", 0), depth))
        written += len(quads)
        number += 1
    store.flush()
    del store
    return starts


def _run(run: NamedNode, depth: int) -> Iterator[Quad]:
    """Yield a run whose last node lies `depth` links behind its first."""
    graph = terms.run_graph(run)
    yield Quad(run, RDF.type, AITIA.Run, graph)
    for i in range(depth + 1):
        node = terms.part(run, "node", i)
        kind, prop = KINDS[i % len(KINDS)]
        yield Quad(node, RDF.type, kind, graph)
        yield Quad(node, AITIA.inRun, run, graph)
        yield Quad(
            node, AITIA.text, Literal(f"Step {i} of {run.value} found this."), graph
        )
        yield Quad(node, PROV.startedAtTime, terms.time(terms.now()), graph)
        yield Quad(node, AITIA.order, terms.integer(i + 1), graph)
        if i == depth:
            return
        cause = terms.part(run, "node", i + 1)
        ends = (node, cause) if i % 2 else (cause, node)
        prop = (AITIA.derivesFrom, AITIA.usedTool)[i % 4 == 1] if i % 2 else prop
        if i % 4 == 0:
            yield from link(
                cause,
                AITIA.supports,
                node,
                graph,
                basis=AITIA.tested,
                confidence=0.8,
                rule="share of words",
            )
        else:
            prop = prop if i % 2 else AITIA.produced
            yield from causal(*ends[:1], prop, *ends[1:], graph)
