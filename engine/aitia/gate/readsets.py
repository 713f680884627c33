"""What a shape reads: every path from a focus node to a triple that its verdict needs.

From these paths follow both which nodes a change can concern and which triples must be
fetched to judge them. They are exact over-approximations: a triple on none of a shape's
paths cannot alter its verdict.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from pyoxigraph import Literal, NamedNode

from aitia.gate.index import Index, Node, Term
from aitia.gate.lint import SHAPE_LISTS, SHAPE_VALUES, has_target, is_class
from aitia.gate.shacl import RDF_FIRST, sh, terms
from aitia.vocab import RDF

if TYPE_CHECKING:
    from aitia.gate.overlay import Overlay

_PAIRS = terms("equals disjoint lessThan lessThanOrEquals")


class Step(NamedTuple):
    """One triple away: along it or against it.

    Attributes:
        forward: From subject to object.
        predicate: The predicate; None for any.
        classes: Where the step reads types only to know whether a node is of a class:
            the class with all below it. Other types at its end do not matter.
    """

    forward: bool
    predicate: NamedNode | None
    classes: frozenset[NamedNode] | None = None


Path = tuple[Step, ...]


@dataclass
class Trie:
    """Paths from a focus node, with common beginnings shared."""

    steps: dict[Step, Trie] = field(default_factory=dict)

    def add(self, path: Path) -> None:
        """Add one path."""
        node = self
        for step in path:
            node = node.steps.setdefault(step, Trie())


@dataclass(frozen=True)
class Target:
    """What a shape is for.

    Attributes:
        classes: Classes with all below them.
        subjects_of: Predicates whose subjects are focus nodes.
        objects_of: Predicates whose objects are focus nodes.
        nodes: Focus nodes by name.
    """

    classes: frozenset[NamedNode]
    subjects_of: frozenset[NamedNode]
    objects_of: frozenset[NamedNode]
    nodes: frozenset[Term]

    def is_hit(self, overlay: Overlay, node: Term, after: bool = True) -> bool:
        """Tell whether a node is targeted in the state after, or before."""
        if node in self.nodes:
            return True
        types = overlay.types(node, after) if self.classes else frozenset()
        if not self.classes.isdisjoint(types):
            return True
        return any(overlay.has(node, p, True, after) for p in self.subjects_of) or any(
            overlay.has(node, p, False, after) for p in self.objects_of
        )


class Crossing(NamedTuple):
    """That shapes read a triple, at the end of a path.

    Attributes:
        forward: They come to the triple at its subject; else at its object.
        number: A number for `path`.
        path: How they come there from the focus node.
        shapes: Who reads it.
    """

    forward: bool
    number: int
    path: Path
    shapes: frozenset[Term]


class ReadSets:
    """The targets and read paths of every shape that has a target.

    Attributes:
        targets: Shape → its target.
        paths: Shape → the paths that checking a focus node reads.
    """

    def __init__(self, index: Index, below: Classes) -> None:
        self._index, self._below = index, below
        self.targets: dict[Term, Target] = {}
        self.paths: dict[Term, frozenset[Path]] = {}
        paths: dict[Term, set[Path]] = {}
        for shape in index.all_subjects():
            if has_target(index, shape) and not self._deactivated(shape):
                self.targets[shape] = self._target(shape)
                self.paths[shape] = frozenset(self._shape(shape, ()))
                paths[shape] = {*self.paths[shape], *self._aim(shape)}
        self._steps = _by_step(paths)
        self._any = any(step.predicate is None for step, _ in self._steps)
        self._predicates = {step.predicate for step, _ in self._steps}
        self._numbers = {path: n for n, path in enumerate({p for _, p in self._steps})}
        self._crossings: dict[tuple[NamedNode, Term | None], list[Crossing]] = {}
        self._merged: dict[frozenset[Term], Trie] = {}
        self._by_class = _by_class(self.targets)
        self._by_types: dict[frozenset[Term], frozenset[Term]] = {}
        self._by_links = frozenset(
            shape
            for shape, target in self.targets.items()
            if target.nodes or target.subjects_of or target.objects_of
        )

    def knows(self, predicate: NamedNode) -> bool:
        """Tell whether any shape reads triples of a predicate."""
        return self._any or predicate in self._predicates

    def crossings(self, predicate: NamedNode, value: Term) -> list[Crossing]:
        """Return who reads a triple, worked out once for each kind of triple."""
        kind = (predicate, value if predicate == RDF.type else None)
        found = self._crossings.get(kind)
        if found is None:
            found = self._crossings[kind] = self._find_crossings(predicate, value)
        return found

    def _find_crossings(self, predicate: NamedNode, value: Term) -> list[Crossing]:
        found: dict[tuple[bool, Path], set[Term]] = defaultdict(set)
        for (step, path), shapes in self._steps.items():
            if step.predicate not in (None, predicate):
                continue
            if step.classes is None or value in step.classes:
                found[step.forward, path] |= shapes
        return [
            Crossing(forward, self._numbers[path], path, frozenset(shapes))
            for (forward, path), shapes in found.items()
        ]

    def trie(self, shapes: frozenset[Term]) -> Trie:
        """Return the paths of several shapes together, merged once."""
        found = self._merged.get(shapes)
        if found is None:
            found = self._merged[shapes] = Trie()
            for shape in shapes:
                for path in self.paths[shape]:
                    found.add(path)
        return found

    def hits(
        self, overlay: Overlay, node: Term, shapes: frozenset[Term]
    ) -> Iterator[Term]:
        """Yield those of `shapes` that target a node in the state after."""
        types = frozenset(overlay.types(node))
        by_class = self._of_types(types)
        for shape in shapes:
            if shape in by_class or (
                shape in self._by_links and self.targets[shape].is_hit(overlay, node)
            ):
                yield shape

    def _of_types(self, types: frozenset[Term]) -> frozenset[Term]:
        found = self._by_types.get(types)
        if found is None:
            sets = (self._by_class.get(name, frozenset()) for name in types)
            found = self._by_types[types] = frozenset[Term]().union(*sets)
        return found

    def speak_of(self, overlay: Overlay, node: Term) -> bool:
        """Tell whether any shape targets a node in the state after."""
        if self._of_types(frozenset(overlay.types(node))):
            return True
        return any(self.targets[s].is_hit(overlay, node) for s in self._by_links)

    def _deactivated(self, shape: Node) -> bool:
        value = self._index.value(shape, sh("deactivated"))
        return isinstance(value, Literal) and value.value in ("true", "1")

    def _target(self, shape: Node) -> Target:
        named = self._index.objects(shape, sh("targetClass"))
        classes = [c for c in named if isinstance(c, NamedNode)]
        if isinstance(shape, NamedNode) and is_class(self._index, shape):
            classes.append(shape)
        return Target(
            frozenset().union(*(self._below.down(c) for c in classes)),
            self._iris(shape, "targetSubjectsOf"),
            self._iris(shape, "targetObjectsOf"),
            frozenset(self._index.objects(shape, sh("targetNode"))),
        )

    def _iris(self, shape: Node, name: str) -> frozenset[NamedNode]:
        found = self._index.objects(shape, sh(name))
        return frozenset(value for value in found if isinstance(value, NamedNode))

    def _aim(self, shape: Node) -> Iterator[Path]:
        """Yield the paths that finding the targets reads."""
        target = self.targets[shape]
        if target.classes:
            yield (Step(True, RDF.type, target.classes),)
        for predicate in target.subjects_of:
            yield (Step(True, predicate),)
        for predicate in target.objects_of:
            yield (Step(False, predicate),)

    def _shape(self, shape: Node, at: Path) -> Iterator[Path]:
        """Yield the paths that checking `shape` reads, for a node at the end of `at`."""
        path = self._index.value(shape, sh("path"))
        values = [at]
        if path is not None:
            values = [at + steps for steps in self._path(path)]
            yield from values
        for predicate in _PAIRS:
            for other in self._iris(shape, predicate.value.rsplit("#", 1)[-1]):
                yield (*at, Step(True, other))
        for base in values:
            yield from self._constraints(shape, base)

    def _constraints(self, shape: Node, base: Path) -> Iterator[Path]:
        for name in self._iris(shape, "class"):
            yield (*base, Step(True, RDF.type, self._below.down(name)))
        closed = self._index.value(shape, sh("closed"))
        if isinstance(closed, Literal) and closed.value in ("true", "1"):
            yield (*base, Step(True, None))
        for inner in self._inner(shape):
            yield from self._shape(inner, base)

    def _inner(self, shape: Node) -> Iterator[Node]:
        for predicate in SHAPE_VALUES:
            yield from self._index.nodes(shape, predicate)
        for predicate in SHAPE_LISTS:
            for head in self._index.objects(shape, predicate):
                found = self._index.items(head)
                yield from (node for node in found if not isinstance(node, Literal))
        if self._index.objects(shape, sh("qualifiedValueShapesDisjoint")):
            yield from self._siblings(shape)

    def _siblings(self, shape: Node) -> Iterator[Node]:
        """Yield the qualified shapes beside a disjoint one: they are checked as well."""
        for parent in self._index.subjects(sh("property"), shape):
            for beside in self._index.nodes(parent, sh("property")):
                yield from self._index.nodes(beside, sh("qualifiedValueShape"))

    def _path(self, path: Term) -> list[Path]:
        """Return the step sequences of a SHACL path."""
        if isinstance(path, NamedNode):
            return [(Step(True, path),)]
        if self._index.objects(path, RDF_FIRST):
            found: list[Path] = [()]
            for part in self._index.items(path):
                found = [left + right for left in found for right in self._path(part)]
            return found
        for inner in self._index.objects(path, sh("inversePath")):
            return [_turned(steps) for steps in self._path(inner)]
        for head in self._index.objects(path, sh("alternativePath")):
            parts = self._index.items(head)
            return [steps for part in parts for steps in self._path(part)]
        for inner in self._index.objects(path, sh("zeroOrOnePath")):
            return [(), *self._path(inner)]
        raise ValueError("a path without end, which the lint refuses")


class Classes:
    """Class axioms: which classes stand above and below which."""

    def __init__(self, index: Index, predicate: NamedNode) -> None:
        self._up: dict[NamedNode, set[NamedNode]] = defaultdict(set)
        self._down: dict[NamedNode, set[NamedNode]] = defaultdict(set)
        for lower in index.subjects(predicate):
            for upper in index.objects(lower, predicate):
                if isinstance(lower, NamedNode) and isinstance(upper, NamedNode):
                    self._up[lower].add(upper)
                    self._down[upper].add(lower)

    def down(self, name: NamedNode) -> frozenset[NamedNode]:
        """Return the class and every class below it."""
        return _reach(self._down, name)

    def up(self, name: NamedNode) -> frozenset[NamedNode]:
        """Return the class and every class above it."""
        return _reach(self._up, name)

    def lower(self) -> list[NamedNode]:
        """Return every class that stands below another."""
        return list(self._up)


def _reach(
    edges: dict[NamedNode, set[NamedNode]], start: NamedNode
) -> frozenset[NamedNode]:
    found, todo = {start}, [start]
    while todo:
        for node in edges.get(todo.pop(), ()):
            if node not in found:
                found.add(node)
                todo.append(node)
    return frozenset(found)


def _turned(path: Path) -> Path:
    return tuple(step._replace(forward=not step.forward) for step in reversed(path))


def _by_step(
    paths: dict[Term, set[Path]],
) -> dict[tuple[Step, Path], set[Term]]:
    """Turn shape → paths into step and the path before it → who takes it."""
    found: dict[tuple[Step, Path], set[Term]] = defaultdict(set)
    for shape, read in paths.items():
        for path in read:
            for place, step in enumerate(path):
                found[step, path[:place]].add(shape)
    return dict(found)


def _by_class(targets: dict[Term, Target]) -> dict[Term, frozenset[Term]]:
    found: dict[Term, set[Term]] = defaultdict(set)
    for shape, target in targets.items():
        for name in target.classes:
            found[name].add(shape)
    return {name: frozenset(shapes) for name, shapes in found.items()}
