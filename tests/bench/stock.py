"""pySHACL as it comes, asked what a change is worth: the peer of the gate."""

from __future__ import annotations

import time
from typing import Any

import rdflib
from pyshacl.graph_abstraction import DataGraph
from pyshacl.pytypes import SHACLExecutor
from pyshacl.shapes_graph import ShapesGraph

from aitia.gate import sets
from aitia.gate.change import Change, net_effect
from aitia.gate.neighbourhood import concerned, fetch
from aitia.gate.overlay import Overlay
from aitia.model import Patch
from aitia.store import OxigraphStore
from tests.gate_reference import axioms, own_shapes, silence, term


class Stock:
    """pySHACL as it comes, its shapes kept, on the neighbourhood of a change."""

    def __init__(self) -> None:
        self.shapes = ShapesGraph(own_shapes())
        self.targeted = [
            shape
            for shape in self.shapes.shapes
            if any(list(targets) for targets in shape.target())
        ]

    def seconds(self, store: OxigraphStore, patch: Patch) -> float:
        """Return the seconds that it takes to judge a change."""
        change = Change(net_effect(store, patch))
        types = sets.ontology().types
        overlay = Overlay(store, patch.adds, patch.deletes, types)
        reads = sets.own().reads
        focus = concerned(reads, overlay, change.patch.adds)
        graph = rdflib.Graph(bind_namespaces="none")
        for subject, predicate, value in fetch(reads, overlay, focus):
            graph.add((term(subject), term(predicate), term(value)))
        for triple in axioms().triples((None, rdflib.RDFS.subClassOf, None)):
            graph.add(triple)
        nodes = {term(node) for found in focus.values() for node in found}
        began = time.perf_counter()
        with silence():
            self._judge(DataGraph.from_rdflib(graph), nodes)
        return time.perf_counter() - began

    def _judge(self, graph: Any, nodes: set[Any]) -> None:
        executor = SHACLExecutor()
        for shape in self.targeted:
            targets = [node for node in shape.focus_nodes(graph) if node in nodes]
            if targets:
                conforms, _ = shape.validate(executor, graph, focus=targets)
                assert conforms
