"""Which nodes a change concerns, and which triples must be seen to judge them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from pyoxigraph import Literal, NamedNode, Quad

from aitia.gate.index import Term
from aitia.gate.overlay import Overlay
from aitia.gate.readsets import Path, ReadSets, Step, Trie

Fact = tuple[Term, NamedNode, Term]
Focus = dict[Term, set[Term]]
"""Shape → the focus nodes to check it at."""


def concerned(reads: ReadSets, overlay: Overlay, quads: Iterable[Quad]) -> Focus:
    """Return for each shape the focus nodes whose verdict a change can alter.

    A node is concerned when one of the shape's read paths from it crosses a changed
    triple, in the state before or in the state after; and it is a focus node when the
    shape targets it afterwards. Adding, deleting, and the retyping of a node that
    others point to are all the same here.
    """
    candidates: dict[Term, frozenset[Term]] = {}
    ends: dict[tuple[Term, int], set[Term]] = {}
    for quad in quads:
        predicate = quad.predicate
        if not reads.knows(predicate) or not overlay.sees(quad):
            continue
        subject, value = quad.subject, quad.object
        for crossing in reads.crossings(predicate, value):
            near = subject if crossing.forward else value
            if not crossing.path:
                _join(candidates, near, crossing.shapes)
                continue
            if crossing.path[-1].forward and not overlay.is_pointed_to(near):
                continue
            place = (near, crossing.number)
            if place not in ends:
                ends[place] = _back(overlay, near, crossing.path)
            for node in ends[place]:
                _join(candidates, node, crossing.shapes)
    return _targeted(reads, overlay, candidates)


def _join(
    candidates: dict[Term, frozenset[Term]], node: Term, shapes: frozenset[Term]
) -> None:
    known = candidates.get(node)
    if known is None:
        candidates[node] = shapes
    elif not shapes <= known:
        candidates[node] = known | shapes


def _targeted(
    reads: ReadSets, overlay: Overlay, candidates: dict[Term, frozenset[Term]]
) -> Focus:
    focus: Focus = defaultdict(set)
    for node, shapes in candidates.items():
        for shape in reads.hits(overlay, node, shapes):
            focus[shape].add(node)
    return dict(focus)


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
) -> Iterator[Fact]:
    """Yield the triples that the shapes read from their focus nodes; some twice."""
    by_node: dict[Term, set[Term]] = defaultdict(set)
    for shape, nodes in focus.items():
        for node in nodes:
            by_node[node].add(shape)
    for node, shapes in by_node.items():
        yield from _walk(overlay, node, reads.trie(frozenset(shapes)), after)


def _walk(overlay: Overlay, node: Term, trie: Trie, after: bool) -> Iterator[Fact]:
    for step, rest in trie.steps.items():
        predicate = step.predicate
        if predicate is None:
            for name, value in overlay.around(node, after):
                yield node, name, value
            continue
        ends: Iterable[Term]
        if step.forward:
            ends = overlay.values(node, predicate, after)
            for end in ends:
                yield node, predicate, end
        else:
            ends = overlay.subjects(node, predicate, after)
            for end in ends:
                yield end, predicate, node
        if rest.steps:
            for end in ends:
                yield from _walk(overlay, end, rest, after)


def subjects_of(quads: Iterable[Quad]) -> set[Term]:
    """Return the subjects of quads."""
    return {quad.subject for quad in quads if not isinstance(quad.subject, Literal)}
