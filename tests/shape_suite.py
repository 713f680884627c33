"""Cases of the shapes suite: a valid world, and edits that each break one shape."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pyoxigraph import BlankNode, RdfFormat, Triple, parse
from rdflib import RDF, RDFS, SH, BNode, Graph, URIRef
from rdflib.term import Node

from aitia import resources
from aitia.gate.index import Index, text_of
from aitia.gate.judge import Judge
from aitia.gate.rdf import Facts, Terms
from aitia.gate.shapes import read
from tests.graphs import term

FOLDER = Path(__file__).parent / "suites" / "shapes"
SHAPE = "https://w3id.org/aitia/shapes#"
MODEL = "model.ttl"
ONTOLOGY = Graph().parse(data=resources.text("ontology", "aitia.ttl"))
AXIOMS = list(ONTOLOGY.triples((None, RDFS.subClassOf, None)))
PREFIXES = "".join(
    f"{line}\n"
    for line in (FOLDER / "valid.ttl").read_text(encoding="utf-8").splitlines()
    if line.startswith("@prefix")
)


def shapes(*, model: bool = False) -> Graph:
    """The shapes that judge everything, or those that judge a model's patches."""
    graph = Graph()
    for name, text in resources.turtle("shapes").items():
        if (name == MODEL) == model:
            graph.parse(data=text)
    return graph


@cache
def valid(name: str = "valid.ttl") -> Graph:
    """A valid world of the suite, its literals as they are written; do not edit it."""
    return turtle((FOLDER / name).read_text(encoding="utf-8"))


def turtle(text: str) -> Graph:
    """Parse Turtle without rewriting a literal."""
    graph = Graph(bind_namespaces="none")
    for quad in parse(text, format=RdfFormat.TURTLE):
        graph.add(plain(quad.triple))
    return graph


def plain(triple: Triple) -> tuple[Node, Node, Node]:
    """One triple in rdflib's terms."""
    subject, predicate, value = (
        BNode(part.value) if isinstance(part, BlankNode) else term(part)
        for part in (triple.subject, triple.predicate, triple.object)
    )
    return subject, predicate, value


def broken(data: Graph, rules: Graph) -> set[str]:
    """Local names of the shapes that pySHACL, on the whole graph, finds broken."""
    return {name.removeprefix(SHAPE) for name in map(str, sources(data, rules))}


def found(data: Graph, *, model: bool = False) -> set[str]:
    """Local names of the shapes that the gate, on the whole graph, finds broken.

    It is pySHACL with its constraints kept, fifteen times as fast; that both say the
    same is tested.
    """
    results, _ = _judge(model).judge_all(Facts([*data, *AXIOMS]))
    return {text_of(result.shape).removeprefix(SHAPE) for result in results}


@cache
def _judge(model: bool) -> Judge:
    texts = resources.turtle("shapes")
    chosen = {name: text for name, text in texts.items() if (name == MODEL) == model}
    triples = (t for name, text in chosen.items() for t in read(text, name))
    return Judge(Index(triples), Terms())


def sources(data: Graph, rules: Graph) -> Iterator[Node]:
    """The shapes that pySHACL reports."""
    import pyshacl

    whole = Graph(bind_namespaces="none")
    for triple in (*data, *AXIOMS):
        whole.add(triple)
    conforms, report, _ = pyshacl.validate(whole, shacl_graph=rules)
    found = list(report.objects(None, SH.sourceShape))
    assert conforms == (not found)
    yield from found


@dataclass(frozen=True)
class Case:
    """An edit of the valid world, and the one shape that it breaks.

    Attributes:
        shape: Local name of the shape.
        edits: The lines that say what is done.
    """

    shape: str
    edits: tuple[str, ...]

    def apply(self, world: Graph) -> Graph:
        """Return an edited copy of `world`."""
        graph = Graph(bind_namespaces="none")
        for triple in world:
            graph.add(triple)
        for line in self.edits:
            edit(graph, line)
        return graph


def edit(graph: Graph, line: str) -> None:
    """Do what one line says; a line that changes nothing is a mistake."""
    before = set(graph)
    sign, rest = line.split(maxsplit=1)
    if sign == "blank":
        blank(graph, rest)
    elif sign == "-" and not rest.endswith("."):
        ((subject, predicate, _),) = turtle(f"{PREFIXES} {rest} [] .")
        graph.remove((subject, predicate, None))
    else:
        for triple in turtle(f"{PREFIXES} {rest}"):
            if sign == "=":
                graph.remove((*triple[:2], None))
            (graph.remove if sign == "-" else graph.add)(triple)
    assert set(graph) != before, f"{line!r} changes nothing"


def blank(graph: Graph, name: str) -> None:
    """Make a node a blank one wherever it stands."""
    ((node, _, _),) = turtle(f"{PREFIXES} {name} a [] .")
    for triple in list(graph):
        if node in triple:
            graph.remove(triple)
            first, second, third = (BNode("x") if p == node else p for p in triple)
            graph.add((first, second, third))


def cases(name: str) -> list[Case]:
    """The cases of a file: blocks parted by empty lines, `#` for remarks."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    blocks = (
        [line for line in block.splitlines() if line and not line.startswith("#")]
        for block in text.split("\n\n")
    )
    return [
        Case(lines[0].removeprefix("shape:"), tuple(lines[1:]))
        for lines in blocks
        if lines
    ]


def names(rules: Graph) -> dict[str, URIRef]:
    """Local name → IRI of every shape."""
    kinds = (SH.NodeShape, SH.PropertyShape)
    return {
        str(node).removeprefix(SHAPE): node
        for kind in kinds
        for node in rules.subjects(RDF.type, kind)
        if isinstance(node, URIRef)
    }
