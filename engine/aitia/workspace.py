"""Opens a folder and hands each room its reader, ledger, blobs and indexes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Literal, Self

from aitia import access, lookup, settings as settings_module
from aitia.blobs import Blobs
from aitia.ledger import Ledger, head_number
from aitia.model import CommitRecord, Hit
from aitia.model.graph import CausalGraph, Paths

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

Mode = Literal["read", "write"]

COMMAND_CHARS: Final = 120
"""So much of the command line is told to a process that has to wait."""


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


class Workspace:
    """An open workspace.

    Attributes:
        folder: Where it is.
        mode: `read` or `write`.
        settings: The settings in force.
        sources: Each setting with where it came from.
        store: What to read from.
        blobs: Documents, texts, patches, reports.
        ledger: What to commit to; refuses to where opened for reading.
        position: Number of the newest commit seen when it was opened.
        notice: "" or, beside a writer, as of which commit one reads.
        indexes: What finds passages and resources; opened when first asked for.
    """

    def __init__(
        self,
        folder: Path,
        flags: Mapping[str, Any] | None = None,
        mode: Mode = "write",
        *,
        waiting: access.Waiting | None = None,
        fresh: bool = False,
    ) -> None:
        self.folder, self.mode = folder, mode
        self.settings, self.sources = settings_module.load(folder, flags)
        self.blobs = Blobs(folder / "blobs")
        self._access: access.WriteAccess | access.ReadAccess
        if mode == "read":
            self._open_to_read(fresh)
        else:
            self._open_to_write(waiting)

    @classmethod
    def open(
        cls,
        folder: Path | str,
        *,
        mode: Mode = "write",
        flags: Mapping[str, Any] | None = None,
        waiting: access.Waiting | None = None,
        fresh: bool = False,
    ) -> Self:
        """Open the workspace in `folder`; writing makes it where there is none.

        Args:
            folder: Where it is.
            mode: `write`, one process at a time, or `read`, as many as like.
            flags: Settings that outrank the environment and aitia.toml.
            waiting: Told once who holds the write lock, when it has to be waited for.
            fresh: When reading, read the store as it is on disk now unless somebody
                is writing, even where nobody is known to have written since the
                newest publication.

        Raises:
            NotFound: Opened for reading, and there is none.
            Locked: Another process is writing, and did not end in time.
            SettingsError: A setting has no meaning.
        """
        return cls(Path(folder), flags, mode, waiting=waiting, fresh=fresh)

    def publish(self) -> None:
        """Let readers see what has been committed so far; done at every run's end."""
        if isinstance(self._access, access.WriteAccess):
            with self.ledger.lock:
                self._access.publish()

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
        if "indexes" in self.__dict__:
            self.indexes.close()
        self._access.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _open_to_write(self, waiting: access.Waiting | None) -> None:
        from aitia.gate import Gate

        signer = self._signer()
        self._access = writer = access.WriteAccess(
            self.folder,
            self._holder(access.WRITING),
            head_number,
            timeout=self.settings.lock_timeout,
            waiting=waiting,
        )
        self.store, self.notice = writer.store, ""
        try:
            self.ledger = Ledger(
                self.store,
                self.blobs,
                Gate(),
                durability=self.settings.durability,
                signer=signer,
                head_hint=writer.published,
            )
            head = self.ledger.head()
        except BaseException:
            self.close()
            raise
        self.position = head.number if head else 0
        self.ledger.after_commit = self._after_commit

    def _open_to_read(self, fresh: bool) -> None:
        self._access = reader = access.ReadAccess(
            self.folder,
            lambda: self._holder(access.PUBLISHING),
            head_number,
            timeout=self.settings.lock_timeout,
            fresh=fresh,
        )
        self.store, self.notice = reader.store, reader.notice
        self.position = reader.position
        self.ledger = Ledger(self.store, self.blobs, None, head_hint=self.position)

    def _after_commit(self, record: CommitRecord, durable: bool) -> None:
        if isinstance(self._access, access.WriteAccess):
            self._access.committed(durable)

    def _signer(self) -> Any:
        if not self.settings.signing_key:
            return None
        from aitia.ledger.sign import Signer

        return Signer.load(Path(self.settings.signing_key))

    def _holder(self, doing: str) -> access.Holder:
        from aitia.redact import Redactor

        words = " ".join([Path(sys.argv[0]).name, *sys.argv[1:]])
        command, _ = Redactor(self.settings).redact(words)
        if len(command) > COMMAND_CHARS:
            command = command[: COMMAND_CHARS - 1] + "…"
        return access.this_process(self.settings.agent, command, doing)
