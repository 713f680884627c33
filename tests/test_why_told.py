"""How a causal graph is told: tree, data, drawings, page."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from pyoxigraph import Literal, Quad, RdfFormat, parse

from aitia.errors import UsageError
from aitia.model.graph import CausalGraph
from aitia.vocab import AITIA
from aitia.why import explain
from aitia.why.paths import path_to
from aitia.why.render import FORMATS, render, tree, ways
from tests.causes import GRAPH, Arc, blobs, graphs, node, quads_of, store_of, walked

NOWHERE = Path("/nonexistent")
HOSTILE = (
    'Item </script><script>document.title="owned"</script><img src=x onerror=alert(1)>'
    ' [x](javascript:alert(2)) \u2028 \x1b[31m \u202e end "quoted" \\ `tick` %%{init}%% #'
)


def told(arcs: list[Arc], *more: Quad, limit: int | None = None) -> CausalGraph:
    store = store_of([*quads_of(arcs), *more])
    return explain(store, blobs(NOWHERE), node(0), limit=limit)


def hostile() -> CausalGraph:
    quads = [Quad(node(2), AITIA.error, Literal(HOSTILE), GRAPH)]
    store = store_of(
        [
            *(q for q in quads_of([Arc(0, 1), Arc(1, 2)]) if q.predicate != AITIA.text),
            *(Quad(node(n), AITIA.text, Literal(HOSTILE), GRAPH) for n in range(3)),
            *quads,
        ]
    )
    return explain(store, blobs(NOWHERE), node(0))


@settings(max_examples=40, deadline=None)
@given(graphs(cyclic=True))
def test_the_tree_tells_each_node_and_each_link_once(arcs: list[Arc]) -> None:
    graph = told(arcs)
    lines = render(graph, "tree").splitlines()
    ids = [re.search(r"testtest/obs/(\d+)( \(told above\))?$", x) for x in lines]
    named = [found for found in ids if found]
    in_full = [int(found[1]) for found in named if not found[2]]
    behind = set(walked(arcs, 0)) if arcs else {0}
    if arcs:
        assert set(in_full) == behind
    # Every line but the first is one link; a node without causes may end many.
    assert len(named) == len(graph.links) + 1
    with_causes = {a.effect for a in arcs} & behind
    assert all(in_full.count(number) == 1 for number in with_causes)


def test_the_tree_says_where_each_chain_ends() -> None:
    text = render(told([Arc(0, 1), Arc(0, 2)]), "tree")
    assert text.count("the chain ends here: no further cause is recorded") == 2
    assert "3 nodes, 2 links" in text


def test_a_cycle_is_told_and_ends() -> None:
    text = render(told([Arc(0, 1), Arc(1, 0)]), "tree")
    assert text.splitlines()[2].endswith("run:testtest/obs/0 (told above)")


def test_the_tree_names_sign_basis_and_rule() -> None:
    text = render(told([Arc(0, 1, AITIA.contradicts, 0.25)]), "tree")
    assert "contradicted (−) by [computed, confidence 0.25 by r1]" in text
    assert "r1: a rule" in text


def test_roots_are_listed_alone() -> None:
    text = tree.roots(told([Arc(0, 1), Arc(1, 2), Arc(0, 3)]))
    assert [x.split()[-1] for x in text.splitlines() if x.startswith("•")] == [
        "run:testtest/obs/3",
        "run:testtest/obs/2",
    ]


def test_json_holds_every_node_and_link() -> None:
    graph = told([Arc(0, 1, AITIA.supports, 0.5), Arc(1, 2)])
    whole = json.loads(render(graph, "json"))
    assert whole["start"] == node(0).value
    assert [item["iri"] for item in whole["nodes"]] == list(graph.nodes)
    assert len(whole["links"]) == 2
    assert whole["roots"] == [node(2).value]
    assert whole["links"][0]["confidence"] == 0.5


def test_turtle_states_what_is_on_record() -> None:
    arcs = [Arc(0, 1, AITIA.supports, 0.5), Arc(1, 2), Arc(2, 0, AITIA.produced)]
    triples = {q.triple for q in parse(render(told(arcs), "turtle"), RdfFormat.TURTLE)}
    stated = {q.triple for q in quads_of(arcs)}
    kinds = (AITIA.hasCause, AITIA.supports, AITIA.derivesFrom, AITIA.produced)
    assert {t for t in triples if t.predicate in kinds} == {
        t for t in stated if t.predicate in kinds
    }
    assert {t for t in triples if t.predicate == AITIA.linkFrom} <= stated


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.opened = 0
        self.links: list[str] = []
        self.ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        named = dict(attrs)
        assert not any(name.startswith("on") for name in named)
        assert "src" not in named
        self.opened += tag == "details" and "open" in named
        if tag == "a":
            self.links.append(named["href"] or "")
        if "id" in named:
            self.ids.add(named["id"] or "")


def test_the_page_runs_nothing_and_fetches_nothing() -> None:
    text = render(hostile(), "html")
    page = _Page()
    page.feed(text)
    assert not {"script", "img", "iframe", "object", "link"} & set(page.tags)
    assert "</script><script>document" not in text
    assert "default-src 'none'" in text
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)


def test_the_page_is_collapsed_and_limited() -> None:
    text = render(told([Arc(i, i + 1) for i in range(5000)], limit=200), "html")
    page = _Page()
    page.feed(text)
    assert "showing 200 of 5,001" in text
    assert page.tags.count("details") == 200
    assert page.opened == 1
    assert len(text) < 300_000


@pytest.mark.parametrize("form", ["tree", "mermaid", "dot", "html"])
def test_no_text_steers_a_terminal(form: str) -> None:
    text = render(hostile(), form)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u202e]", text)


def test_mermaid_labels_are_quoted() -> None:
    for line in render(hostile(), "mermaid").splitlines()[1:]:
        if line.lstrip().startswith("%%"):
            continue
        assert line.count('"') == 2
        inside = line.split('"')[1]
        assert not set(inside) & set("<>[]{}\\`|%")


def test_dot_labels_are_quoted() -> None:
    for line in render(hostile(), "dot").splitlines():
        bare = re.sub(r'"(?:[^"\\]|\\.)*"', "", line)
        assert '"' not in bare
        assert "<" not in bare


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(UsageError):
        render(told([Arc(0, 1)]), "pdf")
    assert set(FORMATS) == {"tree", "json", "turtle", "mermaid", "dot", "html"}


def test_ways_are_told_in_words_and_as_data() -> None:
    arcs = [Arc(0, 1), Arc(1, 3), Arc(0, 2), Arc(2, 3, AITIA.supports, 0.5)]
    store = store_of(quads_of(arcs))
    paths, graph = path_to(store, blobs(NOWHERE), node(0), node(3))
    text = ways.text(paths, graph)
    assert "There are 2 ways." in text
    assert "strength 0.5, 2 links" in text
    whole = json.loads(ways.as_json(paths))
    assert whole["count"] == 2
    assert len(whole["strongest"]) == 2
