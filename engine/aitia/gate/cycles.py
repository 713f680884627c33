"""Does a change close a cycle? Searched so that a long history costs little.

A new link goes from an effect to its cause. Most effects are new as well: nothing on
record was caused by them, so that a cycle through them lies within the patch. An effect
that was on record before, such as a statement that many runs read, may lie behind much
of the history; from there the search goes both ways at once and ends when either way
does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Final, Protocol

from pyoxigraph import NamedNode, Quad

from aitia.gate.index import Term
from aitia.gate.overlay import Overlay

PATIENCE: Final = 64
"""How many nodes may wait on the way to the causes before the other way is tried."""

Edges = dict[Term, list[Term]]


class Look(Protocol):
    """Looks from a node along a predicate, or against it."""

    def __call__(self, node: Term, predicate: NamedNode, /) -> Collection[Term]:
        """Return the nodes at the other ends."""
        ...


def closed(
    overlay: Overlay, predicate: NamedNode, adds: Iterable[Quad]
) -> Iterator[list[Term]]:
    """Yield the cycles of `predicate` that the added quads close, as far as told.

    Each is a list of nodes in which every node has the next one as its value; where the
    search met in the middle, nodes between are left out.
    """
    old: Edges = {}
    new: Edges = {}
    for quad in adds:
        if quad.predicate == predicate:
            known = overlay.has(quad.subject, predicate, False, after=False)
            edges = old if known else new
            edges.setdefault(quad.subject, []).append(quad.object)
    yield from _within(new)
    for effect, causes in old.items():
        meeting = _meeting(overlay, predicate, effect, causes)
        if meeting is not None:
            yield [*dict.fromkeys([effect, meeting]), effect]


def _within(edges: Edges) -> Iterator[list[Term]]:
    """Yield a cycle for each part of a small graph that has one, depth first."""
    done: set[Term] = set()
    for start in edges:
        path = _from(edges, start, done)
        if path:
            yield path


def _from(edges: Edges, start: Term, done: set[Term]) -> list[Term]:
    if start in done:
        return []
    path, on_path = [start], {start}
    waiting = [iter(edges[start])]
    while waiting:
        node = next(waiting[-1], None)
        if node is None:
            waiting.pop()
            last = path.pop()
            on_path.discard(last)
            done.add(last)
        elif node in on_path:
            return [*path[path.index(node) :], node]
        elif node not in done and node in edges:
            path.append(node)
            on_path.add(node)
            waiting.append(iter(edges[node]))
    return []


def _meeting(
    overlay: Overlay, predicate: NamedNode, effect: Term, causes: Collection[Term]
) -> Term | None:
    """Return a node that lies behind a cause and that the effect lies behind, or None."""
    behind, ahead = set(causes), {effect}
    if behind & ahead:
        return effect
    up, down = list(behind), [effect]
    while up and down:
        if len(up) <= max(PATIENCE, len(down)):
            met = _widen(up, behind, ahead, overlay.values, predicate)
        else:
            met = _widen(down, ahead, behind, overlay.subjects, predicate)
        if met is not None:
            return met
    return None


def _widen(
    waiting: list[Term],
    seen: set[Term],
    other: set[Term],
    look: Look,
    predicate: NamedNode,
) -> Term | None:
    """Go one node further; return a node where the two ways meet, or None."""
    for node in look(waiting.pop(), predicate):
        if node in other:
            return node
        if node not in seen:
            seen.add(node)
            waiting.append(node)
    return None
