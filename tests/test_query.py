"""People's own SPARQL: it only reads, it ends, and nothing leaves the machine."""

import csv
import io
import json
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings, strategies as st
from pyoxigraph import (
    Literal,
    NamedNode,
    Quad,
    QueryResultsFormat,
    QuerySolutions,
    RdfFormat,
    Store,
    parse,
    parse_query_results,
)

from aitia import Workspace, sandbox
from aitia.errors import QueryError, QueryLimit, QueryRefused, UsageError
from aitia.sandbox import QueryResult, refuse
from aitia.sandbox.results import to_csv, to_json, to_turtle, to_xml
from tests import pump
from tests.conftest import CHECKOUT, shared_folder

NUMBERS = 250


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that nobody writes to, with enough in it for a bomb to go off."""
    path = tmp_path_factory.mktemp("query") / "store"
    says, graph = NamedNode("http://e/says"), NamedNode("http://e/g")
    made = [
        Quad(NamedNode(f"http://e/{i}"), says, Literal(f"value {i}"), graph)
        for i in range(NUMBERS)
    ]
    store = Store(str(path))
    store.extend(made)
    store.flush()
    return path


def run(
    path: Path,
    sparql: str,
    *,
    seconds: float = 20,
    megabytes: int = 1024,
    rows: int = 0,
) -> QueryResult:
    return sandbox.run(path, sparql, seconds=seconds, megabytes=megabytes, rows=rows)


class Listener:
    """Counts who connects."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/"
        self.requests = 0
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.requests += 1
            connection.close()

    def close(self) -> None:
        self._socket.close()


@pytest.fixture(scope="module")
def listener() -> Iterator[Listener]:
    made = Listener()
    yield made
    made.close()


def hostile(path: Path) -> list[tuple[str, str]]:
    """Return (verdict, query) of a file of hostile queries."""
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    return [(line[0], line[2:]) for line in lines if line[:2] in ("R ", "K ")]


OURS = hostile(CHECKOUT / "tests/suites/hostile-queries.txt")
SHARED = hostile(shared_folder() / "cases/hostile-queries.txt")


@pytest.mark.parametrize(("verdict", "query"), [*OURS, *SHARED])
def test_hostile_queries(
    folder: Path, listener: Listener, verdict: str, query: str
) -> None:
    text = query.replace("<U>", f"<{listener.url}>").replace("U>", f"{listener.url}>")
    if verdict == "R":
        with pytest.raises(QueryRefused) as caught:
            run(folder, text)
        assert str(caught.value).endswith(".")
    else:
        refuse.check(text)
        # Harmless, and not always right: an undeclared prefix is a plain error.
        with suppress(QueryError):
            run(folder, text)
    assert listener.requests == 0


def test_a_comment_does_not_part_service_from_its_group(folder: Path) -> None:
    with pytest.raises(QueryRefused):
        run(folder, "SELECT * { ?s ?p true.SERVICE:x#c\n #d\r{?a ?b ?c} }")


def test_the_shared_hostile_queries_are_there_or_skipped() -> None:
    if not shared_folder().is_dir():
        pytest.skip("the shared cases are not here (set AITIA_SHARED)")
    assert len(SHARED) >= 20


BOMBS = {
    "braces": "SELECT * " + "{" * 3000 + "}" * 3000,
    "parentheses": "SELECT * { FILTER" + "(" * 5000 + "1" + ")" * 5000 + " }",
    "or": "SELECT * { ?s ?p ?o FILTER(" + "||".join(["?o=1"] * 5000) + ") }",
    "brackets": "SELECT * { ?s ?p " + "[ ?p " * 3000 + "1" + "]" * 3000 + " }",
    "long": "SELECT * { ?s ?p ?o } #" + "x" * 200_000,
}


@pytest.mark.parametrize("name", sorted(BOMBS))
def test_bombs_of_depth_are_refused(folder: Path, name: str) -> None:
    with pytest.raises(QueryRefused) as caught:
        run(folder, BOMBS[name])
    assert "more than" in str(caught.value) or "the most is" in str(caught.value)


CROSS = "{ ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"


@pytest.mark.parametrize(
    "query",
    [
        f"SELECT (COUNT(*) AS ?n) {CROSS}",
        f"SELECT * {CROSS} ORDER BY ?a ?d ?g",
        "SELECT * { ?s ?p ?o FILTER(" + "!" * 50_000 + "true) }",
        "SELECT * { ?s " + "/".join(["<http://e/says>"] * 4000) + " ?o }",
    ],
)
def test_bombs_of_work_are_stopped(folder: Path, query: str) -> None:
    with pytest.raises(QueryError) as caught:
        run(folder, query, seconds=1.5, megabytes=600)
    assert str(caught.value)
    assert run(folder, "ASK { ?s ?p ?o }").answer


def test_a_bomb_of_memory_is_stopped(folder: Path) -> None:
    query = f'SELECT (GROUP_CONCAT(CONCAT(?c, "{"x" * 4000}")) AS ?all) {CROSS}'
    with pytest.raises(QueryLimit) as caught:
        run(folder, query, seconds=60, megabytes=300)
    assert "300 MB" in str(caught.value)


def test_a_small_query_needs_little(folder: Path) -> None:
    for _ in range(3):
        assert run(folder, "ASK { ?s ?p ?o }", seconds=30, megabytes=400).answer


def test_an_endless_result_is_stopped(folder: Path) -> None:
    found = run(folder, f"SELECT * {CROSS}", rows=100)
    assert (len(found.rows), found.cut) == (100, "rows")


def test_no_child_outlives_its_query(folder: Path) -> None:
    with pytest.raises(QueryLimit):
        run(folder, f"SELECT (COUNT(*) AS ?n) {CROSS}", seconds=0.5)
    listed = subprocess.run(
        ["ps", "-eo", "args"], capture_output=True, text=True, check=True
    )
    assert not [x for x in listed.stdout.splitlines() if str(folder) in x]


def test_a_wrong_query_says_where(folder: Path) -> None:
    with pytest.raises(QueryError) as caught:
        run(folder, "SELECT * WHERE { ?s ?p }")
    assert "not SPARQL" in str(caught.value)
    assert "1:" in str(caught.value)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="SERVICEservice<>:{}?.'\"#\\@ \n_ex1tru", max_size=40))
def test_the_lexer_always_ends(text: str) -> None:
    try:
        refuse.check(text)
    except QueryRefused:
        return


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_request_whatever_stands_before_service(data: st.DataObject) -> None:
    """Random text glued to a SERVICE clause: refused, or not SPARQL to the store."""
    pieces = [
        "true",
        "false",
        "1",
        "1.",
        "ex:a",
        ":",
        "a",
        ".",
        "?x",
        "'s'",
        "@en",
        "_:b",
    ]
    pieces += [
        "<http://e/p>",
        ";",
        ",",
        "#\n",
        "\\u0041",
        "/**/",
        "()",
        "[]",
        "{}",
        " ",
    ]
    before = "".join(data.draw(st.lists(st.sampled_from(pieces), max_size=4)))
    word = data.draw(
        st.sampled_from(["SERVICE", "service", "SERVICE SILENT", "ServiCe"])
    )
    end = data.draw(st.sampled_from(["<http://127.0.0.1:9/>", ":x", "ex:y", "?x"]))
    text = f"PREFIX : <http://127.0.0.1:9/> SELECT * {{ ?s ?p {before}{word}{end}{{?a ?b ?c}} }}"
    try:
        refuse.check(text)
    except QueryRefused:
        return
    if any(
        x.kind == "variable" and "service" in x.text.lower()
        for x in refuse.tokens(text)
    ):
        return  # `?xSERVICE` is a variable of that name, to the store as to us
    with pytest.raises(SyntaxError):
        _bare_store().query(text)


def test_a_variable_that_is_called_service_requests_nothing() -> None:
    asked = "SELECT * { ?s ?p 1.true?xSERVICE<http://127.0.0.1:9/>{?a ?b ?c} }"
    refuse.check(asked)
    found = _bare_store().query(asked)  # a request to that port would be an error
    assert isinstance(found, QuerySolutions)
    assert list(found) == []


def _bare_store() -> Store:
    store = Store()
    for value in (Literal("true"), Literal("1"), NamedNode("http://e/x")):
        store.add(Quad(NamedNode("http://e/s"), NamedNode("http://e/p"), value))
    return store


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    made = pump.build(tmp_path_factory.mktemp("scopes"))
    with Workspace.open(made, mode="read") as opened:
        yield opened


def count(workspace: Workspace, scope: str | None, pattern: str) -> int:
    found = workspace.query(f"SELECT DISTINCT ?x {{ {pattern} }}", scope=scope)
    return len(found.rows)


@pytest.mark.parametrize(
    ("scope", "pattern", "number"),
    [
        (None, "?x a aitia:Run", 1),
        (None, "?x a <http://e/Pump>", 1),
        ("current", "?x a <http://e/Pump>", 1),
        ("current", "?x a aitia:Run", 0),
        ("current", "?x a aitia:Document", 0),
        ("current", "?x a <http://e/Thing>", 0),
        ("catalog", "?x a aitia:Document", 3),
        ("catalog", "?x a <http://e/Pump>", 0),
        ("runs", "?x a aitia:Run", 1),
        ("runs", "?x a aitia:Document", 0),
        ("ledger", "?x a aitia:Commit", 0),
        ("inferred", "?x a <http://e/Thing>", 1),
        ("inferred", "?x a aitia:Run", 0),
    ],
)
def test_scopes(
    workspace: Workspace, scope: str | None, pattern: str, number: int
) -> None:
    if scope == "ledger":
        number = workspace.position
    assert count(workspace, scope, pattern) == number


def test_a_scope_cannot_be_left(workspace: Workspace) -> None:
    escape = "GRAPH ?g { ?x a aitia:Run }"
    assert count(workspace, "catalog", escape) == 0
    query = "SELECT ?x FROM <urn:aitia:graph:ledger> { ?x a aitia:Commit }"
    assert workspace.query(query, scope="catalog").rows == []
    with pytest.raises(UsageError):
        workspace.query("ASK {}", scope="everything")


def test_the_default_graph_is_everything(workspace: Workspace) -> None:
    query = "SELECT * { ?s <http://e/p> ?o }"
    assert len(workspace.query(query).rows) == 3  # once for each graph
    assert count(workspace, None, "?s <http://e/p> ?x") == 2


def test_a_writer_queries_what_it_has_just_committed(tmp_path: Path) -> None:
    (tmp_path / "a.ttl").write_text("<http://e/a> <http://e/p> 1 .", "utf-8")
    with Workspace.open(tmp_path / "ws") as workspace:
        workspace.ingest([tmp_path / "a.ttl"])
        assert workspace.query("ASK { ?s <http://e/p> 1 }").answer


RESULT_QUERY = """SELECT ?a ?b ?c ?d ?e {
  VALUES (?a ?b ?c ?d) { (<http://e/x> "q\\"uo,te\\n<&>" "farbe"@de 1.5) }
}"""


def test_formats_are_read_back_by_others(folder: Path) -> None:
    found = run(folder, RESULT_QUERY)
    for text, form in (
        (to_json(found), QueryResultsFormat.JSON),
        (to_xml(found), QueryResultsFormat.XML),
    ):
        solutions = list(parse_query_results(text, form))  # type: ignore[arg-type]
        (row,) = solutions
        assert row["a"] == NamedNode("http://e/x")
        assert row["b"] == Literal('q"uo,te\n<&>')
        assert row["c"] == Literal("farbe", language="de")
        assert row["e"] is None
    (head, row_of_csv) = list(csv.reader(io.StringIO(to_csv(found))))
    assert head == ["a", "b", "c", "d", "e"]
    assert row_of_csv == ["http://e/x", 'q"uo,te\n<&>', "farbe", "1.5", ""]


def test_asks_and_graphs_have_formats_too(folder: Path) -> None:
    yes = run(folder, "ASK { ?s ?p ?o }")
    assert json.loads(to_json(yes))["boolean"] is True
    assert ElementTree.fromstring(to_xml(yes))[1].text == "true"
    assert to_csv(yes) == "true\r\n"
    made = run(folder, "CONSTRUCT WHERE { ?s ?p ?o }")
    assert len(set(parse(to_turtle(made), RdfFormat.TURTLE))) == NUMBERS
    assert made.variables == ("subject", "predicate", "object")
    with pytest.raises(UsageError):
        to_turtle(yes)


def test_xml_stays_xml_whatever_a_literal_holds(folder: Path) -> None:
    found = run(folder, 'SELECT ("a b\\r\\n" AS ?x) {}')
    (value,) = ElementTree.fromstring(to_xml(found)).findall(".//{*}literal")
    assert value.text == "a b\r\n"
    with pytest.raises(QueryError, match=r"U\+0001") as caught:
        to_xml(run(folder, 'SELECT ("a\\u0001" AS ?x) {}'))
    assert "json" in caught.value.hint


def test_columns_come_as_the_query_names_them(folder: Path) -> None:
    for query, wanted in (
        ("SELECT ?z ?a ?p { ?z ?p ?a }", ("z", "a", "p")),
        ("SELECT * { ?z ?p ?a }", ("z", "p", "a")),
        ("select distinct * { ?z ?p ?a OPTIONAL { ?a ?k ?b } }", tuple("zpakb")),
    ):
        found = run(folder, query, rows=1)
        assert found.variables == wanted
        values = dict(zip(found.variables, found.rows[0], strict=True))
        assert str(values["z"]).count("http://e/")
        assert str(values["a"]).count("value")


@pytest.mark.parametrize("query", ["", "  \n", "# nothing"])
def test_an_empty_query_is_told_plainly(folder: Path, query: str) -> None:
    with pytest.raises(QueryRefused, match="is empty"):
        run(folder, query)
