"""What was shown to a model, what it replied, what was refused: printed by a command."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from aitia.lookup import resolve
from aitia.vocab import AITIA
from aitia.workspace import Workspace
from aitia_cli.main import cli
from tests.model_desk import Graph, Player, batch, entails, opened
from tests.model_pumps import FEEDS, SEARCH, made, told


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = made(tmp_path_factory.mktemp("kept"))
    player = Player(["no operations", batch(SEARCH), told], entailment=entails(FEEDS))
    price = {"model__prices": {"m": {"input": "2", "output": "4"}}}
    with opened(place, player, **price) as (workspace, _):
        workspace.ask(
            "What does pump A feed? My key is sk-abcdefghijklmnopqrstuvwxyz12."
        )
    return place


def show(folder: Path, *words: str) -> Result:
    return CliRunner().invoke(cli, ["--workspace", str(folder), *words])


def test_a_call_prints_its_prompt_and_its_reply(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        run = resolve(workspace.store, "last").value
        graph = Graph(workspace, run)
        calls = [
            n
            for n in graph.of(AITIA.MethodExecution)
            if graph.values(n, AITIA.replyBlob)
        ]
        whole = [show(folder, "show", node.value, "--texts").stdout for node in calls]
        names = [graph.value(calls[0], AITIA.promptBlob)]
        names += [graph.value(calls[0], AITIA.replyBlob)]
    assert any("metadata_filter" in text and "promptBlob" in text for text in whole)
    assert all("replyBlob" in text for text in whole)
    assert not any("sk-abcdefghij" in text for text in whole)
    assert "promptBlob" in show(folder, "show", calls[0].value).stdout
    for name in names:
        done = show(folder, "show", name)
        assert done.exit_code == 0
        assert done.stdout.startswith(f"{name}  (")
        told_of = json.loads(show(folder, "show", name, "--json").stdout)
        assert told_of["blob"] == name
        assert told_of["text"]


def test_what_is_no_text_is_told_by_its_length_and_nothing_steers(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        binary = workspace.blobs.put(b"\x00\xff\x80PNG")
        hostile = workspace.blobs.put(b"\x1b[2Jgone\nnext")
    done = show(folder, "show", binary)
    assert (done.exit_code, "it is no text" in done.stdout) == (0, True)
    assert "\x1b" not in show(folder, "show", hostile).stdout
    assert "│ next" in show(folder, "show", hostile).stdout


@pytest.mark.parametrize("name", ["0" * 64, "f" * 63, "../" + "a" * 61])
def test_what_is_not_kept_is_not_found(folder: Path, name: str) -> None:
    assert show(folder, "show", name).exit_code == 1


def test_a_part_that_a_run_lacks_is_not_found(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        run = resolve(workspace.store, "last").value.rpartition(":")[2]
    done = show(folder, "show", f"{run}/refused/1")
    assert done.exit_code == 1
    assert "Nothing on record is called" in done.output
    assert show(folder, "show", run[:6]).exit_code == 0


def test_a_run_tells_what_it_spent(folder: Path) -> None:
    (run,) = json.loads(show(folder, "runs", "--json").stdout)
    spent = run["spent"]
    assert spent["calls"] >= 3
    assert spent["tokens"] > 0
    assert spent["cost"] is not None
    assert float(spent["cost"]) > 0
    assert json.loads(show(folder, "show", "last", "--json").stdout)["spent"] == spent
    told_of = show(folder, "show", "last").stdout
    assert f"{spent['calls']} calls" in told_of
    assert f"cost {spent['cost']}" in told_of
    assert (
        json.loads(show(folder, "stats", "--runs", "--json").stdout)["spent"] == spent
    )
    assert f"cost {spent['cost']}" in show(folder, "stats", "--runs").stdout
