"""The walk back from a node along `aitia:hasCause`, by SPARQL."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from pyoxigraph import NamedNode

from aitia import resources, terms
from aitia.model.graph import CausalLink
from aitia.store import Reader
from aitia.vocab import AITIA

BEHIND: Final = resources.query("why", "behind")
STATEMENT: Final = f"{terms.BASE}statement:"
"""How the IRI of each statement starts."""


class Walk(NamedTuple):
    """What lies behind a node: only who causes what, in the order of distance.

    Attributes:
        start: IRI of the node asked about.
        depths: IRI → distance from the start, nearest first.
        causes: IRI → IRIs of its direct causes.
        told: (effect, cause) → the link between them, where it is no causal link of
            our own: what a person's file states in PROV, what a document states,
            what an inference rests on.
        unrecorded: IRI → class and words of a node that stands for a triple and is
            not itself on record.
    """

    start: str
    depths: Mapping[str, int]
    causes: Mapping[str, Collection[str]]
    told: Mapping[tuple[str, str], CausalLink] = MappingProxyType({})
    unrecorded: Mapping[str, tuple[str, str]] = MappingProxyType({})

    def edges(self) -> Iterator[tuple[str, str]]:
        """Yield each pair of effect and cause once, nearest effect first."""
        for effect in self.depths:
            for cause in self.causes.get(effect, ()):
                yield effect, cause

    def within(self, depth: int | None) -> list[str]:
        """Return the nodes at most `depth` links away, nearest first."""
        if depth is None:
            return list(self.depths)
        return [node for node, away in self.depths.items() if away <= depth]


def walk(reader: Reader, start: NamedNode) -> Walk:
    """Return everything that lies behind `start`.

    Cycles and shared ancestors are safe: a node is visited once. Where the start is
    not one of our own nodes, PROV links that people's files state are walked too.
    """
    causes: dict[str, dict[str, None]] = {}
    if not start.value.startswith(terms.BASE):
        return _with_prov(reader, start)
    for row in reader.select(BEHIND, {"start": start}):
        causes.setdefault(row["effect"].value, {})[row["cause"].value] = None
    return Walk(start.value, distances(start.value, causes), causes)


def distances(start: str, causes: Mapping[str, Collection[str]]) -> dict[str, int]:
    """Return each node that `start` reaches, with the length of the shortest way."""
    found = {start: 0}
    edge = [start]
    while edge:
        following: list[str] = []
        for node in edge:
            for cause in causes.get(node, ()):
                if cause not in found:
                    found[cause] = found[node] + 1
                    following.append(cause)
        edge = following
    return found


def _with_prov(reader: Reader, start: NamedNode) -> Walk:
    causes: dict[str, dict[str, None]] = {}
    told: dict[tuple[str, str], CausalLink] = {}
    query = resources.query("why", "behind_prov")
    for row in reader.select(query, {"start": start}):
        cause, kind = row["cause"], row["kind"]
        if not isinstance(cause, NamedNode):
            continue  # a literal is no node: a file's PROV may be wrong
        pair = row["effect"].value, cause.value
        causes.setdefault(pair[0], {})[pair[1]] = None
        if kind != AITIA.hasCause:
            name = kind.value.rpartition("#")[2]
            told.setdefault(pair, CausalLink(*pair, kind=name, basis="claimed"))
    return Walk(start.value, distances(start.value, causes), causes, told)
