"""The blobs: every one that is named must be there and be what its name says."""

from __future__ import annotations

from collections.abc import Mapping
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


def unnamed(blobs: Blobs, names: Mapping[str, bool], links: Links) -> list[str]:
    """Return what to tell of blobs that neither a patch nor a commit names."""
    roots = {link.root for link in links.values()}
    found = [name for name in blobs if name not in names and name not in roots]
    if not found:
        return []
    some = ", ".join(name[:12] + "…" for name in found[:5])
    count = "1 blob is" if len(found) == 1 else f"{len(found):,} blobs are"
    return [
        f"{count} named by nothing ({some}): left by an interrupted command, and"
        " harmless. `aitia doctor --fix` removes what is left over."
    ]
