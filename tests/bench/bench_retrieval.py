"""Retrieval on 2WikiMultihopQA: 6,119 passages, 101 questions."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from aitia.retrieval import embedder
from aitia.retrieval.indexes import MODES
from aitia.retrieval.passages import Library, Texts
from aitia.retrieval.prose import has_vector
from aitia.settings import Settings
from aitia.workspace import Workspace
from tests import wiki
from tests.bench.figures import Figure

if TYPE_CHECKING:
    from tests.bench.run import Options

ASKED = {"fused": 0.68, "lexical": None, "dense": None}
INGEST_LIMIT = 1.2
QUICK = 300
OPEN = """
import sys, time
from pathlib import Path
from aitia.workspace import Workspace
with Workspace.open(Path(sys.argv[1]), mode="read") as workspace:
    began = time.perf_counter()
    workspace.search("Which film was released first?", 5, sys.argv[2])
    print(time.perf_counter() - began)
"""


def measure(options: Options) -> list[Figure]:
    """Ingest the corpus against the embedder alone; recall and time of each mode."""
    if not (options.shared / wiki.CORPUS).is_file():
        return []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "ws"
        file = _corpus(Path(name), options)
        began = time.perf_counter()
        with Workspace.open(folder) as workspace:
            workspace.ingest([file])
            took = time.perf_counter() - began
            alone, passages = _embedder_alone(workspace)
        return [
            Figure(
                "ingest of the corpus, to the embedder alone on the same texts",
                took / alone,
                limit=INGEST_LIMIT,
                note=f"{took:.0f} s; embedder {alone:.0f} s, {passages / alone:.0f} "
                f"passages a second, {os.cpu_count()} cores",
            ),
            *_searches(folder, options),
        ]


def _corpus(folder: Path, options: Options) -> Path:
    whole = options.shared / wiki.CORPUS
    if not options.quick:
        return whole
    import json

    part = folder / "corpus.json"
    part.write_text(json.dumps(json.loads(whole.read_text("utf-8"))[:QUICK]), "utf-8")
    return part


def _embedder_alone(workspace: Workspace) -> tuple[float, int]:
    """Return the seconds it takes to embed what was embedded, and how much it was."""
    library = Library(workspace.store, Texts(workspace.blobs))
    records = [r for iri in library.live() if (r := library.passage(iri))]
    texts = [(r.text, r.heading) for r in records if has_vector(r)]
    model = embedder.load(Settings().embedding_model)
    model.embed(["warm"])
    began = time.perf_counter()
    model.embed([text for text, _ in texts], [heading for _, heading in texts])
    return time.perf_counter() - began, len(texts)


def _searches(folder: Path, options: Options) -> list[Figure]:
    with Workspace.open(folder, mode="read") as workspace:
        recalled = [_recall(workspace, mode, options) for mode in MODES]
    return recalled + [_first_search(folder, mode) for mode in MODES]


def _recall(workspace: Workspace, mode: str, options: Options) -> Figure:
    took: list[float] = []

    def titles(question: str, k: int) -> list[str]:
        began = time.perf_counter()
        hits = workspace.search(question, k, mode)
        took.append(time.perf_counter() - began)
        return [hit.passage.heading for hit in hits]

    found = wiki.recall(wiki.questions(options.shared), titles)
    note = f"median {statistics.median(took) * 1000:.1f} ms a search"
    return Figure(f"recall@5, {mode}", found, "", ASKED[mode], "above", note)


def _first_search(folder: Path, mode: str) -> Figure:
    """Time the first search of a process, models and indexes loaded on the way."""
    command = [sys.executable, "-c", OPEN, str(folder), mode]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    took = float(done.stdout) * 1000
    return Figure(f"first search of a process, {mode}", took, "ms")
