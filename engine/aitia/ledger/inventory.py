"""The blobs: every one that is named must be there and be what its name says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256

from aitia.blobs import Blobs
from aitia.errors import NotFound, NotIntact
from aitia.ledger.walk import Links, Tell


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
        except NotIntact:
            tell("blob", f"The blob {name} is damaged.")
    return len(needed)


def orphans(blobs: Blobs, names: Iterable[str], links: Links) -> list[str]:
    """Return the blobs that neither a patch nor a commit names.

    A process that was killed between keeping a blob and committing leaves one.
    """
    named = {*names, *(link.root for link in links.values())}
    return [name for name in blobs if name not in named]


def unnamed(blobs: Blobs, names: Iterable[str], links: Links) -> list[str]:
    """Return what to tell of blobs that nothing names."""
    found = orphans(blobs, names, links)
    if not found:
        return []
    some = ", ".join(name[:12] + "…" for name in found[:5])
    return [
        f"{len(found):,} blobs are named by nothing ({some}): left by an interrupted"
        " command, and harmless. `aitia doctor --fix` removes them."
    ]
