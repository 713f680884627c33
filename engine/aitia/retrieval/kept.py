"""Vectors of texts that are compared again and again, kept beside the indexes.

Each stands in a file of its own, named by the model and the text. Nothing is lost with
them: what is missing, or not as long as it must be, is made anew.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from aitia.retrieval.embedder import Embedder, Vectors


def embed(folder: Path, model: Callable[[], Embedder], texts: Sequence[str]) -> Vectors:
    """Return a vector of length 1 for each text; only new texts are embedded.

    Args:
        folder: Where they are kept; made where it is not there.
        model: Returns the model in force.
        texts: The texts.
    """
    embedder = model()
    files = {text: folder / _name(embedder, text) for text in texts}
    found = {text: _read(file, embedder.dimension) for text, file in files.items()}
    new = [text for text, vector in found.items() if vector is None]
    if new:
        for text, vector in zip(new, embedder.embed(new), strict=True):
            found[text] = vector
            with suppress(OSError):  # a full disk costs time, and nothing else
                _write(files[text], vector)
    rows = [found[text] for text in texts]
    return np.stack([row for row in rows if row is not None])


def _name(embedder: Embedder, text: str) -> str:
    told = f"{embedder.version}\n{text}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(told).hexdigest()


def _read(file: Path, dimension: int) -> Vectors | None:
    try:
        data = file.read_bytes()
    except OSError:
        return None
    return np.frombuffer(data, "<f4") if len(data) == 4 * dimension else None


def _write(file: Path, vector: Vectors) -> None:
    """Write a vector so that no other process sees half of it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_name(f"{file.name}.{os.getpid()}")
    unfinished.write_bytes(np.asarray(vector, "<f4").tobytes())
    unfinished.replace(file)
