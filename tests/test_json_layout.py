"""What `--json` prints is what docs/json.md says."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from aitia_cli.main import cli

DOC = (Path(__file__).parents[1] / "docs" / "json.md").read_text("utf-8")
ELSEWHERE = {
    "query": "SPARQL 1.1 Query Results JSON",
    "demo": "run by test_demo.py",
}
SHAPES = """
@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix e: <http://e/> .
e:PumpShape a sh:NodeShape ; sh:targetClass e:Pump ;
  sh:property [ sh:path e:feeds ; sh:minCount 1 ; sh:message "A pump feeds something." ] .
"""
PROPOSE = [
    *("--subject", "P-1", "--predicate", "feeds", "--object", "tank D"),
    *("--kind", "revise", "--reason", "seen", "--evidence", "d.txt", "--quote", "Pump"),
]
TWO_MORE = [
    ["propose", "--text", text, "--reason", "seen"] for text in ("one.", "two.")
]
ACCEPTED = [
    ["propose", "--text", "Pump Z feeds tank Y.", "--reason", "seen"],
    ["review approve", "--all", "--as", "bob", "--reason", "seen"],
]
PREPARED = {
    "review list": TWO_MORE,
    "stale": [["delete", "d.txt"]],
    "recheck": ACCEPTED,
}
COMMANDS = {
    "ingest": ["d.txt", "d.csv", "d.ttl", "copy.txt", "fee.txt", "old.txt"],
    "ask": ["What does pump A feed?"],
    "conflicts list": [],
    "conflicts check": [],
    "conflicts dismiss": ["conflict/1", "--reason", "of two shops"],
    "search": ["pump"],
    "why": ["last"],
    "runs": [],
    "show": ["last"],
    "stats": [],
    "stats --runs": [],
    "sessions": [],
    "propose": PROPOSE,
    "review list": [],
    "review show": ["@revise"],
    "review reserve": ["@revise", "--as", "bob"],
    "review release": ["@revise", "--as", "bob"],
    "review approve": ["@revise", "--as", "bob", "--reason", "seen"],
    "review undo": ["@revise", "--as", "bob", "--reason", "wrong"],
    "review reject": ["@one", "--as", "bob", "--reason", "no"],
    "review return": ["@two", "--as", "bob", "--reason", "which?"],
    "review calibration": [],
    "token new": ["bob"],
    "token list": [],
    "token revoke": ["@token"],
    "validate": ["bad.ttl", "--shapes", "shapes.ttl"],
    "shapes add": ["shapes.ttl"],
    "shapes list": [],
    "infer": [],
    "export": ["-o", "all.nq", "--format", "nquads"],
    "import": ["d.trig"],
    "verify": [],
    "log": [],
    "index check": [],
    "index rebuild": [],
    "config": [],
    "doctor": [],
    "delete": ["copy.txt"],
    "stale": [],
    "recheck": [],
    "inspect": [],
}


def documented() -> dict[str, set[str]]:
    sections = re.split(r"^## aitia (.+)$", DOC, flags=re.MULTILINE)[1:]
    pairs = zip(sections[::2], sections[1::2], strict=True)
    return {name: _keys(text) for name, text in pairs}


def _keys(text: str) -> set[str]:
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    return set(re.findall(r"`([^`]+)`", " ".join(rows)))


def flat(value: Any, path: str = "") -> Iterator[str]:
    """The key paths of a value, `[]` for members of a list."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from flat(inner, f"{path}.{key}".lstrip("."))
    elif isinstance(value, list):
        for inner in value or [None]:
            yield from flat(inner, f"{path}[]")
    else:
        yield path


def fits(path: str, keys: set[str]) -> bool:
    """Say whether a path is documented; an empty list or map by what it would hold."""
    patterns = [re.escape(key).replace(r"\*", r".+") for key in keys]
    return any(re.fullmatch(item, path) for item in patterns) or any(
        key.startswith((f"{path}.", f"{path}[")) for key in keys
    )


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What each command prints, run in order in one folder."""
    folder = tmp_path_factory.mktemp("json")
    files = {
        "d.txt": "Pump A feeds tank B.\n",
        "copy.txt": "Pump A feeds tank B.\n",
        "fee.txt": "The fee is 7 euro.\n",
        "old.txt": "The fee is 5 euro.\n",
        "d.csv": "pump_id,feeds\nP-1,tank B\nP-2,tank C\n",
        "d.ttl": "<http://e/p1> a <http://e/Pump> ; <http://e/feeds> <http://e/t> .\n",
        "d.trig": "<http://e/g> { <http://e/a> <http://e/p> 1 }\n",
        "bad.ttl": "<http://e/p2> a <http://e/Pump> .\n",
        "shapes.ttl": SHAPES,
    }
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("AITIA_MEMORY_SESSION", "pumps")
        return {name: _prepared(name, words) for name, words in COMMANDS.items()}


def _prepared(name: str, words: list[str]) -> Any:
    for before in PREPARED.get(name, []):
        _run(before[0], before[1:])
    return _run(name, [_meant(word) for word in words])


def _meant(word: str) -> str:
    """The id that a word such as @one stands for."""
    if word == "@token":
        return str(_run("token list", [])[0]["id"])
    if not word.startswith("@"):
        return word
    found = _run("review list", ["--state", "all"])
    return next(str(item["id"]) for item in found if word[1:] in item["text"])


def _run(name: str, words: list[str]) -> Any:
    done = CliRunner().invoke(
        cli, ["--workspace", "ws", *name.split(), *words, "--json"]
    )
    assert done.exit_code in (0, 3, 4), done.output
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_key_is_documented(name: str, printed: dict[str, Any]) -> None:
    keys = documented()[name]
    assert [path for path in flat(printed[name]) if not fits(path, keys)] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_documented_key_is_there(name: str, printed: dict[str, Any]) -> None:
    told = set(flat(printed[name]))
    tops = {re.split(r"[.\[]", path.removeprefix("[]."))[0] for path in told}
    for key in documented()[name]:
        assert re.split(r"[.\[]", key.removeprefix("[]."))[0] in tops, key


def test_every_command_with_json_is_documented() -> None:
    takes = set()
    context = click.Context(cli)
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        parts = command.commands if isinstance(command, click.Group) else {"": command}
        for part, inner in parts.items():
            assert inner is not None
            if any("--json" in item.opts for item in inner.params):
                takes.add(f"{name} {part}".strip())
    assert takes <= set(documented()) | set(ELSEWHERE)
    assert set(documented()) == set(COMMANDS) | {"demo"}
