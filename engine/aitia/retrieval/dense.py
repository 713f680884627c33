"""The vector index: append-only files that FAISS searches in place.

`<name>.f32` holds the vectors, row after row; `<name>.ids` for each row a line with the
hash of what was embedded and the passage. Equal texts share a vector: a new version of
a document embeds only what changed. Rows past what the manifest tells are the rest of a write that was cut off:
they are ignored and written over. Imported only when vectors are needed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from aitia.errors import IndexMismatch
from aitia.retrieval.manifest import MEND

_ITEM: Final = 4  # bytes of a float32


class Dense:
    """The vectors of one state of the index.

    Attributes:
        base: Path of the files without their endings.
        dimension: Numbers in a vector.
        rows: How many rows count.
        id_bytes: How many bytes of the ids count.
        dead: Rows whose passage was taken out.
    """

    def __init__(
        self, base: Path, dimension: int, rows: int, id_bytes: int, dead: Sequence[int]
    ) -> None:
        self.base, self.dimension = base, dimension
        self.rows, self.id_bytes, self.dead = rows, id_bytes, set(dead)
        self._check()

    def search(
        self,
        vector: NDArray[np.float32],
        k: int,
        documents: Collection[str] | None = None,
    ) -> list[tuple[str, float]]:
        """Return the `k` nearest passages with their cosine, best first.

        Args:
            vector: The query, of length 1.
            k: How many to return at most.
            documents: Only passages of these documents; None means of all.
        """
        import faiss

        k = min(k, self.rows - len(self.dead))
        if k <= 0:
            return []
        scores = np.empty((1, k), np.float32)
        found = np.empty((1, k), np.int64)
        query = np.ascontiguousarray(vector.reshape(1, -1), np.float32)
        bits = self._admitted(documents)
        selector: Any = faiss.IDSelectorBitmap
        faiss.knn_inner_product(
            faiss.swig_ptr(query),
            faiss.swig_ptr(self._matrix),
            self.dimension,
            1,
            self.rows,
            k,
            faiss.swig_ptr(scores),
            faiss.swig_ptr(found),
            None if bits is None else selector(bits),
        )
        pairs = zip(found[0].tolist(), scores[0].tolist(), strict=True)
        hits = [(self.ids[row], score) for row, score in pairs if row >= 0]
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))

    @property
    def ids(self) -> list[str]:
        """The passage of each row."""
        return self._lines[1]

    @cached_property
    def _lines(self) -> tuple[list[str], list[str]]:
        """The hash of what was embedded, and the passage, of each row."""
        if not self.rows:
            return [], []
        try:
            data = self._file(".ids").read_bytes()[: self.id_bytes]
        except OSError as error:
            raise _broken(self._file(".ids")) from error
        lines = data.decode("utf-8", "replace").split("\n")
        pairs = [line.partition(" ")[::2] for line in lines[:-1]]
        if len(pairs) != self.rows:
            raise _broken(self._file(".ids"))
        return [key for key, _ in pairs], [iri for _, iri in pairs]

    @cached_property
    def row_of(self) -> dict[str, int]:
        """Passage → its row, for rows that are not dead."""
        return {iri: row for row, iri in enumerate(self.ids) if row not in self.dead}

    def known(self, keys: Iterable[str]) -> dict[str, NDArray[np.float32]]:
        """Return the vectors there are of what has these hashes, dead rows' too."""
        row_of_key = dict(zip(self._lines[0], range(self.rows), strict=True))
        rows = {key: row_of_key[key] for key in keys if key in row_of_key}
        return {key: self._matrix[row] for key, row in rows.items()}

    def append(
        self,
        ids: Sequence[str],
        keys: Sequence[str],
        vectors: Sequence[NDArray[np.float32]] | NDArray[np.float32],
    ) -> None:
        """Write further rows after the last one that counts.

        Args:
            ids: The passages.
            keys: For each the hash of what was embedded.
            vectors: For each its vector.
        """
        pairs = list(zip(keys, ids, strict=True))
        lines = "".join(f"{key} {iri}\n" for key, iri in pairs).encode("utf-8")
        data = np.ascontiguousarray(vectors, np.float32).tobytes()
        _write(self._file(".f32"), self.rows * self.dimension * _ITEM, data)
        _write(self._file(".ids"), self.id_bytes, lines)
        self.row_of.update({iri: self.rows + at for at, iri in enumerate(ids)})
        self._lines[0].extend(keys)
        self._lines[1].extend(ids)
        self.rows += len(ids)
        self.id_bytes += len(lines)
        self.__dict__.pop("_matrix", None)

    def delete(self, ids: Collection[str]) -> int:
        """Mark the rows of passages as dead and return how many there were."""
        rows = [self.row_of.pop(iri) for iri in ids if iri in self.row_of]
        self.dead.update(rows)
        return len(rows)

    def compacted(self, base: Path) -> Dense:
        """Return a copy without the dead rows, written to new files."""
        kept = [row for row in range(self.rows) if row not in self.dead]
        copy = Dense(base, self.dimension, 0, 0, ())
        keys, ids = ([column[row] for row in kept] for column in self._lines)
        copy.append(ids, keys, self._matrix[kept])
        return copy

    def remove(self) -> None:
        """Delete the files."""
        for ending in (".f32", ".ids"):
            self._file(ending).unlink(missing_ok=True)

    @cached_property
    def _matrix(self) -> NDArray[np.float32]:
        if not self.rows:
            return np.empty((0, self.dimension), np.float32)
        file, shape = self._file(".f32"), (self.rows, self.dimension)
        try:
            return np.asarray(np.memmap(file, np.float32, "r", shape=shape))
        except (OSError, ValueError) as error:
            raise _broken(file) from error

    def _admitted(self, documents: Collection[str] | None) -> NDArray[np.uint8] | None:
        """Return a bit per row, set where the row may be found; None means all."""
        if documents is None and not self.dead:
            return None
        mask = np.ones(self.rows, bool)
        if documents is not None:
            mask[:] = [iri.partition("#")[0] in documents for iri in self.ids]
        mask[list(self.dead)] = False
        return np.packbits(mask, bitorder="little")

    def _file(self, ending: str) -> Path:
        return self.base.with_name(self.base.name + ending)

    def _check(self) -> None:
        needed = {".f32": self.rows * self.dimension * _ITEM, ".ids": self.id_bytes}
        for ending, size in needed.items():
            path = self._file(ending)
            if size and (not path.exists() or path.stat().st_size < size):
                raise _broken(path)


def _write(path: Path, offset: int, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("r+b" if path.exists() else "w+b") as file:
        file.seek(offset)
        file.write(data)
        file.truncate()


def _broken(path: Path) -> IndexMismatch:
    return IndexMismatch(f"{path} is shorter than the index says.", hint=MEND)
