"""Ingest: one file, one document, one commit."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

from aitia import terms
from aitia.blobs import Blobs
from aitia.errors import AitiaError
from aitia.gate import Gate
from aitia.ingest import sniff, sources, versions
from aitia.ingest.attempt import Attempt
from aitia.ingest.content import Options
from aitia.ingest.report import FileReport, IngestReport
from aitia.ingest.retire import retire
from aitia.ingest.versions import Known
from aitia.ingest.watch import Silent, Watch
from aitia.ledger import Ledger
from aitia.redact import Redactor
from aitia.settings import Settings
from aitia.store import OxigraphStore

if TYPE_CHECKING:
    from aitia.ingest.extraction import Extraction

EVERY = 200
"""After so many files the indexes are caught up with what was committed."""
_NAMED = 5
"""Missing files that are told by name."""


@dataclass
class Ingest:
    """Takes files in.

    Attributes:
        store: What is on record.
        blobs: Where originals and texts are kept.
        ledger: What to commit to.
        settings: The settings in force.
        gate: What judges RDF files as they stand; the ledger's judges them again as
            they will be stored.
        options: How the user wants files read.
        settle: Catches the indexes up with what was committed.
        avoid: The workspace's own folder, which is passed over.
        watch: Is told how far it has come.
        extraction: Has a model read what was taken in; None where no model is asked.
    """

    store: OxigraphStore
    blobs: Blobs
    ledger: Ledger
    settings: Settings
    gate: Gate = field(default_factory=Gate)
    options: Options = field(default_factory=Options)
    settle: Callable[[], object] = lambda: None
    avoid: Path | None = None
    watch: Watch = field(default_factory=Silent)
    extraction: Extraction | None = None

    def __post_init__(self) -> None:
        self.agent = terms.agent_iri(self.settings.agent)
        self.redactor = Redactor(self.settings)

    def run(self, paths: Sequence[str], *, prune: bool = False) -> IngestReport:
        """Take in what is under `paths`.

        Args:
            paths: Files, folders, patterns, `-` for standard input.
            prune: Retire documents of these folders whose files are gone.

        Raises:
            UsageError: There is no format of the name that the user gave.
            SettingsError: A pattern or hook for secrets does not work.
        """
        if self.options.format:
            sniff.named(self.options.format)
        found = sources.find(
            paths,
            name=self.options.name,
            avoid=self.avoid,
            limit_mb=self.settings.max_file_mb,
        )
        report = IngestReport()
        self.watch.total(len(found.sources))
        for path, error in found.failures:
            report.files.append(
                FileReport(path, "failed", reason=str(error), hint=error.hint)
            )
        try:
            self._take(found.sources, report)
            self._conclude(found, report, prune=prune)
            self._settle(report)
        except KeyboardInterrupt:
            report.interrupted = True
        return report

    def _take(self, files: Sequence[sources.Source], report: IngestReport) -> None:
        for number, source in enumerate(files, 1):
            self.watch.begin(source.path)
            report.files.append(Attempt(self, source).run())
            report.files[-1] = self._read(report.files[-1])
            self.watch.end(report.files[-1])
            if number % EVERY == 0:
                self._settle(report)

    def _read(self, done: FileReport) -> FileReport:
        """Have a model read a file that was taken in, where one is asked."""
        if self.extraction is None:
            return done
        self.watch.step("reading facts")
        return self.extraction.of(done)

    def _conclude(
        self, found: sources.Found, report: IngestReport, *, prune: bool
    ) -> None:
        """Tell what concerns several files; the report outlives a failure of that."""
        try:
            for notice in self._beside(found, prune=prune):
                report.notices.append(notice)
        except (AitiaError, OSError) as error:
            report.unfinished = _in_words(error)

    def _settle(self, report: IngestReport) -> None:
        """Catch the indexes up; what is committed stays so where that fails."""
        try:
            self.settle()
        except (AitiaError, OSError) as error:
            report.unindexed = _in_words(error)

    def _beside(self, found: sources.Found, *, prune: bool) -> Iterator[str]:
        yield from found.passed_over()
        if self.extraction is not None and self.extraction.stopped:
            yield f"the model is asked no more: {self.extraction.stopped.rstrip('.')}"
        gone = list(self._gone(found.folders))
        if gone and prune:
            yield self._pruned(gone)
        elif gone:
            names = ", ".join(known.path for known in gone[:_NAMED])
            more = ", …" if len(gone) > _NAMED else ""
            subject = (
                "1 document has" if len(gone) == 1 else f"{len(gone)} documents have"
            )
            yield (
                f"{subject} no file any more and still in use: {names}{more}"
                " (retire with `aitia delete FILE`, or all with --prune)"
            )

    def _pruned(self, gone: Sequence[Known]) -> str:
        reason = "its file is no longer there"
        for known in gone:
            retire(
                self.store,
                self.blobs,
                self.ledger,
                known,
                self.settings.agent,
                reason=reason,
            )
        names = ", ".join(known.path for known in gone[:_NAMED])
        return f"retired, because {reason}: {names}{', …' if gone[_NAMED:] else ''}"

    def _gone(self, folders: Sequence[Path]) -> Iterator[Known]:
        """Yield the live documents of folders whose files are no longer there."""
        roots = tuple(sources.location(folder) + "/" for folder in folders)
        for known in versions.live(self.store) if roots else ():
            if known.location.startswith(roots):
                name = unquote_to_bytes(known.location.removeprefix("file://"))
                if not os.path.lexists(name):
                    yield known


def _in_words(error: AitiaError | OSError) -> str:
    hint = error.hint if isinstance(error, AitiaError) else ""
    return " ".join(filter(None, (str(error), hint)))
