"""Replaying the kept patches, and comparing what they come to with the store.

Quads are compared by the sum of their keyed digests: it takes no memory, and nobody
who does not know the key, which is new each time, can make two contents agree. Only
where the sums differ are the quads told apart one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import chain as joined
from typing import Final

from pyoxigraph import Quad, RdfFormat, parse

from aitia import terms
from aitia.blobs import Blobs
from aitia.errors import NotFound, NotIntact
from aitia.ledger import chain
from aitia.ledger.names import named
from aitia.ledger.walk import Links, Tell
from aitia.store import OxigraphStore

_DIGEST_BYTES: Final = 16
_MODULUS: Final = 1 << (8 * _DIGEST_BYTES)


class Sum:
    """The sum of the keyed digests of some quads, and how many they are."""

    def __init__(self, key: bytes) -> None:
        self._key, self._total, self.count = key, 0, 0

    def digest(self, line: bytes) -> int:
        """Return the keyed digest of a line as a number."""
        made = blake2b(line, digest_size=_DIGEST_BYTES, key=self._key)
        return int.from_bytes(made.digest(), "big")

    def add(self, line: bytes, sign: int = 1) -> None:
        """Add a line, or with -1 take it away."""
        self._total += sign * self.digest(line)
        self.count += sign

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sum):
            return NotImplemented
        return (self.count, (self._total - other._total) % _MODULUS) == (other.count, 0)

    __hash__ = None  # type: ignore[assignment]


@dataclass
class Replay:
    """What the patches come to.

    Attributes:
        quads: The quads that should stand.
        erased: How many lines were erased.
        names: Blob names that patches state → whether the blob must be there.
        whole: Whether every patch could be read.
    """

    quads: Sum
    erased: int = 0
    names: dict[str, bool] = field(default_factory=dict)
    whole: bool = True


def split(store: OxigraphStore, content: Sum) -> Iterator[Quad]:
    """Yield the quads of the ledger graph; add up all others in `content`."""
    for quad in store.quads():
        if quad.graph_name == terms.GRAPH_LEDGER:
            yield quad
        else:
            content.add(terms.nquad(quad).encode())


def replay(links: Links, blobs: Blobs, key: bytes, tell: Tell) -> Replay:
    """Read every kept patch, check it against its root and add it up."""
    told = Replay(Sum(key))
    for number, link in links.items():
        entries = _patch(number, link.root, blobs, tell)
        if entries is None:
            told.whole = False
            continue
        for entry in entries:
            _take(entry, told)
    return told


def compare(
    content: Sum,
    told: Replay,
    links: Links,
    store: OxigraphStore,
    blobs: Blobs,
    tell: Tell,
) -> None:
    """Compare what the store holds with what the patches come to."""
    if not told.whole:
        tell("patch", "The store cannot be compared while patches are missing.")
    elif content != told.quads:
        _tell_apart(store, links, blobs, told.quads, tell)


def _take(entry: chain.Entry, told: Replay) -> None:
    if entry.op == chain.ADD:
        told.quads.add(entry.line)
        for name, must in named(entry.line):
            told.names[name] = told.names.get(name, False) or must
    elif entry.op == chain.DELETE:
        told.quads.add(entry.line, -1)
    else:
        told.erased += 1


def _patch(
    number: int, root: str, blobs: Blobs, tell: Tell
) -> list[chain.Entry] | None:
    try:
        entries = chain.unpack(blobs.get(root))
    except NotFound:
        tell("patch", f"The patch of commit {number} is missing (blob {root}).")
        return None
    except (NotIntact, ValueError) as error:
        tell("patch", f"The patch of commit {number} is damaged: {error}")
        return None
    if chain.root(entries) != root:
        tell("patch", f"The patch of commit {number} was altered: its root differs.")
        return None
    return entries


def _tell_apart(
    store: OxigraphStore, links: Links, blobs: Blobs, told: Sum, tell: Tell
) -> None:
    """Name the quads that differ; holds a number for each quad that should stand."""
    standing = _standing(links, blobs, told, tell)
    added: dict[tuple[object, ...], list[Quad]] = {}
    for quad in store.quads():
        if quad.graph_name == terms.GRAPH_LEDGER:
            continue
        digest = told.digest(terms.nquad(quad).encode())
        if standing.pop(digest, None) is None:
            added.setdefault(_place(quad), []).append(quad)
    for number, quad in _missing(standing, links, blobs, told):
        if not (instead := added.get(_place(quad))):
            tell("removed quad", f"Removed from the store (commit {number}): {quad}")
        else:
            now = instead.pop()
            tell(
                "edited quad",
                f"Edited in the store: {now.triple} in {now.graph_name} where commit"
                f" {number} has {quad.object}",
            )
    for quad in joined.from_iterable(added.values()):
        tell("added quad", f"In the store but in no commit: {quad}")


def _place(quad: Quad) -> tuple[object, ...]:
    return (quad.subject, quad.predicate, quad.graph_name)


def _standing(links: Links, blobs: Blobs, told: Sum, tell: Tell) -> dict[int, int]:
    """Return digest → number of the commit that added it, of what should stand."""
    standing: dict[int, int] = {}
    for number, link in links.items():
        for entry in chain.unpack(blobs.get(link.root)):
            digest = told.digest(entry.line)
            if entry.op == chain.ADD:
                if digest in standing:
                    tell("patch", f"Commit {number} adds again: {entry.line.decode()}")
                standing[digest] = number
            elif entry.op == chain.DELETE and standing.pop(digest, None) is None:
                tell("patch", f"Commit {number} deletes in vain: {entry.line.decode()}")
    return standing


def _missing(
    standing: dict[int, int], links: Links, blobs: Blobs, told: Sum
) -> Iterator[tuple[int, Quad]]:
    """Yield the quads of the digests in `standing`, each with its commit."""
    for number in sorted(set(standing.values())):
        for entry in chain.unpack(blobs.get(links[number].root)):
            if standing.get(told.digest(entry.line)) == number:
                for quad in parse(entry.line, format=RdfFormat.N_QUADS):
                    yield number, quad
