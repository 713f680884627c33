"""`aitia validate` and `aitia shapes`: plain words, and nothing passed over in silence."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from pyoxigraph import NamedNode, Quad, RdfFormat, parse

from aitia import terms
from aitia.errors import UsageError
from aitia.gate import Gate
from aitia.gate.index import Index
from aitia.gate.lint import lint
from aitia.gate.shapes import read
from aitia.model import Patch
from aitia.vocab import AITIA, RDF, RDFS
from aitia.workspace import Workspace
from tests.validating import DATA, PREFIXES, STEP, put, run


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


# Files by given shapes


def test_each_problem_is_one_plain_line_with_what_is_inside_unfolded(
    here: Path,
) -> None:
    """C22: node by label, rule by name, what was found, how to mend, which document."""
    done = run("validate", "--shapes", put("shape.ttl", STEP), put("data.ttl", DATA))
    first, second, last = done.stdout.splitlines()
    assert first == (
        'Step s1 (http://e/s1) has [title "x"] as used, which has no source, at least 1'
        " needed. Give it at least 1 source. [S] In data.ttl."
    )
    assert second.startswith("Warning: Step s1")
    assert last == (
        "1 shape, 1 focus node checked. Does not conform: 1 violation, 1 warning."
    )
    assert done.exit_code == 4


def test_warnings_alone_do_not_block(here: Path) -> None:
    data = DATA.replace('e:used [ e:title "x" ] ;', "")
    done = run("validate", "--shapes", put("shape.ttl", STEP), put("data.ttl", data))
    assert done.exit_code == 0
    assert "Conforms: 0 violations, 1 warning" in done.stdout


def test_a_shape_that_checked_nothing_is_not_passed(here: Path) -> None:
    """C23: a slip in the target class is told, not passed as conforming."""
    shapes = put("shape.ttl", STEP.replace("e:Step ;", "e:Stepp ;"))
    done = run("validate", "--shapes", shapes, put("data.ttl", DATA))
    assert "http://e/S checked nothing: no focus node." in done.stdout
    assert "1 shape, 0 focus nodes checked: nothing was validated." in done.stdout
    assert done.exit_code == 4


def test_the_report_is_a_validation_report(here: Path) -> None:
    arguments = ("--shapes", put("shape.ttl", STEP), put("data.ttl", DATA))
    done = run("validate", *arguments, "--report", "turtle")
    report = Index(
        quad.triple for quad in parse(done.stdout.encode(), format=RdfFormat.TURTLE)
    )
    sh = "http://www.w3.org/ns/shacl#"
    (node,) = report.subjects(RDF.type, NamedNode(sh + "ValidationReport"))
    results = report.objects(node, NamedNode(sh + "result"))
    assert len(results) == 2
    assert any(report.objects(result, NamedNode(sh + "detail")) for result in results)


def test_json_tells_all_of_it(here: Path) -> None:
    done = run(
        "validate", "--shapes", put("shape.ttl", STEP), put("data.ttl", DATA), "--json"
    )
    told = json.loads(done.stdout)
    assert told["conforms"] is False
    assert told["shapes"] == [{"shape": "http://e/S", "checked": 1}]
    assert {v["severity"] for v in told["violations"]} == {"Violation", "Warning"}
    assert done.exit_code == 4


def test_data_comes_from_several_files_and_standard_input(here: Path) -> None:
    shapes = put("shape.ttl", STEP)
    one = put("one.ttl", PREFIXES + "e:s1 a e:Step ; e:used e:t .")
    two = PREFIXES + "e:t e:source e:u ."
    assert run("validate", "--shapes", shapes, one).exit_code == 4
    done = run(
        "validate", "--shapes", shapes, "--format", "turtle", one, "-", stdin=two
    )
    assert done.exit_code == 0


@pytest.mark.parametrize("suffix", ["nt", "nq", "trig", "jsonld", "rdf"])
def test_every_rdf_format_is_read(here: Path, suffix: str) -> None:
    texts = {
        "nt": "<http://e/s1> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e/Step> .",
        "jsonld": '{"@id": "http://e/s1", "@type": "http://e/Step"}',
        "rdf": '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
        ' xmlns:e="http://e/"><e:Step rdf:about="http://e/s1"/></rdf:RDF>',
    }
    data = put(f"data.{suffix}", texts.get(suffix, texts["nt"]))
    done = run("validate", "--shapes", put("shape.ttl", STEP), data)
    assert "1 focus node checked" in done.stdout


def test_subclasses_in_the_data_count_for_given_shapes(here: Path) -> None:
    data = PREFIXES + (
        "e:Big <http://www.w3.org/2000/01/rdf-schema#subClassOf> e:Step . e:b a e:Big ."
    )
    done = run("validate", "--shapes", put("shape.ttl", STEP), put("data.ttl", data))
    assert "1 focus node checked" in done.stdout


@pytest.mark.parametrize(
    ("name", "text", "told", "code"),
    [
        ("gone.ttl", None, "There is no file gone.ttl", 1),
        ("bad.ttl", "e:x e:y", "bad.ttl", 1),
        ("data.txt", "x", "does not tell its RDF format", 2),
        ("utf.ttl", "é".encode("latin-1"), "not UTF-8", 1),
    ],
)
def test_a_file_that_cannot_be_read_is_one_plain_line(
    here: Path, name: str, text: str | bytes | None, told: str, code: int
) -> None:
    if text is not None:
        data = text if isinstance(text, bytes) else text.encode()
        Path(name).write_bytes(data)
    done = run("validate", "--shapes", put("shape.ttl", STEP), name)
    assert told in done.stderr
    assert done.exit_code == code
    assert "Traceback" not in done.output


def test_text_in_data_cannot_steer_the_terminal(here: Path) -> None:
    data = DATA.replace('"x"', '"\\u001B[31mx\\u202E"')
    done = run("validate", "--shapes", put("shape.ttl", STEP), put("data.ttl", data))
    assert "\x1b" not in done.stdout
    assert "\u202e" not in done.stdout


# Shapes that cannot be trusted


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            ("sh:minCount", "sh:mincount"),
            "sh:mincount is not a SHACL term. Is sh:minCount",
        ),
        (("sh:NodeShape", "sh:NodeShap"), "sh:NodeShap is not a SHACL term"),
        (("sh:maxLength 3", "sh:singleLine true"), "SHACL 1.2"),
        (("sh:maxLength 3", "sh:js e:x"), "not run here"),
        (("sh:maxLength 3", 'sh:maxLength "3"'), "must be an integer"),
        (("sh:minCount 1", "sh:in e:x"), "must be a list"),
        (("sh:targetClass e:Step ;", ""), "No shape in it has a target"),
        (("sh:path e:source ;", ""), "without sh:path"),
        (("sh:path e:source ;", 'sh:path "source" ;'), "is not a path"),
        (("sh:path e:note ;", "sh:path e:note , e:n ;"), "more than one sh:path"),
        (("sh:path e:note ;", "sh:node e:Gone ; sh:path e:note ;"), "no such shape"),
    ],
)
def test_shapes_that_would_be_passed_over_are_refused(
    change: tuple[str, str], told: str
) -> None:
    text = STEP.replace(*change)
    assert text != STEP
    data = parse(DATA.encode(), format=RdfFormat.TURTLE)
    with pytest.raises(UsageError, match="cannot be used as shapes") as caught:
        Gate().validate(data, {"shape.ttl": text})
    assert told in str(caught.value)


@pytest.mark.parametrize("text", ["", PREFIXES, PREFIXES + "e:x e:p e:y ."])
def test_no_shapes_at_all_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="There is no shape in it"):
        Gate().validate([], {"shape.ttl": text})


@pytest.mark.parametrize(
    ("shape", "told"),
    [
        ('sh:sparql [ sh:select "SELECT $this WHERE { $this ?p ?o }" ]', "SPARQL"),
        (
            "sh:property [ sh:path [ sh:zeroOrMorePath e:p ] ; sh:class e:X ]",
            "without end",
        ),
        ("sh:property [ sh:path e:p ; sh:node e:S ]", "recursion"),
    ],
)
def test_what_would_be_slow_on_every_change_is_refused_for_the_gate_alone(
    shape: str, told: str
) -> None:
    text = PREFIXES + f"e:S a sh:NodeShape ; sh:targetClass e:Step ; {shape} ."
    index = Index(read(text, "shape.ttl"))
    assert lint(index, for_gate=False) == []
    assert any(told in problem for problem in lint(index, for_gate=True))


def test_sparql_constraints_are_run_where_everything_is_checked(here: Path) -> None:
    shape = PREFIXES + (
        "e:S a sh:NodeShape ; sh:targetClass e:Step ; sh:sparql [ sh:message"
        ' "A step has no title." ; sh:select "SELECT $this WHERE { $this <http://e/title>'
        ' ?t }" ] .'
    )
    good = put("good.ttl", DATA)
    bad = put("bad.ttl", PREFIXES + 'e:s1 a e:Step ; e:title "x" .')
    shapes = put("shape.ttl", shape)
    assert run("validate", "--shapes", shapes, good).exit_code == 0
    done = run("validate", "--shapes", shapes, bad)
    assert done.exit_code == 4
    assert "A step has no title." in done.stdout


@pytest.mark.parametrize(
    "clause",
    [
        "SERVICE <{}> {{ ?a ?b ?c }}",
        "S\\\\u0045RVICE <{}> {{ ?a ?b ?c }}",
        "{{ SELECT * {{ ?x ?y ?z . SERVICE SILENT <{}> {{ ?a ?b ?c }} }} }}",
        "FILTER EXISTS {{ SERVICE <{}> {{ ?a ?b ?c }} }}",
    ],
)
def test_a_sparql_constraint_never_reaches_the_network(clause: str) -> None:
    visits: list[str] = []

    class Visited(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            visits.append(self.path)

    with HTTPServer(("127.0.0.1", 0), Visited) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        place = f"http://127.0.0.1:{server.server_port}/"
        shape = PREFIXES + (
            "e:S a sh:NodeShape ; sh:targetClass e:Step ; sh:sparql [ sh:select"
            f' "SELECT $this WHERE {{ $this ?p ?o . {clause.format(place)} }}" ] .'
        )
        data = parse(DATA.encode(), format=RdfFormat.TURTLE)
        with pytest.raises(UsageError):
            Gate().validate(data, {"shape.ttl": shape})
        server.shutdown()
    assert visits == []


def test_a_path_too_deep_to_follow_is_told(here: Path) -> None:
    shape = PREFIXES + (
        "e:S a sh:NodeShape ; sh:targetNode e:n0 ; sh:sparql [ sh:select"
        ' "SELECT $this WHERE { $this <http://e/p>+ $this }" ] .'
    )
    chain = " ".join(f"e:n{n} e:p e:n{n + 1} ." for n in range(3000))
    done = run(
        "validate", "--shapes", put("s.ttl", shape), put("d.ttl", PREFIXES + chain)
    )
    assert "Traceback" not in done.output
    assert done.exit_code in (0, 2)


# The workspace


def test_without_files_everything_on_record_is_checked(here: Path) -> None:
    assert run("validate").exit_code == 1
    put("a.txt", "The fee is 5 euro.")
    with Workspace.open("ws") as workspace:
        workspace.ingest(["a.txt"])
        report = workspace.validate()
    assert report.conforms
    assert report.focus_count > 0
    done = run("validate")
    assert done.exit_code == 0
    assert "Conforms: 0 violations" in done.stdout


def test_what_was_written_behind_the_gate_is_found(here: Path) -> None:
    with Workspace.open("ws") as workspace:
        node = NamedNode(terms.BASE + "agent:x")
        forged = Quad(node, RDF.type, AITIA.Person, terms.GRAPH_CATALOG)
        loose = Quad(node, RDFS.seeAlso, terms.commit_iri(9), terms.GRAPH_CATALOG)
        from aitia.model import Admitted

        workspace.store.apply(Admitted(Patch(frozenset([forged, loose])), ""), [])
        rules = {violation.rule for violation in workspace.validate().violations}
    assert rules == {"one label", "no dangling reference"}


def test_given_shapes_check_what_is_on_record(here: Path) -> None:
    with Workspace.open("ws") as workspace:
        put("data.ttl", PREFIXES + 'e:s1 a e:Step ; e:used e:t . e:t e:title "x" .')
        workspace.ingest(["data.ttl"])
    done = run("validate", "--shapes", put("shape.ttl", STEP))
    assert "1 focus node checked. Does not conform" in done.stdout
    slow = (
        STEP + "e:S sh:property [ sh:path [ sh:zeroOrMorePath e:p ] ; sh:maxCount 9 ] ."
    )
    done = run("validate", "--shapes", put("slow.ttl", slow))
    assert "1 focus node checked. Does not conform" in done.stdout
