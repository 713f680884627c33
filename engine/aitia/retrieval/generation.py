"""One generation of index files: open, search, change, write down.

A rebuild makes a new generation beside the old one and the manifest then names it, so
that a reader has either the one or the other.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from aitia import terms
from aitia.errors import IndexMismatch
from aitia.model import PassageRecord
from aitia.retrieval import entities, manifest as manifests
from aitia.retrieval.lexical import Entry, Lexical
from aitia.retrieval.manifest import Manifest
from aitia.retrieval.prose import has_vector

if TYPE_CHECKING:
    from aitia.retrieval.dense import Dense
    from aitia.retrieval.embedder import Embedder

PASSAGE_BOOSTS: Final = {"body": 1.0}
_KEY: Final = 32
"""Hexadecimal digits of the hash of what was embedded."""
_DEAD_SHARE: Final = 4
"""Vectors are written anew when more than one in this many is dead."""


class Generation:
    """The index files that a manifest names.

    Attributes:
        folder: The folder of all generations.
        manifest: What was last written down.
        passages: The word index of passages.
        resources: The word index of resources.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder, self.manifest = folder, manifest
        home = folder / manifest.generation
        self.passages = Lexical(
            home / "passages", PASSAGE_BOOSTS, filled=manifest.passages > 0
        )
        self.resources = Lexical(
            home / "resources", entities.BOOSTS, filled=manifest.resources > 0
        )
        self._outdated: list[Dense] = []

    @classmethod
    def create(cls, folder: Path, position: int = 0) -> Generation:
        """Start a generation beside any that are there; nothing is written down yet."""
        folder.mkdir(parents=True, exist_ok=True)
        taken = [int(path.name) for path in folder.iterdir() if path.name.isdigit()]
        name = str(max(taken, default=0) + 1)
        return cls(folder, Manifest(name, position, "", "", 0))

    @cached_property
    def dense(self) -> Dense:
        """The vectors.

        Raises:
            IndexMismatch: The files are shorter than the manifest says.
        """
        from aitia.retrieval.dense import Dense

        told = self.manifest
        return Dense(
            self.folder / told.generation / told.vectors,
            told.dimension,
            told.rows,
            told.id_bytes,
            told.dead,
        )

    def fit(self, embedder: Embedder) -> None:
        """Make sure that vectors of this model can be added and compared.

        Raises:
            IndexMismatch: The vectors are of another model.
        """
        told = self.manifest
        if not told.model:
            self.manifest = replace(
                told,
                model=embedder.name,
                model_version=embedder.version,
                dimension=embedder.dimension,
            )
            self.__dict__.pop("dense", None)
        elif (told.model, told.model_version) != (embedder.name, embedder.version):
            raise IndexMismatch(
                f"The vectors are of the model {told.model} ({told.model_version}), the "
                f"setting names {embedder.name} ({embedder.version}).",
                hint=manifests.MEND,
            )

    def put_passages(
        self, records: Sequence[PassageRecord], embedder: Callable[[], Embedder]
    ) -> int:
        """Index passages, each in place of itself; return how many texts were embedded.

        What was embedded before, as it stands, keeps its vector.

        Args:
            records: The passages.
            embedder: Called for only where a vector is needed.
        """
        self.passages.add(passage_entry(item) for item in records)
        new = [item for item in records if has_vector(item)]
        if self.manifest.model:
            new = [item for item in new if item.iri not in self.dense.row_of]
        if not new:
            return 0
        self.fit(embedder())
        keys = [terms.short_hash(r.heading, r.text, length=_KEY) for r in new]
        vectors = self.dense.known(keys)
        texts = {k: r for k, r in zip(keys, new, strict=True) if k not in vectors}
        made = embedder().embed(
            [r.text for r in texts.values()], [r.heading for r in texts.values()]
        )
        vectors.update(zip(texts, made, strict=True))
        self.dense.append([r.iri for r in new], keys, [vectors[key] for key in keys])
        return len(texts)

    def drop_passages(self, iris: Collection[str]) -> None:
        """Take passages out."""
        self.passages.delete(iris)
        if self.manifest.model:
            self.dense.delete(iris)

    def drop_documents(self, documents: Collection[str]) -> None:
        """Take the passages of documents out."""
        self.passages.delete_groups(documents)
        if documents and self.manifest.model:
            gone = [i for i in self.dense.row_of if i.partition("#")[0] in documents]
            self.dense.delete(gone)

    def put_resources(self, entries: Iterable[Entry]) -> None:
        """Index resources, each in place of itself."""
        self.resources.add(entries)

    def save(self, position: int) -> None:
        """Write down that everything up to `position` is indexed, the manifest last."""
        self.passages.commit()
        self.resources.commit()
        told = replace(
            self.manifest,
            position=position,
            passages=len(self.passages),
            resources=len(self.resources),
        )
        if told.model:
            told = self._with_vectors(told)
        manifests.save(self.folder, told)
        self.manifest = told
        for old in self._outdated:
            old.remove()
        self._outdated.clear()

    def close(self) -> None:
        """Let go of the writers."""
        self.passages.close()
        self.resources.close()

    def remove_others(self) -> None:
        """Delete the generations that the manifest no longer names."""
        for path in self.folder.iterdir():
            if path.name.isdigit() and path.name != self.manifest.generation:
                shutil.rmtree(path, ignore_errors=True)

    def _with_vectors(self, told: Manifest) -> Manifest:
        dense = self.dense
        if len(dense.dead) * _DEAD_SHARE > dense.rows:
            number = int(told.vectors.rpartition("-")[2]) + 1
            told = replace(told, vectors=f"vectors-{number}")
            self._outdated.append(dense)
            home = self.folder / told.generation
            self.dense = dense = dense.compacted(home / told.vectors)
        return replace(
            told, rows=dense.rows, id_bytes=dense.id_bytes, dead=sorted(dense.dead)
        )


def passage_entry(record: PassageRecord) -> Entry:
    """Return the word-index entry of a passage; words of its heading count twice."""
    heading = record.heading or record.title
    body = f"{heading}\n{heading}\n{record.text}"
    return Entry(record.iri, {"body": body}, record.document, heading)
