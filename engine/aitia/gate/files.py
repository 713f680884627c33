"""A file's triples before they go in: as they stand, with their own literals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pyoxigraph import Literal, NamedNode, Quad

from aitia.gate import origin, sets
from aitia.gate.change import Change, rested
from aitia.gate.graphs import is_user
from aitia.gate.judgement import Judgement, in_words
from aitia.gate.lint import shape_name
from aitia.gate.literals import is_ill_typed
from aitia.gate.overlay import Quads
from aitia.gate.report import Report
from aitia.gate.result import Result, ordered
from aitia.gate.rulebook import ILL_TYPED
from aitia.gate.shapes import local_name
from aitia.model import Origin, Patch


class Nothing:
    """A store with nothing in it."""

    def quads(self, *pattern: object) -> Iterator[Quad]:
        """Return no quads."""
        return iter(())

    def __contains__(self, quad: Quad) -> bool:
        return False


def check_file(
    quads: Iterable[Quad],
    user_shapes: Mapping[str, str],
    store: Quads | None = None,
    deletes: Iterable[Quad] = (),
    document: NamedNode | None = None,
) -> Report:
    """Judge a file's quads before the store rewrites their literals.

    What users' data may not say is a violation; an ill-typed literal is a warning,
    unless a shape makes more of it.

    Args:
        quads: The file's quads; blank nodes and the default graph are fine.
        user_shapes: Name → Turtle of the users' shapes.
        store: What is on record already, which the file's nodes may point to.
        deletes: What goes out when the file goes in: its earlier version.
        document: The graph of its own that the file may name.
    """
    adds = frozenset(quads)
    with rested(len(adds)):
        # What goes out of the catalog beside it is judged with what comes in there.
        gone = frozenset(quad for quad in deletes if is_user(quad.graph_name))
        patch = Patch(adds, gone, origin=Origin.USER)
        judges = sets.all_of(user_shapes, stored=False)
        judgement = Judgement(store or Nothing(), Change(patch), judges)
        for shapes in judges:
            judgement.by_shapes(shapes)
        found = judgement.results
        found += origin.user_graphs(q for q in adds if q.graph_name != document)
        found += origin.user_data(adds)
        found += _ill_typed(adds)
        found.sort(key=Result.order)
        return Report(
            tuple(in_words(found, judgement.index, judgement.overlay)),
            dict(judgement.checked),
            judgement.unchecked(),
            tuple(found),
            judgement.index,
        )


def as_it_stands(quads: Sequence[Quad], user_shapes: Mapping[str, str]) -> Report:
    """Check quads by our own shapes and the users', wherever they come from.

    Args:
        quads: The quads, their literals as they were written.
        user_shapes: Name → Turtle of the users' shapes.
    """
    judges = sets.all_of(user_shapes, stored=False)
    judgement = Judgement(Nothing(), Change(Patch(frozenset(quads))), judges)
    for shapes in judges:
        judgement.by_shapes(shapes)
    found = ordered([*judgement.results, *_ill_typed(quads)])
    every = {
        shape_name(shapes.index, shape): 0
        for shapes in judges
        for shape in shapes.reads.targets
    }
    return Report(
        tuple(in_words(found, judgement.index, judgement.overlay)),
        {**every, **judgement.checked},
        judgement.unchecked(),
        tuple(found),
        judgement.index,
    )


def _ill_typed(quads: Iterable[Quad]) -> Iterator[Result]:
    for quad in quads:
        value = quad.object
        if isinstance(value, Literal) and is_ill_typed(value):
            name, kind = local_name(quad.predicate), local_name(value.datatype)
            found = f'has "{value.value}" as {name}, which is no {kind}'
            yield ILL_TYPED.broken(quad.subject, found, value, severity="Warning")
