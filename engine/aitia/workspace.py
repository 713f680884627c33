"""What can be done with an open folder: each room handed what it needs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from aitia import lookup
from aitia.model import Hit
from aitia.model.graph import CausalGraph, Paths
from aitia.opened import Opened

if TYPE_CHECKING:
    from aitia.inference import Closure
    from aitia.ingest import IngestReport, Options, RetireReport, Watch
    from aitia.interop import Exported
    from aitia.lookup.runs import RunSummary
    from aitia.lookup.show import Shown
    from aitia.lookup.stats import Stats
    from aitia.model.trace import Answer
    from aitia.retrieval import Filters, Indexes
    from aitia.sandbox import QueryResult


@dataclass(frozen=True)
class Inferred:
    """What an inference changed.

    Attributes:
        closure: What follows, and how it was found.
        added: How many inferred triples are new.
        deleted: How many no longer follow.
        commit: Number of the commit, 0 where nothing changed.
    """

    closure: Closure
    added: int = 0
    deleted: int = 0
    commit: int = 0


class Workspace(Opened):
    """An open workspace: see `Opened` for what it holds.

    Attributes:
        indexes: What finds passages and resources; opened when first asked for.
    """

    def why(
        self,
        node: str = "last",
        *,
        depth: int | None = None,
        bases: Collection[str] = (),
        limit: int | None = None,
    ) -> CausalGraph:
        """Return the recorded causes behind a node.

        Args:
            node: An id, as `aitia.lookup` takes it; a run stands for its answer.
            depth: How many links to go back; None for all.
            bases: Follow only links on these bases; all where empty.
            limit: How many nodes to describe, the nearest first; None for all.

        Raises:
            NotFound: There is no such node.
            AmbiguousId: More than one node is meant.
        """
        from aitia.why import explain

        found = lookup.resolve(self.store, node)
        return explain(
            self.store, self.blobs, found, depth=depth, bases=bases, limit=limit
        )

    def why_fact(
        self,
        subject: str,
        predicate: str,
        value: str,
        *,
        depth: int | None = None,
        bases: Collection[str] = (),
        limit: int | None = None,
    ) -> CausalGraph:
        """Return why a fact stands: who states it, or what it was inferred from.

        Args:
            subject: An id, as `aitia.lookup` takes it.
            predicate: The property: an IRI, a prefixed name or its last part.
            value: The value: an IRI, a prefixed name, its last part, or the text.
            depth: How many links to go back; None for all.
            bases: Follow only links on these bases; all where empty.
            limit: How many nodes to describe, the nearest first; None for all.

        Raises:
            NotFound: There is no such node or fact.
            AmbiguousId: More than one node is meant.
        """
        from aitia.why import explain_fact
        from aitia.why.facts import find

        node = lookup.resolve(self.store, subject)
        fact = find(self.store, node, predicate, value)
        return explain_fact(
            self.store, self.blobs, fact, depth=depth, bases=bases, limit=limit
        )

    def why_path(self, node: str, cause: str) -> tuple[Paths, CausalGraph]:
        """Return the ways from a node back to one of its causes.

        Raises:
            NotFound: There is no such node, or the one does not lie behind the other.
            AmbiguousId: More than one node is meant.
        """
        from aitia.why.paths import path_to

        ends = [lookup.resolve(self.store, text) for text in (node, cause)]
        return path_to(self.store, self.blobs, *ends)

    @cached_property
    def indexes(self) -> Indexes:
        """The indexes over this state of the store; opened when first asked for."""
        from aitia.retrieval import Indexes

        folder = self.folder / "indexes"
        return Indexes(folder, self.settings, self.store, self.blobs)

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
        return self.indexes.search(query, k, mode, filters)

    def ingest(
        self,
        paths: Sequence[Path | str],
        options: Options | None = None,
        *,
        prune: bool = False,
        watch: Watch | None = None,
    ) -> IngestReport:
        """Take in files: each becomes a document with passages and facts.

        Args:
            paths: Files, folders, patterns, or `-` for standard input.
            options: How to read them; found out where nothing is given.
            prune: Retire documents of these folders whose files are gone.
            watch: Is told how far it has come.

        Returns:
            What became of each file; what failed is told there and raises nothing.

        Raises:
            UsageError: An option has no meaning, or this is open for reading only.
        """
        from aitia.ingest import Ingest

        task = Ingest(self.store, self.blobs, self.ledger, self.settings)
        task.avoid = self.folder
        if options is not None:
            task.options = options
        if watch is not None:
            task.watch = watch
        task.settle = lambda: self.indexes.catch_up(self.ledger, task.watch.indexed)
        return task.run([str(path) for path in paths], prune=prune)

    def ask(self, question: str) -> Answer:
        """Answer a question from what was taken in, with every step on record.

        Args:
            question: In plain words.

        Returns:
            The answer, or an abstention with what was tried.

        Raises:
            UsageError: The question is empty or too long.
            IndexMismatch: The indexes do not fit the model or are broken.
        """
        from aitia.ask import ask
        from aitia.methods.base import Reads

        self.indexes.catch_up(self.ledger)
        head = self.ledger.head()
        return ask(
            question,
            Reads(self.store, self.blobs, self.indexes, self.settings),
            self.ledger.commit,
            agent=self.settings.agent,
            position=head.number if head else 0,
        )

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
        return report

    def runs(self, *, status: str = "", limit: int = 0) -> list[RunSummary]:
        """Return the runs, newest first; only of one status, and so many, if asked."""
        from aitia.lookup.runs import runs

        return runs(self.store, status=status, limit=limit)

    def show(self, node: str) -> Shown:
        """Return what is on record about a node.

        Raises:
            NotFound: There is no such node.
            AmbiguousId: More than one node is meant.
        """
        from aitia.lookup.show import show

        return show(self.store, self.blobs, lookup.resolve(self.store, node))

    def stats(self) -> Stats:
        """Return how much is on record."""
        from aitia.lookup.stats import stats

        return stats(self.store, self.folder, self.position, self.indexes.position)

    def export(
        self,
        out: BinaryIO,
        *,
        what: str = "all",
        form: str = "turtle",
        enclose: bool = True,
    ) -> Exported:
        """Write what is on record to `out` as RDF.

        Args:
            out: Where to write, as UTF-8.
            what: One of `aitia.interop.WHAT`, or `run:` and the id of a run.
            form: One of `aitia.interop.FORMATS`.
            enclose: With all of it as N-Quads or TriG, write texts and patches too.

        Raises:
            UsageError: There is no such format, or nothing of that name to export.
            NotFound: There is no such run.
        """
        from aitia.interop import export

        run = None
        if what.startswith("run:"):
            rest = what.removeprefix("run:")
            run = lookup.resolve(self.store, what if rest != lookup.LAST else rest)
        return export(
            self.store,
            self.blobs,
            out,
            what=what,
            run=run,
            form=form,
            enclose=enclose,
        )

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
            return Inferred(closure)
        made = inference.patch(self.store, closure)
        record = self.ledger.commit(made)
        return Inferred(closure, record.added, record.deleted, record.number)

    def query(
        self,
        sparql: str,
        *,
        scope: str | None = None,
        limit: int = 0,
        timeout: float | None = None,
    ) -> QueryResult:
        """Return what a person's own SPARQL finds; it only reads, in its own process.

        Args:
            sparql: A SELECT, ASK, CONSTRUCT or DESCRIBE query; its default graph is
                everything together.
            scope: One of `aitia.sandbox.SCOPES`, or None for everything.
            limit: Rows to return at most; 0 for all.
            timeout: Seconds it may take; the setting where None is given.

        Raises:
            QueryRefused: It updates, reaches the network, or is too long or too deep.
            QueryLimit: It was stopped at its limit of time or memory.
            QueryError: It is no SPARQL, or could not be run.
        """
        from aitia import sandbox

        self.publish()
        with self._access.copy() as path:
            return sandbox.run(
                path,
                sparql,
                scope=scope,
                seconds=self.settings.query_timeout if timeout is None else timeout,
                megabytes=self.settings.query_memory,
                rows=limit,
            )

    def close(self) -> None:
        """Publish what was committed and give the folder free. Safe to call twice.

        Raises:
            AitiaError: What was committed is kept, but could not be published.
        """
        try:
            if "indexes" in self.__dict__:
                self.indexes.close()
        finally:
            super().close()
