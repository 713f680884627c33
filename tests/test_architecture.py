"""Who may write, who may import what, and how long files and functions may be."""

import ast
import re
import statistics
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest

from aitia_cli.main import cli

pytestmark = pytest.mark.checkout
CHECKOUT = Path(__file__).parents[1]
ENGINE = CHECKOUT / "engine" / "aitia"
SOURCES = sorted([*ENGINE.rglob("*.py"), *(CHECKOUT / "cli").rglob("*.py")])
TESTS = sorted((CHECKOUT / "tests").rglob("*.py"))

# Modules that may open a store on disk, and why. Nobody else can write past the
# ledger, because nobody else can hold one.
OPENS_STORES = {
    "store.py": "the one that is kept on disk, behind Reader and Writer",
    "sandbox/child.py": "a published backup, read-only, in a process of its own",
}
WRITES = {"bulk_extend", "bulk_load", "clear_graph", "remove_graph", "add_graph"}
HEAVY = {
    "bs4",
    "docx",
    "faiss",
    "ijson",
    "jsonschema",
    "lxml",
    "markdown_it",
    "mcp",
    "numpy",
    "onnxruntime",
    "openai",
    "owlrl",
    "prometheus_client",
    "pydantic",
    "pyld",
    "pypdfium2",
    "pyshacl",
    "rdflib",
    "rich",
    "sentence_transformers",
    "tantivy",
    "tokenizers",
    "torch",
}
MAX_LINES = 400
GENERATED = {"vocab.py"}
PRINTS_NO_RESULT: dict[str, str] = {}


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def place(path: Path) -> str:
    root = ENGINE if path.is_relative_to(ENGINE) else CHECKOUT / "cli"
    return path.relative_to(root).as_posix()


def calls(path: Path) -> Iterator[tuple[str, ast.Call]]:
    """Every call with the last name of what is called."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute):
                yield node.func.attr, node
            elif isinstance(node.func, ast.Name):
                yield node.func.id, node


def opens(path: Path) -> set[str]:
    """How a module makes raw stores: `scratch`, in memory, or `disk`."""
    names = {
        alias.asname or alias.name
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ImportFrom) and node.module == "pyoxigraph"
        for alias in node.names
        if alias.name == "Store"
    }
    made = [call for name, call in calls(path) if name in names]
    ways = {"disk" if call.args or call.keywords else "scratch" for call in made}
    return ways | {"disk" for name, _ in calls(path) if name == "read_only"}


def test_a_store_on_disk_is_opened_in_few_places() -> None:
    opened = {place(path) for path in SOURCES if "disk" in opens(path)}
    assert opened == set(OPENS_STORES)


def test_only_scratch_stores_are_written_outside_the_store() -> None:
    for path in SOURCES:
        written = {name for name, _ in calls(path) if name in WRITES}
        allowed = place(path) == "store.py" or opens(path) == {"scratch"}
        assert allowed or not written, f"{place(path)} calls {written}"


def test_only_the_ledger_holds_a_writer() -> None:
    applied = {
        place(path)
        for path in SOURCES
        for name, call in calls(path)
        if name == "apply" and "store" in ast.unparse(call.func)
    }
    assert all(name.startswith("ledger/") for name in applied), applied


def test_only_the_gate_admits() -> None:
    made = {
        place(path) for path in SOURCES for name, _ in calls(path) if name == "Admitted"
    }
    assert made
    assert all(name.startswith("gate/") for name in made), made


def test_the_store_keeps_its_inner_store_to_itself() -> None:
    for path in SOURCES:
        if place(path) == "store.py":
            continue
        for node in ast.walk(tree(path)):
            reaches = isinstance(node, ast.Attribute) and node.attr == "_store"
            inside = (
                reaches
                and isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Attribute | ast.Call)
            )
            assert not inside, f"{place(path)}:{getattr(node, 'lineno', 0)}"


@pytest.mark.parametrize("path", [*SOURCES, *TESTS], ids=lambda path: path.name)
def test_files_stay_short(path: Path) -> None:
    if path.name not in GENERATED:
        assert len(path.read_text("utf-8").splitlines()) <= MAX_LINES


def test_functions_stay_short() -> None:
    lengths = [
        _length(node)
        for path in SOURCES
        if path.name not in GENERATED
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    assert statistics.median(lengths) <= 9
    share = sum(length <= 30 for length in lengths) / len(lengths)
    assert share >= 0.9, f"{share:.2%} of functions have at most 30 lines"


def _length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of code of a function: its docstring does not count."""
    doc = node.body[0] if ast.get_docstring(node) else None
    skipped = (doc.end_lineno or 0) - doc.lineno + 1 if doc else 0
    return (node.end_lineno or 0) - node.lineno + 1 - skipped


def loaded_by(statement: str) -> set[str]:
    """The heavy packages that a fresh process holds after a statement."""
    code = f"import sys\n{statement}\nprint(*sys.modules, sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return {name.split(".")[0] for name in done.stdout.splitlines()} & HEAVY


def test_help_and_import_load_nothing_heavy() -> None:
    assert loaded_by("import aitia") == set()
    helped = (
        "from aitia_cli.main import cli\ncli.main(['--help'], standalone_mode=False)"
    )
    assert loaded_by(helped) == set()


@cache
def commands() -> dict[str, click.Command]:
    """Every verb, those inside groups as `group verb`."""
    context = click.Context(cli)
    found: dict[str, click.Command] = {}
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None, name
        found[name] = command
        if isinstance(command, click.Group):
            inner = click.Context(command, info_name=name, parent=context)
            for part in command.list_commands(inner):
                sub = command.get_command(inner, part)
                assert sub is not None
                found[f"{name} {part}"] = sub
    return found


def test_the_readme_names_every_verb_and_no_other() -> None:
    text = (CHECKOUT / "README.md").read_text("utf-8")
    told = set(re.findall(r"`aitia ([a-z]+(?: [a-z]+)?)", text))
    groups = {name for name in commands() if f"{name} " in " ".join(commands())}
    for name in set(commands()) - groups:
        assert name in told, name
    rows = [line for line in text.splitlines() if line.startswith("| `aitia ")]
    named = set(re.findall(r"`aitia ([a-z]+(?: [a-z]+)?)", "\n".join(rows)))
    assert named <= set(commands())


def test_every_verb_says_what_it_does_with_an_example() -> None:
    for name, command in commands().items():
        assert (command.help or "").strip(), name
        if not isinstance(command, click.Group):
            said = f"{command.help} {command.epilog}"
            assert f"aitia {name}" in said, f"no example of `{name}` in its help"


def test_every_verb_that_prints_a_result_takes_json() -> None:
    for name, command in commands().items():
        if isinstance(command, click.Group) or name in PRINTS_NO_RESULT:
            continue
        options = {flag for item in command.params for flag in item.opts}
        formats = [item for item in command.params if "--format" in item.opts]
        by_format = any(
            "json" in str(getattr(item.type, "choices", ())) for item in formats
        )
        assert "--json" in options or by_format, name
