"""What an ingest and a retirement did, file by file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from aitia.conflicts.record import Recorded

Outcome = Literal["added", "new version", "unchanged", "skipped", "refused", "failed"]

_INTERRUPTED = 130
"""As shells have it: 128 + SIGINT."""


@dataclass(frozen=True)
class FileReport:
    """What became of one file.

    Attributes:
        path: Its path as given.
        outcome: What became of it; `skipped` holds nothing to take in, `refused`
            did not conform, `failed` could not be read.
        document: IRI of its document, or "".
        format: What it was read as, or "".
        encoding: What its text was read by, or "".
        encoding_guessed: That was a guess.
        characters: Length of its text.
        pages: How many pages it has, or None.
        passages: How many passages it was cut into.
        records: How many records it holds.
        facts: How many quads its records or RDF made.
        links: How many links between records it brought.
        redactions: How many secrets were masked.
        rewritten: How many literals the store rewrote.
        warnings: What a person should know about it.
        reason: Why it was skipped, refused or failed, or ""; a line for each problem.
        hint: What can be done about that, or "".
        commit: Number of the commit, 0 where nothing was committed.
        statements: How many statements a model read in it.
        statements_refused: How many it returned that were refused.
        extraction: How that went: `done`, `in part` where a reply was cut off or rules
            did in its place, `waits` where a later ingest goes on; "" where no model
            was asked.
        run: IRI of the run that read it, or "".
    """

    path: str
    outcome: Outcome
    document: str = ""
    format: str = ""
    encoding: str = ""
    encoding_guessed: bool = False
    characters: int = 0
    pages: int | None = None
    passages: int = 0
    records: int = 0
    facts: int = 0
    links: int = 0
    redactions: int = 0
    rewritten: int = 0
    warnings: tuple[str, ...] = ()
    reason: str = ""
    hint: str = ""
    commit: int = 0
    statements: int = 0
    statements_refused: int = 0
    extraction: str = ""
    run: str = ""


@dataclass
class IngestReport:
    """What an ingest did.

    Attributes:
        files: Each file, in order.
        notices: What concerns more than one file.
        conflicts: What of it disagrees, with what was there or with each other.
        interrupted: It was stopped before all files were read.
        unindexed: Why the indexes do not hold what was taken in, or "".
        unfinished: What went wrong after the files were taken in: they could not be
            shown to readers, or those that are gone not be retired; or "".
    """

    files: list[FileReport] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    conflicts: Sequence[Recorded] = ()
    interrupted: bool = False
    unindexed: str = ""
    unfinished: str = ""

    @property
    def counts(self) -> Counter[str]:
        """How many files came out which way."""
        return Counter(file.outcome for file in self.files)

    @property
    def exit_code(self) -> int:
        """What the command exits with.

        0 all done; 1 nothing done; 3 done in part; 4 all that was not done was
        refused by the gate, and nothing else was done; 130 interrupted.
        """
        counts = self.counts
        done = counts["added"] + counts["new version"] + counts["unchanged"]
        bad = counts["failed"] + counts["refused"]
        if self.interrupted:
            return _INTERRUPTED
        if not done and not counts["refused"]:
            return 1
        if not done:
            return 1 if counts["failed"] else 4
        half_read = any(file.extraction in ("in part", "waits") for file in self.files)
        return 3 if bad or half_read or self.unindexed or self.unfinished else 0

    def as_json(self) -> dict[str, Any]:
        """Return the stable layout of `--json`."""
        return {
            "files": [
                asdict(file) | {"warnings": list(file.warnings)} for file in self.files
            ],
            "counts": dict(self.counts),
            "notices": self.notices,
            "conflicts": [item.as_json() for item in self.conflicts],
            "interrupted": self.interrupted,
            "unindexed": self.unindexed,
            "unfinished": self.unfinished,
        }


@dataclass(frozen=True)
class RetireReport:
    """What a retirement did.

    Attributes:
        document: IRI of the document.
        path: Its path as given.
        passages: How many passages went out of use.
        facts: How many quads were taken out of the knowledge.
        commit: Number of the commit.
    """

    document: str
    path: str
    passages: int
    facts: int
    commit: int

    def as_json(self) -> dict[str, Any]:
        """Return the stable layout of `--json`."""
        return asdict(self)
