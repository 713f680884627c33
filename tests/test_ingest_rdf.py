"""RDF files: strict, skolemised, cut at statements, judged as they stand."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from pyoxigraph import (
    BlankNode,
    Literal,
    NamedNode,
    Quad,
    RdfFormat,
    parse,
    serialize,
)

from aitia.errors import ReadError
from aitia.ingest import rdfspans, skolem
from aitia.ingest.literals import rewritten
from aitia.ingest.skolem import skolemised
from tests.ingest_desk import Desk, desk

E = "http://e/"
PREFIX = f"@prefix e: <{E}> .\n"


@pytest.fixture
def open_desk(tmp_path: Path) -> Iterator[Desk]:
    with desk(tmp_path) as found:
        yield found


FORMS = {
    "a.ttl": RdfFormat.TURTLE,
    "a.trig": RdfFormat.TRIG,
    "a.nt": RdfFormat.N_TRIPLES,
    "a.nq": RdfFormat.N_QUADS,
    "a.rdf": RdfFormat.RDF_XML,
    "a.jsonld": RdfFormat.JSON_LD,
}


@pytest.mark.parametrize("name", FORMS)
def test_six_formats_are_read(open_desk: Desk, name: str) -> None:
    quads = list(parse(PREFIX + 'e:x e:p "1" ; e:q e:y .', format=RdfFormat.TURTLE))
    data = serialize(quads, format=FORMS[name])
    assert data is not None
    report = open_desk.take(name, data)
    assert report.facts == 2
    assert open_desk.said(NamedNode(E + "x"), NamedNode(E + "p")) == ["1"]
    assert report.passages >= 1


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.nt", "<http://e/a> <http://e/p> <http://e/b c> .\n", "line 1 column"),
        ("a.ttl", PREFIX + "e:x e:p\n", "line 3 column 1, at its end"),
        ("a.ttl", PREFIX + "e:x e:p nope:y .", "line 2 column 9, near 'nope:y"),
        ("a.rdf", "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\n<a></rdf:RDF>",
         "line 2 column"),
        ("a.jsonld", '{"@context": {},\n "@id": "http://e/b c"}', "'http://e/b c' is not valid, at line 2"),
        ("b.jsonld", '{"@context": "http://127.0.0.1:9/c", "@id": "http://e/b"}', "nothing is fetched"),
    ],
)  # fmt: skip
def test_errors_tell_the_place_and_nothing_is_taken(
    open_desk: Desk, name: str, text: str, told: str
) -> None:
    open_desk.write(name, text)
    [report] = open_desk.ingest(name).files
    assert report.outcome == "failed"
    assert told in report.reason
    assert not list(open_desk.store.quads(None, NamedNode(E + "p")))


def test_blank_nodes_are_named_alike_each_time(open_desk: Desk) -> None:
    text = PREFIX + 'e:x e:addr [ e:city "Ulm" ] .'
    first = open_desk.take("f.ttl", text)
    before = {q.triple for q in open_desk.store.quads(graph=NamedNode(first.document))}
    second = open_desk.take("g.ttl", text)
    after = {q.triple for q in open_desk.store.quads(graph=NamedNode(second.document))}
    assert before == after
    [address] = open_desk.said(NamedNode(E + "x"), NamedNode(E + "addr"))
    assert address.startswith("urn:data:genid/")


def ring(size: int) -> list[Quad]:
    nodes = [BlankNode(f"n{number}") for number in range(size)]
    link = NamedNode(E + "next")
    return [Quad(a, link, b) for a, b in zip(nodes, nodes[1:] + nodes[:1], strict=True)]


def clique(size: int) -> list[Quad]:
    nodes = [BlankNode(f"n{number}") for number in range(size)]
    link = NamedNode(E + "knows")
    return [Quad(a, link, b) for a, b in combinations(nodes, 2)] + [
        Quad(b, link, a) for a, b in combinations(nodes, 2)
    ]


def test_blank_node_bombs_are_refused_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(skolem, "SECONDS", 2.0)
    with pytest.raises(ReadError, match="so alike that they could not be told apart"):
        skolemised(clique(12), "0" * 64)
    monkeypatch.setattr(skolem, "MOST", 5)
    with pytest.raises(ReadError, match="6 blank nodes, more than 5"):
        skolemised(ring(6), "0" * 64)


def test_small_rings_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    named = skolemised(ring(5), "0" * 64)
    assert len({quad.subject for quad in named}) == 5


TERMS = st.sampled_from(
    [NamedNode(E + "a"), BlankNode("x"), BlankNode("y"), BlankNode("z")]
)
OBJECTS = TERMS | st.sampled_from([Literal("1"), Literal("2")])


@given(
    st.sets(
        st.builds(lambda s, o: Quad(s, NamedNode(E + "p"), o), TERMS, OBJECTS),
        max_size=6,
    )
)
@settings(deadline=None, max_examples=40)
def test_naming_does_not_depend_on_labels_or_order(quads: set[Quad]) -> None:
    def renamed(term: object) -> object:
        return BlankNode("other" + term.value) if isinstance(term, BlankNode) else term

    other = [Quad(renamed(q.subject), q.predicate, renamed(q.object)) for q in quads]  # type: ignore[arg-type]
    first = set(skolemised(quads, "0" * 64))
    assert set(skolemised(reversed(other), "0" * 64)) == first
    assert len(first) == len(quads)


def test_statements_are_found_with_their_subjects() -> None:
    text = (
        "@prefix e: <http://e/> . # a. comment\n"
        'e:a e:p "x. y" , """long . text""" ; e:q 1.5 .\n'
        "<http://e/b> e:p e:c.d . e:d e:p ( 1 2 ).\n"
    )
    found = [(text[s:e], subject) for s, e, subject in rdfspans.of_turtle(text)]
    assert [subject for _, subject in found] == ["", "e:a", "<http://e/b>", "e:d"]
    assert found[1][0].startswith("# a. comment")
    assert found[1][0].endswith("1.5 .")
    assert found[2][0] == "<http://e/b> e:p e:c.d ."


def test_statements_of_graphs_belong_to_their_subjects() -> None:
    text = "PREFIX e: <http://e/>\nGRAPH e:g { e:a e:p 1 . e:b e:p 2 }\n"
    found = [(text[s:e], subject) for s, e, subject in rdfspans.of_turtle(text)]
    assert found == [
        ("PREFIX e: <http://e/>", ""),
        ("GRAPH e:g { e:a e:p 1 .", "e:a"),
        ("e:b e:p 2 }", "e:b"),
    ]


@given(st.text("eabp:<>\"'.;,[](){}# \n@\\1", max_size=80))
def test_any_text_is_cut_into_statements_in_order(text: str) -> None:
    last = 0
    for start, end, _ in rdfspans.of_turtle(text):
        assert last <= start <= end <= len(text)
        assert not text[last:start].strip()
        last = end
    assert not text[last:].strip()


def test_rdf_passages_describe_their_subjects(open_desk: Desk) -> None:
    text = PREFIX + 'e:x e:p "1" .\n<y> e:p "2" .\n'
    report = open_desk.take("f.ttl", text)
    words = [words for _, words in open_desk.passages(report)]
    assert words == [PREFIX.strip(), 'e:x e:p "1" .', '<y> e:p "2" .']
    described = {
        quad.object
        for quad in open_desk.store.quads(
            None, NamedNode("https://w3id.org/aitia/ns#describes")
        )
    }
    assert NamedNode(E + "x") in described
    assert len(described) == 2


def test_what_the_store_rewrites_is_counted_and_what_is_ill_typed_is_told(
    open_desk: Desk,
) -> None:
    xsd = "http://www.w3.org/2001/XMLSchema#"
    text = (
        PREFIX + f'e:x e:n "007"^^<{xsd}integer> ; e:l "a"@en-GB, "b"@de ; e:s "007" ;'
        f' e:d "2024-02-30"^^<{xsd}date> .'
    )
    quads = [q for q in parse(text, format=RdfFormat.TURTLE) if isinstance(q, Quad)]
    assert rewritten(quads) == 1
    assert rdfspans.lowered_tags(text, "turtle") == 1
    report = open_desk.take("x.ttl", text)
    assert report.rewritten == 2
    [told] = report.warnings
    assert "http://e/x" in told
    assert "2024-02-30" in told


def test_forged_runs_and_system_graphs_are_refused_and_put_on_record(
    open_desk: Desk,
) -> None:
    open_desk.write(
        "run.ttl",
        "@prefix a: <https://w3id.org/aitia/ns#> . <http://e/d> a a:Decision .",
    )
    open_desk.write(
        "graph.trig", "<urn:aitia:graph:ledger> { <http://e/a> <http://e/p> 1 }"
    )
    for report in open_desk.ingest("run.ttl", "graph.trig").files:
        assert report.outcome == "refused", report
        assert report.reason
    kind = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
    refused = NamedNode("https://w3id.org/aitia/ns#RefusedOperation")
    assert len(list(open_desk.store.quads(None, kind, refused))) == 2
    assert not list(open_desk.store.quads(NamedNode("http://e/d")))


def test_a_shared_graph_keeps_what_another_document_states(open_desk: Desk) -> None:
    graph = NamedNode(E + "g")
    open_desk.take("a.trig", PREFIX + "e:g { e:x e:p 1, 2, 007 }")
    second = open_desk.take("b.trig", PREFIX + "e:g { e:x e:p 2, 3 }")
    open_desk.workspace.delete(open_desk.folder / "a.trig")
    assert open_desk.said(NamedNode(E + "x"), NamedNode(E + "p")) == ["2", "3"]
    open_desk.workspace.delete(second.document)
    assert not list(open_desk.store.quads(graph=graph))


def files(shared: Path) -> list[Path]:
    ends = ("*.ttl", "*.nt", "*.jsonld", "*.rdf", "*.owl", "*.trig")
    found = [path for end in ends for path in (shared / "prov").rglob(end)]
    return sorted(found)


def test_every_rdf_file_of_the_provenance_corpus_loads(
    open_desk: Desk, shared_data: Path
) -> None:
    found = files(shared_data)
    if not found:
        pytest.skip("the provenance corpus is absent")
    for number, path in enumerate(found):
        name = f"{number}{path.suffix}"
        open_desk.write(name, path.read_bytes())
        [report] = open_desk.ingest(name).files
        assert report.outcome == "added", (path, report.reason)
        assert report.facts > 0
