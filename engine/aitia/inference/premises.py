"""By which premises an inferred triple follows: one-step rules, chained to a proof."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from pyoxigraph import Literal, NamedNode, Triple

from aitia import resources, terms
from aitia.prefixes import expand
from aitia.store import Bound, Reader, Row

MOST_EXPLORED: Final = 300
"""Inferred triples whose premises are looked for in one proof."""
MOST_WAYS: Final = 20
"""Ways to derive one triple that are weighed against each other, for each rule."""
_DERIVES: Final = re.compile(r"FILTER\(\?p = (\S+)\)")
"""Where a rule's query says that it derives triples of one predicate alone."""
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

    The proof never goes in a circle: what it rests on in the end is asserted. A triple
    that follows from what is asserted in one step is proved so. Empty where no rule
    leads there.
    """
    asserted = _Asserted(reader)
    ways: dict[Triple, list[Step]] = {}
    edge = [triple]
    while edge and len(ways) < MOST_EXPLORED:
        current = edge.pop(0)
        if current in ways or asserted(current):
            continue
        found = list(steps(reader, current))
        direct = next((x for x in found if all(map(asserted, x.premises))), None)
        ways[current] = [direct] if direct else found
        edge += [x for way in ways[current] for x in way.premises]
    return _used(triple, _grounded(ways, asserted))


class _Asserted:
    """Remembers which triples are asserted."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._known: dict[Triple, bool] = {}

    def __call__(self, triple: Triple) -> bool:
        if triple not in self._known:
            self._known[triple] = is_asserted(self._reader, triple)
        return self._known[triple]


def steps(reader: Reader, triple: Triple) -> Iterator[Step]:
    """Yield the ways in which one rule derives a triple from others on record."""
    subject, obj = triple.subject, triple.object
    if not isinstance(subject, NamedNode) or not isinstance(obj, NamedNode | Literal):
        return
    bound: Mapping[str, Bound] = {"s": subject, "p": triple.predicate, "o": obj}
    for rule, predicate in rules().items():
        if predicate not in ("", triple.predicate.value):
            continue
        rows = reader.select(resources.query("inference/rules", rule), bound)
        found = [premises for row in rows if (premises := _premises(row))]
        if rule in _ALL_ROWS and found:
            whole = dict.fromkeys(x for premises in found for x in premises)
            yield Step(rule, tuple(whole))
            continue
        ordered = sorted(found, key=lambda premises: [str(x) for x in premises])
        yield from (Step(rule, premises) for premises in ordered[:MOST_WAYS])


@cache
def rules() -> Mapping[str, str]:
    """Return the rules there are queries for: name → the predicate it derives, or ""."""
    names = sorted(path.stem for path in Path(__file__).with_name("rules").glob("*.rq"))
    texts = {name: resources.query("inference/rules", name) for name in names}
    derived = {name: _DERIVES.search(text) for name, text in texts.items()}
    return {name: expand(found[1]) if found else "" for name, found in derived.items()}


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
    ways: Mapping[Triple, list[Step]], asserted: _Asserted
) -> dict[Triple, Step]:
    """Choose for each triple a way that is grounded, the shallowest first.

    Proofs grow from what is asserted upwards, so that none can rest on itself.
    """
    chosen: dict[Triple, Step] = {}
    grew = True
    while grew:
        ready = {
            triple: step
            for triple, steps in ways.items()
            if triple not in chosen
            and (step := _ready(steps, chosen, ways, asserted)) is not None
        }
        chosen.update(ready)
        grew = bool(ready)
    return chosen


def _ready(
    steps: Sequence[Step],
    chosen: Mapping[Triple, Step],
    ways: Mapping[Triple, list[Step]],
    asserted: _Asserted,
) -> Step | None:
    """Return a step all of whose premises are asserted or proved, or None."""
    return next(
        (
            step
            for step in steps
            if all(
                x in chosen or (x not in ways and asserted(x)) for x in step.premises
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
