"""The ways from an effect back to a cause: the shortest, how many, the strongest."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from itertools import islice
from typing import Final, NamedTuple

from pyoxigraph import NamedNode

from aitia.blobs import Blobs
from aitia.errors import NotFound
from aitia.model.graph import CausalGraph, CausalLink
from aitia.model.ways import Paths
from aitia.store import Reader
from aitia.why.explain import explain, standing_for
from aitia.why.walk import distances, walk

STRONGEST: Final = 10


class Step(NamedTuple):
    """The last step of a way, and the way before it."""

    link: CausalLink
    before: Step | None


Arcs = Mapping[str, Mapping[str, CausalLink]]
"""Effect → cause → the surest link between the two."""


def path_to(
    reader: Reader, blobs: Blobs, node: NamedNode, goal: NamedNode
) -> tuple[Paths, CausalGraph]:
    """Return the ways from `node` back to `goal`, and the graph of all nodes on them.

    Raises:
        NotFound: `goal` does not lie behind `node`.
    """
    start = standing_for(reader, node)
    walked = walk(reader, start)
    between = _between(walked.causes, start.value, goal.value)
    if goal.value not in walked.depths or start == goal:
        raise NotFound(
            f"{goal.value} does not lie behind {start.value}.",
            hint="`aitia why ID` shows what does.",
        )
    graph = explain(reader, blobs, start, only=between)
    arcs = _arcs(graph)
    count, cyclic = _count(arcs, start.value, goal.value)
    paths = Paths(
        start=start.value,
        goal=goal.value,
        shortest=_shortest(arcs, start.value, goal.value),
        count=count,
        cyclic=cyclic,
        strongest=tuple(islice(strongest(arcs, start.value, goal.value), STRONGEST)),
    )
    return paths, graph


def _between(causes: Mapping[str, Collection[str]], start: str, goal: str) -> set[str]:
    """Return the nodes on any way from start to goal."""
    effects: dict[str, dict[str, None]] = {}
    for effect, found in causes.items():
        for cause in found:
            effects.setdefault(cause, {})[effect] = None
    return distances(start, causes).keys() & distances(goal, effects).keys()


def _arcs(graph: CausalGraph) -> Arcs:
    arcs: dict[str, dict[str, CausalLink]] = {iri: {} for iri in graph.nodes}
    for link in graph.links:
        known = arcs[link.effect].get(link.cause)
        if known is None or _strength(link) > _strength(known):
            arcs[link.effect][link.cause] = link
    return arcs


def _strength(link: CausalLink) -> float:
    return 1.0 if link.confidence is None else link.confidence


def _shortest(arcs: Arcs, start: str, goal: str) -> tuple[CausalLink, ...]:
    away = distances(start, arcs)
    steps: list[CausalLink] = []
    node = goal
    while node != start:
        step = next(
            links[node]
            for effect, links in arcs.items()
            if node in links and away.get(effect) == away[node] - 1
        )
        steps.append(step)
        node = step.effect
    return tuple(reversed(steps))


def _count(arcs: Arcs, start: str, goal: str) -> tuple[int, bool]:
    """Count the ways by dynamic programming; nodes on a cycle count as one."""
    try:
        order = list(TopologicalSorter(arcs).static_order())  # causes come first
        whole, cyclic = {node: node for node in arcs}, False
    except CycleError:
        whole, cyclic = _components(arcs), True
        order = list(TopologicalSorter(_condensed(arcs, whole)).static_order())
    causes = _condensed(arcs, whole) if cyclic else arcs
    ways = dict.fromkeys(order, 0)
    ways[whole[goal]] = 1
    for node in order:
        if node != whole[goal]:
            ways[node] = sum(ways[cause] for cause in causes[node])
    return ways[whole[start]], cyclic


def _condensed(arcs: Arcs, whole: Mapping[str, str]) -> dict[str, set[str]]:
    """Return the graph of components: which lies directly behind which."""
    found: dict[str, set[str]] = {component: set() for component in whole.values()}
    for effect, links in arcs.items():
        found[whole[effect]] |= {whole[cause] for cause in links} - {whole[effect]}
    return found


def _components(arcs: Arcs) -> dict[str, str]:
    """Return node → its strongly connected component (Kosaraju), without recursion."""
    effects: dict[str, list[str]] = {node: [] for node in arcs}
    for effect, links in arcs.items():
        for cause in links:
            effects[cause].append(effect)
    whole: dict[str, str] = {}
    for root in reversed(_finished(arcs)):
        stack = [root]
        while stack:
            node = stack.pop()
            if node not in whole:
                whole[node] = root
                stack.extend(effects[node])
    return whole


def _finished(arcs: Arcs) -> list[str]:
    """Return the nodes in the order in which a depth-first search leaves them."""
    seen: set[str] = set()
    order: list[str] = []
    for first in arcs:
        stack = [(first, iter(arcs[first]))] if first not in seen else []
        seen.add(first)
        while stack:
            node, causes = stack[-1]
            cause = next((found for found in causes if found not in seen), None)
            if cause is None:
                order.append(node)
                stack.pop()
            else:
                seen.add(cause)
                stack.append((cause, iter(arcs[cause])))
    return order


def strongest(
    arcs: Arcs, start: str, goal: str
) -> Iterator[tuple[float, tuple[CausalLink, ...]]]:
    """Yield simple ways one after the other, the strongest first.

    The strength of a way is the product of its links' confidences; a link without
    one counts as 1. Each is found when it is asked for: best-first search in which
    the rest of a way is judged by the best that can still come.
    """
    best = _best_rest(arcs, goal)
    ties = 0
    queue: list[tuple[float, int, int, float, str, Step | None]] = []
    heapq.heappush(queue, (-best.get(start, 0.0), 0, ties, 1.0, start, None))
    while queue:
        _, length, _, strength, node, way = heapq.heappop(queue)
        if node == goal:
            yield strength, _unrolled(way)
            continue
        on_way = {link.effect for link in _unrolled(way)}
        for cause, link in arcs[node].items():
            if cause in best and cause not in on_way and cause != node:
                ties += 1
                so_far = strength * _strength(link)
                rank = (-so_far * best[cause], length - 1, ties)
                heapq.heappush(queue, (*rank, so_far, cause, Step(link, way)))


def _best_rest(arcs: Arcs, goal: str) -> dict[str, float]:
    """Return node → strength of the strongest way from it to the goal."""
    effects: dict[str, list[CausalLink]] = {}
    for links in arcs.values():
        for link in links.values():
            effects.setdefault(link.cause, []).append(link)
    best: dict[str, float] = {}
    queue = [(-1.0, goal)]
    while queue:
        strength, node = heapq.heappop(queue)
        if node in best:
            continue
        best[node] = -strength
        for link in effects.get(node, []):
            heapq.heappush(queue, (strength * _strength(link), link.effect))
    return best


def _unrolled(way: Step | None) -> tuple[CausalLink, ...]:
    steps: list[CausalLink] = []
    while way is not None:
        steps.append(way.link)
        way = way.before
    return tuple(reversed(steps))
