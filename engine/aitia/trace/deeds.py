"""What a run did that its conclusion has to lead to: outside, and last of all."""

from __future__ import annotations

from pyoxigraph import NamedNode

from aitia.model.trace import Outside


class Deeds:
    """What was done, as far as it is on record or waits for the next step.

    Attributes:
        outside: The calls that may have changed something outside, in order.
    """

    def __init__(self) -> None:
        self.outside: list[Outside] = []
        self._calls: list[NamedNode] = []
        self._kept = 0
        self._last: NamedNode | None = None

    def ended(self, execution: NamedNode) -> None:
        """Take note of an execution that ended."""
        self._last = execution

    def changed(self, done: Outside) -> None:
        """Take note of a call that may have changed something outside."""
        self.outside.append(done)
        self._calls.append(NamedNode(done.node))

    def committed(self) -> None:
        """Take note that all so far is on record."""
        self._kept = len(self._calls)

    def dropped(self) -> None:
        """Take note that what was not on record never will be."""
        del self._calls[self._kept :]
        self._last = None

    def behind(self, *, broken_off: bool) -> list[NamedNode]:
        """Return the executions that a conclusion follows on.

        Args:
            broken_off: Whether the run broke off: then what was done last is one.
        """
        last = [self._last] if broken_off and self._last is not None else []
        return list(dict.fromkeys([*self._calls, *last]))
