"""The statement that is checked, and what rules ask of the facts around it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Final

from pyoxigraph import Literal, NamedNode, Triple

from aitia.conflicts import worldtime
from aitia.conflicts.axioms import Axioms
from aitia.conflicts.found import Found
from aitia.conflicts.worldtime import Validity
from aitia.methods.facts import Fact
from aitia.store import Reader, Term

MOST: Final = 50
"""Facts of one slot that a statement is held against."""


@dataclass
class Checked:
    """A statement under check.

    Attributes:
        axioms: Axioms and facts.
        fact: The statement.
        valid: When it holds; as is on record where None is given.
    """

    axioms: Axioms
    fact: Fact
    valid: Validity | None = None
    _times: dict[Fact, Validity] = field(default_factory=dict)

    @property
    def reader(self) -> Reader:
        """What to read from."""
        return self.axioms.reader

    @cached_property
    def when(self) -> Validity:
        """When the statement holds; looked up only where something may conflict."""
        if self.valid is not None:
            return self.valid
        return worldtime.of_fact(self.reader, self.fact)

    @property
    def triple(self) -> Triple:
        """The statement as a triple."""
        return self.fact.quad().triple

    def slot(self, predicates: Iterable[NamedNode]) -> Iterator[Fact]:
        """Yield the other facts that give the subject a value, at the same time."""
        for predicate in predicates:
            found = self.axioms.facts(self.fact.subject, predicate)
            yield from (x for x in islice(found, MOST) if self.meets(x))

    def holders(self, predicates: Iterable[NamedNode]) -> Iterator[Fact]:
        """Yield the facts that give another subject the value, at the same time."""
        for predicate in predicates:
            found = self.axioms.facts(None, predicate, self.fact.object)
            for fact in islice(found, MOST):
                if fact.subject == self.fact.subject or not self.meets(fact):
                    continue
                mine = worldtime.of_node(self.reader, self.fact.subject)
                if worldtime.of_node(self.reader, fact.subject).overlaps(mine):
                    yield fact

    def meets(self, other: Fact) -> bool:
        """Tell whether another fact holds at some time at which this one does."""
        if other == self.fact:
            return False
        if other not in self._times:
            self._times[other] = worldtime.of_fact(self.reader, other)
        return self._times[other].overlaps(self.when)

    def types(self, node: NamedNode) -> dict[NamedNode, tuple[Triple, ...]]:
        """Return the classes of a resource, with the triples that make it one."""
        return dict(self.axioms.types(node))

    def called(self, term: Term) -> str:
        """Return what a thing or a value is called."""
        return term.value if isinstance(term, Literal) else self.axioms.label(term)

    def found(
        self,
        rule: str,
        reason: str,
        others: Iterable[Fact],
        premises: Iterable[Triple],
        *,
        certain: bool = True,
    ) -> Found:
        """Return a conflict of this statement with others.

        Where an axiom alone rules it out, that axiom is the other side.
        """
        premises = tuple(premises)
        against = tuple(others) or tuple(self._stated(premises))[-1:]
        sides = (self.fact, *against)
        whole = (*(side.quad().triple for side in sides), *premises)
        return Found(rule, reason, sides, tuple(dict.fromkeys(whole)), certain)

    def _stated(self, premises: Iterable[Triple]) -> Iterator[Fact]:
        """Yield the facts by which triples stand, one for each."""
        for triple in premises:
            subject, value = triple.subject, triple.object
            if isinstance(subject, NamedNode) and isinstance(value, NamedNode):
                yield from islice(
                    self.axioms.facts(subject, triple.predicate, value), 1
                )
