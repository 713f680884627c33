"""The taking in of one file: read it, compare it with what is there, commit it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from pyoxigraph import NamedNode

from aitia import terms
from aitia.errors import AitiaError, ReadError, ShapeViolation
from aitia.ingest import document as catalog, versions
from aitia.ingest.change import MOST_TOLD, Change
from aitia.ingest.content import Content
from aitia.ingest.document import Reading, Record
from aitia.ingest.reading import Opened, content_of, open_bytes
from aitia.ingest.report import FileReport, Outcome
from aitia.ingest.sniff import NoReader
from aitia.ingest.sources import Source
from aitia.ingest.versions import Known
from aitia.model import Patch

if TYPE_CHECKING:
    from aitia.ingest.ingest import Ingest

_MOST_CHARS = 10_000
"""Of a message; one that quotes its file could be as long as that."""


class Attempt:
    """Takes one file in, or says why not."""

    def __init__(self, task: Ingest, source: Source) -> None:
        self.task, self.source = task, source
        self.started = terms.now()
        self.opened: Opened | None = None
        self.reading = Reading(
            NamedNode(f"{terms.BASE}reading:{terms.new_id()}"),
            source.location,
            task.agent,
            self.started,
            self.started,
            options=catalog.options_text(task.options),
        )

    def run(self) -> FileReport:
        """Return what became of the file; what was tried is on record."""
        try:
            return self._run()
        except NoReader as error:
            if self.source.named:
                return self._bad("failed", error)
            return self._skipped(str(error))
        except ShapeViolation as error:
            return self._bad("refused", error)
        except AitiaError as error:
            return self._bad("failed", error)
        except MemoryError:
            return self._bad("failed", ReadError("there is too little memory for it"))
        except OSError as error:
            return self._bad("failed", ReadError(f"it cannot be kept: {_why(error)}"))

    def _run(self) -> FileReport:
        before = versions.live_at(self.task.store, self.source.location)
        early = self._open(before)
        return early or self._commit(self._change(before), before)

    def _open(self, before: Known | None) -> FileReport | None:
        """Open the file; return what there is to report where that is all."""
        task = self.task
        data = self.source.read(task.settings.max_file_mb)
        if not data:
            return self._empty("it is empty", before)
        # The kept hash is that of the file itself unless it holds secrets.
        if before and self._same(before, hashlib.sha256(data).hexdigest()):
            return self._unchanged(before)
        task.watch.step("reading")
        self.opened = opened = open_bytes(
            data, self.source.name, task.options, task.redactor.redact
        )
        if before and self._same(before, opened.content_hash):
            return self._unchanged(before)
        if not opened.found.binary and not opened.text.strip():
            return self._empty("it holds only white space", before)
        return None

    def _change(self, before: Known | None) -> Change:
        """Return the change that takes the file in; the file itself is put away."""
        task, opened = self.task, self.opened
        assert opened is not None
        place = self.source.location
        iri = versions.new_iri(task.store, place, opened.content_hash)
        content = content_of(
            opened,
            self.source.name,
            place,
            iri,
            task.options,
            task.settings.passage_chars,
        )
        self.reading.reader, self.reading.version = content.reader, content.version
        text, redactions = self._clean(opened, content)
        record = self._record(iri, opened, content, text)
        record.redactions = redactions
        record.original_kept = not (redactions and opened.found.binary)
        content.warnings.extend(self._notes(record, before))
        change = Change(task, record, self.reading)
        change.fill(content, text, before)
        if record.original_kept:
            task.blobs.put(opened.data)
        task.blobs.put(text.encode("utf-8"))
        self.opened = replace(opened, data=b"", text="")
        return change

    def _commit(self, change: Change, before: Known | None) -> FileReport:
        opened, record = self.opened, change.record
        assert opened is not None
        committed = change.commit()
        return FileReport(
            self.source.path,
            "new version" if before else "added",
            record.iri.value,
            opened.found.name,
            opened.encoding,
            opened.guessed,
            record.char_length,
            record.pages,
            change.passages,
            change.records,
            record.facts or 0,
            change.links,
            record.redactions,
            record.rewritten or 0,
            tuple(change.warnings),
            commit=committed.number,
        )

    def _same(self, before: Known, content_hash: str) -> bool:
        """Say whether it is the same bytes, asked to be read in the same way."""
        same_way = before.options == self.reading.options
        return same_way and before.content_hash == content_hash

    def _clean(self, opened: Opened, content: Content) -> tuple[str, int]:
        """Return the text without secrets, and how many the file held."""
        if content.text == opened.text:
            return content.text, opened.redactions
        text, count = self.task.redactor.redact(content.text)
        return text, max(count, opened.redactions)

    def _record(
        self, iri: NamedNode, opened: Opened, content: Content, text: str
    ) -> Record:
        same = versions.same_bytes(self.task.store, opened.content_hash)
        # One link joins a copy to all others; a thousand copies must not make a
        # million links.
        others = [known for known in same if known.location != self.source.location][:1]
        content.warnings.extend(
            f"it has the same bytes as {known.path}" for known in others
        )
        return Record(
            iri,
            catalog.one_line(content.title or self.source.name) or "untitled",
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
            same_as=[known.iri for known in others],
        )

    def _notes(self, record: Record, before: Known | None) -> Iterator[str]:
        if not record.original_kept:
            yield "the original is not kept: it holds secrets that cannot be masked in it"
        if before is None and versions.was_retired(
            self.task.store, self.source.location
        ):
            yield "it was retired earlier and is in use again"
        if before is not None and before.content_hash != record.content_hash:
            for known in versions.same_bytes(self.task.store, before.content_hash):
                if known.location != self.source.location:
                    yield f"{known.path} still has the bytes that this version replaces"

    def _empty(self, reason: str, before: Known | None) -> FileReport:
        if before is not None:
            reason += "; the version taken in before stays in use"
        return self._skipped(reason)

    def _skipped(self, reason: str) -> FileReport:
        return FileReport(self.source.path, "skipped", reason=reason)

    def _unchanged(self, before: Known) -> FileReport:
        return FileReport(self.source.path, "unchanged", before.iri.value)

    def _bad(self, outcome: Outcome, error: AitiaError) -> FileReport:
        """Put on record that the file was read in vain, and report it."""
        reason = _shortened(str(error)) or outcome
        try:
            number = self._recorded(reason)
        except (AitiaError, OSError, MemoryError):
            # What keeps the file out (a full disk) may keep its failure off the
            # record too; the report tells it all the same.
            number = 0
        return FileReport(
            self.source.path,
            outcome,
            format=self.opened.found.name if self.opened else "",
            reason=reason,
            hint=error.hint,
            commit=number,
        )

    def _recorded(self, reason: str) -> int:
        task = self.task
        self.reading.error = reason
        self.reading.ended = terms.now()
        adds = {
            *catalog.agent(task.agent, task.settings.agent),
            *catalog.reading(self.reading),
        }
        patch = Patch(frozenset(adds), agent=task.agent, cause=self.reading.iri)
        return task.ledger.commit(patch).number


def _why(error: OSError) -> str:
    return error.strerror or str(error)


def _shortened(message: str) -> str:
    """Return the first lines of a message; the gate's report holds them all."""
    message = message[:_MOST_CHARS]
    lines = message.split("\n")
    if len(lines) <= MOST_TOLD:
        return message
    rest = len(lines) - MOST_TOLD
    return "\n".join([*lines[:MOST_TOLD], f"and {rest:,} more problems"])
