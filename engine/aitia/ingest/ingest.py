"""Ingest: one file, one document, one commit."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote_to_bytes

from pyoxigraph import NamedNode, Quad

from aitia import terms
from aitia.blobs import Blobs
from aitia.errors import AitiaError, ReadError, ShapeViolation
from aitia.ingest import document as catalog, references, sources, versions
from aitia.ingest.content import Content, Facts, Options
from aitia.ingest.document import Reading, Record
from aitia.ingest.literals import rewritten
from aitia.ingest.passages import cut
from aitia.ingest.reading import Opened, content_of, open_bytes
from aitia.ingest.report import FileReport, IngestReport
from aitia.ingest.retire import facts_leaving, retire
from aitia.ingest.sources import Source
from aitia.ingest.versions import Known
from aitia.ledger import Ledger
from aitia.model import Patch
from aitia.redact import Redactor
from aitia.settings import Settings
from aitia.store import OxigraphStore
from aitia.vocab import AITIA

EVERY = 200
"""After so many files the indexes are caught up with what was committed."""


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


@dataclass
class Ingest:
    """Takes files in.

    Attributes:
        store: What is on record.
        blobs: Where originals and texts are kept.
        ledger: What to commit to.
        settings: The settings in force.
        options: How the user wants files read.
        settle: Catches the indexes up with what was committed.
        avoid: The workspace's own folder, which is passed over.
        watch: Is told how far it has come.
    """

    store: OxigraphStore
    blobs: Blobs
    ledger: Ledger
    settings: Settings
    options: Options = field(default_factory=Options)
    settle: Callable[[], object] = lambda: None
    avoid: Path | None = None
    watch: Watch = field(default_factory=Silent)

    def __post_init__(self) -> None:
        self.agent = terms.agent_iri(self.settings.agent)
        self.redactor = Redactor(self.settings)

    def run(self, paths: Sequence[str], *, prune: bool = False) -> IngestReport:
        """Take in what is under `paths`.

        Args:
            paths: Files, folders, patterns, `-` for standard input.
            prune: Retire documents of these folders whose files are gone.
        """
        found = sources.find(paths, name=self.options.name, avoid=self.avoid)
        report = IngestReport()
        self.watch.total(len(found.sources))
        for path, error in found.failures:
            report.files.append(
                FileReport(path, "failed", reason=str(error), hint=error.hint)
            )
        try:
            for number, source in enumerate(found.sources, 1):
                self.watch.begin(source.path)
                report.files.append(self._take(source))
                self.watch.end(report.files[-1])
                if number % EVERY == 0:
                    self.settle()
            report.notices.extend(self._beside(found, prune=prune))
            self.settle()
        except KeyboardInterrupt:
            report.interrupted = True
        return report

    def _take(self, source: Source) -> FileReport:
        started = terms.now()
        attempt = _Attempt(self, source, started)
        try:
            return attempt.run()
        except ShapeViolation as error:
            return attempt.refused(error)
        except ReadError as error:
            return attempt.failed(error)

    def _beside(self, found: sources.Found, *, prune: bool) -> Iterator[str]:
        if found.hidden:
            yield f"{found.hidden} hidden files and folders were passed over"
        gone = list(self._gone(found.folders))
        if not gone:
            return
        if prune:
            for known in gone:
                retire(
                    self.store,
                    self.blobs,
                    self.ledger,
                    known,
                    self.settings.agent,
                    reason="its file is no longer there",
                )
            yield f"{len(gone)} documents were retired: their files are no longer there"
        else:
            names = ", ".join(known.path for known in gone[:5])
            yield (
                f"{len(gone)} documents in use have no file any more: {names}"
                f"{', …' if len(gone) > 5 else ''} (retire them with `aitia delete` or"
                " --prune)"
            )

    def _gone(self, folders: Sequence[Path]) -> Iterator[Known]:
        roots = tuple(sources.location(folder) + "/" for folder in folders)
        if not roots:
            return
        for known in versions.live(self.store):
            if known.location.startswith(roots):
                name = unquote_to_bytes(known.location.removeprefix("file://"))
                if not os.path.lexists(name):
                    yield known


def _subjects(facts: Facts | None) -> set[NamedNode]:
    found = (quad.subject for quad in facts.quads) if facts else ()
    return {subject for subject in found if isinstance(subject, NamedNode)}


@dataclass
class _Attempt:
    """The taking in of one file."""

    ingest: Ingest
    source: Source
    started: datetime
    opened: Opened | None = None
    content: Content | None = None

    def run(self) -> FileReport:
        """Read the file and commit what it holds.

        Raises:
            ReadError: It cannot be read.
            ShapeViolation: It does not conform.
        """
        part = self.ingest
        data = self.source.read(part.settings.max_file_mb)
        if not data:
            return self._skipped("it is empty")
        before = versions.live_at(part.store, self.source.location)
        if before and self._same(before, hashlib.sha256(data).hexdigest()):
            return self._unchanged(before)
        self.opened = self._open(data)
        if before and self._same(before, self.opened.content_hash):
            return self._unchanged(before)
        if not self.opened.found.binary and not self.opened.text.strip():
            return self._skipped("it holds only white space")
        return self._commit(before)

    def refused(self, error: ShapeViolation) -> FileReport:
        """Put the refusal of a file on record and report it."""
        return self._bad("refused", str(error), error.hint)

    def failed(self, error: AitiaError) -> FileReport:
        """Put the failure of a file on record and report it."""
        return self._bad("failed", str(error), error.hint)

    def _open(self, data: bytes) -> Opened:
        part = self.ingest
        part.watch.step("reading")
        try:
            return open_bytes(
                data, self.source.name, part.options, part.redactor.redact
            )
        except ReadError:
            if self.source.named:
                raise
            raise

    def _same(self, before: Known, content_hash: str) -> bool:
        options = catalog.options_text(self.ingest.options, self.ingest.options.format)
        return before.content_hash == content_hash and before.options == options

    def _commit(self, before: Known | None) -> FileReport:
        part, opened = self.ingest, self.opened
        assert opened is not None
        iri = versions.new_iri(part.store, self.source.location, opened.content_hash)
        content = self.content = content_of(
            opened,
            self.source.name,
            self.source.location,
            iri,
            part.options,
            part.settings.passage_chars,
        )
        text, redactions = part.redactor.redact(content.text)
        record = self._record(iri, content, text, max(redactions, opened.redactions))
        reading = self._reading()
        adds = set(catalog.agent(part.agent, part.settings.agent))
        part.watch.step("cutting")
        passages = 0
        for passages, made in enumerate(
            cut(text, content.blocks, part.settings.passage_chars), 1
        ):
            adds.update(catalog.passage(iri, made, passages))
        facts = content.facts
        links = 0
        deletes: set[Quad] = set()
        if before is not None:
            record.revision_of = before.iri
            staying = _subjects(facts)
            changed = catalog.out_of_use(
                before.iri, AITIA.superseded, reading.iri, self.started
            )
            adds.update(changed[0])
            deletes.update(changed[1])
            deletes.update(facts_leaving(part.store, part.blobs, before.iri, staying))
        if facts is not None:
            found = set(references.links(part.store, facts, iri, self._alive(before)))
            links = len(found)
            adds.update(facts.quads)
            adds.update(found)
            record.facts = len({*facts.quads}) + links
            record.graphs = facts.graphs
            record.rewritten = rewritten(facts.quads) if opened.found.rdf else None
        reading.warnings = content.warnings
        reading.ended = terms.now()
        adds.update(catalog.reading(reading))
        adds.update(catalog.document(record, reading.iri, reading.ended))
        part.blobs.put(opened.data)
        part.blobs.put(text.encode("utf-8"))
        part.watch.step("checking and writing")
        patch = Patch(frozenset(adds), frozenset(deletes), part.agent, reading.iri)
        committed = part.ledger.commit(patch)
        return FileReport(
            self.source.path,
            "new version" if before else "added",
            iri.value,
            opened.found.name,
            opened.encoding,
            opened.guessed,
            len(text),
            content.pages,
            passages,
            facts.records if facts else 0,
            record.facts or 0,
            links,
            record.redactions,
            record.rewritten or 0,
            tuple(content.warnings),
            commit=committed.number,
        )

    def _alive(self, before: Known | None) -> Callable[[NamedNode], bool]:
        seen: dict[NamedNode, bool] = {}

        def alive(graph: NamedNode) -> bool:
            if graph not in seen:
                superseded = before is not None and graph == before.iri
                seen[graph] = not superseded and versions.is_live(
                    self.ingest.store, graph
                )
            return seen[graph]

        return alive

    def _record(
        self, iri: NamedNode, content: Content, text: str, count: int
    ) -> Record:
        opened = self.opened
        assert opened is not None
        same = versions.same_bytes(self.ingest.store, opened.content_hash)
        others = [known for known in same if known.location != self.source.location]
        content.warnings.extend(
            f"it has the same bytes as {known.path}" for known in others
        )
        return Record(
            iri,
            catalog.one_line(content.title) or self.source.name,
            self.source.path,
            self.source.location,
            opened.content_hash,
            hashlib.sha256(text.encode("utf-8")).hexdigest(),
            opened.found.media_type,
            len(opened.data),
            len(text),
            opened.encoding,
            opened.guessed,
            content.pages,
            count,
            same_as=[known.iri for known in others],
        )

    def _reading(self) -> Reading:
        part = self.ingest
        return Reading(
            NamedNode(f"{terms.BASE}reading:{terms.new_id()}"),
            self.source.location,
            part.agent,
            self.started,
            terms.now(),
            self.content.reader if self.content else "",
            self.content.version if self.content else "",
            catalog.options_text(part.options, part.options.format),
        )

    def _skipped(self, reason: str) -> FileReport:
        return FileReport(self.source.path, "skipped", reason=reason)

    def _unchanged(self, before: Known) -> FileReport:
        return FileReport(self.source.path, "unchanged", before.iri.value)

    def _bad(self, outcome: str, reason: str, hint: str) -> FileReport:
        part = self.ingest
        reading = self._reading()
        reading.error = reason or outcome
        adds = {
            *catalog.agent(part.agent, part.settings.agent),
            *catalog.reading(reading),
        }
        record = part.ledger.commit(
            Patch(frozenset(adds), agent=part.agent, cause=reading.iri)
        )
        found = self.opened.found.name if self.opened else ""
        return FileReport(
            self.source.path,
            "refused" if outcome == "refused" else "failed",
            format=found,
            reason=reason,
            hint=hint,
            commit=record.number,
        )
