"""The arithmetic of the ledger: lines, salts, leaves, roots and hashes.

A pure module: no store, no files, no clock. Every hash is SHA-256 over fields that
each carry their length, so that no two lists of fields run together.

    salt i = H("salt", key, i)          one random key for each patch
    leaf i = H("leaf", salt i, op, line i)
    root   = H("root", leaf 0, leaf 1, …)
    hash   = H("commit", number, previous hash, agent, time, cause, shapes version,
               focus count, focus digest, root)

Salts let a line be erased later: its leaf stays, and tells nothing about the line.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from struct import Struct
from typing import Final, NamedTuple

from pyoxigraph import Quad

from aitia import terms

START: Final = "0" * 64
"""What stands for the previous hash in the first commit."""
KEY_BYTES: Final = 32
HASH_BYTES: Final = 32
ADD: Final = b"+"
DELETE: Final = b"-"

_KEYED: Final = b"K"
_SALTED: Final = b"S"
_ERASED: Final = b"E"
_LENGTH_BYTES: Final = 8
_length: Final = Struct(">Q").pack


class Entry(NamedTuple):
    """One line of a patch with what its leaf is made of.

    Attributes:
        op: `+` or `-`; empty where the line was erased.
        line: The quad in canonical N-Quads; empty where erased.
        salt: What the leaf is salted with; empty where erased.
        leaf: The hash of all three.
    """

    op: bytes
    line: bytes
    salt: bytes
    leaf: bytes


def digest(*fields: bytes) -> bytes:
    """Return SHA-256 over `fields`, each preceded by its length."""
    return hashlib.sha256(_framed(fields)).digest()


def lines(adds: Iterable[Quad], deletes: Iterable[Quad]) -> list[tuple[bytes, bytes]]:
    """Return a patch as (op, line) pairs in canonical order."""
    pairs = [(ADD, terms.nquad(quad).encode()) for quad in adds]
    pairs += [(DELETE, terms.nquad(quad).encode()) for quad in deletes]
    return sorted(pairs, key=lambda pair: (pair[1], pair[0]))


def entries(key: bytes, pairs: Iterable[tuple[bytes, bytes]]) -> list[Entry]:
    """Return the lines of a patch with their salts and leaves."""
    return [
        _salted(op, _salt(key, index), line) for index, (op, line) in enumerate(pairs)
    ]


def root(kept: Iterable[Entry]) -> str:
    """Return the root hash of a patch, in hexadecimal."""
    return root_of(entry.leaf for entry in kept)


def root_of(leaves: Iterable[bytes]) -> str:
    """Return the root hash over the leaves of a patch, in hexadecimal."""
    made = hashlib.sha256(_framed((b"root",)))
    for leaf in leaves:
        made.update(_length(len(leaf)) + leaf)
    return made.hexdigest()


def leaves(key: bytes, pairs: Iterable[tuple[bytes, bytes]]) -> Iterator[bytes]:
    """Yield the leaf of each line of a patch."""
    for index, (op, line) in enumerate(pairs):
        yield digest(b"leaf", _salt(key, index), op, line)


def commit_hash(fields: Sequence[str]) -> str:
    """Return the hash of a commit over its fields in order, in hexadecimal."""
    return digest(b"commit", *(field.encode() for field in fields)).hex()


def focus_digest(checked: Iterable[tuple[str, int]]) -> str:
    """Return the digest of what was checked: shape and number of nodes, sorted."""
    fields = [part for shape, count in sorted(checked) for part in (shape, str(count))]
    return digest(b"focus", *(field.encode() for field in fields)).hex()


def pack(key: bytes, pairs: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Return the bytes that keep a patch: its key, then op and line of each entry."""
    return _KEYED + key + _framed(op + line for op, line in pairs)


def pack_erased(kept: Iterable[Entry], erased: frozenset[int]) -> bytes:
    """Return the bytes of a patch of which some entries keep their leaf alone.

    Args:
        kept: All entries of the patch, in order.
        erased: The places, from 0, of those whose line, op and salt go.
    """
    return _SALTED + _framed(
        _ERASED + entry.leaf
        if index in erased or not entry.op
        else entry.op + entry.salt + entry.line
        for index, entry in enumerate(kept)
    )


def unpack(data: bytes) -> list[Entry]:
    """Return the entries of a kept patch, their leaves computed from what is kept.

    Raises:
        ValueError: These are not the bytes of a patch.
    """
    kind = data[:1]
    if kind == _KEYED:
        key, body = data[1 : 1 + KEY_BYTES], data[1 + KEY_BYTES :]
        return entries(key, ((part[:1], part[1:]) for part in _frames(body)))
    if kind == _SALTED:
        return [_kept(part) for part in _frames(data[1:])]
    raise ValueError("These bytes are not a patch.")


def _kept(part: bytes) -> Entry:
    op, rest = part[:1], part[1:]
    if op == _ERASED:
        return Entry(b"", b"", b"", rest)
    return _salted(op, rest[:HASH_BYTES], rest[HASH_BYTES:])


def _salted(op: bytes, salt: bytes, line: bytes) -> Entry:
    return Entry(op, line, salt, digest(b"leaf", salt, op, line))


def _salt(key: bytes, index: int) -> bytes:
    return digest(b"salt", key, _length(index))


def _framed(fields: Iterable[bytes]) -> bytes:
    return b"".join([_length(len(field)) + field for field in fields])


def _frames(data: bytes) -> Iterator[bytes]:
    place = 0
    while place < len(data):
        start = place + _LENGTH_BYTES
        end = start + int.from_bytes(data[place:start], "big")
        if end > len(data):
            raise ValueError("The patch is cut short.")
        yield data[start:end]
        place = end
