"""The ways from an effect back to one of its causes."""

from __future__ import annotations

from dataclasses import dataclass

from aitia.model.graph import CausalLink


@dataclass(frozen=True)
class Paths:
    """The ways from one node back to another.

    Attributes:
        start: IRI of the effect.
        goal: IRI of the cause.
        shortest: The links of the shortest way; empty where there is none.
        count: How many simple ways there are, or, where the graph between the two
            has cycles, how many after each cycle is taken as one node.
        cyclic: Whether the graph between the two has cycles.
        strongest: The links of up to ten ways, the strongest first: the product of
            the confidences on record along it, a link without one counting as 1.
    """

    start: str
    goal: str
    shortest: tuple[CausalLink, ...]
    count: int
    cyclic: bool
    strongest: tuple[tuple[float, tuple[CausalLink, ...]], ...] = ()
