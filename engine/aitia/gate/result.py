"""One thing that was found wrong, before it is put into words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from aitia.gate.index import Term


@dataclass(frozen=True)
class Result:
    """A validation result, by SHACL or by a rule of the store.

    Attributes:
        focus: The node that was checked.
        shape: The shape whose constraint failed, or the rule.
        component: Local name of the constraint component.
        top: The shape, with a target, that led to it.
        path: The path, where the shape has one.
        value: The value that failed, where there is one.
        severity: Local name of the severity.
        messages: What the shape says, in order of the alphabet.
        count: How many values there are, where none of them is at fault; -1 else.
        details: What was found inside, for shapes that refer to others.
        found: What was found, in words; rules say it themselves.
    """

    focus: Term
    shape: Term
    component: str
    top: Term
    path: Term | None = None
    value: Term | None = None
    severity: str = "Violation"
    messages: tuple[str, ...] = ()
    count: int = -1
    details: tuple[Result, ...] = ()
    found: str = ""

    @property
    def blocks(self) -> bool:
        """Whether it keeps a patch out: everything but warnings and remarks."""
        return self.severity not in ("Warning", "Info")

    def key(self) -> object:
        """Return what makes two results the same finding."""
        inner = frozenset(detail.key() for detail in self.details)
        return (
            self.focus, self.shape, self.component, self.top, self.path,
            self.value, self.count, inner, self.found,
        )  # fmt: skip

    def order(self) -> tuple[object, ...]:
        """Return what results are put in order by: what blocks comes first."""
        parts = (self.focus, self.shape, self.value)
        return (not self.blocks, *map(str, parts), self.component, self.found)


def ordered(results: Iterable[Result]) -> list[Result]:
    """Return results in an order that does not change from run to run."""
    return sorted(results, key=Result.order)
