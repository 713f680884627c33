"""Bringing the indexes up to the store, and comparing them with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, Protocol, TypeVar

from pyoxigraph import Quad

from aitia.errors import IndexMismatch
from aitia.model import CommitRecord
from aitia.retrieval import entities, manifest as manifests, passages
from aitia.retrieval.embedder import Embedder
from aitia.retrieval.generation import Generation
from aitia.retrieval.manifest import Manifest
from aitia.retrieval.prose import has_vector
from aitia.retrieval.report import IndexReport
from aitia.store import Reader
from aitia.terms import GRAPH_CATALOG, is_current
from aitia.vocab import AITIA, RDF

Progress = Callable[[int, int], None]
"""Is told how many passages are done, and of how many."""
T = TypeVar("T")

_PASSAGES_AT_ONCE: Final = 512
_TOUCHED_AT_ONCE: Final = 20_000


class Changes(Protocol):
    """The ledger, as far as the indexes need it."""

    def head(self) -> CommitRecord | None:
        """Return the newest commit, None where there is none."""
        ...

    def changes(
        self, since: int
    ) -> Iterator[tuple[CommitRecord, list[Quad], list[Quad]]]:
        """Return each commit after number `since` with what it added and deleted."""
        ...


@dataclass
class Touched:
    """What some commits may have changed for the indexes, as IRIs."""

    passages: set[str] = field(default_factory=set)
    documents: set[str] = field(default_factory=set)
    quads: list[Quad] = field(default_factory=list)

    def note(self, quads: Iterable[Quad]) -> None:
        """Take in quads that a commit added or deleted."""
        for quad in quads:
            if quad.graph_name != GRAPH_CATALOG:
                if is_current(quad.graph_name):
                    self.quads.append(quad)
            elif quad.predicate == AITIA.documentState:
                self.documents.add(quad.subject.value)  # type: ignore[union-attr]
            elif quad.predicate == RDF.type and quad.object == AITIA.Passage:
                self.passages.add(quad.subject.value)  # type: ignore[union-attr]

    def __len__(self) -> int:
        return len(self.passages) + len(self.documents) + len(self.quads)


class Upkeep:
    """Changes one generation so that it agrees with a state of the store.

    Attributes:
        generation: What is changed.
        library: Reads the passages; holds the state of the store.
        embedder: Called for when vectors are needed.
        embedded: How many passages were turned into vectors so far.
    """

    def __init__(
        self,
        generation: Generation,
        library: passages.Library,
        embedder: Callable[[], Embedder],
        progress: Progress | None = None,
    ) -> None:
        self.generation, self.library = generation, library
        self.embedder, self.embedded = embedder, 0
        self._progress = progress or (lambda done, total: None)

    def follow(self, ledger: Changes, head: int) -> None:
        """Bring in every commit after the generation's position.

        What a commit touched is brought to what the store says now, whatever it was
        before: doing it twice does no harm, so a crash in between does none either.

        Raises:
            IndexMismatch: The indexes are ahead of the ledger, or of another model.
        """
        since = self.generation.manifest.position
        if since > head:
            raise IndexMismatch(
                f"The indexes are at commit {since}, the ledger ends at {head}.",
                hint=manifests.MEND,
            )
        touched = Touched()
        for record, adds, deletes in ledger.changes(since):
            touched.note(adds)
            touched.note(deletes)
            if len(touched) > _TOUCHED_AT_ONCE:
                self.apply(touched)
                self.generation.save(record.number)
                touched = Touched()
        self.apply(touched)
        self.generation.save(head)

    def fill(self) -> None:
        """Index everything the store holds, into an empty generation."""
        self._put_passages(list(self.library.live()))
        self._put_resources(sorted(entities.subjects(self.library.store)))

    def apply(self, touched: Touched) -> None:
        """Bring what was touched to what the store says of it."""
        live = {i for i in touched.documents if self.library.document(i).live}
        self.generation.drop_documents(touched.documents - live)
        store = self.library.store
        again = {i for owner in live for i in passages.of_document(store, owner)}
        self._put_passages(sorted(touched.passages | again, key=_place))
        self._put_resources(sorted(entities.touched(store, touched.quads)))

    def _put_passages(self, iris: Sequence[str]) -> None:
        done = 0
        for batch in _batches(iris, _PASSAGES_AT_ONCE):
            records = [r for iri in batch if (r := self.library.passage(iri))]
            self.generation.drop_passages(set(batch) - {r.iri for r in records})
            if records:
                self.embedded += self.generation.put_passages(records, self.embedder)
                self.generation.save(self.generation.manifest.position)
            done += len(batch)
            self._progress(done, len(iris))

    def _put_resources(self, iris: Sequence[str]) -> None:
        store = self.library.store
        gone = []
        for iri in iris:
            entry = entities.entry(store, iri)
            if entry is None:
                gone.append(iri)
            else:
                self.generation.put_resources([entry])
        self.generation.resources.delete(gone)


def compare(
    generation: Generation | None, library: passages.Library, head: int
) -> IndexReport:
    """Compare the indexes with the store, thing by thing.

    Args:
        generation: What is checked; None where there are no indexes yet.
        library: What it should agree with.
        head: Number of the store's last commit.
    """
    expected = set(library.live())
    indexed = generation.resources.ids() if generation else []
    named = _entries(library.store, indexed)
    told = generation.manifest if generation else Manifest("", 0, "", "", 0)
    findings: list[str] = []
    if generation is not None:
        for index in (generation.passages, generation.resources):
            index.search("probe", 1)  # reads the files that listing does not
        vectors = list(generation.dense.row_of) if told.model else []
        findings = [
            *_position(told.position, head),
            *_differences(
                "word index of passages", generation.passages.ids(), expected
            ),
            *_differences(
                "vector index", vectors, _embedded(library, expected, vectors)
            ),
            *_differences("index of resources", indexed, named),
        ]
    elif expected or named:
        findings = ["There are no indexes yet."]
    return IndexReport(
        told.position, head, told.model, len(expected), len(named), tuple(findings)
    )


def _embedded(
    library: passages.Library, expected: set[str], vectors: Sequence[str]
) -> set[str]:
    """Return the passages that have to have a vector."""
    there = expected & set(vectors)
    unsure = ((iri, library.passage(iri)) for iri in sorted(expected - there))
    return there | {iri for iri, record in unsure if record and has_vector(record)}


def _entries(store: Reader, indexed: Sequence[str]) -> set[str]:
    """Return the resources that have to be indexed."""
    there = set(indexed)
    subjects = entities.subjects(store)
    # What is indexed and a subject is taken as right; only the rest is looked at.
    unsure = subjects - there
    return (subjects & there) | {i for i in unsure if entities.entry(store, i)}


def _position(position: int, head: int) -> list[str]:
    if position == head:
        return []
    return [f"The indexes are at commit {position}, the store is at {head}."]


def _differences(index: str, found: Sequence[str], expected: set[str]) -> list[str]:
    there = set(found)
    counted = [
        (expected - there, "lacks"),
        (there - expected, "has in excess"),
    ]
    told = [
        f"The {index} {verb} {len(items)}, such as {min(items)}."
        for items, verb in counted
        if items
    ]
    if len(found) != len(there):
        told.append(f"The {index} holds {len(found) - len(there)} twice.")
    return told


def _place(iri: str) -> tuple[str, int]:
    """Order passages by document, then by where they start."""
    owner, _, fragment = iri.partition("#char=")
    start = fragment.partition(",")[0]
    return owner, int(start) if start.isdigit() else 0


def _batches(items: Sequence[T], size: int) -> Iterator[list[T]]:
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch
