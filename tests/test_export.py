"""Export and import: others read it, nothing is lost, what was merged is told."""

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import rdflib
from pyoxigraph import Dataset, NamedNode, Quad, RdfFormat, parse

from aitia import Workspace, terms
from aitia.errors import NotFound, NotIntact, ReadError, ShapeViolation, UsageError
from aitia.ingest import Ingest
from aitia.interop import FORMATS, WHAT, Exported
from aitia.interop.incoming import FORMATS as NATIVE
from aitia.vocab import AITIA, PROV, RDF
from tests import pump
from tests.conftest import shared_folder

RDFLIB = {
    "turtle": "turtle",
    "ntriples": "nt",
    "rdfxml": "xml",
    "trig": "trig",
    "nquads": "nquads",
    "jsonld": "json-ld",
}
WITH_GRAPHS = ("trig", "nquads", "jsonld")
ENDING = {
    "turtle": "ttl",
    "ntriples": "nt",
    "rdfxml": "rdf",
    "trig": "trig",
    "nquads": "nq",
    "jsonld": "jsonld",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pump.build(tmp_path_factory.mktemp("export"))


@pytest.fixture(scope="module")
def workspace(folder: Path) -> Iterator[Workspace]:
    with Workspace.open(folder, mode="read") as opened:
        yield opened


def export(
    workspace: Workspace, form: str, what: str = "all", *, enclose: bool = True
) -> tuple[bytes, Exported]:
    out = io.BytesIO()
    told = workspace.export(out, what=what, form=form, enclose=enclose)
    return out.getvalue(), told


def quads(workspace: Workspace) -> set[Quad]:
    return set(workspace.store.quads())


@pytest.mark.parametrize("form", WITH_GRAPHS)
def test_formats_with_graphs_come_back_quad_equal(
    workspace: Workspace, form: str
) -> None:
    data, told = export(workspace, form)
    assert set(parse(data, NATIVE[form])) == quads(workspace)
    assert told.statements == len(quads(workspace))
    assert told.merged == ()


@pytest.mark.parametrize("form", ["turtle", "ntriples", "rdfxml"])
def test_formats_without_graphs_say_what_they_merged(
    workspace: Workspace, form: str
) -> None:
    data, told = export(workspace, form)
    triples = {quad.triple for quad in quads(workspace)}
    assert {quad.triple for quad in parse(data, NATIVE[form])} == triples
    graphs = {q.graph_name.value for q in quads(workspace)}  # type: ignore[union-attr]
    assert set(told.merged) == graphs
    assert told.doubled == len(quads(workspace)) - len(triples) == 1
    assert told.left_out == ()


@pytest.mark.filterwarnings("ignore:(Dataset|ConjunctiveGraph):DeprecationWarning")
@pytest.mark.parametrize("form", FORMATS)
def test_rdflib_reads_what_we_write(workspace: Workspace, form: str) -> None:
    data, told = export(workspace, form, enclose=False)
    if form in WITH_GRAPHS:
        found = rdflib.Dataset()
        found.parse(data=data.decode(), format=RDFLIB[form])
        number = sum(len(graph) for graph in found.graphs())
    else:
        graph = rdflib.Graph()
        graph.parse(data=data.decode(), format=RDFLIB[form])
        number = len(graph)
    assert number == told.statements


@pytest.mark.parametrize("what", WHAT)
def test_what_is_asked_for_is_what_is_written(workspace: Workspace, what: str) -> None:
    data, told = export(workspace, "nquads", what)
    found = set(parse(data, RdfFormat.N_QUADS))
    assert len(found) == told.statements > 0
    graphs = {quad.graph_name.value for quad in found}
    ledger, catalog = terms.GRAPH_LEDGER.value, terms.GRAPH_CATALOG.value
    assert (ledger in graphs) == (what in ("all", "ledger"))
    assert (catalog in graphs) == (what in ("all", "knowledge", "catalog"))
    assert ("http://e/g1" in graphs) == (what in ("all", "knowledge", "current"))
    assert any(g.endswith("/trace") for g in graphs) == (what in ("all", "runs"))


def test_a_run_comes_with_all_it_refers_to(workspace: Workspace) -> None:
    data, _ = export(workspace, "nquads", "run:last")
    found = Dataset(parse(data, RdfFormat.N_QUADS))
    described = {quad.subject for quad in found}
    (run,) = {q.subject for q in found if q.object == AITIA.Run}
    trace = terms.run_graph(run)
    assert set(found.quads_for_graph_name(trace)) == set(
        workspace.store.quads(None, None, None, trace)
    )
    for quad in found:
        ours = isinstance(quad.object, NamedNode) and quad.object.value.startswith(
            (
                "urn:aitia:doc:",
                "urn:aitia:reading:",
                "urn:aitia:agent:",
                "urn:aitia:method:",
            )
        )
        if ours:
            assert quad.object in described, quad
    with pytest.raises(NotFound):
        export(workspace, "nquads", "run:nosuchrun")


def test_exports_are_the_same_each_time(workspace: Workspace) -> None:
    for form in FORMATS:
        assert export(workspace, form)[0] == export(workspace, form)[0]


def test_wrong_names_are_refused(workspace: Workspace) -> None:
    with pytest.raises(UsageError):
        export(workspace, "n3")
    with pytest.raises(UsageError):
        export(workspace, "turtle", "everything")


def test_json_ld_carries_its_context_and_reads_well(workspace: Workspace) -> None:
    whole = json.loads(export(workspace, "jsonld")[0])
    assert isinstance(whole["@context"], dict)
    text = json.dumps(whole["@graph"])
    assert '"https://w3id.org/aitia/ns#text"' not in text


# PROV-O constraints that apply to what we write


@pytest.fixture(scope="module")
def prov(workspace: Workspace) -> rdflib.Graph:
    """The whole record with the classes that the ontology makes of ours."""
    from aitia import resources

    graph = rdflib.Graph()
    graph.parse(data=export(workspace, "turtle")[0].decode(), format="turtle")
    for text in resources.turtle("ontology").values():
        graph.parse(data=text, format="turtle")
    return graph


def members(prov: rdflib.Graph, kind: NamedNode) -> set[rdflib.term.Node]:
    query = """SELECT DISTINCT ?x {
      ?x a/<http://www.w3.org/2000/01/rdf-schema#subClassOf>* ?kind
      FILTER(STRSTARTS(STR(?x), "urn:"))
    }"""
    bound = {"kind": rdflib.URIRef(kind.value)}
    return {row[0] for row in prov.query(query, initBindings=bound)}  # type: ignore[index]


def test_entities_activities_and_links_are_disjoint(prov: rdflib.Graph) -> None:
    entities, activities = members(prov, PROV.Entity), members(prov, PROV.Activity)
    influences = members(prov, PROV.Influence)
    assert len(entities) > 10
    assert len(activities) > 5
    assert not entities & activities
    assert not influences & (entities | activities)


def test_nothing_is_made_before_its_activity_starts(prov: rdflib.Graph) -> None:
    query = """
    PREFIX prov: <http://www.w3.org/ns/prov#>
    ASK { ?entity prov:wasGeneratedBy ?activity ; prov:generatedAtTime ?made .
          ?activity prov:startedAtTime ?started FILTER(?made < ?started) }"""
    assert not prov.query(query).askAnswer
    order = """
    PREFIX prov: <http://www.w3.org/ns/prov#>
    ASK { ?a prov:startedAtTime ?start ; prov:endedAtTime ?end FILTER(?end < ?start) }"""
    assert not prov.query(order).askAnswer


def test_each_thing_is_made_by_one_activity(prov: rdflib.Graph) -> None:
    query = """
    PREFIX prov: <http://www.w3.org/ns/prov#>
    ASK { ?entity prov:wasGeneratedBy ?one , ?two FILTER(?one != ?two) }"""
    assert not prov.query(query).askAnswer


# Import


def test_everything_is_restored_into_an_empty_workspace(
    workspace: Workspace, tmp_path: Path
) -> None:
    data, told = export(workspace, "nquads")
    assert told.blobs > 0
    (tmp_path / "all.nq").write_bytes(data)
    with Workspace.open(tmp_path / "copy") as copy:
        done = copy.import_(tmp_path / "all.nq")
        assert done.how == "restored"
        head, ours = copy.ledger.head(), workspace.ledger.head()
        assert head is not None
        assert head == ours
        assert done.head == head.hash
        assert quads(copy) == quads(workspace)
        assert export(copy, "nquads")[0] == data
        assert copy.ledger.verify().findings == ()
        assert copy.why("last") == workspace.why("last")
        assert copy.show("pump.txt").text == pump.TEXT
        assert copy.ask("What does tank B feed?").text
        assert copy.ledger.verify().findings == ()


@pytest.mark.parametrize("form", WITH_GRAPHS)
def test_without_texts_all_but_the_ledger_is_put_back(
    workspace: Workspace, tmp_path: Path, form: str
) -> None:
    file = tmp_path / f"all.{ENDING[form]}"
    file.write_bytes(export(workspace, form, enclose=False)[0])
    with Workspace.open(tmp_path / "copy") as copy:
        done = copy.import_(file)
        assert (done.how, done.missing) == ("put back", 3)
        assert done.left_out["ledger"] > 0

        def known(of: Workspace) -> set[Quad]:
            return {q for q in quads(of) if q.graph_name != terms.GRAPH_LEDGER}

        assert known(copy) == known(workspace)


def _refused(tmp_path: Path, data: bytes) -> NotIntact:
    (tmp_path / "all.nq").write_bytes(data)
    with Workspace.open(tmp_path / "copy") as copy:
        with pytest.raises(NotIntact) as caught:
            copy.import_(tmp_path / "all.nq")
        assert quads(copy) == set()
    return caught.value


def test_a_restore_refuses_what_its_ledger_does_not_say(
    workspace: Workspace, tmp_path: Path
) -> None:
    data = export(workspace, "nquads")[0]
    line = next(x for x in data.splitlines() if b'"1"' in x and b"http://e/g1" in x)
    edited = data.replace(line, line.replace(b'"1"', b'"9"'))
    assert "ledger does not say" in str(_refused(tmp_path, edited))


def test_a_restore_refuses_a_rewritten_record(
    workspace: Workspace, tmp_path: Path
) -> None:
    data = export(workspace, "nquads")[0]
    mark = f"<{terms.commit_iri(1).value}> <{AITIA.committedBy.value}>".encode()
    line = next(x for x in data.splitlines() if x.startswith(mark))
    other = mark + b" <urn:aitia:agent:somebody> " + line.split(b" ", 3)[3]
    assert "hash differs" in str(_refused(tmp_path, data.replace(line, other)))


def test_a_damaged_enclosure_is_told(workspace: Workspace, tmp_path: Path) -> None:
    data = export(workspace, "nquads")[0]
    start = data.index(b"# blob ") + len(b"# blob ")
    swapped = data[:start] + b"f" * 64 + data[start + 64 :]
    for broken in (swapped, data[: start + 90] + b"\n"):
        (tmp_path / "all.nq").write_bytes(broken)
        with Workspace.open(tmp_path / "copy") as copy:
            with pytest.raises(ReadError):
                copy.import_(tmp_path / "all.nq")
            assert quads(copy) == set()


def test_elsewhere_an_import_makes_new_commits_and_leaves_the_ledger_out(
    workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "all.trig").write_bytes(export(workspace, "trig")[0])
    (tmp_path / "own.txt").write_text("Valve 7 is blue.", "utf-8")
    with Workspace.open(tmp_path / "other") as other:
        other.ingest([tmp_path / "own.txt"])
        before = other.ledger.head()
        done = other.import_(tmp_path / "all.trig")
        assert done.how == "merged"
        assert done.left_out["ledger"] > 0
        after = other.ledger.head()
        assert before is not None
        assert after is not None
        assert after.number == before.number + done.commits
        missing = quads(workspace) - quads(other)
        areas = {terms.GRAPH_LEDGER, terms.GRAPH_INFERRED}
        kept = {q for q in missing if q.graph_name not in areas}
        # The agents that both know stay as this workspace knows them.
        assert {q.subject.value.split(":")[2] for q in kept} <= {"agent"}  # type: ignore[union-attr]
        (made,) = other.store.quads(None, RDF.type, AITIA.Import)
        assert isinstance(made.subject, NamedNode)
        assert any(other.store.quads(made.subject, PROV.wasAssociatedWith))
        assert other.ledger.verify().findings == ()
        assert other.why("last").total_nodes == workspace.why("last").total_nodes
        again = other.import_(tmp_path / "all.trig")
        assert (again.added, again.commits) == (0, 0)


@pytest.mark.parametrize("form", ["turtle", "rdfxml", "ntriples"])
def test_merged_triples_find_their_graphs_again(
    workspace: Workspace, tmp_path: Path, form: str
) -> None:
    file = tmp_path / f"all.{ENDING[form]}"
    file.write_bytes(export(workspace, form)[0])
    with Workspace.open(tmp_path / "copy") as copy:
        done = copy.import_(file)
        assert done.refused == []
        assert done.loose > 0
        trace = next(q.graph_name for q in quads(workspace) if q.object == AITIA.Run)
        assert set(copy.store.quads(None, None, None, trace)) == set(  # type: ignore[arg-type]
            workspace.store.quads(None, None, None, trace)  # type: ignore[arg-type]
        )
        assert copy.why("last").total_nodes == workspace.why("last").total_nodes
        assert copy.query(
            "ASK { <http://e/a> a <http://e/Pump> }", scope="current"
        ).answer
        assert not any(copy.store.quads(None, None, None, terms.GRAPH_INFERRED))


def test_foreign_rdf_is_taken_in_as_a_document(tmp_path: Path) -> None:
    file = tmp_path / "foreign.ttl"
    file.write_text("@prefix e: <http://e/> . e:x e:p [ e:q 'v' ] .", "utf-8")
    with Workspace.open(tmp_path / "ws") as workspace:
        done = workspace.import_(file)
        assert (done.how, done.added) == ("ingested", 2)
        assert workspace.stats().documents == {"live": 1}


def test_an_import_cannot_break_the_shapes(tmp_path: Path) -> None:
    file = tmp_path / "forged.nq"
    file.write_text(
        "<urn:aitia:run:forged22> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
        " <https://w3id.org/aitia/ns#Run> <urn:aitia:run:forged22/trace> .\n",
        "utf-8",
    )
    with Workspace.open(tmp_path / "ws") as workspace:
        with pytest.raises(ShapeViolation):
            workspace.import_(file)
        assert quads(workspace) == set()


@pytest.mark.parametrize(
    ("name", "text", "error", "said"),
    [
        ("a.nt", '<http://e/b c> <http://e/p> "2" .\n', ReadError, "line 1"),
        (
            "b.ttl",
            "@prefix e: <http://e/> .\ne:x e:p e:y .\ne:z e:p\n",
            ReadError,
            "line",
        ),
        (
            "c.jsonld",
            '{"@context": "http://127.0.0.1:9/c", "a": 1}',
            ReadError,
            "c.jsonld",
        ),
        ("d.txt", "hello", UsageError, "format"),
    ],
)
def test_what_cannot_be_read_says_where(
    tmp_path: Path, name: str, text: str, error: type[Exception], said: str
) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    with Workspace.open(tmp_path / "ws") as workspace:
        with pytest.raises(error) as caught:
            workspace.import_(tmp_path / name)
        assert said in str(caught.value)
        with pytest.raises(NotFound):
            workspace.import_(tmp_path / "absent.ttl")


def test_rdf_xml_leaves_out_what_xml_cannot_hold(tmp_path: Path) -> None:
    (tmp_path / "odd.nt").write_text(
        '<http://e/x> <http://e/1> "a" .\n'
        '<http://e/x> <http://e/p> "bell \\u0007" .\n'
        '<http://e/x> <http://e/p> "line\\r\\nline <&> ]]>" .\n'
        '<http://e/x> <http://e/p> "farbe"@de .\n',
        "utf-8",
    )
    with Workspace.open(tmp_path / "ws") as workspace:
        workspace.ingest([tmp_path / "odd.nt"])
        data, told = export(workspace, "rdfxml", "current")
    assert len(told.left_out) == 2
    assert {q.object.value for q in parse(data, RdfFormat.RDF_XML)} == {
        "line\r\nline <&> ]]>",
        "farbe",
    }
    graph = rdflib.Graph()
    graph.parse(data=data.decode(), format="xml")
    assert len(graph) == 2


SHORT = 30_000
"""Bytes beyond which a PROV file is for the long form."""
PROV_FILES = sorted(
    path
    for path in (shared_folder() / "data" / "prov").rglob("*")
    if path.suffix in (".ttl", ".nt", ".jsonld", ".rdf", ".owl")
)


def _long(path: Path) -> bool:
    return path.stat().st_size > SHORT


@pytest.mark.parametrize(
    "path",
    [pytest.param(x, marks=[pytest.mark.full] if _long(x) else []) for x in PROV_FILES]
    or [None],
    ids=lambda path: path.name[:40] if path else "absent",
)
def test_prov_files_come_back_isomorphic(path: Path | None, tmp_path: Path) -> None:
    """Every PROV file loads, exports and reloads; literals as the store writes them."""
    if path is None:
        pytest.skip("the shared PROV files are not here (set AITIA_SHARED)")
    with Workspace.open(tmp_path / "ws") as workspace:
        task = Ingest(
            workspace.store, workspace.blobs, workspace.ledger, workspace.settings
        )
        (file,) = task.run([str(path)]).files
        assert file.outcome == "added", file.reason
        for form in FORMATS:
            data, told = export(workspace, form, "current")
            assert told.left_out == ()
            found = {quad.triple for quad in parse(data, NATIVE[form])}
            standing = quads(workspace)
            catalog = (terms.GRAPH_CATALOG, terms.GRAPH_LEDGER)
            assert found == {q.triple for q in standing if q.graph_name not in catalog}
        nquads = export(workspace, "ntriples", "current")[0]
    _same_as_the_file(path, nquads)


def _same_as_the_file(path: Path, exported: bytes) -> None:
    """Compare up to names of blank nodes and the literals that the store rewrites."""
    from pyoxigraph import CanonicalizationAlgorithm, Store

    scratch = Store()
    form = {".nt": "ntriples", ".jsonld": "jsonld", ".ttl": "turtle"}[path.suffix]
    base = path.resolve().as_uri()
    scratch.extend(
        Quad(q.subject, q.predicate, q.object)
        for q in parse(path.read_bytes(), NATIVE[form], base_iri=base)
    )
    original = Dataset(scratch)
    again = Dataset(_blank(q) for q in parse(exported, RdfFormat.N_TRIPLES))
    for dataset in (original, again):
        dataset.canonicalize(CanonicalizationAlgorithm.RDFC_1_0)
    assert set(again) == set(original)


def _blank(quad: Quad) -> Quad:
    """Return the quad with the names that an ingest gave taken back."""
    from pyoxigraph import BlankNode

    def back(term: object) -> object:
        if isinstance(term, NamedNode) and term.value.startswith("urn:data:genid/"):
            return BlankNode(term.value.rpartition("/")[2])
        return term

    return Quad(back(quad.subject), quad.predicate, back(quad.object))  # type: ignore[arg-type]
