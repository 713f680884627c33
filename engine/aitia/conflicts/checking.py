"""The check as a run: of what an ingest took in, or of all that is on record.

What is looked at is bounded by the settings; what was left over is told. An ingest that
finds nothing leaves no run behind; a check that somebody asked for always does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pyoxigraph import NamedNode, Triple

from aitia import terms
from aitia.conflicts import owl2rl
from aitia.conflicts.claims import Claims
from aitia.conflicts.found import Found
from aitia.conflicts.record import Record, Recorded
from aitia.conflicts.standing import conflict_key, standing
from aitia.conflicts.statements import Checks, facts_of, unique
from aitia.conflicts.texts import Decider, Shelf, TextFound, contradictions, sentences
from aitia.inference.relevant import current, relevant
from aitia.methods.facts import Fact
from aitia.methods.passages import Piece
from aitia.retrieval.passages import live_documents
from aitia.trace import RunTrace
from aitia.vocab import AITIA

if TYPE_CHECKING:
    from aitia.methods.base import Reads
    from aitia.trace.run import Commit

Item = TypeVar("Item")
MOST: Final = 200
"""Conflicts that one run puts on record."""


@dataclass
class Report:
    """What a check came to.

    Attributes:
        run: IRI of the run, or "" where none was left behind.
        facts: How many statements were checked.
        sentences: How many sentences were checked.
        found: The conflicts that are new on record.
        known: How many were found that were on record before.
        notices: What was left over, and other things to know.
    """

    run: str = ""
    facts: int = 0
    sentences: int = 0
    found: list[Recorded] = field(default_factory=list)
    known: int = 0
    notices: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Return the stable layout of `--json`."""
        return {
            "run": self.run,
            "facts": self.facts,
            "sentences": self.sentences,
            "found": [item.as_json() for item in self.found],
            "known": self.known,
            "notices": self.notices,
        }


@dataclass
class ConflictCheck:
    """Checks what is on record for conflicts, as a run of its own.

    Attributes:
        reads: What may be read.
        commit: What the record is handed to.
        agent: Name of who asks for it.
        position: Number of the newest commit that it can see.
    """

    reads: Reads
    commit: Commit
    agent: str
    position: int

    def after_ingest(self, documents: Sequence[str]) -> Report:
        """Check what documents brought against what was there.

        Args:
            documents: IRIs of the documents that were taken in.
        """
        settings = self.reads.settings.conflicts
        report = Report()
        if not settings.at_ingest or not documents:
            return report
        nodes = [NamedNode(iri) for iri in documents]
        facts = self._bounded(self._facts(nodes), settings.facts, "statements", report)
        pieces = self._bounded(
            sentences(Shelf(self.reads), nodes), settings.sentences, "sentences", report
        )
        count = "1 document" if len(nodes) == 1 else f"{len(nodes):,} documents"
        label = f"Conflicts of what was taken in: {count}"
        return self._run(label, facts, pieces, report, asked=0, whole=False)

    def everything(self) -> Report:
        """Check all that is on record."""
        report = Report()
        live = sorted(live_documents(self.reads.store), key=lambda x: (x.path, x.iri))
        graphs = [NamedNode(item.iri) for item in live]
        facts = list(self._facts([*graphs, terms.GRAPH_CURRENT]))
        pieces = list(sentences(Shelf(self.reads), graphs))
        asked = self.reads.settings.conflicts.asked
        label = "Conflicts of all that is on record"
        return self._run(label, facts, pieces, report, asked=asked, whole=True)

    def _run(
        self,
        label: str,
        facts: Sequence[Fact],
        pieces: Sequence[Piece],
        report: Report,
        *,
        asked: int,
        whole: bool,
    ) -> Report:
        report.facts, report.sentences = len(facts), len(pieces)
        checks, decider = Checks(self.reads), Decider(self.reads, asked)
        stated = list(self._statements(checks, facts, report, whole=whole))
        said = list(contradictions(Shelf(self.reads), pieces, decider))
        if decider.spent:
            report.notices.append(f"no model was asked any more: {decider.spent}")
        new_facts, new_texts = self._new(stated, said, report)
        if whole or new_facts or new_texts or decider.asked:
            self._record(label, checks, new_facts, new_texts, decider, report)
        return report

    def _premises(
        self, checks: Checks, facts: Sequence[Fact], most: int, whole: bool
    ) -> set[Triple]:
        """Return what OWL 2 RL is to read: of all, or of what is beside new facts."""
        if whole:
            return relevant(current(self.reads.store))
        return owl2rl.beside(checks.axioms, facts, most)

    def _statements(
        self, checks: Checks, facts: Sequence[Fact], report: Report, *, whole: bool
    ) -> Iterator[Found]:
        """Yield the conflicts of statements, those that OWL 2 RL finds last."""
        kept: dict[str, Found] = {}
        for fact in facts:
            for item in checks.check(fact):
                kept.setdefault(_sides(item), item)
        yield from kept.values()
        most = self.reads.settings.conflicts.owl
        premises = self._premises(checks, facts, most, whole) if most else set()
        if len(premises) > most:
            report.notices.append(
                f"OWL 2 RL was left out: it would read {len(premises):,} triples, and "
                f"may read {most:,} (setting conflicts.owl)"
            )
        elif premises:
            found = unique(owl2rl.everywhere(checks.axioms, premises))
            yield from (x for x in found if len(x.sides) > 1 and _sides(x) not in kept)

    def _new(
        self, stated: Sequence[Found], said: Sequence[TextFound], report: Report
    ) -> tuple[list[Found], list[TextFound]]:
        """Return what is not on record yet, at most `MOST` of it."""
        known = (
            {item.key for item in standing(self.reads, dismissed=True)}
            if stated or said
            else set()
        )
        facts = [item for item in stated if self._key(item) not in known]
        known |= {self._key(item) for item in facts}
        texts = [item for item in said if _places(item) not in known]
        report.known = len(stated) + len(said) - len(facts) - len(texts)
        over = len(facts) + len(texts) - MOST
        if over > 0:
            report.notices.append(
                f"{over:,} more conflicts were found; `aitia conflicts check` puts "
                f"{MOST} more on record each time"
            )
        facts = facts[:MOST]
        return facts, texts[: MOST - len(facts)]

    def _key(self, item: Found) -> str:
        """Return what a conflict of statements is known by once it is on record."""
        claims = Claims(self.reads.store)
        words = [(side, claims.piece(side)) for side in item.sides]
        return conflict_key([_place(x) if x else side.told() for side, x in words])

    def _record(
        self,
        label: str,
        checks: Checks,
        facts: Sequence[Found],
        texts: Sequence[TextFound],
        decider: Decider,
        report: Report,
    ) -> None:
        reads = self.reads
        level = reads.settings.record.level
        trace = RunTrace(self.commit, reads.store, reads.blobs, level=level)
        record = Record(reads, trace)
        goal = record.begin(label, self.agent, self.position)
        try:
            report.found = record.statements(goal, checks.axioms, report.facts, facts)
            report.found += record.texts(goal, report.sentences, texts, decider.asked)
            record.end(goal, _told(report), report.found)
        except BaseException as error:
            trace.abort(f"{type(error).__name__}: {error}")
            raise
        report.run = trace.run.value

    def _facts(self, documents: Sequence[NamedNode]) -> Iterator[Fact]:
        """Yield the facts of documents, of the named graphs they fill, and their claims."""
        for document in documents:
            yield from facts_of(self.reads, document)
            for quad in self.reads.store.quads(document, AITIA.containsGraph):
                if isinstance(quad.object, NamedNode):
                    yield from facts_of(self.reads, quad.object)
            yield from Claims(self.reads.store).of(document)

    def _bounded(
        self, found: Iterator[Item], most: int, what: str, report: Report
    ) -> list[Item]:
        kept = list(islice(found, most))
        if next(found, None) is not None:
            name = "facts" if what == "statements" else what
            report.notices.append(
                f"conflicts were looked for in the first {most:,} {what} that were "
                f"taken in (setting conflicts.{name}); `aitia conflicts check` looks "
                "at the rest"
            )
        return kept


def _sides(item: Found) -> str:
    return conflict_key([side.told() for side in item.sides])


def _places(item: TextFound) -> str:
    both = [piece for piece in (item.claim, item.piece) if piece is not None]
    return conflict_key([_place(x) for x in both])


def _place(piece: Piece) -> str:
    return f"{piece.passage.document}#char={piece.start},{piece.end}"


def _told(report: Report) -> str:
    checked = f"{report.facts:,} statements and {report.sentences:,} sentences"
    if not report.found:
        return f"No new conflict was found in {checked}."
    count = len(report.found)
    what = "1 new conflict was" if count == 1 else f"{count} new conflicts were"
    return f"{what} found in {checked}: " + "; ".join(
        item.reason for item in report.found[:5]
    )
