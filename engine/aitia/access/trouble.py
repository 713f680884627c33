"""A store that is not what its publications were made of: lost, cut back or broken."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from aitia.errors import AitiaError, NotIntact

_REFUSED: Final = (
    "no space left",
    "read-only file system",
    "permission denied",
    "operation not permitted",
    "disk quota exceeded",
    "too many open files",
)
"""What a system says that will not write, of files that are as they should be."""
_CURRENT: Final = "CURRENT"
"""The file of the store that names the newest list of its files."""


def broken(store: Path) -> str:
    """Return why the files of a store cannot be a store, "" where they may be.

    Cheap, and opens nothing: whoever reads a publication may ask it of the store.
    """
    try:
        named = (store / _CURRENT).read_bytes().strip()
    except FileNotFoundError:
        return f"The store in {store} is missing or empty."
    except OSError as error:
        return f"The store in {store} cannot be read: {error.strerror}."
    if named.startswith(b"MANIFEST-") and (store / named.decode("ascii")).is_file():
        return ""
    return (
        f"The store in {store} is damaged: its file {_CURRENT} names no list of files."
    )


def lost(told: str, hint: str) -> NotIntact:
    """Return the error that says so, with the way back."""
    error = NotIntact(told, [told])
    error.hint = hint
    return error


def cut_back(number: int, published: int, hint: str) -> NotIntact:
    """Return the error for a store that ends before one of its publications."""
    return lost(
        f"The store's history ends at commit {number}, but a publication of commit"
        f" {published} exists: the store was lost or cut back.",
        hint,
    )


def refused(error: Exception) -> bool:
    """Tell whether the system did not let us write, with nothing wrong in the files."""
    if isinstance(error, OSError) and error.errno is not None:
        return True
    told = str(error).lower()
    return any(word in told for word in _REFUSED)


def unopened(error: AitiaError, hint: str) -> AitiaError:
    """Return an error of opening the store, with the way back where it has no hint."""
    if not error.hint:
        error.hint = (
            "Nothing is lost: make room, or make the folder writable."
            if refused(error)
            else hint
        )
    return error


def sentence(error: Exception) -> str:
    """Return an error as a sentence that names no number of the system's."""
    if isinstance(error, OSError) and error.strerror:
        return (
            f"{error.strerror} ({error.filename})" if error.filename else error.strerror
        )
    return str(error)
