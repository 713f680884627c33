"""Which nodes a change concerns, and which triples must be seen to judge them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from pyoxigraph import Literal, NamedNode, Quad

from aitia.gate.index import Node, Term
from aitia.gate.overlay import Overlay
from aitia.gate.readsets import Path, Reading, ReadSets, Step, Trie
from aitia.terms import GRAPH_INFERRED
from aitia.vocab import RDF

Fact = tuple[Term, NamedNode, Term]
Focus = dict[Node, set[Term]]


def concerned(reads: ReadSets, overlay: Overlay, quads: Iterable[Quad]) -> Focus:
    """Return for each shape the focus nodes whose verdict a change can alter.

    A node is concerned when one of the shape's read paths from it crosses a changed
    triple, in the state before or in the state after; and it is a focus node when the
    shape targets it afterwards. Adding, deleting, and the retyping of a node that
    others point to are all the same here.
    """
    candidates: dict[Term, set[Node]] = defaultdict(set)
    ends: dict[tuple[Term, Path], set[Term]] = {}
    for quad in quads:
        if quad.graph_name == GRAPH_INFERRED:
            continue
        for reading, near in _crossed(reads, quad):
            place = (near, reading.before)
            if place not in ends:
                ends[place] = _back(overlay, near, reading.before)
            for node in ends[place]:
                candidates[node] |= reading.shapes
    focus: Focus = defaultdict(set)
    for node, shapes in candidates.items():
        for shape in shapes:
            if reads.targets[shape].is_hit(overlay, node):
                focus[shape].add(node)
    return dict(focus)


def _crossed(reads: ReadSets, quad: Quad) -> Iterator[tuple[Reading, Term]]:
    """Yield the readings that cross a triple, with the end that is read from."""
    predicate, value = quad.predicate, quad.object
    for reading in reads.by_predicate.get(predicate, ()):
        step = reading.step
        if step.classes is not None and value not in step.classes:
            continue
        yield reading, quad.subject if step.forward else value
    for reading in reads.by_predicate.get(None, ()):
        yield reading, quad.subject


def _back(overlay: Overlay, start: Term, path: Path) -> set[Term]:
    """Return the nodes from which `path` leads to `start`, before or after."""
    found: set[Term] = {start}
    for step in reversed(path):
        found = {
            node
            for end in found
            for after in (True, False)
            for node in _sources(overlay, end, step, after)
        }
    return found


def _sources(overlay: Overlay, end: Term, step: Step, after: bool) -> Iterable[Term]:
    predicate = step.predicate
    if predicate is None:
        raise ValueError("a step of any predicate ends a path")
    if step.forward:
        return overlay.subjects(end, predicate, after)
    return overlay.values(end, predicate, after)


def fetch(
    reads: ReadSets, overlay: Overlay, focus: Focus, after: bool = True
) -> set[Fact]:
    """Return the triples that the shapes read from their focus nodes."""
    found: set[Fact] = set()
    for shape, nodes in focus.items():
        trie = reads.tries[shape]
        for node in nodes:
            _walk(overlay, node, trie, after, found)
    return found


def _walk(
    overlay: Overlay, node: Term, trie: Trie, after: bool, found: set[Fact]
) -> None:
    for step, rest in trie.steps.items():
        predicate = step.predicate
        if predicate is None:
            found |= {(node, p, value) for p, value in overlay.around(node, after)}
            continue
        if step.forward:
            ends: Iterable[Term] = overlay.values(node, predicate, after)
            for end in ends:
                found.add((node, predicate, end))
        else:
            ends = overlay.subjects(node, predicate, after)
            for end in ends:
                found.add((end, predicate, node))
        if rest.steps:
            for end in ends:
                _walk(overlay, end, rest, after, found)


def all_targets(
    reads: ReadSets, overlay: Overlay, store_types: Iterable[Quad]
) -> Focus:
    """Return every focus node of every shape, from the quads that aim at them.

    Args:
        reads: The shapes' read sets.
        overlay: The store.
        store_types: Every quad that a target could be found by.
    """
    focus: Focus = defaultdict(set)
    for shape, target in reads.targets.items():
        focus[shape] |= target.nodes
    for quad in store_types:
        for shape, target in reads.targets.items():
            if quad.predicate == RDF.type and quad.object in target.classes:
                focus[shape].add(quad.subject)
            if quad.predicate in target.subjects_of:
                focus[shape].add(quad.subject)
            if quad.predicate in target.objects_of:
                focus[shape].add(quad.object)
    return {shape: nodes for shape, nodes in focus.items() if nodes}


def subjects_of(quads: Iterable[Quad]) -> set[Node]:
    """Return the subjects of quads."""
    return {quad.subject for quad in quads if not isinstance(quad.subject, Literal)}
