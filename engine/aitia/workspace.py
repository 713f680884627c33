"""What can be done with an open folder: each room handed what it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pyoxigraph import NamedNode

from aitia.errors import AitiaError, UsageError
from aitia.tended import Tended

if TYPE_CHECKING:
    from aitia.gate.report import Report
    from aitia.inference import Inferred
    from aitia.ingest import IngestReport, Options, RetireReport, Watch
    from aitia.ingest.extraction import Extraction
    from aitia.interop.bring import Imported
    from aitia.ledger.log import Wanted
    from aitia.ledger.verify import VerifyReport
    from aitia.lookup.stats import Stats
    from aitia.model import CommitRecord, Hit
    from aitia.recorder import Recorder
    from aitia.retrieval import Filters
    from aitia.retrieval.report import IndexReport


class Workspace(Tended):
    """An open workspace: `Opened` says what it holds, `Looking` what can be looked up.

    `Equipped` adds indexes, models and tools, and asking; `Tended` the care for what is
    known.
    """

    def search(
        self,
        query: str,
        k: int = 10,
        mode: str = "fused",
        filters: Filters | None = None,
    ) -> list[Hit]:
        """Return the passages of live documents that fit a query best, best first.

        A workspace opened for writing brings its indexes up to the store first; one
        opened for reading uses them as they are (`indexes.behind` tells what is missing).
        Among passages that fit nearly as well, those of more trusted sources go first
        (`retrieval.weighed`).

        Args:
            query: What to look for, as a person types it.
            k: How many to return at most.
            mode: `fused`, `lexical` or `dense`.
            filters: Which documents to look in.

        Raises:
            UsageError: The query is empty or too long, or `k` or `mode` is none.
            IndexMismatch: The indexes do not fit the model or are broken.
        """
        if self.mode == "write":
            self.indexes.catch_up(self.ledger)
        from aitia.retrieval.weighed import weighed

        return weighed(self.indexes.search(query, k, mode, filters), self.settings)

    def ingest(
        self,
        paths: Sequence[Path | str],
        options: Options | None = None,
        *,
        prune: bool = False,
        watch: Watch | None = None,
        extract: bool = True,
        again: bool = False,
    ) -> IngestReport:
        """Take in files: each becomes a document with passages and facts.

        Args:
            paths: Files, folders, patterns, or `-` for standard input.
            options: How to read them; found out where nothing is given.
            prune: Retire documents of these folders whose files are gone.
            watch: Is told how far it has come.
            extract: Have the model, where one is configured, read the facts of texts.
            again: Have it read those that it has read before, and ask it anew.

        Returns:
            What became of each file; what failed is told there and raises nothing.

        Raises:
            UsageError: An option has no meaning, or this is open for reading only.
        """
        from aitia.ingest import Ingest

        task = Ingest(self.store, self.blobs, self.ledger, self.settings, self.gate)
        task.avoid = self.folder
        if options is not None:
            task.options = options
        if watch is not None:
            task.watch = watch
        task.settle = lambda: self.indexes.catch_up(self.ledger, task.watch.indexed)
        if extract:
            task.extraction = self._extraction(again)
        report = task.run([str(path) for path in paths], prune=prune)
        self.follow_up(report)
        for file in report.files:
            if file.run:
                self.watch(NamedNode(file.run))
        return report

    def _extraction(self, again: bool) -> Extraction | None:
        """Return what has the model read documents; None where there is no model."""
        if self.models is None:
            return None
        from aitia.ingest.extraction import Extraction
        from aitia.methods.base import Reads

        models = self.models.for_run()
        if again:
            models.cache = None
        reads = Reads(self.store, self.blobs, self.indexes, self.settings, models)
        return Extraction(
            reads,
            self.ledger.commit_or_record,
            self.settings.agent,
            lambda: record.number if (record := self.ledger.head()) else 0,
            again,
        )

    def record(
        self,
        label: str,
        *,
        agent: str = "",
        kind: str = "software",
        mode: str = "call",
        level: str = "",
        buffer: int = 0,
    ) -> Recorder:
        """Open a run that an agent of your own records; `why` then answers for it too.

        Args:
            label: What the run is about, in words.
            agent: Name of the agent; who acts, by the settings, where none is given.
            kind: What the agent is: `software`, `person` or `model`.
            mode: `call`: each step is committed before the method returns. `batch`:
                all is kept in memory, and judged and committed as one at `flush` and
                at the end. `async`: a thread commits; a crash loses at most `buffer`
                steps, and it is told how many.
            level: `full` or `decisions`; the setting where none is given.
            buffer: Steps that `async` may hold; 256 for 0.

        Returns:
            The recorder, to be used as a `with` block.

        Raises:
            UsageError: An argument has no meaning, or this is open for reading only.
        """
        from aitia import recorder

        if self.mode == "read":
            raise UsageError("This workspace is open for reading only.")
        head = self.ledger.head()
        place = recorder.Place(
            self.store,
            self.blobs,
            self.ledger.commit,
            self.ledger.commit_or_record,
            self.settings,
            self.folder,
            head.number if head else 0,
        )
        return recorder.record(
            place,
            label,
            agent or self.settings.agent,
            kind=kind,
            mode=mode,
            level=level or self.settings.record.level,
            buffer=buffer or recorder.BUFFER,
        )

    def add_shapes(
        self, text: str, *, name: str, location: str = "", strict: bool = False
    ) -> tuple[CommitRecord, Report]:
        """Make a user's shapes part of the gate.

        Args:
            text: The shapes, as Turtle.
            name: What to call them; a file of that name gives its place to this one.
            location: Where they were read from, as an IRI.
            strict: Refuse them where something on record breaks them already.

        Returns:
            The commit (number 0 where they are in use already), and what they find
            on record.

        Raises:
            UsageError: They must not judge every change; the message says why.
            ShapeViolation: `strict`, and something on record breaks them.
        """
        from aitia.gate import library

        found = library.impact(self.store, name, text, strict=strict)
        agent = self.settings.agent
        record = self.ledger.commit(
            library.addition(
                self.store, self.blobs, name, text, agent, location=location
            )
        )
        self.gate.user_shapes[name] = text
        return record, found

    def delete(self, target: Path | str, *, reason: str = "") -> RetireReport:
        """Retire a document: out of answers and indexes at once, its history kept.

        Args:
            target: Its path, its id or the start of its id.
            reason: Why, in words.

        Raises:
            NotFound: No document in use is called that.
            AmbiguousId: Several are.
        """
        from aitia import ingest

        known = ingest.find(self.store, str(target))
        report = ingest.retire(
            self.store,
            self.blobs,
            self.ledger,
            known,
            self.settings.agent,
            reason=reason,
        )
        self.indexes.catch_up(self.ledger)
        if self.settings.writeback.recheck_after_ingest:
            self.writeback.test_again((), ())
        return report

    def stats(self) -> Stats:
        """Return how much is on record."""
        from aitia.lookup.stats import stats

        notice = self.indexes.behind(self.ledger, self.position)
        return stats(
            self.store, self.folder, self.position, self.indexes.position, notice
        )

    def import_(
        self,
        path: Path | str,
        form: str = "",
        *,
        told: Callable[[int, int], None] | None = None,
    ) -> Imported:
        """Take in RDF that aitia or another tool exported.

        Args:
            path: The file.
            form: One of `aitia.interop.FORMATS`; told by its ending for "".
            told: Is told how many commits are restored, and of how many.

        Raises:
            NotFound: There is no such file.
            UsageError: Its format is not known.
            ReadError: It is not what its format says, or what it encloses is damaged.
            NotIntact: Its ledger does not fit what it states.
            ShapeViolation: What it states does not conform.
        """
        from aitia.interop.bring import Import

        task = Import(
            self.store,
            self.blobs,
            self.ledger,
            self.settings.agent,
            self.folder / "imports",
            self._take_in,
        )
        if told is not None:
            task.told = told
        done = task.run(Path(path), form)
        self.indexes.catch_up(self.ledger)
        return done

    def _take_in(self, path: Path) -> tuple[int, list[str]]:
        report = self.ingest([path])
        facts = sum(file.facts for file in report.files)
        return facts, [f"{x.path}: {x.reason}" for x in report.files if x.reason]

    def infer(
        self, *, most: int | None = None, tell: Callable[[int], None] | None = None
    ) -> Inferred:
        """Put into the inferred graph what follows from the current knowledge.

        It takes the place of what was inferred before. Where the knowledge contradicts
        itself, nothing is changed and the contradictions are returned.

        Args:
            most: Triples that the reasoner may read; `aitia.inference.MOST` for None.
            tell: Told how many it reads, before it starts.

        Raises:
            TooMuch: The reasoner would have to read more than it may.
        """
        from aitia import inference

        bound = inference.MOST if most is None else most
        closure = inference.close(self.store, most=bound, tell=tell)
        if closure.contradictions:
            return inference.Inferred(closure)
        made = inference.patch(self.store, closure)
        record = self.ledger.commit(made)
        return inference.Inferred(closure, record.added, record.deleted, record.number)

    def verify(self, *, expect_head: str = "", signed_by: str = "") -> VerifyReport:
        """Compare ledger, store, blobs and indexes.

        Args:
            expect_head: A head seen earlier, `HASH` or `N:HASH`; the chain must hold it.
            signed_by: A public key in hexadecimal; the head must be signed by it.

        Raises:
            UsageError: `expect_head` is no head.
        """
        alone = not self.notice
        head = self.ledger.head()
        index: IndexReport | None = None
        checks: list[Callable[[], Sequence[str]]] = []
        if alone:
            try:
                index = self.indexes.check(head.number if head else 0)
            except (AitiaError, OSError, ValueError) as error:
                told = f"The indexes could not be compared with the store: {error}"
                checks.append(lambda: [told])
        lag = index is not None and index.lag
        if index is not None and not lag:
            found = index.findings
            checks.append(lambda: found)
        return self.ledger.verify(
            expect_head=expect_head,
            signed_by=signed_by,
            checks=checks,
            notes=index.findings if index is not None and lag and index.lacks else (),
            alone=alone,
            trouble=" ".join(filter(None, (self.trouble, self.way_back))),
        )

    def log(self, wanted: Wanted) -> Iterator[CommitRecord]:
        """Return the commits that are wanted, newest first, with their counts.

        Raises:
            NotIntact: A record or a kept patch is damaged or missing.
        """
        from aitia.ledger.log import log

        return log(self.ledger, wanted)
