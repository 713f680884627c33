"""A workspace with an ontology of its own, and statements held against it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from pyoxigraph import Literal, NamedNode

from aitia import Workspace
from aitia.conflicts import ALWAYS, Found, Validity, check_statement
from aitia.methods.base import Reads

EX: Final = "http://example.org/"
PREFIXES: Final = """
@prefix : <http://example.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
"""
ONTOLOGY: Final = """
:chair a owl:ObjectProperty , owl:FunctionalProperty ; rdfs:label "chair" .
:deputy rdfs:subPropertyOf :chair .
:email a owl:InverseFunctionalProperty .
:leads owl:inverseOf :chair .
:Person owl:disjointWith :Board .
:Member rdfs:subClassOf :Person .
:Kind a owl:AllDisjointClasses ; owl:members ( :Cat :Dog :Bird ) .
:Board rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :office ;
    owl:maxCardinality "1"^^xsd:nonNegativeInteger ] .
:Team rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :captain ;
    owl:maxQualifiedCardinality "2"^^xsd:nonNegativeInteger ; owl:onClass :Person ] .
:age rdfs:range xsd:integer .
:employs rdfs:domain :Board ; rdfs:range :Person .
:parent a owl:AsymmetricProperty , owl:IrreflexiveProperty .
:friend owl:propertyDisjointWith :enemy .
:height a owl:FunctionalProperty .
"""


def node(name: str) -> NamedNode:
    return NamedNode(EX + name)


def term(value: str | int | float) -> NamedNode | Literal:
    """A resource for ":name", else a literal."""
    if isinstance(value, str) and value.startswith(":"):
        return node(value[1:])
    if isinstance(value, str) and value[:4].isdigit() and value[4:5] == "-":
        return Literal(value, datatype=NamedNode(XSD_DATE))
    return Literal(value)


XSD_DATE: Final = "http://www.w3.org/2001/XMLSchema#date"


def year(start: int | None, end: int | None = None) -> Validity:
    ends = [datetime(at, 1, 1, tzinfo=UTC) if at else None for at in (start, end)]
    return Validity(*ends)


class Desk:
    """A workspace in a folder, filled file by file."""

    def __init__(self, folder: Path, **flags: object) -> None:
        self.folder = folder
        self.workspace = Workspace.open(folder / "ws", flags=flags)
        self.count = 0

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *_: object) -> None:
        self.workspace.close()

    def take_in(self, turtle: str, name: str = "") -> NamedNode:
        """Take a Turtle file in; returns its document."""
        self.count += 1
        path = self.folder / (name or f"file{self.count}.ttl")
        path.write_text(PREFIXES + turtle, "utf-8")
        (report,) = self.workspace.ingest([path]).files
        assert report.outcome in ("added", "new version"), report
        return NamedNode(report.document)

    def write(self, name: str, text: str) -> NamedNode:
        """Take a text file in; returns its document."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        (report,) = self.workspace.ingest([path]).files
        return NamedNode(report.document)

    @property
    def reads(self) -> Reads:
        made = self.workspace
        return Reads(made.store, made.blobs, made.indexes, made.settings)

    def check(
        self,
        subject: str,
        predicate: str,
        value: str | int | float,
        valid: Validity = ALWAYS,
        *,
        deep: bool = False,
    ) -> list[Found]:
        kind = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
        owl = "http://www.w3.org/2002/07/owl#"
        names = {"a": kind, "sameAs": owl + "sameAs", "isNot": owl + "differentFrom"}
        property_ = NamedNode(names.get(predicate, EX + predicate))
        return check_statement(
            self.reads, node(subject), property_, term(value), valid=valid, deep=deep
        )
