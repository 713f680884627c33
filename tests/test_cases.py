"""Cases from CASES.md that span several commands (C19, C25, C32, C36, C39).

The others are in test_cases_ingest.py, test_cases_ingest_rdf.py and
test_validate.py.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from pyoxigraph import NamedNode, Quad, RdfFormat, Store, parse

from aitia.terms import GRAPH_CURRENT
from aitia_cli.main import cli

Run = Callable[..., Result]


@pytest.fixture
def aitia(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str, code: int | None = 0) -> Result:
        done = CliRunner().invoke(cli, ["--workspace", "ws", *words])
        if code is not None:
            assert done.exit_code == code, done.output
        assert "Traceback" not in done.stderr
        return done

    return run


def loaded(done: Result) -> Any:
    return json.loads(done.stdout)


# C19: named graphs lost on export, or queries see nothing in a named graph


def test_named_graphs_are_seen_by_queries_and_kept_by_export(
    aitia: Run, tmp_path: Path
) -> None:
    (tmp_path / "d.trig").write_text(
        '<http://e/g1> { <http://e/a> <http://e/p> "1" }\n'
        '<http://e/g2> { <http://e/a> <http://e/p> "2" }\n',
        "utf-8",
    )
    aitia("ingest", "d.trig")
    rows = aitia("query", "SELECT ?o { ?s <http://e/p> ?o }", "--format", "csv").stdout
    assert sorted(rows.split()) == ["1", "2", "o"]
    merged = aitia("export", "--what", "current", "--format", "turtle")
    assert len(list(parse(merged.stdout, RdfFormat.TURTLE))) == 2
    assert "http://e/g1" in merged.stderr
    every = exported(aitia, "nquads", RdfFormat.N_QUADS)
    assert every == exported(aitia, "trig", RdfFormat.TRIG)
    assert every == exported(aitia, "jsonld", RdfFormat.JSON_LD)
    assert NamedNode("http://e/g2") in {quad.graph_name for quad in every}


def exported(aitia: Run, name: str, form: RdfFormat) -> set[Quad]:
    return set(parse(aitia("export", "--no-texts", "--format", name).stdout, form))


# C25: quotes and code inside user text break or inject into SPARQL


def test_code_in_a_question_or_id_changes_nothing(aitia: Run, tmp_path: Path) -> None:
    (tmp_path / "q.txt").write_text('Pat O"Brien\\ approved plan 9.\n', "utf-8")
    aitia("ingest", "q.txt")
    knowledge = aitia("export", "--what", "knowledge", "--format", "nquads").stdout
    answered = loaded(aitia("ask", 'Who is O"Brien\\?', "--json", code=None))
    assert answered["question"] == 'Who is O"Brien\\?'
    aitia("ask", "?s ?p ?o } INSERT { <a:a> <a:a> <a:a> } #", code=None)
    missing = aitia("why", 'x"} ; DROP ALL ; #', code=None)
    assert missing.exit_code in (1, 2)
    assert len(missing.stderr.splitlines()) <= 2
    after = aitia("export", "--what", "knowledge", "--format", "nquads").stdout
    assert set(knowledge.splitlines()) <= set(after.splitlines())
    assert "<a:a>" not in after
    aitia("verify")


@pytest.mark.parametrize(
    "update", ["DELETE WHERE { ?s ?p ?o }", "DROP ALL", "CLEAR DEFAULT"]
)
def test_query_refuses_updates_with_a_sentence(
    update: str, aitia: Run, tmp_path: Path
) -> None:
    (tmp_path / "q.txt").write_text("Pump A feeds tank B.\n", "utf-8")
    aitia("ingest", "q.txt")
    before = aitia("stats", "--json").stdout
    refused = aitia("query", update, code=2)
    assert refused.stdout == ""
    assert refused.stderr.strip()
    assert aitia("stats", "--json").stdout == before


# C32 (offline): answers made up with no context; citations that point nowhere


def test_a_citation_is_the_exact_words_at_that_place(
    aitia: Run, tmp_path: Path
) -> None:
    text = "Crane 4 lifts 9 tonnes. It was inspected in May."
    (tmp_path / "a.txt").write_text(text, "utf-8")
    (tmp_path / "b.txt").write_text("Crane 5 lifts 12 tonnes.", "utf-8")
    aitia("ingest", "a.txt", "b.txt")
    answer = loaded(aitia("ask", "How many tonnes does crane 4 lift?", "--json"))
    assert "9 tonnes" in answer["answer"]
    cited = [item for sentence in answer["sentences"] for item in sentence["evidence"]]
    quoted = [item for item in cited if item["quote"]]
    assert quoted
    for item in quoted:
        held = (tmp_path / Path(item["path"]).name).read_text("utf-8")
        assert held[item["start"] : item["end"]] == item["quote"]
    assert not any("Crane 5" in item["quote"] for item in quoted)


def test_nothing_is_made_up_where_nothing_is_said(aitia: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Crane 4 lifts 9 tonnes.", "utf-8")
    aitia("ingest", "a.txt")
    answer = loaded(aitia("ask", "Who wrote Hamlet?", "--json", code=5))
    assert answer["abstained"]
    assert answer["reason"]
    assert answer["tried"]


# C36: the trace is too big to show, or runs script from its own text


def test_a_page_of_a_trace_runs_nothing_and_is_limited(
    aitia: Run, tmp_path: Path
) -> None:
    nasty = (
        'Item </script><script>document.title="owned"</script>'
        "<img src=x onerror=alert(1)> feeds tank B. [x](javascript:alert(2)) \u2028 end"
    )
    (tmp_path / "x.md").write_text(nasty, "utf-8")
    many = " ".join(f"Node {i} feeds node {i + 1}." for i in range(300))
    (tmp_path / "many.txt").write_text(many, "utf-8")
    aitia("ingest", "x.md", "many.txt")
    aitia("ask", "What feeds node 200, and what feeds tank B?", code=None)
    page = aitia("why", "last", "--format", "html").stdout
    assert "</script><script>document" not in page
    assert "<img src=x" not in page
    assert "javascript:alert" not in page or 'href="javascript:' not in page
    assert "Content-Security-Policy" in page
    assert "http://" not in page.split("<body", 1)[0]
    assert len(page) < 5_000_000


# C39: the log verifies although its tail was cut; the chain misses recorded edges


@pytest.fixture
def pumps(aitia: Run, tmp_path: Path) -> Run:
    text = "Pump A feeds tank B. Tank B feeds mixer C."
    (tmp_path / "d.txt").write_text(text, "utf-8")
    aitia("ingest", "d.txt")
    aitia("ask", "What feeds mixer C?", code=None)
    return aitia


def test_a_head_that_was_kept_shows_a_cut_tail(pumps: Run, tmp_path: Path) -> None:
    kept = pumps("verify", "--print-head").stdout.strip()
    pumps("verify", "--expect-head", kept)
    ledger = NamedNode("urn:aitia:graph:ledger")
    number = NamedNode("https://w3id.org/aitia/ns#number")
    store = Store(str(tmp_path / "ws" / "store"))
    commits = {
        int(quad.object.value): quad.subject  # type: ignore[union-attr]
        for quad in store.quads_for_pattern(None, number, None, ledger)
    }
    newest = commits[max(commits)]
    for quad in list(store.quads_for_pattern(newest, None, None, ledger)):
        store.remove(quad)
    del store
    assert pumps("verify", "--expect-head", kept, code=4).stdout


def test_a_triple_edited_behind_its_back_is_found(pumps: Run, tmp_path: Path) -> None:
    pumps("verify")
    store = Store(str(tmp_path / "ws" / "store"))
    node = NamedNode("http://e/forged")
    store.add(Quad(node, node, node, GRAPH_CURRENT))
    del store
    told = pumps("verify", code=4)
    assert "http://e/forged" in told.stdout + told.stderr


def test_why_survives_a_cycle_and_tells_each_link_once(
    aitia: Run, tmp_path: Path
) -> None:
    prov = "http://www.w3.org/ns/prov#wasDerivedFrom"
    lines = [
        f"<http://e/a> <{prov}> <http://e/b> .",
        f"<http://e/b> <{prov}> <http://e/a> .",
    ]
    (tmp_path / "cycle.nt").write_text("\n".join(lines) + "\n", "utf-8")
    aitia("ingest", "cycle.nt")
    graph = loaded(aitia("why", "http://e/a", "--json"))
    pairs = [(link["effect"], link["cause"]) for link in graph["links"]]
    assert sorted(pairs) == [("http://e/a", "http://e/b"), ("http://e/b", "http://e/a")]


def test_why_says_where_the_chain_ends_and_why(pumps: Run) -> None:
    graph = loaded(pumps("why", "last", "--json"))
    causes = {link["effect"] for link in graph["links"]}
    ends = [node for node in graph["nodes"] if node["iri"] not in causes]
    assert ends
    assert all(node["ending"] for node in ends)
    pairs = [(x["effect"], x["cause"], x["kind"]) for x in graph["links"]]
    assert len(pairs) == len(set(pairs))
