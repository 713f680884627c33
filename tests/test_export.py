"""Export: others read it, nothing is lost, what was merged is told."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import rdflib
from pyoxigraph import Dataset, Literal, NamedNode, Quad, RdfFormat, parse

from aitia import Workspace, resources, terms
from aitia.errors import NotFound, UsageError
from aitia.interop import FORMATS, WHAT, jsonld as ours
from aitia.interop.incoming import FORMATS as NATIVE
from aitia.vocab import AITIA, PROV, XSD
from tests import pump
from tests.carried import WITH_GRAPHS, export, quads

RDFLIB = {
    "turtle": "turtle",
    "ntriples": "nt",
    "rdfxml": "xml",
    "trig": "trig",
    "nquads": "nquads",
    "jsonld": "json-ld",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pump.build(tmp_path_factory.mktemp("export"))


@pytest.fixture(scope="module")
def workspace(folder: Path) -> Iterator[Workspace]:
    with Workspace.open(folder, mode="read") as opened:
        yield opened


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
    runs = [node for graph in whole["@graph"] for node in graph["@graph"]]
    assert any(node.get("type") == "Run" for node in runs)
    assert any(node.get("status") == "succeeded" for node in runs)


def test_json_ld_is_the_same_to_another_processor(workspace: Workspace) -> None:
    from pyld import jsonld

    def refuse(url: str, options: object = None) -> object:
        raise AssertionError(f"{url} was fetched")

    whole = json.loads(export(workspace, "jsonld")[0])
    options = {"documentLoader": refuse, "format": "application/n-quads"}
    found = parse(jsonld.to_rdf(whole, options), RdfFormat.N_QUADS)
    assert set(map(_valued, found)) == set(map(_valued, quads(workspace)))


def _valued(quad: Quad) -> tuple[object, ...]:
    """A quad by value: PyLD writes a double in another form."""
    subject, predicate, obj, graph = quad
    if isinstance(obj, Literal) and obj.datatype == XSD.double:
        return subject, predicate, float(obj.value), graph
    return subject, predicate, obj, graph


def test_json_ld_is_not_misled_by_odd_iris() -> None:
    odd = [
        "prov:x",
        "id:x",
        "type:x",
        "Run:x",
        "text:y",
        "aitia:z",
        "http:x",
        "urn:a:b",
    ]
    odd += ["https://w3id.org/aitia/ns#//x", "https://w3id.org/aitia/nsx", "xsd:string"]
    text = "".join(
        f'<{a}> <{b}> <{a}> , "v" , "1"^^<{b}> <{a}> .\n'.replace(
            " , ", f" <{a}> .\n<{a}> <{b}> "
        )
        for a in odd
        for b in odd
    )
    given = set(parse(text, RdfFormat.N_QUADS))
    ordered = sorted(given, key=lambda q: (str(q.graph_name), str(q)))
    written = "".join(ours.lines(ordered))
    assert set(parse(written, RdfFormat.JSON_LD)) == given


# PROV-O constraints that apply to what we write


@pytest.fixture(scope="module")
def prov(workspace: Workspace) -> rdflib.Graph:
    """The whole record with the classes that the ontology makes of ours."""
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
