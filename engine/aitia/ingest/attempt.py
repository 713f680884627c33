"""The taking in of one file: read it, compare it with what is there, commit it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from pyoxigraph import NamedNode, Quad

from aitia import terms
from aitia.errors import AitiaError, ReadError, ShapeViolation
from aitia.gate import line
from aitia.ingest import document as catalog, references, versions
from aitia.ingest.content import Content, Facts
from aitia.ingest.document import Reading, Record
from aitia.ingest.literals import rewritten
from aitia.ingest.passages import cut
from aitia.ingest.reading import Opened, content_of, guarded, open_bytes
from aitia.ingest.report import FileReport, Outcome
from aitia.ingest.retire import facts_leaving
from aitia.ingest.sniff import NoReader
from aitia.ingest.sources import Source
from aitia.ingest.versions import Known
from aitia.model import CommitRecord, Patch, Violation
from aitia.vocab import AITIA

if TYPE_CHECKING:
    from aitia.ingest.ingest import Ingest

MOST_TOLD = 10
"""Findings of the gate that are told of one file."""


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
        except ReadError as error:
            return self._bad("failed", error)

    def _run(self) -> FileReport:
        task = self.task
        data = self.source.read(task.settings.max_file_mb)
        before = versions.live_at(task.store, self.source.location)
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
        return self._take(opened, before)

    def _take(self, opened: Opened, before: Known | None) -> FileReport:
        task = self.task
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
        change = _Change(self, record, content)
        change.add_passages(text)
        if before is not None:
            change.supersede(before)
        change.judge(content.facts)
        links = change.add_facts(content.facts, before)
        content.warnings.extend(self._notes(record, before))
        committed = change.commit(opened, text)
        return FileReport(
            self.source.path,
            "new version" if before else "added",
            iri.value,
            opened.found.name,
            opened.encoding,
            opened.guessed,
            len(text),
            content.pages,
            change.passages,
            content.facts.records if content.facts else 0,
            record.facts or 0,
            links,
            redactions,
            record.rewritten or 0,
            tuple(content.warnings),
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
        task = self.task
        self.reading.error = _shortened(str(error)) or outcome
        self.reading.ended = terms.now()
        adds = {
            *catalog.agent(task.agent, task.settings.agent),
            *catalog.reading(self.reading),
        }
        patch = Patch(frozenset(adds), agent=task.agent, cause=self.reading.iri)
        record = task.ledger.commit(patch)
        return FileReport(
            self.source.path,
            outcome,
            format=self.opened.found.name if self.opened else "",
            reason=_shortened(str(error)),
            hint=error.hint,
            commit=record.number,
        )


class _Change:
    """The one change of the store that takes a document in."""

    def __init__(self, attempt: Attempt, record: Record, content: Content) -> None:
        self.task, self.reading = attempt.task, attempt.reading
        self.record, self.content = record, content
        self.adds = set(catalog.agent(self.task.agent, self.task.settings.agent))
        self.deletes = set[Quad]()
        self.passages = 0

    def add_passages(self, text: str) -> None:
        """Cut the text into passages."""
        self.task.watch.step("cutting")
        made = cut(text, self.content.blocks, self.task.settings.passage_chars)
        with guarded():
            for self.passages, passage in enumerate(made, 1):
                quads = catalog.passage(self.record.iri, passage, self.passages)
                self.adds.update(quads)

    def supersede(self, before: Known) -> None:
        """Put the version before out of use, with what only it stated."""
        self.record.revision_of = before.iri
        adds, deletes = catalog.out_of_use(
            before.iri, AITIA.superseded, self.reading.iri, self.reading.started
        )
        self.adds.update(adds)
        self.deletes.update(deletes)
        staying = _subjects(self.content.facts)
        task = self.task
        self.deletes.update(facts_leaving(task.store, task.blobs, before.iri, staying))

    def judge(self, facts: Facts | None) -> None:
        """Judge an RDF file as it stands, before the store rewrites its literals.

        Raises:
            ShapeViolation: It does not conform, which is on record.
        """
        if facts is None or not facts.as_read:
            return
        self.task.watch.step("checking")
        report = self.task.gate.check_file(
            facts.as_read, self.task.store, self.deletes, self.record.iri
        )
        told = [violation for violation in report.violations if not _blocks(violation)]
        self.content.warnings.extend(line(violation) for violation in told[:MOST_TOLD])
        if len(told) > MOST_TOLD:
            self.content.warnings.append(f"and {len(told) - MOST_TOLD:,} more of these")
        if not report.conforms:
            found = [item for item in report.violations if _blocks(item)]
            message = "\n".join(line(violation) for violation in found)
            patch = Patch(frozenset(facts.quads), frozenset(), self.task.agent)
            error = ShapeViolation(message, found, report.turtle)
            self.task.ledger.refusal(error, patch, catalog.CATALOG)
            raise error

    def add_facts(self, facts: Facts | None, before: Known | None) -> int:
        """State what the file states; return how many links between records."""
        if facts is None:
            return 0
        alive = self._alive(before)
        links = set(references.links(self.task.store, facts, self.record.iri, alive))
        stated = {*facts.quads, *links}
        self.adds |= stated
        self.record.facts = len(stated)
        self.record.graphs = facts.graphs
        if facts.as_read:
            self.record.rewritten = rewritten(facts.as_read) + facts.lowered
        return len(links)

    def commit(self, opened: Opened, text: str) -> CommitRecord:
        """Keep the file and its text and commit the change.

        Raises:
            ShapeViolation: The gate refused it, which is on record.
        """
        task, reading = self.task, self.reading
        reading.warnings, reading.ended = self.content.warnings, terms.now()
        self.adds.update(catalog.reading(reading))
        self.adds.update(catalog.document(self.record, reading.iri, reading.ended))
        if self.record.original_kept:
            task.blobs.put(opened.data)
        task.blobs.put(text.encode("utf-8"))
        task.watch.step("checking and writing")
        patch = Patch(
            frozenset(self.adds), frozenset(self.deletes), task.agent, reading.iri
        )
        return task.ledger.commit_or_record(patch)

    def _alive(self, before: Known | None) -> Callable[[NamedNode], bool]:
        """Return what says whether a graph will be in use after the change."""
        seen = {before.iri: False} if before else dict[NamedNode, bool]()

        def alive(graph: NamedNode) -> bool:
            if graph not in seen:
                seen[graph] = versions.is_live(self.task.store, graph)
            return seen[graph]

        return alive


def _shortened(message: str) -> str:
    """Return the first lines of a message; the gate's report holds them all."""
    lines = message.split("\n")
    if len(lines) <= MOST_TOLD:
        return message
    rest = len(lines) - MOST_TOLD
    return "\n".join([*lines[:MOST_TOLD], f"and {rest:,} more problems"])


def _blocks(violation: Violation) -> bool:
    return violation.severity not in ("Warning", "Info")


def _subjects(facts: Facts | None) -> set[NamedNode]:
    found = (quad.subject for quad in facts.quads) if facts else ()
    return {subject for subject in found if isinstance(subject, NamedNode)}
