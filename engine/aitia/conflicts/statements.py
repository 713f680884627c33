"""The check of statements: every rule held against one, by bound look-ups only.

What it costs does not depend on how much is on record: each rule looks up the facts of
one slot, and the axioms that speak of one property or class.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Final

from pyoxigraph import Literal, NamedNode, Triple

from aitia import terms
from aitia.conflicts import dates, kinds, slots, worldtime
from aitia.conflicts.axioms import Axioms
from aitia.conflicts.checked import Checked
from aitia.conflicts.found import Found
from aitia.conflicts.worldtime import Validity
from aitia.methods.facts import Fact
from aitia.store import Term

if TYPE_CHECKING:
    from aitia.methods.base import Reads

RULES: Final[tuple[Callable[[Checked], Iterator[Found]], ...]] = (
    slots.limits,
    slots.owners,
    kinds.disjoint,
    kinds.ranges,
    kinds.identity,
    kinds.relations,
    dates.order,
    dates.once,
)


class Checks:
    """Checks statements one after another; what was read of axioms is kept.

    Attributes:
        reads: What may be read.
        axioms: Axioms and facts.
    """

    def __init__(self, reads: Reads, ignoring: Collection[Triple] = ()) -> None:
        from aitia.gate import library

        self.reads = reads
        shapes = library.texts(reads.store, reads.blobs)
        self.axioms = Axioms(reads.store, shapes, frozenset(ignoring))

    def check(
        self, fact: Fact, valid: Validity | None = None, *, deep: bool = False
    ) -> list[Found]:
        """Return the conflicts of one statement, each pair of sides once.

        Args:
            fact: The statement; it need not stand yet.
            valid: When it holds; as is on record where None is given.
            deep: Whether OWL 2 RL reads the neighbourhood as well.
        """
        checked = Checked(self.axioms, fact, valid)
        settings = self.reads.settings.conflicts
        found = [item for rule in RULES for item in rule(checked)]
        if settings.one_value:
            found += slots.one_value(checked)
        if deep and settings.owl:
            from aitia.conflicts import owl2rl

            found += owl2rl.around(self.axioms, fact, settings.owl)
        return unique(found)


def check_statement(
    reads: Reads,
    subject: NamedNode,
    predicate: NamedNode,
    obj: Term,
    *,
    valid: Validity = worldtime.ALWAYS,
    ignoring: Collection[Triple] = (),
    graph: NamedNode = terms.GRAPH_CURRENT,
    deep: bool = False,
) -> list[Found]:
    """Return the conflicts that a statement has or would have with those in force.

    Args:
        reads: What may be read.
        subject: Its subject.
        predicate: Its property.
        obj: Its value.
        valid: When it holds in the world.
        ignoring: Triples that count as gone, such as the one it takes the place of.
        graph: The graph that it stands in or will stand in.
        deep: Whether OWL 2 RL reads the neighbourhood as well, which takes up to
            seconds.
    """
    fact = Fact(subject, predicate, obj, graph)
    return Checks(reads, ignoring).check(fact, valid, deep=deep)


def facts_of(reads: Reads, graph: NamedNode) -> Iterator[Fact]:
    """Yield the facts that stand in a graph."""
    for quad in reads.store.quads(None, None, None, graph):
        one, value = quad.subject, quad.object
        if isinstance(one, NamedNode) and isinstance(value, (NamedNode, Literal)):
            yield Fact(one, quad.predicate, value, graph)


def unique(found: Iterable[Found]) -> list[Found]:
    """Return conflicts without those whose sides another has, the certain ones first."""
    kept: dict[frozenset[Triple], Found] = {}
    for item in sorted(found, key=lambda item: not item.certain):
        sides = frozenset(side.quad().triple for side in item.sides)
        kept.setdefault(sides, item)
    return list(kept.values())
