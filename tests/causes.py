"""Small causal graphs in a store of their own, and reference walks over them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.blobs import Blobs
from aitia.model import Admitted, Patch, causal, link
from aitia.model.links import LINKS
from aitia.store import OxigraphStore
from aitia.vocab import AITIA, RDF

RUN = terms.run_iri("testtest")
GRAPH = terms.run_graph(RUN)
KINDS = tuple(LINKS)


@dataclass(frozen=True)
class Arc:
    """A link of a test graph: effect and cause by number, kind, confidence."""

    effect: int
    cause: int
    kind: NamedNode = AITIA.derivesFrom
    confidence: float | None = None


def node(number: int) -> NamedNode:
    return terms.part(RUN, "obs", number)


def store_of(quads: Iterable[Quad]) -> OxigraphStore:
    """Return a store in memory that holds these quads, past gate and ledger."""
    store = OxigraphStore()
    store.apply(Admitted(Patch(frozenset(quads)), "test"), [])
    return store


def quads_of(arcs: Iterable[Arc]) -> list[Quad]:
    found: list[Quad] = []
    for arc in arcs:
        ends = node(arc.effect), node(arc.cause)
        start, end = ends if LINKS[arc.kind].effect_is_subject else ends[::-1]
        if arc.confidence is None:
            found += causal(start, arc.kind, end, GRAPH)
        else:
            found += link(
                start,
                arc.kind,
                end,
                GRAPH,
                basis=AITIA.computed,
                confidence=arc.confidence,
                rule="a rule",
            )
    for number in {x for arc in arcs for x in (arc.effect, arc.cause)}:
        found.append(Quad(node(number), RDF.type, AITIA.Observation, GRAPH))
        found.append(Quad(node(number), AITIA.text, Literal(f"node {number}"), GRAPH))
    return found


def blobs(folder: Path) -> Blobs:
    return Blobs(folder / "blobs")


def walked(arcs: Iterable[Arc], start: int) -> dict[int, int]:
    """Return each node that lies behind another, with its distance: the reference."""
    causes = causes_of(arcs)
    found, edge = {start: 0}, [start]
    while edge:
        current = edge.pop(0)
        for cause in sorted(causes.get(current, set())):
            if cause not in found:
                found[cause] = found[current] + 1
                edge.append(cause)
    return found


def causes_of(arcs: Iterable[Arc]) -> Mapping[int, set[int]]:
    found: dict[int, set[int]] = {}
    for arc in arcs:
        found.setdefault(arc.effect, set()).add(arc.cause)
    return found


def ways(arcs: Iterable[Arc], start: int, goal: int) -> list[list[int]]:
    """Return every simple way from an effect back to a cause: the slow reference."""
    causes = causes_of(arcs)
    found: list[list[int]] = []
    stack = [[start]]
    while stack:
        way = stack.pop()
        if way[-1] == goal:
            found.append(way)
            continue
        stack += [[*way, c] for c in causes.get(way[-1], set()) if c not in way]
    return found


@st.composite
def graphs(draw: st.DrawFn, *, cyclic: bool) -> list[Arc]:
    """Random graphs of up to twelve nodes; without cycles causes have higher numbers."""
    size = draw(st.integers(2, 12))
    numbers = st.integers(0, size - 1)
    pairs = draw(st.lists(st.tuples(numbers, numbers), max_size=30))
    kept = [(a, b) for a, b in pairs if a != b]
    if not cyclic:
        kept = [(min(pair), max(pair)) for pair in kept]
    chances = st.one_of(st.none(), st.floats(0.1, 1.0))
    return [
        Arc(a, b, draw(st.sampled_from(KINDS)), draw(chances))
        for a, b in dict.fromkeys(kept)
    ]
