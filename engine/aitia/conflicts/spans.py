"""Stretches of text that an accepted proposal withdrew: no longer evidence, no side."""

from __future__ import annotations

from functools import cached_property

from aitia.methods import withdrawn
from aitia.store import Reader


class Withdrawn:
    """Tells which stretches of documents were withdrawn; they are read once."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    @cached_property
    def _out(self) -> withdrawn.Withdrawn:
        return withdrawn.Withdrawn.of(self._reader)

    def covers(self, document: str, start: int, end: int) -> bool:
        """Tell whether a stretch of a document lies in or meets a withdrawn one."""
        return self._out.holds(document, start, end)
