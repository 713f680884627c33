"""An ingest and a run killed at any moment, then done again: as if undisturbed."""

import json
import random
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest
from pyoxigraph import NamedNode, Quad

from aitia import terms
from aitia.vocab import AITIA, PROV, RDF
from aitia.workspace import Workspace
from tests.starting import finished, held, killed

QUESTION = "How much does crane 4 lift?"
SHORT, FULL = 2, 30
PASSING = {
    PROV.generatedAtTime,
    PROV.startedAtTime,
    PROV.endedAtTime,
    PROV.wasGeneratedBy,
    PROV.wasAssociatedWith,
}
"""What differs between two runs of the same thing: times, and who and what read."""


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """Fourteen files: texts, a table and records."""
    folder = tmp_path / "documents"
    folder.mkdir()
    for number in range(12):
        text = f"Crane {number} lifts {number + 5} tonnes. It was inspected in May.\n"
        (folder / f"crane{number}.txt").write_text(text * (1 + number % 3))
    rows = [f"k{number},Crane {number},{number + 5}" for number in range(20)]
    (folder / "cranes.csv").write_text("\n".join(["key,name,lifts", *rows]) + "\n")
    records = [{"id": f"site{n}", "crane": f"k{n}", "open": True} for n in range(20)]
    (folder / "sites.json").write_text(json.dumps(records))
    return folder


def knowledge(folder: Path) -> set[Quad]:
    """Return what is known, without what differs from one run to the next."""
    with Workspace.open(folder, mode="read") as workspace:
        store = workspace.store
        readings = {q.subject for q in store.quads(None, RDF.type, AITIA.Reading)}
        return {
            quad
            for quad in store.quads()
            if quad.graph_name != terms.GRAPH_LEDGER
            and quad.subject not in readings
            and quad.predicate not in PASSING
        }


def lines(quads: Iterable[Quad]) -> str:
    """Return quads to look at, where a test fails."""
    return "\n".join(map(terms.nquad, quads))


def check(folder: Path, *, indexed: bool = False) -> None:
    """See that everything is whole, and the indexes up to it where asked."""
    if not (folder / "store").exists():
        return
    with Workspace.open(folder, mode="read", fresh=True) as workspace:
        report = workspace.verify()
        assert report.findings == ()
        if indexed:
            assert workspace.indexes.check(workspace.position).findings == ()


def ingest_killed(documents: Path, tmp_path: Path, times: int) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    words = ("ingest", str(documents))
    seconds = held(whole, *words)
    rng, kills = random.Random(times), 0
    while kills < times:
        if killed(broken, rng.random() * seconds, *words):
            kills += 1
            check(broken)
        else:
            # It was faster: begin anew, so that there is something to kill.
            compare(whole, broken)
            shutil.rmtree(broken)
    finished(broken, *words)
    compare(whole, broken)
    check(broken, indexed=True)


def compare(whole: Path, broken: Path) -> None:
    expected, found = knowledge(whole), knowledge(broken)
    assert not expected - found, lines(expected - found)
    assert not found - expected, lines(found - expected)


def test_a_killed_ingest_goes_on_and_ends_the_same(
    documents: Path, tmp_path: Path
) -> None:
    ingest_killed(documents, tmp_path, SHORT)


@pytest.mark.full
def test_an_ingest_killed_many_times_ends_the_same(
    documents: Path, tmp_path: Path
) -> None:
    ingest_killed(documents, tmp_path, FULL)


def recorded(folder: Path) -> tuple[str, list[str]]:
    """Return the sentences of the newest answer and the shape of its record."""
    with Workspace.open(folder, mode="read") as workspace:
        run = newest_run(workspace)
        graph = list(workspace.store.quads(None, None, None, terms.run_graph(run)))
    kinds = sorted(str(q.object) for q in graph if q.predicate == RDF.type)
    texts = sorted(
        str(quad.object)
        for quad in graph
        if quad.predicate == AITIA.text and "/answer" in str(quad.subject)
    )
    return "\n".join(texts), kinds


def newest_run(workspace: Workspace) -> NamedNode:
    from aitia import lookup

    return lookup.resolve(workspace.store, "last")


def ask_killed(documents: Path, tmp_path: Path, times: int) -> None:
    folder = tmp_path / "workspace"
    finished(folder, "ingest", str(documents))
    seconds = held(folder, "ask", QUESTION)
    undisturbed = recorded(folder)
    rng, kills = random.Random(times), 0
    while kills < times:
        if killed(folder, rng.random() * seconds, "ask", QUESTION):
            kills += 1
            check(folder)
    finished(folder, "ask", QUESTION)
    assert recorded(folder) == undisturbed
    check(folder)


def test_a_killed_run_leaves_the_next_one_as_it_was(
    documents: Path, tmp_path: Path
) -> None:
    ask_killed(documents, tmp_path, SHORT)


@pytest.mark.full
def test_a_run_killed_many_times_leaves_the_next_one_as_it_was(
    documents: Path, tmp_path: Path
) -> None:
    ask_killed(documents, tmp_path, FULL)
