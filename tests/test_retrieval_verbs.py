"""`aitia search` and `aitia index` as a person types them."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from aitia.workspace import Workspace
from aitia_cli.main import cli
from tests import shelf

NASTY = "The fee\x1b[31m is [bold]5 euro\u202e."


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace that no test changes."""
    folder = tmp_path_factory.mktemp("verbs") / "ws"
    fill(folder)
    return folder


def fill(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        parts = [("Fees", NASTY), ("Dogs", "Puppies are small hounds.")]
        shelf.put(workspace, "policies/fees.md", parts, media_type="text/markdown")
        shelf.put(workspace, "阀门.txt", [("", "丁阀在三月被更换。")])
        workspace.indexes.catch_up(workspace.ledger)


def run(folder: Path, *words: str, stdin: str = "") -> Result:
    return CliRunner().invoke(cli, ["--workspace", str(folder), *words], input=stdin)


def test_search_shows_place_scores_and_text_without_letting_text_act(
    world: Path,
) -> None:
    done = run(world, "search", "what is the fee")
    assert done.exit_code == 0
    first, scores, text = done.stdout.splitlines()[:3]
    assert "policies/fees.md › Fees" in first
    assert "fused" in scores
    assert "lexical" in scores
    assert "dense" in scores
    assert "[bold]5 euro" in text
    assert not {"\x1b", "\u202e"} & set(done.stdout)


def test_search_tells_hits_as_json(world: Path) -> None:
    done = run(world, "search", "丁阀什么时候被更换?", "--json", "--k", "1")
    found = json.loads(done.stdout)
    assert found["query"] == "丁阀什么时候被更换?"
    assert found["mode"] == "fused"
    assert found["notice"] == ""
    (hit,) = found["hits"]
    assert hit["text"] == "丁阀在三月被更换。"
    assert hit["passage"].startswith(hit["document"] + "#char=")
    assert {"lexical", "lexical_rank", "dense", "dense_rank", "fused"} <= set(
        hit["scores"]
    )


def test_search_takes_a_file_of_queries_and_prints_json_lines(
    world: Path, tmp_path: Path
) -> None:
    file = tmp_path / "queries.txt"
    file.write_text("fee\n\n更换\n", "utf-8")
    done = run(world, "search", "-f", str(file), "--mode", "lexical", "--k", "1")
    assert done.exit_code == 0
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["query"] for line in lines] == ["fee", "更换"]
    assert [len(line["hits"]) for line in lines] == [1, 1]
    assert done.stdout.isascii()


def test_a_refused_query_does_not_stop_the_others(world: Path) -> None:
    queries = "fee\n" + "x" * 20_000 + "\ndogs\n"
    done = run(world, "search", "-f", "-", "--mode", "lexical", stdin=queries)
    assert done.exit_code == 3
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert ["error" in line for line in lines] == [False, True, False]
    assert "1 of the queries were refused" in done.stderr


@pytest.mark.parametrize(
    ("words", "hits"),
    [
        (["--path", "policies/*"], 2),
        (["--path", "*.txt"], 1),
        (["--type", "markdown"], 2),
        (["--source", "阀*"], 1),
        (["--since", "2000-01-01"], 3),
        (["--until", "2000-01-01"], 0),
    ],
)
def test_search_filters(world: Path, words: list[str], hits: int) -> None:
    done = run(world, "search", "fee dogs 更换", "--mode", "dense", "--json", *words)
    assert len(json.loads(done.stdout)["hits"]) == hits


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ([], 2),
        (["fee", "-f", "-"], 2),
        ([""], 2),
        (["x" * 1_000_000], 2),
        (["fee", "--k", "0"], 2),
        (["fee", "--mode", "expanded"], 2),
        (["fee", "--since", "yesterday"], 2),
    ],
)
def test_wrong_usage_is_told_in_a_line(
    world: Path, words: list[str], code: int
) -> None:
    done = run(world, "search", *words)
    assert done.exit_code == code
    assert done.stdout == ""
    assert done.stderr
    assert len(done.stderr) < 1000


def test_nothing_found_is_said(world: Path) -> None:
    done = run(world, "search", "zeppelin", "--mode", "lexical")
    assert (done.exit_code, done.stdout) == (0, "No passage fits.\n")


def test_index_check_and_rebuild(tmp_path: Path) -> None:
    folder = tmp_path / "ws"
    fill(folder)
    assert run(folder, "index", "check").exit_code == 0
    report = json.loads(run(folder, "index", "check", "--json").stdout)
    assert report["intact"] is True
    assert (report["passages"], report["position"], report["head"]) == (3, 2, 2)
    with Workspace.open(folder) as workspace:
        shelf.put(workspace, "new.txt", [("", "A tank.")])
    done = run(folder, "index", "check")
    assert done.exit_code == 4
    assert "The vector index lacks 1" in done.stdout
    assert "aitia index rebuild" in done.stdout
    searched = run(folder, "search", "fee", "--mode", "lexical")
    assert "not searched" in searched.stderr
    rebuilt = run(folder, "index", "rebuild", "--json")
    assert json.loads(rebuilt.stdout)["passages"] == 4
    assert run(folder, "index", "check").exit_code == 0
    assert run(folder, "search", "tank", "--mode", "lexical").stderr == ""


def test_a_model_that_does_not_fit_is_told_with_what_mends_it(tmp_path: Path) -> None:
    folder = tmp_path / "ws"
    fill(folder)
    file = folder / "indexes" / "manifest.json"
    told = json.loads(file.read_text("utf-8"))
    file.write_text(json.dumps({**told, "model_version": "0" * 16}), "utf-8")
    done = run(folder, "search", "fee")
    assert done.exit_code == 1
    assert "aitia index rebuild" in done.stderr
    assert run(folder, "index", "check").exit_code == 4
    assert run(folder, "index", "rebuild").exit_code == 0
    assert run(folder, "search", "fee").exit_code == 0


def test_no_workspace_is_told(tmp_path: Path) -> None:
    for words in (["search", "fee"], ["index", "check"]):
        assert run(tmp_path / "none", *words).exit_code == 1
