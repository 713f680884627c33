"""The one change of the store that takes a document in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pyoxigraph import NamedNode, Quad

from aitia import terms
from aitia.errors import ShapeViolation
from aitia.gate import line
from aitia.ingest import document as catalog, references, versions
from aitia.ingest.content import Content, Facts
from aitia.ingest.document import Reading, Record
from aitia.ingest.literals import rewritten
from aitia.ingest.passages import cut
from aitia.ingest.reading import guarded
from aitia.ingest.retire import facts_leaving
from aitia.ingest.versions import Known
from aitia.model import CommitRecord, Patch, Violation
from aitia.vocab import AITIA

if TYPE_CHECKING:
    from aitia.ingest.ingest import Ingest

MOST_TOLD = 10
"""Findings of the gate that are told of one file."""
_STATES_NOTHING = "it states nothing"


class Change:
    """What is added and deleted to take one document in.

    It holds neither the file nor its text: these may be large, and judging and writing
    the change takes memory of its own.

    Attributes:
        record: The document.
        reading: Its reading.
        warnings: What a person should know about it.
        passages: How many passages it has.
        records: How many records it holds.
        links: How many links between records it brings.
    """

    def __init__(self, task: Ingest, record: Record, reading: Reading) -> None:
        self.task, self.record, self.reading = task, record, reading
        self.warnings: list[str] = []
        self.passages = self.records = self.links = 0
        self._adds = set(catalog.agent(task.agent, task.settings.agent))
        self._deletes = set[Quad]()

    def fill(self, content: Content, text: str, before: Known | None) -> None:
        """Take over what a file holds.

        Args:
            content: What its reader made of it.
            text: Its text, without secrets.
            before: The version before, or None.

        Raises:
            ReadError: Its reader failed half-way.
            ShapeViolation: It does not conform, which is on record.
        """
        self.warnings += content.warnings
        self._add_passages(content, text)
        if before is not None:
            self._supersede(before, content.facts)
        if content.facts is not None:
            self._judge(content.facts)
            self._add_facts(content.facts, before)
        # A PDF says of itself that it has no text layer, RDF that it states nothing.
        read_in_vain = not self.passages and not self.record.facts
        if (
            read_in_vain
            and content.pages is None
            and _STATES_NOTHING not in self.warnings
        ):
            self.warnings.append("no text was found in it: there is nothing to find")

    def commit(self) -> CommitRecord:
        """Commit the change.

        Raises:
            ShapeViolation: The gate refused it, which is on record.
        """
        reading = self.reading
        reading.warnings, reading.ended = self.warnings, terms.now()
        self._adds.update(catalog.reading(reading))
        self._adds.update(catalog.document(self.record, reading.iri, reading.ended))
        self.task.watch.step("checking and writing")
        adds, deletes = frozenset(self._adds), frozenset(self._deletes)
        self._adds.clear()
        patch = Patch(adds, deletes, self.task.agent, reading.iri)
        return self.task.ledger.commit_or_record(patch)

    def _add_passages(self, content: Content, text: str) -> None:
        self.task.watch.step("cutting")
        made = cut(text, content.blocks, self.task.settings.passage_chars)
        with guarded():
            for self.passages, passage in enumerate(made, 1):
                quads = catalog.passage(self.record.iri, passage, self.passages)
                self._adds.update(quads)

    def _supersede(self, before: Known, facts: Facts | None) -> None:
        """Put the version before out of use, with what only it stated."""
        self.record.revision_of = before.iri
        adds, deletes = catalog.out_of_use(
            before.iri, AITIA.superseded, self.reading.iri, self.reading.started
        )
        self._adds.update(adds)
        self._deletes.update(deletes)
        leaving = facts_leaving(
            self.task.store, self.task.blobs, before.iri, _subjects(facts)
        )
        self._deletes.update(leaving)

    def _judge(self, facts: Facts) -> None:
        """Judge an RDF file as it stands, before the store rewrites its literals."""
        if not facts.as_read:
            return
        self.task.watch.step("checking")
        report = self.task.gate.check_file(
            facts.as_read, self.task.store, self._deletes, self.record.iri
        )
        told = [item for item in report.violations if not _blocks(item)]
        self.warnings += [line(violation) for violation in told[:MOST_TOLD]]
        if len(told) > MOST_TOLD:
            self.warnings.append(f"and {len(told) - MOST_TOLD:,} more of these")
        if not report.conforms:
            found = [item for item in report.violations if _blocks(item)]
            message = "\n".join(line(violation) for violation in found)
            patch = Patch(frozenset(facts.quads), frozenset(), self.task.agent)
            error = ShapeViolation(message, found, report.turtle)
            self.task.ledger.refusal(error, patch, catalog.CATALOG)
            raise error

    def _add_facts(self, facts: Facts, before: Known | None) -> None:
        alive = self._alive(before)
        links = set(references.links(self.task.store, facts, self.record.iri, alive))
        stated = {*facts.quads, *links}
        self._adds |= stated
        self.records, self.links = facts.records, len(links)
        self.record.facts, self.record.graphs = len(stated), facts.graphs
        if facts.as_read:
            self.record.rewritten = rewritten(facts.as_read) + facts.lowered

    def _alive(self, before: Known | None) -> Callable[[NamedNode], bool]:
        """Return what says whether a graph will be in use after the change."""
        seen = {before.iri: False} if before else dict[NamedNode, bool]()

        def alive(graph: NamedNode) -> bool:
            if graph not in seen:
                seen[graph] = versions.is_live(self.task.store, graph)
            return seen[graph]

        return alive


def _blocks(violation: Violation) -> bool:
    return violation.severity not in ("Warning", "Info")


def _subjects(facts: Facts | None) -> set[NamedNode]:
    found = (quad.subject for quad in facts.quads) if facts else ()
    return {subject for subject in found if isinstance(subject, NamedNode)}
