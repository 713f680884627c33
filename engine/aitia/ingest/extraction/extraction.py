"""Reads the facts of documents with a model, and proposes them to the gate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from pyoxigraph import NamedNode

from aitia import terms
from aitia.errors import AitiaError, ShapeViolation
from aitia.ingest.extraction import claims
from aitia.ingest.extraction.claims import Claimed
from aitia.ingest.extraction.passages import portions, to_read
from aitia.ingest.extraction.record import Reading
from aitia.ingest.report import FileReport
from aitia.llm.calls import BudgetSpent, ModelDown
from aitia.methods.arguments import NodeRef
from aitia.methods.base import Reads
from aitia.methods.fact_extraction import Extracted, extract
from aitia.methods.facts import Facts
from aitia.model import ENGINE_AGENT, Origin, Patch
from aitia.trace import Commit, RunTrace
from aitia.trace.heard import Heard, Listening
from aitia.vocab import AITIA, RDF

_TOLD = 5
"""Refused facts of one document that are told."""


@dataclass
class _Tally:
    """What reading one document came to so far.

    Attributes:
        statements: How many statements were admitted.
        known: How many are on record already.
        refused: Facts that were refused, with why.
        notices: What the reader should know.
        lacking: Whether a reply was cut off to the end, so that facts may be lacking.
        ruled: Whether rules did in place of the model somewhere.
    """

    statements: int = 0
    known: int = 0
    refused: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    lacking: bool = False
    ruled: bool = False


@dataclass
class Extraction:
    """Reads documents with a model, one run for each.

    Attributes:
        reads: What may be read, the models among it.
        commit: What changes are handed to: `ledger.commit_or_record`.
        agent: Name of who takes the documents in.
        position: Returns the number of the newest commit.
        again: Whether documents that were read are read again.
        stopped: Why no model is asked any more, or "".
    """

    reads: Reads
    commit: Commit
    agent: str
    position: Callable[[], int]
    again: bool = False
    stopped: str = ""

    def of(self, report: FileReport) -> FileReport:
        """Read the document of a file that was taken in, where that is still to be done.

        Args:
            report: What became of the file.

        Returns:
            The report, with what the extraction came to. What went wrong with the
            model is told there and raises nothing.
        """
        if self.reads.models is None or not report.document:
            return report
        document = NamedNode(report.document)
        todo = to_read(self.reads.store, self.reads.blobs, document, again=self.again)
        if not todo:
            return report
        if self.stopped:
            return replace(report, extraction="waits")
        try:
            return self._read(report, document, todo)
        except (AitiaError, OSError) as error:
            told = f"its facts could not be read: {error}"
            warnings = (*report.warnings, told)
            return replace(report, extraction="waits", warnings=warnings)

    def _read(
        self, report: FileReport, document: NamedNode, todo: Sequence[NodeRef]
    ) -> FileReport:
        # Recorded in full whatever the level: what was read shows in the steps alone.
        trace = RunTrace(self.commit, self.reads.store, self.reads.blobs)
        reading, tally = (
            Reading(trace, self.reads.store, document, report.path),
            _Tally(),
        )
        assert self.reads.models is not None
        model = self.reads.models.name("work")
        outcome = ""
        try:
            with reading.recording(self.agent, self.position(), model):
                for portion in portions(todo):
                    self._portion(reading, portion, tally)
                reading.conclude(tally.statements + tally.known, tally.notices)
        except (BudgetSpent, ModelDown) as error:
            self.stopped = str(error)
            outcome = "waits"
        if not outcome and (tally.lacking or tally.ruled):
            outcome = "in part"
        return replace(
            report,
            statements=tally.statements,
            statements_refused=len(tally.refused),
            extraction=outcome or "done",
            run=trace.run.value,
            warnings=(*report.warnings, *_told(tally)),
        )

    def _portion(
        self, reading: Reading, portion: Sequence[NodeRef], tally: _Tally
    ) -> None:
        """Read one portion; each asking is on record before the next."""
        assert self.reads.models is not None
        listening = Listening(self.reads.models)
        for part in extract(replace(self.reads, models=listening), portion):
            heard = tuple(listening.heard)
            listening.heard.clear()
            step = reading.read(portion, part, heard)
            if part.down:
                raise ModelDown(" ".join(part.notices))
            tally.refused += part.refused
            tally.lacking |= not part.complete and not part.halved
            tally.ruled |= part.by == "rules"
            tally.notices += [x for x in part.notices if x not in tally.notices]
            self._propose(reading, step, part, _author(heard), tally)

    def _propose(
        self,
        reading: Reading,
        step: NamedNode,
        part: Extracted,
        author: NamedNode,
        tally: _Tally,
    ) -> None:
        """Put the quotes on record and hand the statements to the gate, all or none."""
        trace = reading.trace
        said = list(self._quoted(reading, step, part, tally))
        trace.step()
        if not said:
            return
        try:
            self.commit(_patch(said, part, author, reading.document, trace.run))
        except ShapeViolation as error:
            tally.refused += [f"{item.stated.text}: {error}" for item in said]
            return
        tally.statements += len(said)
        for item in said:
            trace.link(step, AITIA.produced, item.node)

    def _quoted(
        self, reading: Reading, step: NamedNode, part: Extracted, tally: _Tally
    ) -> Iterator[Claimed]:
        """Yield the statements that are new here, each with its quote put on record."""
        facts, seen = Facts(self.reads.store), set[NamedNode]()
        for stated in part.statements:
            triple = claims.triple(facts, stated)
            node = claims.iri(triple, reading.document)
            if node in seen:
                continue
            seen.add(node)
            if self._known(node):
                tally.known += 1
                continue
            place = stated.place
            passage = NamedNode(place.node)
            quote = reading.trace.quote(
                step, passage, place.exact, place.start, place.end
            )
            yield Claimed(node, triple, stated, quote)

    def _known(self, node: NamedNode) -> bool:
        kinds = self.reads.store.quads(node, RDF.type, AITIA.Statement)
        return next(kinds, None) is not None


def _patch(
    said: Sequence[Claimed],
    part: Extracted,
    author: NamedNode,
    document: NamedNode,
    run: NamedNode,
) -> Patch:
    """Return the patch of statements: a model's are proposals, and judged as such."""
    by_model = part.by == "model"
    basis = AITIA.claimed if by_model else AITIA.computed
    return Patch(
        frozenset(q for item in said for q in claims.quads(item, document, run, basis)),
        agent=author if by_model else ENGINE_AGENT,
        cause=run,
        origin=Origin.MODEL if by_model else Origin.ENGINE,
    )


def _author(heard: Sequence[Heard]) -> NamedNode:
    """Return the model whose reply was read; aitia itself where there was none."""
    names = [item.reply.model for item in heard if item.reply and item.reply.model]
    return terms.agent_iri(names[-1]) if names else ENGINE_AGENT


def _told(tally: _Tally) -> list[str]:
    """Return what of an extraction the reader is told besides its counts."""
    told = list(tally.notices)
    if tally.lacking:
        told.append("a reply of the model was cut off: facts may be lacking")
    told += [f"refused: {text}" for text in tally.refused[:_TOLD]]
    if len(tally.refused) > _TOLD:
        told.append(f"and {len(tally.refused) - _TOLD} more refused facts")
    return told
