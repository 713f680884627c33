"""Shapes as the gate holds them: parsed and linted once, with what they read."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final

from pyoxigraph import (
    BlankNode,
    DefaultGraph,
    Literal,
    NamedNode,
    Quad,
    RdfFormat,
    Store as Oxigraph,
    Triple,
    parse,
)

from aitia import resources
from aitia.errors import UsageError
from aitia.gate.index import Index, Term
from aitia.gate.lint import lint
from aitia.gate.readsets import Classes, ReadSets
from aitia.gate.shacl import sh
from aitia.terms import BASE
from aitia.vocab import AITIA, RDF, RDFS, SH, XSD

if TYPE_CHECKING:
    from aitia.gate.judge import Judge
    from aitia.gate.rdf import RdfTriple, Terms

MODEL_FILE: Final = "model.ttl"
"""The closed shapes for what a model proposes; they judge nothing else."""

SUBCLASS_OF_DATA: Final = NamedNode(BASE + "gate:subClassOf")
"""What rdfs:subClassOf in data is called before pySHACL, to which only our class
axioms may be class axioms."""

_WIDER: Final = {
    NamedNode(XSD.NS + narrow): wide
    for wide, names in {
        XSD.integer: "int long short byte nonNegativeInteger positiveInteger "
        "nonPositiveInteger negativeInteger unsignedInt unsignedLong unsignedShort "
        "unsignedByte",
        XSD.dateTime: "dateTimeStamp",
    }.items()
    for narrow in names.split()
}
"""Datatypes that the store widens when it takes a literal in."""


class Ontology:
    """What the gate needs of our ontology.

    Attributes:
        types: Named individual → its classes.
        defined: Every term of our namespace that is defined.
        labels: Term → its English label.
    """

    def __init__(self) -> None:
        self._index = Index()
        for name, text in resources.turtle("ontology").items():
            for triple in read(text, name):
                self._index.add(triple)
        self.types: dict[NamedNode, frozenset[NamedNode]] = {}
        self.labels: dict[NamedNode, str] = {}
        self.defined: set[NamedNode] = set()
        for node in self._index.all_subjects():
            if isinstance(node, NamedNode):
                self._take(node)

    def _take(self, node: NamedNode) -> None:
        if node.value.startswith(AITIA.NS):
            self.defined.add(node)
            classes = self._index.objects(node, RDF.type)
            self.types[node] = frozenset(c for c in classes if isinstance(c, NamedNode))
        for label in self._index.objects(node, RDFS.label):
            if isinstance(label, Literal) and label.language in (None, "en"):
                self.labels[node] = label.value

    def axioms(self) -> Iterator[Triple]:
        """Yield the class axioms."""
        for lower in self._index.subjects(RDFS.subClassOf):
            for upper in self._index.objects(lower, RDFS.subClassOf):
                yield Triple(lower, RDFS.subClassOf, upper)


class Shapes:
    """A set of shapes that can judge a change.

    Attributes:
        index: The shapes graph; its literals as the store holds them, unless it was
            made to judge what is not stored yet.
        classes: The class axioms in force.
        version: A hash over the texts, in hexadecimal.
        names: The names of the files.
        users_only: They judge users' data and never see our own record, so that no
            shape of a user's can keep aitia from writing it.
    """

    def __init__(
        self,
        texts: Mapping[str, str],
        ontology: Ontology,
        *,
        stored: bool = True,
        base: str | None = None,
        users_only: bool = False,
    ) -> None:
        self.users_only = users_only
        self.names = tuple(sorted(texts))
        self.version = version_of(texts)
        self.ontology = ontology
        self.index = Index()
        axioms = Index(ontology.axioms())
        for name in self.names:
            triples = read(texts[name], name, base)
            for triple in stored_form(triples) if stored else triples:
                self.index.add(triple)
                if triple.predicate == RDFS.subClassOf and not _is_ours(triple):
                    axioms.add(triple)
        self.classes = Classes(axioms, RDFS.subClassOf)

    @cached_property
    def reads(self) -> ReadSets:
        """The targets and read paths of the shapes."""
        return ReadSets(self.index, self.classes)

    @cached_property
    def judge(self) -> Judge:
        """The shapes made ready for pySHACL, which is loaded here first."""
        from aitia.gate.judge import Judge
        from aitia.gate.rdf import Terms

        terms = Terms({RDFS.subClassOf: SUBCLASS_OF_DATA})
        return Judge(self.index, terms, tuple(self._axioms(terms)))

    def _axioms(self, terms: Terms) -> Iterator[RdfTriple]:
        """Yield the class axioms that lead to a class some shape names."""
        named = self._named_classes()
        for lower in self.classes.lower():
            for upper in self.classes.up(lower) & named:
                if upper != lower:
                    yield (
                        terms.there(lower),
                        terms.there(RDFS.subClassOf),
                        terms.there(upper),
                    )

    def _named_classes(self) -> frozenset[Term]:
        found: set[Term] = set()
        for shape in self.index.subjects(sh("class")):
            found |= set(self.index.objects(shape, sh("class")))
        return frozenset(found)

    def label(self, node: Term) -> str:
        """Return a shape's name for people: its label, name or local name."""
        for predicate in (RDFS.label, sh("name")):
            for value in self.index.objects(node, predicate):
                if isinstance(value, Literal):
                    return value.value
        return local_name(node)


def local_name(node: Term) -> str:
    """Return what comes after the last `#`, `/` or `:` of an IRI; "" for others."""
    if not isinstance(node, NamedNode):
        return ""
    text = node.value
    cut = max(text.rfind("#"), text.rfind("/"), text.rfind(":"))
    return text[cut + 1 :] or text


def read(text: str, name: str, base: str | None = None) -> Iterator[Triple]:
    """Yield the triples of a Turtle text, blank nodes numbered by appearance.

    Args:
        text: The text.
        name: Its name, for messages and blank nodes.
        base: What relative IRIs refer to.

    Raises:
        UsageError: The text is not Turtle.
    """
    numbers: dict[BlankNode, BlankNode] = {}

    def numbered(term: Term) -> Term:
        if not isinstance(term, BlankNode):
            return term
        fresh = BlankNode(f"{_tag(name)}{len(numbers)}")
        return numbers.setdefault(term, fresh)

    try:
        for quad in parse(text.encode(), format=RdfFormat.TURTLE, base_iri=base):
            if isinstance(quad.subject, Triple) or isinstance(quad.object, Triple):
                raise UsageError(f"{name}: triple terms are not supported.")
            subject, value = quad.subject, quad.object
            if isinstance(subject, BlankNode):
                subject = numbered(subject)
            if isinstance(value, BlankNode):
                value = numbered(value)
            yield Triple(subject, quad.predicate, value)
    except SyntaxError as error:
        raise UsageError(f"{name} is not Turtle: {error}") from error


def _tag(name: str) -> str:
    return "s" + hashlib.sha256(name.encode()).hexdigest()[:8] + "n"


def stored_form(triples: Iterable[Triple]) -> Iterator[Triple]:
    """Yield triples with their literals and datatypes as the store would hold them.

    The store rewrites literals, so a shape that names one must be rewritten with it:
    `sh:hasValue "007"^^xsd:integer` means 7, `sh:datatype xsd:int` means xsd:integer.
    """
    for triple in triples:
        value = triple.object
        if triple.predicate == sh("datatype") and isinstance(value, NamedNode):
            value = _WIDER.get(value, value)
        elif isinstance(value, Literal):
            value = stored_literal(value)
        yield Triple(triple.subject, triple.predicate, value)


def stored_literal(literal: Literal) -> Literal:
    """Return a literal as the store holds it."""
    if literal.datatype in (XSD.string, XSD.anyURI):
        return literal
    scratch = Oxigraph()
    scratch.add(Quad(RDF.type, RDF.type, literal, DefaultGraph()))
    (quad,) = scratch
    assert isinstance(quad.object, Literal)
    return quad.object


def version_of(texts: Mapping[str, str]) -> str:
    """Return the version of a set of shapes: a hash over names and texts."""
    digest = hashlib.sha256()
    for name in sorted(texts):
        for part in (name, texts[name]):
            data = part.encode()
            digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()[:16]


def check(texts: Mapping[str, str], *, for_gate: bool) -> list[str]:
    """Return what is wrong with shapes, file by file, one sentence each."""
    found = []
    for name, text in sorted(texts.items()):
        for problem in lint(Index(read(text, name)), for_gate=for_gate):
            found.append(f"{name}: {problem}")
    return found


def _is_ours(triple: Triple) -> bool:
    """Tell whether a class axiom speaks about a term of ours."""
    return any(
        isinstance(term, NamedNode) and term.value.startswith((AITIA.NS, SH.NS))
        for term in (triple.subject, triple.object)
    )
