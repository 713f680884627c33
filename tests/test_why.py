"""Why: the walk, the links, the ways, and where chains end."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.errors import NotFound
from aitia.model import causal
from aitia.model.graph import CausalGraph
from aitia.model.links import LINKS
from aitia.vocab import AITIA, DCTERMS, PROV, RDF
from aitia.why import explain
from aitia.why.describe import local
from aitia.why.paths import path_to
from tests.causes import (
    GRAPH,
    RUN,
    Arc,
    blobs,
    graphs,
    node,
    quads_of,
    store_of,
    walked,
    ways,
)

NOWHERE = Path("/nonexistent")


def why(
    arcs: list[Arc],
    start: int = 0,
    *,
    depth: int | None = None,
    limit: int | None = None,
) -> CausalGraph:
    store = store_of(quads_of(arcs))
    return explain(store, blobs(NOWHERE), node(start), depth=depth, limit=limit)


def expected_links(arcs: list[Arc], nodes: set[int]) -> list[tuple[str, str, str]]:
    return sorted(
        (node(arc.effect).value, node(arc.cause).value, local(arc.kind))
        for arc in arcs
        if arc.effect in nodes and arc.cause in nodes
    )


@settings(max_examples=60, deadline=None)
@given(st.booleans().flatmap(lambda cyclic: graphs(cyclic=cyclic)))
def test_it_finds_what_a_plain_walk_finds_each_node_and_link_once(
    arcs: list[Arc],
) -> None:
    graph = why(arcs)
    behind = walked(arcs, 0)
    assert {n.iri: n.depth for n in graph.nodes.values()} == {
        node(number).value: depth for number, depth in behind.items()
    }
    found = sorted((x.effect, x.cause, x.kind) for x in graph.links)
    assert found == expected_links(arcs, set(behind))
    assert list(graph.nodes) == sorted(graph.nodes, key=lambda n: graph.nodes[n].depth)


@settings(max_examples=30, deadline=None)
@given(graphs(cyclic=True), st.integers(0, 4))
def test_depth_keeps_the_nearest_and_says_what_it_leaves_out(
    arcs: list[Arc], depth: int
) -> None:
    graph = why(arcs, depth=depth)
    behind = walked(arcs, 0)
    near = {number for number, away in behind.items() if away <= depth}
    assert set(graph.nodes) == {node(number).value for number in near}
    assert graph.total_nodes == len(behind)
    for number in near:
        left_out = {a.cause for a in arcs if a.effect == number} - near
        assert graph.nodes[node(number).value].hidden == len(left_out)


@settings(max_examples=30, deadline=None)
@given(graphs(cyclic=True), st.sampled_from(["observed", "tested", "computed"]))
def test_a_basis_is_followed_alone(arcs: list[Arc], basis: str) -> None:
    kept = [
        arc
        for arc in arcs
        if basis
        == ("computed" if arc.confidence is not None else local(LINKS[arc.kind].basis))
    ]
    store = store_of(quads_of(arcs))
    graph = explain(store, blobs(NOWHERE), node(0), bases=[basis])
    behind = walked(kept, 0)
    assert set(graph.nodes) == {node(number).value for number in behind}
    found = sorted((x.effect, x.cause, x.kind) for x in graph.links)
    assert found == expected_links(kept, set(behind))
    ends = {n.iri for n in graph.roots()}
    cut = {node(a.effect).value for a in arcs} & ends
    assert all(graph.nodes[n].ending == "its causes stand on other bases" for n in cut)


def test_two_kinds_between_two_nodes_are_two_links() -> None:
    arcs = [Arc(0, 1, AITIA.supports, 0.5), Arc(0, 1, AITIA.derivesFrom)]
    graph = why(arcs)
    assert {x.kind for x in graph.links} == {"supports", "derivesFrom"}
    assert graph.total_links == 1


def test_a_link_tells_basis_sign_and_confidence() -> None:
    arcs = [
        Arc(0, 1, AITIA.supports, 0.75),
        Arc(0, 2, AITIA.contradicts),
        Arc(0, 3, AITIA.usedTool),
    ]
    links = {x.kind: x for x in why(arcs).links}
    told = links["supports"]
    assert (told.basis, told.sign, told.confidence) == ("computed", 1, 0.75)
    assert told.confidence_rule == "a rule"
    assert told.node.startswith(f"{terms.BASE}link:")
    assert (links["contradicts"].basis, links["contradicts"].sign) == ("tested", -1)
    assert (links["usedTool"].basis, links["usedTool"].sign) == ("observed", 0)
    assert links["usedTool"].confidence is None


def test_evidence_for_and_against_is_told_apart() -> None:
    arcs = [Arc(0, 1, AITIA.supports, 0.4), Arc(0, 2, AITIA.refutes, 0.9)]
    graph = why([*arcs, Arc(0, 3, AITIA.produced)])
    supporting, against = graph.evidence(node(0).value)
    assert [x.cause for x in supporting] == [node(1).value]
    assert [x.cause for x in against] == [node(2).value]
    assert graph.links[0].confidence == 0.9  # the surest first


def test_a_bare_cause_has_a_link_too() -> None:
    store = store_of([Quad(node(0), AITIA.hasCause, node(1), GRAPH)])
    (found,) = explain(store, blobs(NOWHERE), node(0)).links
    assert (found.kind, found.basis) == ("hasCause", "")


def test_what_was_inferred_is_marked() -> None:
    graph = terms.GRAPH_INFERRED
    store = store_of([Quad(node(0), AITIA.hasCause, node(1), graph)])
    (found,) = explain(store, blobs(NOWHERE), node(0)).links
    assert found.inferred
    assert found.basis == "inferred"


def test_a_run_stands_for_its_answer_or_conclusion() -> None:
    def run_with(*kinds: NamedNode) -> str:
        quads = [Quad(RUN, RDF.type, AITIA.Run, GRAPH)]
        for kind in kinds:
            made = terms.part(RUN, local(kind).lower())
            quads.append(Quad(made, RDF.type, kind, GRAPH))
            quads.append(Quad(made, AITIA.inRun, RUN, GRAPH))
        return explain(store_of(quads), blobs(NOWHERE), RUN).start

    assert run_with(AITIA.Decision, AITIA.Answer) == f"{RUN.value}/answer"
    assert run_with(AITIA.Abstention) == f"{RUN.value}/abstention"
    assert run_with() == RUN.value


def test_prov_links_of_a_persons_file_are_followed_as_claims() -> None:
    ends = [NamedNode(f"http://e/{name}") for name in "abc"]
    document = NamedNode("urn:aitia:doc:0123456789ab")
    quads = [
        Quad(ends[0], PROV.wasDerivedFrom, ends[1], document),
        Quad(ends[1], PROV.wasDerivedFrom, ends[0], document),
        Quad(ends[1], PROV.wasGeneratedBy, ends[2], document),
    ]
    graph = explain(store_of(quads), blobs(NOWHERE), ends[0])
    assert set(graph.nodes) >= {end.value for end in ends}
    told = {(x.effect, x.cause, x.kind) for x in graph.links if x.basis == "claimed"}
    assert told == {
        ("http://e/a", "http://e/b", "wasDerivedFrom"),
        ("http://e/b", "http://e/a", "wasDerivedFrom"),
        ("http://e/b", "http://e/c", "wasGeneratedBy"),
    }


def _quoted(
    folder: Path, exact: str, start: int, end: int, *, keep: bool = True
) -> CausalGraph:
    kept = blobs(folder)
    text = "甲 Pump A feeds 👩‍🔧 tank B."
    document = NamedNode("urn:aitia:doc:0123456789ab")
    passage, quote = (
        terms.passage_iri(document, 0, len(text)),
        terms.part(RUN, "quote", 1),
    )
    values: list[tuple[NamedNode, NamedNode, NamedNode | Literal]] = [
        (document, RDF.type, AITIA.Document),
        (document, AITIA.path, Literal("notes/pump.txt")),
        (document, AITIA.textHash, Literal(kept.put(text.encode()))),
        (document, AITIA.documentState, AITIA.superseded),
        (passage, RDF.type, AITIA.Passage),
        (passage, DCTERMS.isPartOf, document),
        (passage, AITIA.start, terms.integer(0)),
        (passage, AITIA.end, terms.integer(len(text))),
        (quote, RDF.type, AITIA.Quote),
        (quote, DCTERMS.isPartOf, passage),
        (quote, AITIA.start, terms.integer(start)),
        (quote, AITIA.end, terms.integer(end)),
        (quote, AITIA.exact, Literal(exact)),
    ]
    quads = [Quad(*value, terms.GRAPH_CATALOG) for value in values]
    quads += causal(quote, AITIA.derivesFrom, passage, GRAPH)
    texts = kept if keep else blobs(folder / "elsewhere")
    return explain(store_of(quads), texts, quote)


def test_a_quote_is_checked_against_the_stored_text(tmp_path: Path) -> None:
    graph = _quoted(tmp_path, "Pump A", 2, 8)
    place = graph.nodes[graph.start].place
    assert place is not None
    assert (place.exact, place.matches, place.problem) == ("Pump A", True, "")
    assert (place.path, place.state) == ("notes/pump.txt", "superseded")
    (root,) = graph.roots()
    assert root.ending == "passage of notes/pump.txt, characters 0 to 26"


def test_a_quote_that_no_longer_matches_says_so(tmp_path: Path) -> None:
    graph = _quoted(tmp_path, "Pump B", 2, 8)
    place = graph.nodes[graph.start].place
    assert place is not None
    assert (place.exact, place.matches) == ("Pump A", False)


def test_a_quote_beyond_the_text_or_of_a_lost_text_says_why(tmp_path: Path) -> None:
    place = _quoted(tmp_path, "Pump B", 20, 999).nodes[f"{RUN.value}/quote/1"].place
    assert place is not None
    assert "only 26 characters" in place.problem
    assert place.matches is False


def test_a_lost_text_is_told(tmp_path: Path) -> None:
    graph = _quoted(tmp_path, "Pump A", 2, 8, keep=False)
    place = graph.nodes[graph.start].place
    assert place is not None
    assert "There is no blob" in place.problem
    assert place.matches is False


@settings(max_examples=40, deadline=None)
@given(graphs(cyclic=False), st.integers(1, 11))
def test_ways_are_counted_and_the_strongest_come_first(
    arcs: list[Arc], goal: int
) -> None:
    store = store_of(quads_of(arcs))
    expected = ways(arcs, 0, goal)
    if not expected:
        with pytest.raises(NotFound):
            path_to(store, blobs(NOWHERE), node(0), node(goal))
        return
    paths, graph = path_to(store, blobs(NOWHERE), node(0), node(goal))
    assert paths.count == len(expected)
    assert not paths.cyclic
    assert len(paths.shortest) == min(len(way) for way in expected) - 1
    strengths = [strength for strength, _ in paths.strongest]
    assert len(strengths) == min(10, len(expected))
    assert strengths == sorted(strengths, reverse=True)
    sure = {(a.effect, a.cause): 1.0 for a in arcs}
    sure |= {(a.effect, a.cause): a.confidence for a in arcs if a.confidence}
    best = max(_strength(way, sure) for way in expected)
    assert strengths[0] == pytest.approx(best)
    on_ways = {node(number).value for way in expected for number in way}
    assert set(graph.nodes) == on_ways


def _strength(way: list[int], sure: dict[tuple[int, int], float]) -> float:
    product = 1.0
    for pair in pairwise(way):
        product *= sure[pair]
    return product


@settings(max_examples=30, deadline=None)
@given(graphs(cyclic=True), st.integers(1, 11))
def test_ways_through_cycles_end(arcs: list[Arc], goal: int) -> None:
    store = store_of(quads_of(arcs))
    expected = ways(arcs, 0, goal)
    if not expected:
        return
    paths, _ = path_to(store, blobs(NOWHERE), node(0), node(goal))
    assert len(paths.shortest) == min(len(way) for way in expected) - 1
    assert len(paths.strongest) == min(10, len(expected))
    assert paths.count >= 1
    for _, links in paths.strongest:
        passed = [links[0].effect, *(link.cause for link in links)]
        assert len(passed) == len(set(passed))


def test_many_ways_are_counted_not_listed() -> None:
    layers = 60
    arcs = [
        Arc(layer * 3 + a, (layer + 1) * 3 + b)
        for layer in range(layers)
        for a in range(3)
        for b in range(3)
        if layer or a == 0
    ]
    store = store_of(quads_of(arcs))
    paths, _ = path_to(store, blobs(NOWHERE), node(0), node(layers * 3))
    assert paths.count == 3 ** (layers - 1)
    assert len(paths.shortest) == layers
    assert len(paths.strongest) == 10


def test_a_chain_of_thousands_is_walked() -> None:
    arcs = [Arc(i, i + 1) for i in range(3000)]
    graph = why(arcs, limit=200)
    assert (len(graph.nodes), graph.total_nodes) == (200, 3001)
