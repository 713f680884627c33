"""The blobs: every one that is named must be there and be what its name says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from hashlib import sha256

from aitia.blobs import Blobs
from aitia.errors import NotFound, NotIntact
from aitia.ledger import chain, leftover, records
from aitia.ledger.replay import Replay
from aitia.ledger.walk import Links, Tell
from aitia.store import OxigraphStore


def check(blobs: Blobs, names: Mapping[str, bool], tell: Tell) -> int:
    """Check the blobs that must be there; return how many there were to check.

    Args:
        blobs: Where to look.
        names: Blob name → whether it must be there.
        tell: Told what is wrong.
    """
    needed = [name for name, must in names.items() if must]
    for name in needed:
        try:
            if sha256(blobs.get(name)).hexdigest() != name:
                tell("blob", f"The blob {name} was altered.")
        except NotFound:
            tell("blob", f"The blob {name} is missing.")
        except (NotIntact, OSError):
            tell("blob", f"The blob {name} is damaged.")
    return len(needed)


def unnamed(
    store: OxigraphStore, blobs: Blobs, replayed: Replay, links: Links, tell: Tell
) -> list[str]:
    """Return what to tell of blobs that neither a patch nor a commit names.

    Args:
        store: What holds the newest record.
        blobs: Where to look.
        replayed: What the patches came to.
        links: The chain.
        tell: Told where they show that commits are missing.
    """
    roots = {link.root for link in links.values()}
    found = [name for name in blobs if name not in replayed.names and name not in roots]
    if not found:
        return []
    if not replayed.whole:
        return [
            f"{_named(found, 'no patch that can be read')}: kept, for they may be"
            " what is missing."
        ]
    left = leftover.judge(blobs, found, _time(store, links), lambda: _all(blobs, links))
    if left.lost:
        tell("store", left.lost)
    told = []
    if left.unknown:
        told.append(
            f"{_named(left.unknown)}, and new: of an interrupted"
            " command, or of commits that were lost. They are kept."
        )
    if left.removable and not left.lost:
        told.append(
            f"{_named(left.removable)}: left by an interrupted"
            " command. `aitia doctor --fix` removes what is left over."
        )
    return told


def _time(store: OxigraphStore, links: Links) -> datetime | None:
    """Return when the newest commit was made; None where no record of it is whole."""
    try:
        record = records.at(store, max(links)) if links else None
    except ValueError:
        return None
    return record.time if record else None


def _all(blobs: Blobs, links: Links) -> Iterator[list[chain.Entry]]:
    for link in links.values():
        yield chain.unpack(blobs.get(link.root))


def _named(names: Sequence[str], by: str = "nothing") -> str:
    some = ", ".join(name[:12] + "…" for name in names[:5])
    count = "1 blob is" if len(names) == 1 else f"{len(names):,} blobs are"
    return f"{count} named by {by} ({some})"
