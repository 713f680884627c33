"""The W3C SHACL test suite, run through `aitia.gate`."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from pyoxigraph import BlankNode, Literal, NamedNode, Quad, RdfFormat, parse

from aitia.errors import UsageError
from aitia.gate import Gate
from aitia.gate.index import Index, Term

SH = "http://www.w3.org/ns/shacl#"
SHT = "http://www.w3.org/ns/shacl-test#"
MF = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
TESTS = 114
DISAGREE = {
    "uniqueLang-002": "pySHACL takes sh:uniqueLang 1 for true, the test for nothing",
    "shapesGraph-001": "pySHACL does not bind $shapesGraph",
}
PARTS = (
    "focusNode", "resultPath", "value", "resultSeverity", "sourceConstraintComponent",
    "sourceShape",
)  # fmt: skip


def sh(name: str) -> NamedNode:
    return NamedNode(SH + name)


def load(path: Path) -> list[Quad]:
    return list(parse(path=str(path), base_iri=path.as_uri(), format=RdfFormat.TURTLE))


def index(quads: Iterable[Quad]) -> Index:
    return Index(quad.triple for quad in quads)


def local(iri: Term | None, here: Path) -> Path:
    assert isinstance(iri, NamedNode)
    return (
        here if iri.value == here.as_uri() else here.parent / iri.value.split("/")[-1]
    )


def text(graph: Index, term: Term | None) -> str:
    """A term for comparison: blank nodes all alike, but for paths and lists."""
    if term is None:
        return ""
    if not isinstance(term, BlankNode):
        return str(term)
    parts = sorted(
        f"{predicate.value} {text(graph, value)}"
        for predicate in graph.predicates(term)
        if (predicate.value.startswith((SH, RDF)) and "Path" in predicate.value)
        or predicate.value in (RDF + "first", RDF + "rest")
        for value in graph.objects(term, predicate)
    )
    return "[" + "; ".join(parts) + "]"


def results(graph: Index, report: Term) -> Counter[tuple[str, ...]]:
    """The results of a report, each as comparable text."""
    return Counter(
        tuple(text(graph, graph.value(result, sh(part))) for part in PARTS)
        for result in graph.objects(report, sh("result"))
    )


def agrees(path: Path, graph: Index, test: Term) -> bool:
    action = graph.value(test, NamedNode(MF + "action"))
    expected = graph.value(test, NamedNode(MF + "result"))
    assert action is not None
    assert expected is not None
    data = load(local(graph.value(action, NamedNode(SHT + "dataGraph")), path))
    shapes = local(graph.value(action, NamedNode(SHT + "shapesGraph")), path)
    fails = expected == NamedNode(SHT + "Failure")
    try:
        report = Gate().validate(
            data, {"shapes": shapes.read_text("utf-8")}, {"shapes": shapes.as_uri()}
        )
    except UsageError:
        return fails
    if fails:
        return False
    told = index(parse(report.turtle.encode(), format=RdfFormat.TURTLE))
    (node,) = told.subjects(sh("conforms"))
    conforms = graph.value(expected, sh("conforms"))
    assert isinstance(conforms, Literal)
    same = told.value(node, sh("conforms")) == conforms
    return same and set(results(told, node)) == set(results(graph, expected))


def suite(folder: Path) -> list[tuple[Path, Index, Term]]:
    found: list[tuple[Path, Index, Term]] = []
    for path in sorted(folder.rglob("*.ttl")):
        graph = index(load(path))
        tests = graph.subjects(NamedNode(RDF + "type"), NamedNode(SHT + "Validate"))
        found += [(path, graph, test) for test in tests]
    return found


def test_as_many_of_the_w3c_tests_agree_as_with_pyshacl_alone(
    shared_data: Path,
) -> None:
    folder = shared_data / "shacl_test_suite" / "data-shapes-test-suite" / "tests"
    if not folder.is_dir():
        pytest.skip(f"the W3C SHACL test suite is not at {folder}")
    tests = suite(folder)
    bad = {
        str(test).rsplit("/", 1)[-1].rstrip(">")
        for path, graph, test in tests
        if not agrees(path, graph, test)
    }
    assert len(tests) >= TESTS
    assert bad <= set(DISAGREE)
