"""Code, queries, shapes and documents speak only of terms that the ontology declares."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyoxigraph import NamedNode, RdfFormat, Store, parse

from aitia import vocab, vocabgen

ROOT = Path(__file__).parents[1]
CODE = sorted([*ROOT.glob("engine/**/*.py"), *ROOT.glob("cli/**/*.py")])
QUERIES = sorted([*ROOT.glob("engine/**/*.rq"), *ROOT.glob("data/**/*.rq")])
TURTLE = sorted(
    path
    for folder in ("ontology", "shapes", "data")
    for path in ROOT.glob(f"{folder}/**/*.ttl")
)
PROSE = sorted([ROOT / "README.md", *ROOT.glob("docs/**/*.md")])

NAMESPACES = {name.lower(): iri for name, iri in vocabgen.PREFIXES.items()}
DEFINED = {
    name: set(vocabgen.definitions().get(iri, {})) for name, iri in NAMESPACES.items()
}
# Names of a syntax, not of a vocabulary, and a datatype that stands for those that the
# store rewrites.
ELSEWHERE = {
    "rdf": {
        "RDF",
        "Description",
        "about",
        "resource",
        "datatype",
        "nodeID",
        "parseType",
    },
    "xsd": {"int"},
}
# A name such as prov:used, but not the tail of urn:aitia:run or of a word.
SHORT = re.compile(
    r"(?<![\w:/.#-])(" + "|".join(NAMESPACES) + r"):([A-Za-z_][\w-]*)(?![\w:/-])"
)
LONG = re.compile(
    "(" + "|".join(map(re.escape, NAMESPACES.values())) + r")([A-Za-z_][\w-]*)"
)
BINDING = re.compile(r"(?:@prefix|PREFIX)\s+([\w-]*):\s*<([^>]*)>", re.IGNORECASE)
GENERATED = {vocabgen.TARGET}


def names(paths: list[Path]) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in paths]


def unknown(text: str) -> set[str]:
    """Terms in `text`, by prefix or whole, that no ontology file declares."""
    short = {(m[1].lower(), m[2]) for m in SHORT.finditer(text)}
    prefixes = {iri: name for name, iri in NAMESPACES.items()}
    long = {(prefixes[m[1]], m[2]) for m in LONG.finditer(text)}
    return {
        f"{prefix}:{term}"
        for prefix, term in short | long
        if term not in DEFINED[prefix] | ELSEWHERE.get(prefix, set())
    }


def misbound(text: str) -> set[str]:
    """Prefixes in `text` that stand for another namespace than they do everywhere."""
    prefixes = {iri: name for name, iri in NAMESPACES.items()}
    return {
        f"{prefix}: <{iri}>"
        for prefix, iri in BINDING.findall(text)
        if NAMESPACES.get(prefix, iri) != iri or prefixes.get(iri, prefix) != prefix
    }


def without_comments(text: str) -> str:
    """SPARQL or Turtle without lines that only remark."""
    lines = text.splitlines()
    return "\n".join(line for line in lines if not line.lstrip().startswith("#"))


def strings(tree: ast.AST) -> Iterator[str]:
    """Every text in a module, documentation included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def attributes(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Every AITIA.x, PROV.y and so on in a module."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
            continue
        if node.value.id in vocabgen.PREFIXES:
            yield node.value.id.lower(), node.attr


@pytest.mark.parametrize("path", CODE, ids=names(CODE))
def test_code_uses_declared_terms(path: Path) -> None:
    if path in GENERATED:
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    classes = {name.lower(): getattr(vocab, name) for name in vocabgen.PREFIXES}
    assert [
        use for use in attributes(tree) if not hasattr(classes[use[0]], use[1])
    ] == []
    texts = list(strings(tree))
    assert set().union(*map(unknown, texts)) == set()
    assert set().union(*map(misbound, texts)) == set()


@pytest.mark.parametrize("path", QUERIES, ids=names(QUERIES))
def test_query_asks_a_question_parses_and_uses_declared_terms(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.match(r"# \S.*\?\n", text), "the first line asks the question"
    assert unknown(without_comments(text)) == set()
    assert misbound(text) == set()
    Store().query(text)


@pytest.mark.parametrize("path", TURTLE, ids=names(TURTLE))
def test_turtle_uses_declared_terms(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert misbound(text) == set()
    if path.name == "alignments.ttl":  # names what others have and we do not use
        return
    nodes = {
        node.value
        for quad in parse(text, format=RdfFormat.TURTLE)
        for node in (quad.subject, quad.predicate, quad.object)
        if isinstance(node, NamedNode)
    }
    assert unknown(" ".join(sorted(nodes))) == set()


@pytest.mark.parametrize("path", PROSE, ids=names(PROSE))
def test_prose_uses_declared_terms(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert unknown(text) == set()
    assert misbound(text) == set()


def test_there_is_something_to_check() -> None:
    assert CODE
    assert TURTLE


@pytest.mark.checkout
def test_what_is_generated_is_up_to_date() -> None:
    assert vocabgen.main(["--check"]) == 0


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("SELECT * { ?x aitia:derivesFrom ?y }", set()),
        ("SELECT * { ?x aitia:deriveFrom ?y }", {"aitia:deriveFrom"}),
        ("<http://www.w3.org/ns/prov#usedd>", {"prov:usedd"}),
        ("urn:aitia:run:7 and http://x/prov:z", set()),
        ("(rdfs:lable)", {"rdfs:lable"}),
    ],
)
def test_a_misspelt_term_is_found(text: str, found: set[str]) -> None:
    assert unknown(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("PREFIX prov: <http://www.w3.org/ns/prov#>", set()),
        (
            "prefix prov: <http://www.w3.org/ns/prov>",
            {"prov: <http://www.w3.org/ns/prov>"},
        ),
        (
            "@prefix p: <http://www.w3.org/ns/prov#> .",
            {"p: <http://www.w3.org/ns/prov#>"},
        ),
        ("@prefix e: <http://e/> .", set()),
    ],
)
def test_a_wrong_prefix_is_found(text: str, found: set[str]) -> None:
    assert misbound(text) == found
