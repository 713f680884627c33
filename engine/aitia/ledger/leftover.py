"""Blobs that no commit names: what an interrupted command left, or all that is left.

A writer keeps a patch and its texts first and commits afterwards, so one that is killed
leaves blobs that nothing names. So does a store that was lost or cut back, and then
they are the only copy. Nothing is called left over that could be of the second kind.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from aitia.blobs import Blobs
from aitia.errors import NotFound, NotIntact
from aitia.ledger import chain
from aitia.ledger.names import named

YOUNG: Final = 300.0
"""Seconds for which a blob may still be that of somebody who is about to commit it."""
KILLED_AT_MOST: Final = 2
"""Without any commit, so many patches may be of commands that were killed."""


@dataclass(frozen=True)
class Leftovers:
    """The blobs that no commit names.

    Attributes:
        removable: Left by an interrupted command: the chain went on after them.
        unknown: Young, or newer than the head, or not readable: they may be the only
            copy of what was lost.
        lost: What shows that commits after the head were lost, as a sentence, or "".
    """

    removable: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    lost: str = ""


def judge(
    blobs: Blobs,
    names: Iterable[str],
    head_time: datetime | None,
    chain_patches: Callable[[], Iterable[list[chain.Entry]]],
) -> Leftovers:
    """Tell apart the blobs that no commit names.

    Args:
        blobs: Where they are.
        names: Their names.
        head_time: When the newest commit was made, None where there is none.
        chain_patches: Returns the patches of all commits, each of them whole.
    """
    found = list(names)
    old = time.time() - YOUNG
    edge = min(head_time.timestamp() if head_time else 0.0, old)
    patches = {name: entries for name in found if (entries := _patch(blobs, name))}
    # What was kept after the newest commit may belong to a commit after it.
    beyond = {name for name in patches if head_is_older(blobs, name, head_time)}
    spoken = {
        text
        for name in beyond
        for entry in patches[name]
        for text, _ in named(entry.line)
    }
    removable = tuple(
        name
        for name in found
        if blobs.kept_since(name) <= (edge if name in patches else old)
        and name not in spoken
        and (name in patches or _is_text(blobs, name))
    )
    unknown = tuple(name for name in found if name not in set(removable))
    return Leftovers(
        removable,
        unknown,
        _lost([patches[name] for name in beyond], head_time is None, chain_patches),
    )


def head_is_older(blobs: Blobs, name: str, head_time: datetime | None) -> bool:
    """Tell whether a blob was kept after the newest commit was made."""
    return head_time is None or blobs.kept_since(name) > head_time.timestamp()


def earlier(blobs: Blobs) -> str:
    """Return what shows that there was a history where there is none, or ""."""
    patches = [entries for name in blobs if (entries := _patch(blobs, name))]
    return _lost(patches, True, lambda: ())


def _lost(
    patches: list[list[chain.Entry]],
    without_head: bool,
    chain_patches: Callable[[], Iterable[list[chain.Entry]]],
) -> str:
    """Return what shows that commits are missing that these patches come after."""
    deleted = {
        entry.line
        for entries in patches
        for entry in entries
        if entry.op == chain.DELETE
    }
    if deleted:
        for entries in chain_patches():
            if any(not entry.op for entry in entries):
                # A line that was erased may be the one that is deleted.
                deleted.clear()
                break
            deleted.difference_update(e.line for e in entries if e.op == chain.ADD)
    if deleted:
        return (
            "Patches are kept that take out what no commit put in: commits before them"
            " are missing, so the store was lost or cut back."
        )
    if without_head and len(patches) > KILLED_AT_MOST:
        return (
            f"The store has no commit, but {len(patches):,} patches of commits are kept:"
            " the store was lost."
        )
    return ""


def _patch(blobs: Blobs, name: str) -> list[chain.Entry] | None:
    """Return the lines of a blob that is a patch, None where it is none."""
    try:
        entries = chain.unpack(blobs.get(name))
    except (NotFound, NotIntact, ValueError, OSError):
        return None
    return entries if entries and chain.root(entries) == name else None


def _is_text(blobs: Blobs, name: str) -> bool:
    """Tell whether a blob is whole and named by its content."""
    from hashlib import sha256

    try:
        return sha256(blobs.get(name)).hexdigest() == name
    except (NotFound, NotIntact, OSError):
        return False
