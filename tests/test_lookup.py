"""Short ids: what a person may type for a node."""

from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import given, settings, strategies as st
from pyoxigraph import Literal, NamedNode, Quad

from aitia import Workspace, terms
from aitia.errors import AmbiguousId, NotFound
from aitia.lookup import name, resolve, short
from aitia.store import OxigraphStore
from aitia.vocab import AITIA, DCTERMS, PROV, RDF, XSD
from tests import pump
from tests.causes import store_of

CATALOG = terms.GRAPH_CATALOG


def run_quads(run_id: str, started: str) -> list[Quad]:
    run = terms.run_iri(run_id)
    graph = terms.run_graph(run)
    time = Literal(started, datatype=XSD.dateTime)
    claim = terms.part(run, "claim", 1)
    return [
        Quad(run, RDF.type, AITIA.Run, graph),
        Quad(run, PROV.startedAtTime, time, graph),
        Quad(claim, RDF.type, AITIA.Claim, graph),
        Quad(claim, AITIA.inRun, run, graph),
    ]


def document_quads(key: str, path: str, state: NamedNode) -> list[Quad]:
    iri = NamedNode(f"{terms.BASE}doc:{key}")
    return [
        Quad(iri, RDF.type, AITIA.Document, CATALOG),
        Quad(iri, AITIA.path, Literal(path), CATALOG),
        Quad(iri, DCTERMS.title, Literal(path.rpartition("/")[2]), CATALOG),
        Quad(iri, AITIA.documentState, state, CATALOG),
    ]


@pytest.fixture(scope="module")
def store() -> OxigraphStore:
    return store_of(
        [
            *run_quads("k3f9x2ab", "2026-01-01T10:00:00Z"),
            *run_quads("k3zzzzzz", "2026-01-02T10:00:00Z"),
            *document_quads("aaaa00000000", "a/report.txt", AITIA.live),
            *document_quads("bbbb00000000", "b/report.txt", AITIA.live),
            *document_quads("cccc00000000", "notes/fee.txt", AITIA.superseded),
            *document_quads("dddd00000000", "notes/fee.txt", AITIA.live),
            Quad(terms.commit_iri(7), RDF.type, AITIA.Commit, terms.GRAPH_LEDGER),
        ]
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("urn:aitia:run:k3f9x2ab", "run:k3f9x2ab"),
        ("<urn:aitia:run:k3f9x2ab>", "run:k3f9x2ab"),
        ("run:k3f9x2ab", "run:k3f9x2ab"),
        ("k3f9x2ab", "run:k3f9x2ab"),
        ("k3f", "run:k3f9x2ab"),
        ("run:k3f", "run:k3f9x2ab"),
        (" last ", "run:k3zzzzzz"),
        ("k3f/claim/1", "run:k3f9x2ab/claim/1"),
        ("k3f9x2ab/claim/1", "run:k3f9x2ab/claim/1"),
        ("claim/1", "run:k3zzzzzz/claim/1"),
        ("7", "commit:7"),
        ("commit:7", "commit:7"),
        ("doc:aaaa", "doc:aaaa00000000"),
        ("a/report.txt", "doc:aaaa00000000"),
        ("fee.txt", "doc:dddd00000000"),
        ("notes/fee.txt", "doc:dddd00000000"),
        ("cccc", "doc:cccc00000000"),
        ("aitia:Run", "https://w3id.org/aitia/ns#Run"),
    ],
)
def test_ids_are_found(store: OxigraphStore, text: str, found: str) -> None:
    assert short(resolve(store, text).value) == found


@pytest.mark.parametrize("text", ["k3", "run:k3", "report.txt"])
def test_what_fits_several_nodes_names_them(store: OxigraphStore, text: str) -> None:
    with pytest.raises(AmbiguousId) as caught:
        resolve(store, text)
    assert len(caught.value.candidates) == 2
    assert all(candidate in caught.value.hint for candidate in caught.value.candidates)


HOSTILE = (
    'x"} ; DROP ALL ; #',
    "'; DELETE WHERE { ?s ?p ?o }",
    "",
    "  ",
    "\ud800",
    "a\x00b",
    "<>",
    "<<>>",
    "/",
    "#",
    "//claim",
    "9" * 40,
    "x" * 100_000,
    "http://e/a b",
    "prov:nothing",
    "run:../../etc",
    "?s",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_names_nothing_and_changes_nothing(
    store: OxigraphStore, text: str
) -> None:
    before = len(store)
    with pytest.raises(NotFound) as caught:
        resolve(store, text)
    assert len(str(caught.value)) < 200
    assert len(store) == before


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=40))
def test_any_text_ends_in_a_node_or_a_plain_error(text: str) -> None:
    found = store_of(run_quads("k3f9x2ab", "2026-01-01T10:00:00Z"))
    with suppress(NotFound, AmbiguousId):
        assert isinstance(resolve(found, text), NamedNode)


def test_last_without_a_run_says_how_to_make_one() -> None:
    with pytest.raises(NotFound) as caught:
        resolve(OxigraphStore(), "last")
    assert "aitia ask" in caught.value.hint


def test_names_are_short() -> None:
    assert name("urn:aitia:run:abc") == "run:abc"
    assert name("http://www.w3.org/ns/prov#Entity") == "prov:Entity"
    assert name("http://e/a") == "http://e/a"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = pump.build(tmp_path_factory.mktemp("lookup"))
    with Workspace.open(folder, mode="read") as opened:
        yield opened


def test_a_record_is_found_by_its_label(workspace: Workspace) -> None:
    # e:name is a subproperty of rdfs:label, so this label was inferred.
    assert resolve(workspace.store, "pump A").value == "http://e/a"


def test_runs_are_listed(workspace: Workspace) -> None:
    (run,) = workspace.runs()
    assert run.question == "What does pump A feed?"
    assert (run.status, run.conclusion) == ("succeeded", "Decision")
    assert run.answer
    assert run.started < run.ended
    assert workspace.runs(status="failed") == []
    assert short(resolve(workspace.store, run.id).value) == f"run:{run.id}"


def test_a_passage_is_shown_with_its_exact_text(workspace: Workspace) -> None:
    document = workspace.show("pump.txt")
    assert document.text == pump.TEXT
    (passage,) = document.incoming[DCTERMS.isPartOf.value][:1]
    shown = workspace.show(passage)
    start, end = (
        int(shown.properties[p.value][0].value) for p in (AITIA.start, AITIA.end)
    )
    assert shown.text == pump.TEXT[start:end]
    assert shown.types == (AITIA.Passage.value,)


def test_values_are_shown_once_with_their_graphs(workspace: Workspace) -> None:
    shown = workspace.show("http://e/a")
    values = {v.value: v.graphs for v in shown.properties["http://e/p"]}
    assert values == {"1": ("http://e/g1", "http://e/g2"), "2": ("http://e/g2",)}
    (note,) = shown.properties["http://e/note"]
    assert (note.value, note.language) == ("colour", "en-gb")
    (weight,) = shown.properties["http://e/weight"]
    assert weight.datatype.endswith("#decimal")


def test_stats_count_what_is_there(workspace: Workspace) -> None:
    found = workspace.stats()
    assert found.head == workspace.position > 0
    assert found.index_position <= found.head
    assert found.index_notice == ""
    assert found.documents == {"live": 3}
    assert found.runs == {"succeeded": 1}
    assert found.quads == sum(found.graphs.values())
    assert found.graph_count["runs"] == 1
    assert found.graph_count["current"] == 3
    assert found.classes[AITIA.Document.value] == 3
    assert found.bytes["store"] > 0
