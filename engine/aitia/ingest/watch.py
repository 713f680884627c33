"""How far an ingest has come, told to whoever shows it."""

from __future__ import annotations

from typing import Protocol

from aitia.ingest.report import FileReport


class Watch(Protocol):
    """Is told how far an ingest has come."""

    def total(self, count: int) -> None:
        """So many files will be read."""

    def begin(self, path: str) -> None:
        """The next file is being read."""

    def step(self, what: str) -> None:
        """What is being done with it now."""

    def end(self, report: FileReport) -> None:
        """It is done."""

    def indexed(self, done: int, total: int) -> None:
        """So many of its passages are in the indexes."""


class Silent:
    """A watch that tells nobody."""

    def total(self, count: int) -> None:
        """Do nothing."""

    def begin(self, path: str) -> None:
        """Do nothing."""

    def step(self, what: str) -> None:
        """Do nothing."""

    def end(self, report: FileReport) -> None:
        """Do nothing."""

    def indexed(self, done: int, total: int) -> None:
        """Do nothing."""
