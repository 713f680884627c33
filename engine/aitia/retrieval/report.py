"""What catching up did, and what a check of the indexes found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CatchUp:
    """What was brought into the indexes.

    Attributes:
        position: Number of the last commit that is now indexed.
        passages: How many passages are indexed now.
        resources: How many resources are indexed now.
        embedded: How many passages were turned into vectors on the way.
    """

    position: int
    passages: int
    resources: int
    embedded: int = 0


@dataclass(frozen=True)
class IndexReport:
    """How the indexes compare with the store.

    Attributes:
        position: Number of the last commit that is indexed.
        head: Number of the last commit.
        model: Name of the model that made the vectors, or "" where there are none.
        passages: How many passages of live documents the store has.
        resources: How many resources the store has.
        findings: What does not agree, a sentence each; none where all is well.
        broken: Whether the files cannot be used as they are; catching up mends nothing.
    """

    position: int
    head: int
    model: str
    passages: int
    resources: int
    findings: tuple[str, ...] = ()
    broken: bool = False

    @property
    def intact(self) -> bool:
        """Whether store and indexes agree."""
        return not self.findings

    @property
    def lag(self) -> bool:
        """Whether they are only behind: the next command that writes brings them up."""
        return not self.broken and self.position < self.head

    @property
    def lacks(self) -> tuple[str, ...]:
        """What a lag amounts to: nothing where only runs were recorded since.

        Where there are indexes that lag, the first finding says only that.
        """
        return self.findings[1:] if self.position else self.findings
