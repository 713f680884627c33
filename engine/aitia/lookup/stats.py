"""How much is on record: by class, by graph, on disk."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from aitia import resources, terms
from aitia.store import Reader
from aitia.vocab import AITIA


@dataclass(frozen=True)
class Stats:
    """How much is on record.

    Attributes:
        head: Number of the newest commit seen, 0 where there is none.
        index_position: Number of the commit that the indexes have caught up with.
        index_notice: What a search misses because of that, or "".
        quads: Quads in all.
        graphs: Area → quads: `current`, `catalog`, `runs`, `ledger`, `inferred`,
            `shapes`, `ontology`.
        graph_count: Area → how many graphs it has.
        classes: Class IRI → nodes of it.
        documents: State → documents.
        runs: Status → runs.
        bytes: Folder of the workspace → bytes on disk.
    """

    head: int
    index_position: int
    index_notice: str
    quads: int
    graphs: dict[str, int] = field(default_factory=dict)
    graph_count: dict[str, int] = field(default_factory=dict)
    classes: dict[str, int] = field(default_factory=dict)
    documents: dict[str, int] = field(default_factory=dict)
    runs: dict[str, int] = field(default_factory=dict)
    bytes: dict[str, int] = field(default_factory=dict)


def stats(
    reader: Reader, folder: Path, head: int, index_position: int, index_notice: str
) -> Stats:
    """Return how much is on record in the workspace of that folder."""
    quads, counted = _graphs(reader)
    return Stats(
        head=head,
        index_position=index_position,
        index_notice=index_notice,
        quads=sum(quads.values()),
        graphs=dict(quads),
        graph_count=dict(counted),
        classes=_classes(reader),
        documents=_states(reader, AITIA.Document.value),
        runs=_states(reader, AITIA.Run.value),
        bytes=_sizes(folder),
    )


def area(graph: str) -> str:
    """Return the area that a graph belongs to, as `--scope` names it."""
    if graph.startswith(f"{terms.BASE}run:") and graph.endswith("/trace"):
        return "runs"
    for system in terms.SYSTEM_GRAPHS:
        if graph == system.value:
            return graph.rpartition(":")[2]
    return "current"


def _graphs(reader: Reader) -> tuple[Counter[str], Counter[str]]:
    quads: Counter[str] = Counter()
    counted: Counter[str] = Counter()
    for row in reader.select(resources.query("lookup", "graph_sizes")):
        name = area(row["graph"].value)
        quads[name] += int(row["triples"].value)
        counted[name] += 1
    return quads, counted


def _classes(reader: Reader) -> dict[str, int]:
    rows = reader.select(resources.query("lookup", "class_sizes"))
    counts = Counter({row["class"].value: int(row["nodes"].value) for row in rows})
    return dict(counts.most_common())


def _states(reader: Reader, kind: str) -> dict[str, int]:
    return {
        row["state"].value.removeprefix(AITIA.NS): int(row["nodes"].value)
        for row in reader.select(resources.query("lookup", "states"))
        if row["class"].value == kind
    }


def _sizes(folder: Path) -> dict[str, int]:
    """Return the bytes of each folder; files of several names count once."""
    seen: set[tuple[int, int]] = set()
    sizes: Counter[str] = Counter()
    for name in ("store", "blobs", "indexes", "published"):
        sizes[name] = 0
        for place, _, files in os.walk(folder / name):
            for file in files:
                try:
                    found = os.lstat(os.path.join(place, file))
                except FileNotFoundError:
                    continue  # a writer removed it meanwhile
                if (found.st_dev, found.st_ino) not in seen:
                    seen.add((found.st_dev, found.st_ino))
                    sizes[name] += found.st_size
    return dict(sizes)
