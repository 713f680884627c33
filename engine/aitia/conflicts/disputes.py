"""Conflicts of an open workspace: which stand, a check of everything, dismissals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from pyoxigraph import Quad

from aitia import lookup, terms
from aitia.conflicts.checking import ConflictCheck, Report
from aitia.conflicts.standing import Standing, dismissal, standing
from aitia.errors import AmbiguousId, NotFound, UsageError
from aitia.model import Patch
from aitia.vocab import AITIA, RDF, RDFS

if TYPE_CHECKING:
    from aitia.llm.calls import Asks
    from aitia.methods.base import Reads
    from aitia.trace.run import Commit

CATALOG: Final = terms.GRAPH_CATALOG


@dataclass
class Disputes:
    """Lists, finds and dismisses conflicts.

    Attributes:
        reads: What may be read.
        models: Returns the models that a check may ask, ready for one run.
        commit: What changes are handed to.
        agent: Name of who acts.
        position: Returns the number of the newest commit.
    """

    reads: Reads
    models: Callable[[], Asks | None]
    commit: Commit
    agent: str
    position: Callable[[], int]

    def standing(self, *, dismissed: bool = False) -> list[Standing]:
        """Return the conflicts that stand, the first found first.

        Args:
            dismissed: Also those that somebody dismissed.
        """
        return standing(self.reads, dismissed=dismissed)

    def check(self) -> Report:
        """Check all that is on record, as a run of its own."""
        reads = replace(self.reads, models=self.models())
        return self._check(reads).everything()

    def after_ingest(self, documents: list[str]) -> Report:
        """Check what documents brought against what was there.

        Args:
            documents: IRIs of the documents that were taken in.
        """
        return self._check(self.reads).after_ingest(documents)

    def dismiss(self, conflict: str, reason: str) -> Standing:
        """Put on record that a conflict is none; it no longer stands.

        Args:
            conflict: Its id, as `aitia conflicts` tells it.
            reason: Why, in words.

        Raises:
            UsageError: There is no reason.
            NotFound: No conflict of that id stands.
            AmbiguousId: Several are meant.
        """
        if not reason.strip():
            raise UsageError("A dismissal needs a reason.")
        found = self._named(conflict)
        who = terms.agent_iri(self.agent)
        quads = [
            Quad(subject, predicate, value, CATALOG)
            for subject, predicate, value in dismissal(found, who, reason.strip())
        ]
        if not any(self.reads.store.quads(who, RDF.type, None, CATALOG)):
            quads.append(Quad(who, RDF.type, AITIA.Person, CATALOG))
            quads.append(Quad(who, RDFS.label, terms.string(self.agent), CATALOG))
        self.commit(Patch(frozenset(quads), frozenset(), who), durable=True)
        return found

    def _named(self, conflict: str) -> Standing:
        """Return the conflict of an id, or of the end of one as in `conflict/1`."""
        wanted = conflict.removeprefix(terms.BASE).removeprefix("run:")
        found = [
            (item, name)
            for item in self.standing()
            for name in map(_short, item.records)
            if name == wanted or name.endswith(f"/{wanted}")
        ]
        exact = [item for item, name in found if name == wanted]
        meant = exact or [item for item, _ in found]
        if len(meant) > 1:
            raise AmbiguousId(
                f"{conflict!r} fits {len(meant)} conflicts.", [x.id for x in meant]
            )
        if not meant:
            raise NotFound(
                f"No conflict that stands is called {conflict!r}.",
                hint="`aitia conflicts` lists them with their ids.",
            )
        return meant[0]

    def _check(self, reads: Reads) -> ConflictCheck:
        return ConflictCheck(reads, self.commit, self.agent, self.position())


def _short(node: str) -> str:
    return lookup.short(node).removeprefix("run:")
