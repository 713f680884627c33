"""A store behind a gate, for tests that change it and see what is refused."""

from collections.abc import Iterable
from random import Random

import pytest
from pyoxigraph import NamedNode, Quad

from aitia import terms
from aitia.errors import ShapeViolation
from aitia.gate import Gate
from aitia.model import Admitted, Origin, Patch
from aitia.store import OxigraphStore
from aitia.vocab import AITIA, RDF, RDFS
from tests.world_catalog import Maker

CATALOG = terms.GRAPH_CATALOG
ANN = terms.agent_iri("Ann")
E = "http://e/"
SHOP = """
@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix e: <http://e/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
e:Order a sh:NodeShape ; sh:targetClass e:Order ;
    sh:property [ sh:path e:total ; sh:minCount 1 ; sh:maxCount 1 ; sh:datatype xsd:int ] .
"""


def ex(name: str) -> NamedNode:
    return NamedNode(E + name)


class Desk:
    """A store behind a gate."""

    def __init__(self, user_shapes: dict[str, str] | None = None) -> None:
        self.gate = Gate(user_shapes)
        self.store = OxigraphStore()

    def change(
        self,
        adds: Iterable[Quad] = (),
        deletes: Iterable[Quad] = (),
        origin: Origin = Origin.ENGINE,
    ) -> Admitted:
        patch = Patch(frozenset(adds), frozenset(deletes), origin=origin)
        admitted = self.gate.admit(self.store, patch)
        self.store.apply(admitted, [])
        return admitted

    def refused(
        self,
        adds: Iterable[Quad] = (),
        deletes: Iterable[Quad] = (),
        origin: Origin = Origin.ENGINE,
    ) -> ShapeViolation:
        before = set(self.store.quads())
        with pytest.raises(ShapeViolation) as caught:
            self.change(adds, deletes, origin)
        assert set(self.store.quads()) == before
        return caught.value

    def document(self) -> NamedNode:
        """Put a document on record, whose graph takes users' data."""
        made = Maker(Random(3))
        made.document(0)
        self.change(made.quads)
        return made.documents[0]


def person(name: str = "Ann", node: NamedNode = ANN) -> list[Quad]:
    return [
        Quad(node, RDF.type, AITIA.Person, CATALOG),
        Quad(node, RDFS.label, terms.string(name), CATALOG),
    ]


def rules(error: ShapeViolation) -> set[str]:
    return {violation.rule for violation in error.violations}
