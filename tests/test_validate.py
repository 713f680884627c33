"""`aitia validate` and `aitia shapes`: plain words, and nothing passed over in silence."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from pyoxigraph import NamedNode, Quad, RdfFormat, parse

from aitia import terms
from aitia.errors import ShapeViolation, UsageError
from aitia.gate import Gate
from aitia.gate.index import Index
from aitia.gate.lint import lint
from aitia.gate.shapes import read
from aitia.model import Patch
from aitia.vocab import AITIA, RDF, RDFS
from aitia.workspace import Workspace
from aitia_cli.main import cli

PREFIXES = """
@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix e: <http://e/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
STEP = (
    PREFIXES
    + """
e:S a sh:NodeShape ; sh:targetClass e:Step ;
    sh:property [ sh:path e:used ;
        sh:node [ sh:property [ sh:path e:source ; sh:minCount 1 ] ] ] ;
    sh:property [ sh:path e:note ; sh:maxLength 3 ; sh:severity sh:Warning ] .
"""
)
DATA = PREFIXES + 'e:s1 a e:Step ; e:used [ e:title "x" ] ; e:note "long note" .'


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(cli, ["--workspace", "ws", *arguments], input=stdin)


def put(name: str, text: str) -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


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


# Shapes of one's own


def test_added_shapes_judge_every_later_change(here: Path) -> None:
    bad = put("bad.ttl", PREFIXES + 'e:s1 a e:Step ; e:used e:t . e:t e:title "x" .')
    good = put("good.ttl", PREFIXES + "e:s2 a e:Step ; e:used e:u . e:u e:source e:v .")
    done = run("shapes", "add", put("step.ttl", STEP))
    assert done.exit_code == 0
    assert "The shapes step are part of the gate, from commit 1 on." in done.stdout
    with Workspace.open("ws") as workspace:
        assert workspace.ingest([good, bad]).exit_code != 0
        subjects = {quad.subject for quad in workspace.store.quads(None, RDF.type)}
    assert NamedNode("http://e/s2") in subjects
    assert NamedNode("http://e/s1") not in subjects


def test_what_breaks_new_shapes_already_is_told_and_stays(here: Path) -> None:
    put("data.ttl", PREFIXES + 'e:s1 a e:Step ; e:used e:t . e:t e:title "x" .')
    with Workspace.open("ws") as workspace:
        workspace.ingest(["data.ttl"])
        with pytest.raises(ShapeViolation):
            workspace.add_shapes(STEP, name="step", strict=True)
        assert workspace.shapes() == []
        record, found = workspace.add_shapes(STEP, name="step")
        assert record.number > 0
        assert not found.conforms
    done = run("shapes", "add", put("step.ttl", STEP))
    assert "part of the gate already" in done.stdout
    assert "has no source" in done.stdout


def test_a_file_of_the_same_name_takes_the_place_of_the_other(here: Path) -> None:
    first, second = put("step.ttl", STEP), put("new.ttl", STEP + "# newer\n")
    run("shapes", "add", first)
    run("shapes", "add", second, "--name", "step")
    told = json.loads(run("shapes", "list", "--json").stdout)
    assert [file["name"] for file in told] == ["step"]
    every = json.loads(run("shapes", "list", "--all", "--json").stdout)
    assert [bool(file["until"]) for file in every] == [True, False]
    with Workspace.open("ws", mode="read") as workspace:
        assert workspace.gate.user_shapes == {"step": STEP + "# newer\n"}
        assert workspace.gate.version != Gate().version


def test_one_shape_is_not_added_twice_under_two_names(here: Path) -> None:
    run("shapes", "add", put("step.ttl", STEP))
    done = run("shapes", "add", put("other.ttl", STEP + "# other\n"))
    assert done.exit_code == 2
    assert "is in the shape file 'step' already" in done.stderr


def test_listing_says_where_there_are_none(here: Path) -> None:
    Workspace.open("ws").close()
    assert "No shapes were added" in run("shapes", "list").stdout


def test_shapes_added_stay_verifiable(here: Path) -> None:
    with Workspace.open("ws") as workspace:
        workspace.add_shapes(STEP, name="step")
        assert workspace.ledger.verify().intact
        assert workspace.validate().conforms


def test_shapes_of_a_user_judge_users_data_and_nothing_of_ours(here: Path) -> None:
    """A careless shape must not keep aitia from writing its own record."""
    labels = PREFIXES + (
        "e:L a sh:NodeShape ; sh:targetSubjectsOf"
        " <http://www.w3.org/2000/01/rdf-schema#label> ; sh:property [ sh:path"
        ' <http://www.w3.org/2000/01/rdf-schema#label> ; sh:languageIn ( "en" ) ] .'
    )
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    put("a.txt", "The fee is 5 euro.")
    put("bad.ttl", PREFIXES + f'e:s1 {label} "no language" .')
    put("good.ttl", PREFIXES + f'e:s2 {label} "language"@en .')
    with Workspace.open("ws") as workspace:
        workspace.add_shapes(labels, name="labels")
        assert workspace.ingest(["a.txt", "good.ttl"]).exit_code == 0
        assert workspace.ingest(["bad.ttl"]).exit_code == 4
        report = workspace.validate()
    assert report.conforms
    assert report.checked["http://e/L"] == 1
