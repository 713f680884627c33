"""Statement check: reads facts again and finds the words they were read from."""

from __future__ import annotations

from dataclasses import dataclass

from aitia.methods.base import Reads, method
from aitia.methods.facts import Fact
from aitia.methods.quote_check import Checked


@dataclass(frozen=True)
class Stated:
    """Facts that a candidate answer rests on."""

    facts: tuple[Fact, ...]


@method("statement_check", "Reads the facts of a candidate answer again in the store.")
def statement_check(reads: Reads, given: Stated) -> Checked:
    """Return whether every fact still stands in a graph in force."""
    gone = [
        fact
        for fact in given.facts
        if next(
            reads.store.quads(fact.subject, fact.predicate, fact.object, fact.graph),
            None,
        )
        is None
    ]
    failure = f"{len(gone)} of the facts no longer stand." if gone else ""
    return Checked(
        passed=not failure,
        summary=failure or f"{len(given.facts)} facts stand",
        failure=failure,
    )
