"""What can be asked of an open folder and changes nothing."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING, BinaryIO

from pyoxigraph import NamedNode

from aitia import lookup
from aitia.errors import NotFound
from aitia.opened import Opened
from aitia.vocab import AITIA

if TYPE_CHECKING:
    from aitia.gate.library import ShapeFile
    from aitia.gate.report import Report
    from aitia.interop import Exported
    from aitia.lookup.runs import RunSummary
    from aitia.lookup.show import Shown
    from aitia.lookup.texts import Kept
    from aitia.memory.sessions import SessionSummary
    from aitia.model.graph import CausalGraph
    from aitia.model.ways import Paths
    from aitia.monitor.figures import RunFigures
    from aitia.sandbox import QueryResult
    from aitia.writeback.stale import Stale


class Looking(Opened):
    """An open folder that answers why, lists, shows, queries and exports."""

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
        from aitia.writeback.stale import why_stale

        found = lookup.resolve(self.store, node)
        graph = explain(
            self.store, self.blobs, found, depth=depth, bases=bases, limit=limit
        )
        return replace(graph, stale=why_stale(self.store, found))

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

    def runs(self, *, status: str = "", limit: int = 0) -> list[RunSummary]:
        """Return the runs, newest first; only of one status, and so many, if asked."""
        from aitia.lookup.runs import runs
        from aitia.monitor.spending import by_run
        from aitia.writeback.stale import stale_among

        found = runs(self.store, status=status, limit=limit)
        nodes = [NamedNode(run.iri) for run in found]
        old, used = stale_among(self.store, nodes), by_run(self.store, nodes)
        return [
            replace(
                run,
                spent=used[node],
                stale=old[run.iri].reason
                if run.iri in old and not old[run.iri].again
                else "",
            )
            for run, node in zip(found, nodes, strict=True)
        ]

    def stale(self, *, asked_again: bool = False, limit: int = 0) -> list[Stale]:
        """Return the answers that rest on what is no longer so, with the path to it.

        Args:
            asked_again: Also those whose question was asked again since.
            limit: So many at most; 0 for all.
        """
        from aitia.writeback.stale import stale

        return stale(self.store, asked_again=asked_again, limit=limit)

    def run_figures(self, *, last: int = 0) -> RunFigures:
        """Return how runs went: all of them, or only the newest so many."""
        from aitia.monitor.figures import figures

        return figures(self.store, last=last)

    def sessions(self) -> list[SessionSummary]:
        """Return the sessions that runs belong to, the one used last first."""
        from aitia.memory.sessions import sessions

        return sessions(self.store)

    def shapes(self) -> list[ShapeFile]:
        """Return every version of every shape file that users added."""
        from aitia.gate import library

        return library.files(self.store)

    def validate(self) -> Report:
        """Check everything on record by all shapes and rules."""
        return self.gate.validate_store(self.store)

    def show(self, node: str, *, texts: bool = False) -> Shown:
        """Return what is on record about a node.

        Args:
            node: An id, as `aitia.lookup` takes it.
            texts: Also the texts beside the record that it names: prompt, reply,
                reasoning, a refused patch, a report.

        Raises:
            NotFound: There is no such node.
            AmbiguousId: More than one node is meant.
        """
        from aitia.lookup.show import show
        from aitia.lookup.texts import named_by
        from aitia.monitor.spending import by_run
        from aitia.writeback.stale import why_stale

        found = lookup.resolve(self.store, node)
        shown = show(self.store, self.blobs, found)
        kept = tuple(named_by(self.store, self.blobs, found)) if texts else ()
        used = by_run(self.store, [found])[found]
        return replace(
            shown,
            stale=why_stale(self.store, found),
            kept=kept,
            spent=used if AITIA.Run.value in shown.types else None,
        )

    def kept_text(self, blob: str) -> Kept:
        """Return a text that is kept beside the record, by its name.

        Raises:
            NotFound: There is none of that name.
        """
        from aitia.lookup.texts import is_name, kept

        if not is_name(blob) or blob not in self.blobs:
            raise NotFound(f"No text of the name {blob!r} is kept.")
        return kept(self.blobs, blob)

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
