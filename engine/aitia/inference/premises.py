"""By which premises an inferred triple follows: one-step rules, chained to a proof."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from pyoxigraph import Literal, NamedNode, Triple

from aitia import resources, terms
from aitia.store import Bound, Reader, Row

MOST_EXPLORED: Final = 300
"""Inferred triples whose premises are looked for in one proof."""
MOST_WAYS: Final = 20
"""Ways to derive one triple that are weighed against each other, for each rule."""
_ALL_ROWS: Final = frozenset({"cls-int1"})
"""Rules whose premises are all the rows of their query together."""


@dataclass(frozen=True)
class Step:
    """One step of a proof.

    Attributes:
        rule: Name of the rule as the OWL 2 RL profile has it, such as `cax-sco`.
        premises: The triples that it follows from.
    """

    rule: str
    premises: tuple[Triple, ...]


def proof(reader: Reader, triple: Triple) -> dict[Triple, Step]:
    """Return a proof of an inferred triple: each inferred triple in it → its step.

    The proof is the shallowest there is and never goes in a circle: what it rests on
    in the end is asserted. Empty where no rule leads there.
    """
    ways: dict[Triple, list[Step]] = {}
    edge = [triple]
    while edge and len(ways) < MOST_EXPLORED:
        current = edge.pop(0)
        if current in ways or is_asserted(reader, current):
            continue
        ways[current] = list(steps(reader, current))
        edge += [x for way in ways[current] for x in way.premises]
    return _grounded(reader, triple, ways)


def steps(reader: Reader, triple: Triple) -> Iterator[Step]:
    """Yield the ways in which one rule derives a triple from others on record."""
    subject, obj = triple.subject, triple.object
    if not isinstance(subject, NamedNode) or not isinstance(obj, NamedNode | Literal):
        return
    bound: Mapping[str, Bound] = {"s": subject, "p": triple.predicate, "o": obj}
    for rule in rules():
        rows = reader.select(resources.query("inference/rules", rule), bound)
        found = [premises for row in rows if (premises := _premises(row))]
        if rule in _ALL_ROWS and found:
            whole = dict.fromkeys(x for premises in found for x in premises)
            yield Step(rule, tuple(whole))
            continue
        ordered = sorted(found, key=lambda premises: [str(x) for x in premises])
        yield from (Step(rule, premises) for premises in ordered[:MOST_WAYS])


@cache
def rules() -> Sequence[str]:
    """Return the names of the rules there are queries for."""
    return sorted(path.stem for path in Path(__file__).with_name("rules").glob("*.rq"))


def is_asserted(reader: Reader, triple: Triple) -> bool:
    """Tell whether a triple stands in any graph but the inferred one."""
    found = reader.quads(triple.subject, triple.predicate, triple.object)  # type: ignore[arg-type]
    return any(quad.graph_name != terms.GRAPH_INFERRED for quad in found)


def _premises(row: Row) -> tuple[Triple, ...]:
    found = []
    for i in ("1", "2", "3", "4"):
        if f"s{i}" in row and f"o{i}" in row:
            subject, predicate = row[f"s{i}"], row[f"p{i}"]
            if isinstance(subject, NamedNode) and isinstance(predicate, NamedNode):
                found.append(Triple(subject, predicate, row[f"o{i}"]))
    return tuple(found)


def _grounded(
    reader: Reader, goal: Triple, ways: Mapping[Triple, list[Step]]
) -> dict[Triple, Step]:
    """Choose for each triple the way with the shallowest proof that is grounded.

    Proofs grow from what is asserted upwards, so that none can rest on itself.
    """
    chosen: dict[Triple, Step] = {}
    grew = True
    while grew:
        ready = {
            triple: step
            for triple, steps in ways.items()
            if triple not in chosen
            and (step := _ready(reader, steps, chosen, ways)) is not None
        }
        chosen.update(ready)
        grew = bool(ready)
    return _used(goal, chosen)


def _ready(
    reader: Reader,
    steps: Sequence[Step],
    chosen: Mapping[Triple, Step],
    ways: Mapping[Triple, list[Step]],
) -> Step | None:
    """Return a step all of whose premises are asserted or proved, or None."""
    return next(
        (
            step
            for step in steps
            if all(
                x in chosen or (x not in ways and is_asserted(reader, x))
                for x in step.premises
            )
        ),
        None,
    )


def _used(goal: Triple, chosen: Mapping[Triple, Step]) -> dict[Triple, Step]:
    """Return the steps that the proof of `goal` needs."""
    found: dict[Triple, Step] = {}
    edge = [goal]
    while edge:
        triple = edge.pop()
        if triple in chosen and triple not in found:
            found[triple] = chosen[triple]
            edge += chosen[triple].premises
    return found
