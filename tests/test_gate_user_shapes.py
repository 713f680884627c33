"""Users' shapes of every kind judge a change as whole-graph pySHACL does."""

from collections import Counter
from functools import cache
from random import Random

import pytest
import rdflib
from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.errors import ShapeViolation
from aitia.gate import Gate
from aitia.model import Admitted, Patch
from aitia.store import OxigraphStore
from aitia.vocab import RDF, RDFS, XSD
from tests.gate_reference import reported, shacl, user_shapes
from tests.world_catalog import Maker

E = "http://e/"
SHAPES = """
@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix e: <http://e/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

e:B rdfs:subClassOf e:A . e:C rdfs:subClassOf e:B .

e:Seq a sh:NodeShape ; sh:targetClass e:A ; sh:property e:SeqPath , e:Alt , e:Pair .
e:SeqPath sh:path ( e:p e:q ) ; sh:maxCount 2 ; sh:class e:A .
e:Alt sh:path [ sh:alternativePath ( e:r ( e:p e:r ) ) ] ; sh:maxCount 3 .
e:Pair sh:path e:n ; sh:lessThan e:m ; sh:maxCount 2 .
e:Back a sh:NodeShape ; sh:targetClass e:B ;
    sh:property e:BackPath ; sh:not e:Marked .
e:BackPath sh:path ( [ sh:inversePath e:p ] e:n ) ; sh:maxCount 3 .
e:Marked sh:property [ sh:path e:t ; sh:hasValue "marked" ] .
e:Closed a sh:NodeShape ; sh:targetClass e:C ; sh:closed true ;
    sh:ignoredProperties ( rdf:type e:q ) ;
    sh:property [ sh:path e:p ] , [ sh:path e:n ] , [ sh:path e:m ] .
e:Ends a sh:NodeShape ; sh:targetObjectsOf e:r ;
    sh:xone ( e:IsSmall e:IsThing ) .
e:IsSmall sh:datatype xsd:integer ; sh:maxInclusive 5 .
e:IsThing a sh:NodeShape ; sh:nodeKind sh:IRI ; sh:class e:A .
e:Starts a sh:NodeShape ; sh:targetSubjectsOf e:q ;
    sh:property [ sh:path [ sh:zeroOrOnePath e:p ] ; sh:node e:Named ] .
e:Named a sh:NodeShape ; sh:property [ sh:path e:t ; sh:maxCount 1 ; sh:uniqueLang true ] .
e:One a sh:NodeShape ; sh:targetNode e:n1 , e:n2 ;
    sh:property [ sh:path e:q ; sh:disjoint e:p ] , [ sh:path e:p ; sh:maxCount 4 ] .
e:Count a sh:NodeShape ; sh:targetClass e:A ; sh:property e:FewB , e:FewD .
e:FewB sh:path e:p ; sh:qualifiedValueShape e:IsB ; sh:qualifiedMaxCount 1 ;
    sh:qualifiedValueShapesDisjoint true .
e:FewD sh:path e:p ; sh:qualifiedValueShape e:IsC ; sh:qualifiedMaxCount 1 ;
    sh:qualifiedValueShapesDisjoint true .
e:IsB a sh:NodeShape ; sh:class e:B . e:IsC a sh:NodeShape ; sh:class e:C .
e:Both a sh:NodeShape ; sh:targetClass e:B ; sh:and ( e:SomeT e:FewM ) .
e:SomeT sh:path e:t ; sh:minLength 2 .
e:FewM sh:path e:m ; sh:maxCount 2 ; sh:or ( [ sh:datatype xsd:integer ] [ sh:datatype xsd:double ] ) .
e:Same sh:targetClass e:D ; sh:path e:n ; sh:equals e:m .
e:D a sh:NodeShape , rdfs:Class ; sh:property [ sh:path e:t ; sh:in ( "a" "bb" 3 ) ] .
e:Order a sh:NodeShape ; sh:targetClass e:D ;
    sh:property [ sh:path e:m ; sh:lessThanOrEquals e:k ] .
e:Typed a sh:NodeShape ; sh:targetSubjectsOf e:k ;
    sh:property [ sh:path rdf:type ; sh:maxCount 2 ] ,
        [ sh:path rdfs:subClassOf ; sh:maxCount 0 ] .
"""
CLASSES = [NamedNode(E + name) for name in "ABCD"]
PREDICATES = [NamedNode(E + name) for name in "pqrnmkt"]
NODES = [NamedNode(f"{E}n{number}") for number in range(9)]
VALUES = (
    terms.integer(1), terms.integer(3), terms.integer(7), terms.string("a"),
    terms.string("bb"), terms.string("marked"), Literal("x", language="en"),
    Literal("y", language="en"), terms.double(2.5),
    Literal("soon", datatype=XSD.dateTime),
)  # fmt: skip


@cache
def shapes() -> rdflib.Graph:
    return user_shapes(SHAPES)


class Field:
    """A document's graph that random triples come into and go out of."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.gate = Gate({"odd": SHAPES})
        self.store = OxigraphStore()
        self.seen: Counter[str] = Counter()
        self.wrong: list[str] = []
        made = Maker(self.rng)
        made.document(0)
        self.graph = made.documents[0]
        self.store.apply(self.gate.admit(self.store, Patch(frozenset(made.quads))), [])

    def quad(self) -> Quad:
        """Return a random triple."""
        subject = self.rng.choice(NODES)
        if self.rng.random() < 0.3:
            return Quad(subject, RDF.type, self.rng.choice(CLASSES), self.graph)
        if self.rng.random() < 0.03:
            return Quad(NODES[0], RDFS.subClassOf, NODES[1], self.graph)
        predicate = self.rng.choice(PREDICATES)
        linking = predicate.value[-1] in "pq" or self.rng.random() < 0.3
        value: NamedNode | Literal = (
            self.rng.choice(NODES) if linking else self.rng.choice(VALUES)
        )
        return Quad(subject, predicate, value, self.graph)

    def run(self, count: int) -> None:
        """Try a number of changes of one to four triples."""
        for _ in range(count):
            there = sorted(self.store.quads(None, None, None, self.graph), key=str)
            adds = [self.quad() for _ in range(self.rng.randint(0, 3))]
            gone = self.rng.sample(there, min(len(there), self.rng.randint(0, 2)))
            self.judge(Patch(frozenset(adds), frozenset(gone)))

    def judge(self, patch: Patch) -> None:
        """Compare the gate's verdict on a change with the reference's."""
        scratch = OxigraphStore()
        after = (set(self.store.quads()) - patch.deletes) | patch.adds
        scratch.apply(Admitted(Patch(frozenset(after)), ""), [])
        data = [q for q in scratch.quads() if q.graph_name == self.graph]
        found = shacl(data, shapes())
        try:
            admitted = self.gate.admit(self.store, patch)
        except ShapeViolation as error:
            self.seen["raised" if found is None else "bad"] += 1
            if found is not None and reported(error.report) != found:
                told = reported(error.report) ^ found
                self.wrong.append(f"{patch}: {told}")
            return
        self.seen["good"] += 1
        if found != set():
            self.wrong.append(f"let in {patch}: {found}")
        self.store.apply(admitted, [])


@pytest.mark.parametrize("seed", [1, 2])
def test_changes_are_judged_as_the_whole_graph_is(seed: int) -> None:
    field = Field(seed)
    field.run(100)
    assert field.wrong == []
    assert field.seen["good"] > 10
    assert field.seen["bad"] > 10


@pytest.mark.full
@pytest.mark.parametrize("seed", range(10, 20))
def test_many_changes_are_judged_as_the_whole_graph_is(seed: int) -> None:
    field = Field(seed)
    field.run(500)
    assert field.wrong == []
