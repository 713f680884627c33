"""Indexes follow the store: through changes, crashes, other models and readers."""

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import NamedNode

from aitia.errors import IndexMismatch
from aitia.workspace import Workspace
from tests import shelf

CRANES = [("Cranes", "Crane 4 lifts 9 tonnes."), ("Cranes", "Crane 5 lifts 12 tonnes.")]
PUMPS = [("Pumps", "Pump A feeds tank B."), ("", "Tank B feeds mixer C.")]


def found(workspace: Workspace, query: str, mode: str = "fused") -> list[str]:
    return [hit.passage.text for hit in workspace.indexes.search(query, 10, mode)]


def manifest(workspace: Workspace) -> dict[str, Any]:
    file = workspace.folder / "indexes" / "manifest.json"
    told: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return told


def rewrite(workspace: Workspace, **values: Any) -> None:
    file = workspace.folder / "indexes" / "manifest.json"
    file.write_text(json.dumps({**manifest(workspace), **values}), "utf-8")


@pytest.fixture
def workspace(tmp_path: Path) -> Any:
    with Workspace.open(tmp_path / "ws") as opened:
        yield opened


def head(workspace: Workspace) -> int:
    last = workspace.ledger.head()
    return last.number if last else 0


def findings(workspace: Workspace) -> tuple[str, ...]:
    return workspace.indexes.check(head(workspace)).findings


def test_an_empty_workspace_has_nothing_to_find_and_nothing_wrong(
    workspace: Workspace,
) -> None:
    assert workspace.search("anything") == []
    assert workspace.indexes.resources("anything") == []
    assert findings(workspace) == ()


def test_catching_up_brings_in_what_came_and_takes_out_what_went(
    workspace: Workspace,
) -> None:
    cranes = shelf.put(workspace, "cranes.txt", CRANES)
    shelf.put(workspace, "pumps.txt", PUMPS)
    done = workspace.indexes.catch_up(workspace.ledger)
    assert (done.passages, done.embedded, done.position) == (4, 4, 2)
    assert found(workspace, "crane", "lexical") == [text for _, text in CRANES]
    shelf.retire(workspace, cranes)
    done = workspace.indexes.catch_up(workspace.ledger)
    assert (done.passages, done.embedded, done.position) == (2, 0, 3)
    assert found(workspace, "crane", "lexical") == []
    assert set(found(workspace, "crane", "dense")) == {text for _, text in PUMPS}
    assert findings(workspace) == ()


def test_a_retired_document_is_never_found_even_by_indexes_that_lag(
    workspace: Workspace,
) -> None:
    cranes = shelf.put(workspace, "cranes.txt", CRANES)
    shelf.put(workspace, "pumps.txt", PUMPS)
    workspace.indexes.catch_up(workspace.ledger)
    shelf.retire(workspace, cranes)
    for mode in ("lexical", "dense", "fused"):
        assert not {text for _, text in CRANES} & set(found(workspace, "crane", mode))
    assert set(found(workspace, "crane", "dense")) == {text for _, text in PUMPS}
    told = workspace.indexes.behind(workspace.ledger, head(workspace))
    assert "at commit 2" in told
    assert "at 3" in told


def test_check_names_what_is_missing_in_excess_and_out_of_place(
    workspace: Workspace,
) -> None:
    cranes = shelf.put(workspace, "cranes.txt", CRANES)
    workspace.indexes.catch_up(workspace.ledger)
    shelf.retire(workspace, cranes)
    shelf.put(workspace, "pumps.txt", PUMPS)
    told = " ".join(findings(workspace))
    assert "The indexes are at commit 1, the store is at 3." in told
    assert "The word index of passages lacks 2" in told
    assert "The word index of passages has in excess 2" in told
    assert "The vector index lacks 2" in told
    workspace.indexes.rebuild(head(workspace))
    assert findings(workspace) == ()
    assert found(workspace, "crane", "lexical") == []


def test_another_model_is_told_with_the_command_that_mends_it(
    workspace: Workspace,
) -> None:
    shelf.put(workspace, "cranes.txt", CRANES)
    workspace.indexes.catch_up(workspace.ledger)
    rewrite(workspace, model="other-model", model_version="0123456789abcdef")
    with pytest.raises(IndexMismatch, match="other-model") as told:
        workspace.indexes.search("crane", 3, "dense")
    assert "aitia index rebuild" in told.value.hint
    assert found(workspace, "crane", "lexical")
    shelf.put(workspace, "pumps.txt", PUMPS)
    with pytest.raises(IndexMismatch):
        workspace.indexes.catch_up(workspace.ledger)
    assert "other-model" in " ".join(findings(workspace))
    workspace.indexes.rebuild(head(workspace))
    assert len(found(workspace, "crane", "dense")) == 4
    assert findings(workspace) == ()


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("manifest.json", b"{"),
        ("manifest.json", b'{"layout": 99}'),
        ("1/vectors-1.f32", b"short"),
        ("1/vectors-1.ids", b""),
        ("1/passages/meta.json", b"{}"),
    ],
)
def test_damaged_files_are_told_and_rebuilt(
    tmp_path: Path, file: str, content: bytes
) -> None:
    with Workspace.open(tmp_path / "ws") as workspace:
        shelf.put(workspace, "cranes.txt", CRANES)
        workspace.indexes.catch_up(workspace.ledger)
    (tmp_path / "ws" / "indexes" / file).write_bytes(content)
    with Workspace.open(tmp_path / "ws") as workspace:
        with pytest.raises(IndexMismatch) as told:
            workspace.indexes.search("crane")
        assert "aitia index rebuild" in told.value.hint
        assert findings(workspace)
        workspace.indexes.rebuild(head(workspace))
        assert findings(workspace) == ()
        assert found(workspace, "crane", "lexical") == [text for _, text in CRANES]


def test_indexes_ahead_of_the_ledger_are_told(workspace: Workspace) -> None:
    shelf.put(workspace, "cranes.txt", CRANES)
    workspace.indexes.catch_up(workspace.ledger)
    rewrite(workspace, position=7)
    with pytest.raises(IndexMismatch, match="commit 7"):
        workspace.indexes.catch_up(workspace.ledger)


def test_vectors_are_written_anew_when_many_are_dead(workspace: Workspace) -> None:
    documents = [
        shelf.put(workspace, f"{n}.txt", [("", f"Crane {n} lifts {n} tonnes.")])
        for n in range(8)
    ]
    workspace.indexes.catch_up(workspace.ledger)
    for document in documents[:6]:
        shelf.retire(workspace, document)
    workspace.indexes.catch_up(workspace.ledger)
    told = manifest(workspace)
    assert (told["rows"], told["dead"]) == (2, [])
    home = workspace.folder / "indexes" / told["generation"]
    assert [path.name for path in home.glob("*.f32")] == [f"{told['vectors']}.f32"]
    assert len(found(workspace, "crane", "dense")) == 2
    assert findings(workspace) == ()


def test_a_document_that_comes_back_is_found_again(workspace: Workspace) -> None:
    cranes = shelf.put(workspace, "cranes.txt", CRANES)
    workspace.indexes.catch_up(workspace.ledger)
    shelf.retire(workspace, cranes)
    workspace.indexes.catch_up(workspace.ledger)
    shelf.revive(workspace, cranes)
    workspace.indexes.catch_up(workspace.ledger)
    assert found(workspace, "crane", "lexical") == [text for _, text in CRANES]
    assert len(found(workspace, "crane", "dense")) == 2
    assert findings(workspace) == ()


def test_a_new_version_embeds_only_what_changed(workspace: Workspace) -> None:
    first = shelf.put(workspace, "cranes.txt", CRANES)
    workspace.indexes.catch_up(workspace.ledger)
    shelf.retire(workspace, first)
    changed = [CRANES[0], ("Cranes", "Crane 5 lifts 14 tonnes.")]
    shelf.put(workspace, "cranes.txt", changed)
    shelf.put(workspace, "copy.txt", changed)
    done = workspace.indexes.catch_up(workspace.ledger)
    assert (done.passages, done.embedded) == (4, 1)
    before = workspace.indexes.search("crane", 9, "dense")
    workspace.indexes.rebuild(head(workspace))
    after = workspace.indexes.search("crane", 9, "dense")
    assert [(h.passage.iri, h.score) for h in before] == [
        (h.passage.iri, h.score) for h in after
    ]
    assert findings(workspace) == ()


@pytest.mark.parametrize("seed", range(3))
def test_after_any_history_the_indexes_are_those_of_a_rebuild(
    tmp_path: Path, seed: int
) -> None:
    rng = random.Random(seed)
    live: list[NamedNode] = []
    with Workspace.open(tmp_path / "ws") as workspace:
        for step in range(14):
            action = rng.random()
            if action < 0.5 or not live:
                words = " ".join(
                    rng.choices(["pump", "tank", "crane", "valve", "fee"], k=4)
                )
                parts = [("", f"{words} {step} {part}") for part in range(3)]
                live.append(shelf.put(workspace, f"{step}.txt", parts))
            elif action < 0.75:
                shelf.retire(workspace, live.pop(rng.randrange(len(live))))
            else:
                workspace.indexes.catch_up(workspace.ledger)
        workspace.indexes.catch_up(workspace.ledger)
        assert findings(workspace) == ()
        before = [
            workspace.search("pump crane", 30, mode) for mode in ("dense", "fused")
        ]
        workspace.indexes.rebuild(head(workspace))
        after = [
            workspace.search("pump crane", 30, mode) for mode in ("dense", "fused")
        ]
    assert [h.passage.iri for h in before[0]] == [h.passage.iri for h in after[0]]
    assert {h.passage.iri for h in before[1]} == {h.passage.iri for h in after[1]}


KILLED = """
import os, signal, sys
from pathlib import Path
from aitia.retrieval import manifest, upkeep
from aitia.workspace import Workspace

upkeep._PASSAGES_AT_ONCE = 4
left = int(sys.argv[2])
save = manifest.save

def save_or_die(folder, told):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    save(folder, told)

manifest.save = save_or_die
with Workspace.open(Path(sys.argv[1])) as workspace:
    workspace.indexes.catch_up(workspace.ledger)
"""


@pytest.mark.parametrize("saves", [0, 1, 2])
def test_a_catch_up_that_was_killed_is_finished_by_the_next(
    tmp_path: Path, saves: int
) -> None:
    folder = tmp_path / "ws"
    with Workspace.open(folder) as workspace:
        first = shelf.put(workspace, "cranes.txt", CRANES)
        workspace.indexes.catch_up(workspace.ledger)
        many = [("", f"Pump {n} feeds tank {n}.") for n in range(10)]
        shelf.put(workspace, "pumps.txt", many)
        shelf.retire(workspace, first)
    command = [sys.executable, "-c", KILLED, str(folder), str(saves)]
    assert subprocess.run(command, timeout=60).returncode == -9
    with Workspace.open(folder) as workspace:
        assert not set(found(workspace, "crane")) & {text for _, text in CRANES}
        done = workspace.indexes.catch_up(workspace.ledger)
        assert done.passages == 10
        assert done.embedded == 10 - 4 * saves
        assert findings(workspace) == ()
        assert len(found(workspace, "pump", "dense")) == 10
        assert len(found(workspace, "pump", "lexical")) == 10


def test_a_reader_beside_a_writer_finds_what_holds_in_its_own_state(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "ws"
    with Workspace.open(folder) as writer:
        cranes = shelf.put(writer, "cranes.txt", CRANES)
        writer.indexes.catch_up(writer.ledger)
        writer.publish()
        with Workspace.open(folder, mode="read") as reader:
            assert len(found(reader, "crane", "lexical")) == 2
            shelf.put(writer, "pumps.txt", PUMPS)
            shelf.retire(writer, cranes)
            writer.indexes.catch_up(writer.ledger)
            assert found(writer, "tank", "lexical") == [text for _, text in PUMPS]
            assert found(reader, "tank", "lexical") == []
            for mode in ("lexical", "dense", "fused"):
                assert not set(found(reader, "tank crane", mode)) & {
                    text for _, text in PUMPS
                }
            writer.indexes.rebuild(head(writer))
            assert found(reader, "tank", "lexical") == []


def test_a_reader_of_lagging_indexes_says_so_and_finds_the_rest(tmp_path: Path) -> None:
    folder = tmp_path / "ws"
    with Workspace.open(folder) as writer:
        shelf.put(writer, "cranes.txt", CRANES)
        writer.indexes.catch_up(writer.ledger)
        shelf.put(writer, "pumps.txt", PUMPS)
    with Workspace.open(folder, mode="read") as reader:
        assert reader.search("pump", mode="lexical") == []
        assert [hit.passage.text for hit in reader.search("crane", mode="lexical")]
        assert reader.indexes.behind(reader.ledger, reader.position)
    with Workspace.open(folder) as writer:
        assert writer.search("pump", mode="lexical")
    with Workspace.open(folder, mode="read") as reader:
        assert reader.indexes.behind(reader.ledger, reader.position) == ""
