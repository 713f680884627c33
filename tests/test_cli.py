"""The command as people type it: results, errors, exit codes, signals, pipes."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import unicodedata
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, strategies as st
from pyoxigraph import RdfFormat, parse

from aitia.plain import clean, quoted, short
from aitia_cli.main import cli
from aitia_cli.render import as_json, columns, width
from tests import pump

AITIA = [sys.executable, "-m", "aitia_cli"]
HEAVY = {
    "faiss",
    "numpy",
    "onnxruntime",
    "owlrl",
    "pydantic",
    "pyld",
    "pyshacl",
    "rdflib",
    "rich",
    "sentence_transformers",
    "tantivy",
    "torch",
}


@pytest.fixture(scope="module")
def ws(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pump.build(tmp_path_factory.mktemp("cli"))


def aitia(ws: Path, *args: str, code: int = 0) -> Result:
    done = CliRunner().invoke(cli, ["--workspace", str(ws), *args])
    assert done.exit_code == code, done.output
    return done


def process(*args: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([*AITIA, *args], capture_output=True, text=True, timeout=60)
    assert done.returncode == code, done.stderr
    return done


# Errors


def test_an_unknown_command_is_answered_with_those_like_it(ws: Path) -> None:
    done = aitia(ws, "wyh", code=2)
    assert "There is no command 'wyh'. Did you mean why?" in done.stderr
    assert done.stdout == ""
    assert "Did you mean" not in aitia(ws, "zzzzzz", code=2).stderr


@pytest.mark.parametrize(
    "args",
    [
        ["--nope"],
        ["why", "--depth", "x"],
        ["why", "--basis", "guessed"],
        ["why", "a", "b"],
        ["query"],
        ["query", "ASK {}", "-f", "x"],
        ["query", "ASK {}", "--scope", "moon"],
        ["export", "--format", "n3"],
        ["export", "--what", "everything"],
        ["export", "--json"],
        ["show"],
    ],
)
def test_wrong_usage_exits_2_with_one_plain_line(ws: Path, args: list[str]) -> None:
    done = aitia(ws, *args, code=2)
    first, *rest = done.stderr.splitlines()
    assert first.startswith("aitia: ")
    assert len(rest) <= 1
    assert done.stdout == ""


def test_errors_are_one_line_and_cannot_steer_the_terminal(ws: Path) -> None:
    done = aitia(ws, "why", "\x1b[31mred\u202e\x07", code=1)
    assert done.stderr.startswith("aitia: Nothing on record is called “\\x1b[31mred")
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", done.stderr)


def test_debug_shows_where(ws: Path) -> None:
    done = process("--debug", "--workspace", str(ws), "why", "nothing", code=1)
    assert "Traceback" in done.stderr
    plain = process("--workspace", str(ws), "why", "nothing", code=1)
    assert "Traceback" not in plain.stderr


def test_no_workspace_is_told_with_the_way_out(tmp_path: Path) -> None:
    for args in (["why"], ["runs"], ["stats"], ["query", "ASK {}"], ["export"]):
        done = aitia(tmp_path / "none", *args, code=1)
        assert "There is no workspace in" in done.stderr
        assert "aitia ingest" in done.stderr
    assert not (tmp_path / "none").exists()


def test_text_from_the_command_line_changes_nothing(ws: Path) -> None:
    before = aitia(ws, "stats", "--json").stdout
    aitia(ws, "why", 'x"} ; DROP ALL ; #', code=1)
    aitia(ws, "show", "'; DELETE WHERE { ?s ?p ?o }", code=1)
    aitia(ws, "why", "http://e/a", 'name"} #', "v", code=1)
    done = aitia(ws, "query", "DELETE WHERE { ?s ?p ?o }", code=2)
    assert "Queries only read" in done.stderr
    assert aitia(ws, "stats", "--json").stdout == before


# Signals and pipes


def test_control_c_exits_130_and_takes_the_child_along(ws: Path) -> None:
    bomb = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
    command = [*AITIA, "--workspace", str(ws), "query", bomb]
    running = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    children = Path(f"/proc/{running.pid}/task/{running.pid}/children")
    until = time.monotonic() + 30
    while not (found := children.read_text().split()) and time.monotonic() < until:
        time.sleep(0.02)
    assert found
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=30)
    assert running.returncode == 130
    assert out == ""
    assert "Traceback" not in err
    gone = time.monotonic() + 10
    while (child := Path(f"/proc/{found[0]}/exe")).exists() and time.monotonic() < gone:
        time.sleep(0.02)
    assert not child.exists()


@pytest.mark.parametrize("args", [["export", "--format", "nquads"], ["why"], ["stats"]])
def test_a_closed_pipe_is_no_error(ws: Path, args: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [*AITIA, "--workspace", str(ws), *args]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    assert "Traceback" not in done.stderr
    assert "Broken pipe" not in done.stderr


# Verbs


def test_why_loads_nothing_heavy(ws: Path) -> None:
    code = (
        "import sys\nfrom aitia_cli.main import cli\n"
        f"cli.main(['--workspace', {str(ws)!r}, 'why', 'last'], standalone_mode=False)\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout
    assert not {name.split(".")[0] for name in done.stderr.split()} & HEAVY


@pytest.mark.parametrize("form", ["tree", "json", "turtle", "mermaid", "dot", "html"])
def test_why_tells_the_newest_run_in_each_format(ws: Path, form: str) -> None:
    text = aitia(ws, "why", "--format", form).stdout
    assert text.endswith("\n")
    assert "answer" in text.lower()
    assert text == aitia(ws, "why", "last", "--format", form).stdout


def test_why_can_be_narrowed(ws: Path) -> None:
    whole = json.loads(aitia(ws, "why", "--json").stdout)
    near = json.loads(aitia(ws, "why", "--json", "--depth", "1").stdout)
    assert 1 < len(near["nodes"]) < len(whole["nodes"]) == near["total_nodes"]
    based = json.loads(aitia(ws, "why", "--json", "--basis", "observed").stdout)
    assert {link["basis"] for link in based["links"]} == {"observed"}
    roots = json.loads(aitia(ws, "why", "--json", "--roots").stdout)
    assert [node["iri"] for node in roots["nodes"]] == whole["roots"]
    assert "showing 2 of" in aitia(ws, "why", "--limit", "2").stdout
    assert "showing" not in aitia(ws, "why", "--limit", "0").stdout


def test_why_shows_the_way_to_a_cause(ws: Path) -> None:
    text = aitia(ws, "why", "--path-to", "input").stdout
    assert text.startswith("The shortest way, ")
    whole = json.loads(aitia(ws, "why", "--path-to", "input", "--json").stdout)
    assert whole["count"] >= 1
    assert whole["goal"].endswith("/input")
    aitia(ws, "why", "input", "--path-to", "answer", code=1)


def test_why_of_a_fact_and_of_a_persons_own_prov(ws: Path) -> None:
    assert (
        "stated in [observed] passage"
        in aitia(ws, "why", "http://e/a", "name", "pump A").stdout
    )
    assert (
        "follows from [inferred, rule"
        in aitia(ws, "why", "http://e/a", "type", "Thing").stdout
    )
    cycle = aitia(ws, "why", "http://e/r1").stdout
    assert "was derived from [claimed]" in cycle
    assert "(told above)" in cycle


def test_runs_show_and_stats_have_stable_json(ws: Path) -> None:
    (run,) = json.loads(aitia(ws, "runs", "--json").stdout)
    assert set(run) == {
        "id",
        "iri",
        "question",
        "status",
        "started",
        "ended",
        "agent",
        "conclusion",
        "answer",
        "imported",
        "stale",
        "spent",
    }
    assert run["id"] in aitia(ws, "runs").stdout
    assert json.loads(aitia(ws, "runs", "--status", "failed", "--json").stdout) == []
    shown = json.loads(aitia(ws, "show", run["id"], "--json").stdout)
    assert shown["iri"] == run["iri"]
    assert "aitia:Run" in aitia(ws, "show", "last").stdout
    told = json.loads(aitia(ws, "stats", "--json").stdout)
    assert set(told) == {
        "head",
        "index_position",
        "index_notice",
        "quads",
        "graphs",
        "graph_count",
        "classes",
        "documents",
        "runs",
        "bytes",
    }
    assert f"{told['quads']:,} quads" in aitia(ws, "stats").stdout


def test_show_tells_exact_text_and_cuts_long_lists(ws: Path) -> None:
    assert f"│ {pump.TEXT.strip()}" in aitia(ws, "show", "pump.txt").stdout
    cut = aitia(ws, "show", "rdf:type").stdout
    assert "pointed to by" in cut or "rdf:type" in cut


def test_query_formats_limits_and_files(ws: Path, tmp_path: Path) -> None:
    query = "SELECT ?x { ?x a aitia:Document } ORDER BY ?x"
    table = aitia(ws, "query", query).stdout
    assert table.splitlines()[0] == "?x"
    assert table.splitlines()[-1] == "(3 rows)"
    whole = json.loads(aitia(ws, "query", query, "--json").stdout)
    assert len(whole["results"]["bindings"]) == 3
    assert len(aitia(ws, "query", query, "--format", "csv").stdout.splitlines()) == 4
    cut = aitia(ws, "query", query, "--limit", "2")
    assert "(2 rows)" in cut.stdout
    assert "showing the first 2 rows" in cut.stderr
    (tmp_path / "q.rq").write_text(query, "utf-8")
    assert aitia(ws, "query", "-f", str(tmp_path / "q.rq")).stdout == table
    made = aitia(ws, "query", "CONSTRUCT WHERE { ?s <http://e/p> ?o }").stdout
    assert len(list(parse(made, RdfFormat.TURTLE))) == 2
    assert aitia(ws, "query", "ASK { ?s ?p ?o }").stdout == "yes\n"
    late = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
    done = aitia(ws, "query", late, "--timeout", "0.3", code=1)
    assert "stopped after 0.3 seconds" in done.stderr


def test_infer_tells_what_it_did(ws: Path, tmp_path: Path) -> None:
    again = aitia(ws, "infer")
    assert "0 new, 0 no longer so" in again.stdout
    assert "the reasoner reads" in again.stderr
    assert json.loads(aitia(ws, "infer", "--json").stdout)["added"] == 0
    assert "Nothing was inferred" in aitia(ws, "infer", "--limit", "1", code=1).stderr
    odd = tmp_path / "odd.ttl"
    odd.write_text(
        "@prefix e: <http://e/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        "e:A owl:disjointWith e:B . e:x a e:A , e:B .",
        "utf-8",
    )
    aitia(tmp_path / "ws", "ingest", str(odd))
    done = aitia(tmp_path / "ws", "infer", code=4)
    assert "contradicts itself" in done.stdout


def test_export_and_import_say_what_they_did(ws: Path, tmp_path: Path) -> None:
    file = tmp_path / "all.nq"
    done = aitia(ws, "export", "--format", "nquads", "-o", str(file))
    assert "enclosed" in done.stderr
    assert done.stdout == ""
    copy = aitia(tmp_path / "copy", "import", str(file))
    assert copy.stdout.startswith("restored ")
    again = json.loads(aitia(tmp_path / "copy", "import", str(file), "--json").stdout)
    assert (again["how"], again["added"]) == ("merged", 0)
    merged = aitia(ws, "export", "--format", "turtle")
    assert "merged 7 graphs into one" in merged.stderr
    told = json.loads(
        aitia(ws, "export", "-o", str(tmp_path / "a.ttl"), "--json").stdout
    )
    assert len(told["merged"]) == 7
    aitia(tmp_path / "copy", "import", str(tmp_path / "absent.nq"), code=1)


# Text on a terminal


@given(st.text())
def test_clean_text_holds_nothing_that_acts(text: str) -> None:
    shown = clean(text)
    kept = {"\u200c", "\u200d"}
    assert all(
        unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") or c in kept
        for c in shown
    )
    assert clean(shown) == shown
    assert len(short(text, 10)) <= 10
    printable = "".join(c for c in text if c.isprintable())
    assert clean(printable) == printable


def test_clean_keeps_what_people_write() -> None:
    assert clean("Zoë 甲泵 👩\u200d🔧 المضخة") == "Zoë 甲泵 👩\u200d🔧 المضخة"
    assert clean("a\nb\tc\x1b[0m") == "a b c\\x1b[0m"
    assert clean("a\nb\tc", lines=True) == "a\nb\tc"
    assert quoted("") == ""
    assert quoted("a" * 500, 10) == "“aaaaaaaaa…”"


@given(st.lists(st.tuples(st.text(max_size=8), st.text(max_size=8)), max_size=6))
def test_columns_stand_below_one_another(rows: list[tuple[str, str]]) -> None:
    table = [("甲", "b"), *((clean(a), clean(b)) for a, b in rows)]
    wide = max(width(cell) for cell, _ in table)
    assert columns(rows, head=("甲", "b")) == [
        f"{a}{' ' * (wide - width(a))}  {b}".rstrip() for a, b in table
    ]


@given(st.text())
def test_json_is_safe_on_a_terminal_and_unchanged(text: str) -> None:
    shown = as_json({"x": text.encode("utf-8", "replace").decode()})
    assert not re.search(
        "[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", shown
    )
    assert json.loads(shown)["x"] == text.encode("utf-8", "replace").decode()
