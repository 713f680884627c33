"""Looking at the store itself and changing nothing."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from aitia.access import trouble
from aitia.access.publication import Publications
from aitia.errors import AitiaError
from aitia.store import OxigraphStore


def probe(folder: Path, head_of: Callable[[OxigraphStore, int], int]) -> str | None:
    """Return what is wrong with the store and how it is got back, "" for nothing.

    Args:
        folder: The workspace.
        head_of: Tells the newest commit of a store, given one that may be near.

    Returns:
        None where somebody is writing, and so nothing can be told.
    """
    publications, path = Publications(folder / "published"), folder / "store"
    with _held_still(folder / "lock") as still:
        if not still:
            return None
        told = trouble.broken(path) or _opened(path, publications, head_of)
    return f"{told} {publications.way_back()}" if told else ""


def _opened(
    path: Path,
    publications: Publications,
    head_of: Callable[[OxigraphStore, int], int],
) -> str:
    try:
        store = OxigraphStore(path, read_only=True)
        try:
            head = head_of(store, publications.number())
        finally:
            store.close()
    except (AitiaError, OSError, RuntimeError, ValueError) as error:
        return f"{trouble.sentence(error).rstrip('.')}."
    published = publications.latest()
    return str(trouble.cut_back(head, published, "")) if head < published else ""


@contextmanager
def _held_still(path: Path) -> Iterator[bool]:
    """Yield whether nobody writes, and nobody begins to meanwhile."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        yield True
        return
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
            free = True
        except BlockingIOError:
            free = False
        yield free
    finally:
        os.close(descriptor)
