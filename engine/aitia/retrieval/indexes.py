"""The indexes of a workspace: search them, keep them up, check them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from aitia.blobs import Blobs
from aitia.errors import IndexMismatch, UsageError
from aitia.model import Hit, ResourceHit
from aitia.retrieval import entities, fusion, headings, manifest as manifests
from aitia.retrieval.filters import Filters
from aitia.retrieval.generation import Generation
from aitia.retrieval.passages import Library, Texts
from aitia.retrieval.report import CatchUp, IndexReport
from aitia.settings import Settings
from aitia.store import Reader

if TYPE_CHECKING:
    from aitia.retrieval.embedder import Embedder, Vectors
    from aitia.retrieval.lexical import Match
    from aitia.retrieval.upkeep import Changes, Progress

T = TypeVar("T")
MODES: Final = ("fused", "lexical", "dense")
QUERY_CHARS: Final = 10_000
"""Characters of a query above which it is refused."""
HITS_AT_MOST: Final = 1_000
POOL: Final = 30
"""Candidates that each ranking puts up for fusion, or as many as hits are wanted.

With many more, what stands in the middle of two rankings overtakes what leads one:
recall@5 on 2Wiki .686, .683, .681, .681 with 20, 30, 50, 100.
"""


class Indexes:
    """The indexes in a folder, over one state of the store.

    Attributes:
        folder: Where they are; may not exist yet.
        settings: The settings in force.
        store: The state of the store that hits must be live in.
        blobs: What holds the texts.
        unread: Document → why its text could not be read when it was searched; its
            passages are left out of what is found.
    """

    def __init__(
        self, folder: Path, settings: Settings, store: Reader, blobs: Blobs
    ) -> None:
        self.folder, self.settings = folder, settings
        self.store, self.blobs = store, blobs
        self._texts = Texts(blobs)
        self.unread: dict[str, str] = {}
        self._generation: Generation | None = None
        self._seen: tuple[int, int] | None = None
        self._embedder: Embedder | None = None

    @property
    def position(self) -> int:
        """Number of the last commit that is indexed; 0 where there are no indexes."""
        found = self._current()
        return found.manifest.position if found else 0

    def search(
        self,
        query: str,
        k: int = 10,
        mode: str = "fused",
        filters: Filters | None = None,
    ) -> list[Hit]:
        """Return the best passages of live documents, best first.

        Args:
            query: What to look for, as a person types it; never parsed as a query
                language.
            k: How many to return at most.
            mode: `lexical` (BM25), `dense` (cosine) or `fused`.
            filters: Which documents to look in.

        Raises:
            UsageError: The query is empty or too long, or `k` or `mode` is none.
            IndexMismatch: The indexes do not fit the model or are broken.
        """
        query = _checked(query, k, mode)
        return self._on_current(lambda: self._search(query, k, mode, filters))

    def resources(self, query: str, k: int = 10) -> list[ResourceHit]:
        """Return the resources whose labels, values or types fit best, best first.

        Args:
            query: Any text, such as a name or a key.
            k: How many to return at most.

        Raises:
            UsageError: The query is empty or too long, or `k` is none.
            IndexMismatch: The index is broken.
        """
        query = _checked(query, k, MODES[0])
        return self._on_current(lambda: self._resources(query, k))

    def embed(self, texts: Iterable[str]) -> Vectors:
        """Return a vector of length 1 for each text, by the model in force."""
        return self._model().embed(list(texts))

    def embed_kept(self, texts: Iterable[str]) -> Vectors:
        """Return vectors as `embed` does, and keep them for the next time.

        For texts that come up in every run, such as what was asked before.
        """
        from aitia.retrieval import kept

        return kept.embed(self.folder / "kept", self._model, list(texts))

    def behind(self, ledger: Changes, head: int) -> str:
        """Return what searches do not see yet, as a sentence, or "".

        A process that may not write the indexes searches them as they are. Whatever it
        finds is live in its own state of the store; what was taken in after the last
        indexed commit is not found.

        Args:
            ledger: What was committed.
            head: Number of the last commit of this state of the store.
        """
        from aitia.retrieval.upkeep import Touched

        if self.position >= head:
            return ""
        touched = Touched()
        for _, adds, deletes in ledger.changes(self.position):
            touched.note(adds)
            touched.note(deletes)
        if not touched:
            return ""
        return (
            f"The indexes are at commit {self.position} and the store is at {head}: what "
            "came in between is not searched until the next command that writes."
        )

    def catch_up(self, ledger: Changes, progress: Progress | None = None) -> CatchUp:
        """Bring the indexes up to the ledger's head; only the writer may.

        Args:
            ledger: What was committed.
            progress: Told how many passages are done, and of how many.

        Raises:
            IndexMismatch: They are of another model, or ahead of the ledger.
        """
        from aitia.retrieval.upkeep import Upkeep

        last = ledger.head()
        head = last.number if last else 0
        found = self._current() or Generation.create(self.folder)
        embedded = 0
        if found.manifest.position != head or self._seen is None:
            upkeep = Upkeep(found, self._library(), self._model, progress)
            upkeep.follow(ledger, head)
            embedded = upkeep.embedded
            self._keep(found)
        return _caught_up(found, embedded)

    def rebuild(self, position: int, progress: Progress | None = None) -> CatchUp:
        """Make the indexes anew from the store; only the writer may.

        Args:
            position: Number of the store's last commit.
            progress: Told how many passages are done, and of how many.
        """
        from aitia.retrieval.upkeep import Upkeep

        self.close()
        fresh = Generation.create(self.folder, position)
        upkeep = Upkeep(fresh, self._library(), self._model, progress)
        upkeep.fill()
        fresh.save(position)
        fresh.remove_others()
        self._keep(fresh)
        return _caught_up(fresh, upkeep.embedded)

    def check(self, position: int) -> IndexReport:
        """Compare the indexes with the store, thing by thing.

        Args:
            position: Number of the store's last commit.
        """
        from aitia.retrieval.upkeep import compare

        try:
            found = self._current()
            report = compare(found, self._library(), position)
            if found is not None and found.manifest.model:
                found.fit(self._model())
        except IndexMismatch as error:
            return IndexReport(0, position, "", 0, 0, (str(error),), broken=True)
        return report

    def close(self) -> None:
        """Let go of the files."""
        if self._generation is not None:
            self._generation.close()
        self._generation = self._seen = None

    def _on_current(self, look: Callable[[], T]) -> T:
        """Look something up; once more if the files were replaced in between."""
        try:
            return look()
        except IndexMismatch:
            if _stamp(self.folder) == self._seen:
                raise
            return look()

    def _resources(self, query: str, k: int) -> list[ResourceHit]:
        found = self._current()
        matches = found.resources.search(query, k * 2) if found else []
        there = [m for m in matches if entities.is_there(self.store, m.iri)]
        return [_resource(match) for match in there[:k]]

    def _search(
        self, query: str, k: int, mode: str, filters: Filters | None
    ) -> list[Hit]:
        found = self._current()
        if found is None:
            return []
        allowed = filters.documents(self.store) if filters else None
        pool = max(POOL, k)
        library = Library(self.store, self._texts, self.unread)
        while True:
            rankings, exhausted = self._rankings(found, query, mode, pool, allowed)
            hits = _hits(_fused(rankings, mode), k, library)
            if len(hits) == k or exhausted:
                return hits
            pool *= 4  # passages that are dead in this state of the store took places

    def _current(self) -> Generation | None:
        """Return the generation that the manifest names now."""
        stamp = _stamp(self.folder)
        if stamp is None or stamp != self._seen:
            self.close()
            told = manifests.load(self.folder)
            if told is None:
                return None
            self._generation, self._seen = Generation(self.folder, told), stamp
        return self._generation

    def _keep(self, generation: Generation) -> None:
        self._generation, self._seen = generation, _stamp(self.folder)

    def _model(self) -> Embedder:
        if self._embedder is None:
            from aitia.retrieval import embedder

            self._embedder = embedder.load(self.settings.embedding_model)
        return self._embedder

    def _library(self) -> Library:
        return Library(self.store, self._texts)

    def _rankings(
        self,
        found: Generation,
        query: str,
        mode: str,
        pool: int,
        allowed: set[str] | None,
    ) -> tuple[dict[str, fusion.Ranking], bool]:
        """Return the rankings a mode asks for, and whether there is nothing more."""
        rankings: dict[str, fusion.Ranking] = {}
        if mode != "dense":
            matches = found.passages.search(query, pool, allowed)
            rankings["lexical"] = [(match.iri, match.score) for match in matches]
            if mode == "fused":
                rankings["heading"] = headings.named(query, matches)
        if mode != "lexical" and found.manifest.model:
            found.fit(self._model())
            vector = self.embed([query])[0]
            rankings["dense"] = found.dense.search(vector, pool, allowed)
        return rankings, all(len(ranking) < pool for ranking in rankings.values())


def _checked(query: str, k: int, mode: str) -> str:
    """Return the query in a form every index can take."""
    if mode not in MODES:
        raise UsageError(f"There is no search mode {mode!r}.", hint=", ".join(MODES))
    if not 1 <= k <= HITS_AT_MOST:
        raise UsageError(f"Ask for 1 to {HITS_AT_MOST} hits, not {k}.")
    if len(query) > QUERY_CHARS:
        raise UsageError(
            f"The query has {len(query):,} characters; at most {QUERY_CHARS:,} are taken."
        )
    # What a shell hands over that is no UTF-8 arrives as lone surrogates.
    clean = query.encode("utf-8", "replace").decode("utf-8")
    if not clean.strip():
        raise UsageError("The query is empty.")
    return clean


def _fused(rankings: Mapping[str, fusion.Ranking], mode: str) -> list[fusion.Fused]:
    if mode == "fused":
        return fusion.reciprocal_rank(rankings)
    return fusion.single(mode, rankings.get(mode, ()))


def _hits(ranked: Sequence[fusion.Fused], k: int, library: Library) -> list[Hit]:
    """Return the first `k` that are live in the store, with their text."""
    hits: list[Hit] = []
    for item in ranked:
        passage = library.passage(item.iri)
        if passage is not None:
            hits.append(Hit(passage, item.score, len(hits) + 1, item.scores))
        if len(hits) == k:
            break
    return hits


def _resource(match: Match) -> ResourceHit:
    label, *types = match.stored.split("\n")
    return ResourceHit(match.iri, match.score, label, tuple(types))


def _caught_up(generation: Generation, embedded: int) -> CatchUp:
    told = generation.manifest
    return CatchUp(told.position, told.passages, told.resources, embedded)


def _stamp(folder: Path) -> tuple[int, int] | None:
    """Return what changes whenever another manifest is moved into place."""
    try:
        found = os.stat(folder / manifests.FILE)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_ino, found.st_mtime_ns
