"""From what the user names to the files that are to be read."""

from __future__ import annotations

import glob
import hashlib
import os
import stat
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, quote_from_bytes

from aitia.errors import AitiaError, NotFound, ReadError

STDIN = "-"
_KEPT = ("store", "blobs", "indexes", "published")
"""Folders of a workspace that hold what aitia keeps."""
_NAMED = 5
"""Names that a notice tells."""


@dataclass(frozen=True)
class Source:
    r"""A file, or standard input.

    Attributes:
        path: As given, readable: bytes that are no UTF-8 are written \\xNN.
        name: Its base name.
        location: Its address.
        file: Where to read it, or None for standard input.
        named: The user named it, rather than a folder or pattern that holds it.
        data: What came from standard input.
    """

    path: str
    name: str
    location: str
    file: Path | None
    named: bool = True
    data: bytes = b""

    @property
    def is_link(self) -> bool:
        """Say whether it is named by a link to it."""
        return self.file is not None and self.file.is_symlink()

    def read(self, limit_mb: int) -> bytes:
        """Return its bytes.

        Args:
            limit_mb: Megabytes above which it is refused.

        Raises:
            ReadError: It cannot be read or is too large.
        """
        if self.file is None:
            _check_size(len(self.data), limit_mb)
            return self.data
        try:
            found = self.file.stat()
            if not stat.S_ISREG(found.st_mode):
                raise ReadError(
                    "it is no regular file", hint="PATH - reads standard input."
                )
            _check_size(found.st_size, limit_mb)
            return self.file.read_bytes()
        except OSError as error:
            raise ReadError(f"it cannot be read: {error.strerror or error}") from error


@dataclass
class Found:
    """What was found under the names that the user gave.

    Attributes:
        sources: The files, each once, in order.
        folders: The folders that were walked, absolute.
        hidden: How many hidden files and folders were passed over.
        workspaces: Folders that were passed over because they are workspaces.
        links: Links to folders, which are not followed, and links to files that are
            taken in under another name.
        failures: Names under which nothing was found, with the reason.
    """

    sources: list[Source] = field(default_factory=list)
    folders: list[Path] = field(default_factory=list)
    hidden: int = 0
    workspaces: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    failures: list[tuple[str, AitiaError]] = field(default_factory=list)
    _by_place: dict[str, Source] = field(default_factory=dict)

    def unreadable(self, error: OSError) -> None:
        """Note a folder that cannot be listed."""
        reason = ReadError(f"it cannot be listed: {error.strerror or error}")
        self.failures.append((printable(str(error.filename)), reason))

    def add(self, source: Source) -> None:
        """Add a file, unless it is there already."""
        first = self._by_place.setdefault(source.location, source)
        if first is source:
            self.sources.append(source)
        elif first.path != source.path and (first.is_link or source.is_link):
            self.links.append(f"{source.path} (the same file as {first.path})")

    def passed_over(self) -> Iterator[str]:
        """Yield what is worth telling about what was not taken in."""
        if self.hidden:
            what = "file or folder was" if self.hidden == 1 else "files or folders were"
            yield f"{self.hidden} hidden {what} passed over"
        for what, names in (
            ("workspaces of aitia were passed over", self.workspaces),
            ("links were not followed", self.links),
        ):
            if names:
                more = ", …" if len(names) > _NAMED else ""
                yield f"{what}: {', '.join(names[:_NAMED])}{more}"


def find(
    paths: Sequence[str],
    *,
    name: str = "",
    avoid: Path | None = None,
    limit_mb: int = 512,
) -> Found:
    """Return the files under `paths`: files, folders, patterns, `-`.

    Args:
        paths: What the user gave.
        name: What to call standard input.
        avoid: A folder that is passed over: the workspace.
        limit_mb: Megabytes that are read of standard input at most.
    """
    found = Found()
    for path in paths:
        try:
            if path == STDIN:
                found.sources.append(_stdin(name, limit_mb))
                continue
            for source in _under(path, avoid, found):
                found.add(source)
        except AitiaError as error:
            found.failures.append((printable(path), error))
    return found


def location(path: Path) -> str:
    """Return the address of a file: a file: IRI of its real, absolute path."""
    return "file://" + quote_from_bytes(
        os.fsencode(os.path.realpath(path)), safe="/-._~"
    )


def printable(path: str) -> str:
    r"""Return a path as text; bytes of it that are no UTF-8 are written \\xNN."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _stdin(name: str, limit_mb: int) -> Source:
    """Return standard input; without a name, other bytes are another document."""
    data = sys.stdin.buffer.read(limit_mb * 1_000_000 + 1)
    place = quote(name, safe="-._~") if name else hashlib.sha256(data).hexdigest()
    return Source(STDIN, name or "standard input", "stdin:" + place, None, data=data)


def _under(path: str, avoid: Path | None, found: Found) -> Iterator[Source]:
    if os.path.isdir(path):
        if _is_own(path, avoid):
            raise ReadError(
                "it is a workspace of aitia, or a part of one, and not taken in",
                hint="Name the folder that holds your documents.",
            )
        yield from _walk(Path(path), avoid, found)
    elif os.path.lexists(path):
        yield _file(Path(path), named=True)
    elif matches := sorted(glob.glob(path, recursive=True)):
        for match in matches:
            if os.path.isdir(match) or _is_own(os.path.dirname(match), avoid):
                continue
            yield _file(Path(match), named=False)
    else:
        raise NotFound("there is no such file or folder")


def _walk(folder: Path, avoid: Path | None, found: Found) -> Iterator[Source]:
    found.folders.append(Path(os.path.realpath(folder)))
    for place, folders, files in os.walk(folder, onerror=found.unreadable):
        shown = [name for name in folders if not name.startswith(".")]
        found.hidden += len(folders) - len(shown)
        folders[:] = sorted(
            name
            for name in shown
            if _is_entered(os.path.join(place, name), avoid, found)
        )
        for name in sorted(files):
            if name.startswith("."):
                found.hidden += 1
            else:
                yield _file(Path(place, name), named=False)


def _file(path: Path, *, named: bool) -> Source:
    return Source(
        printable(str(path)), printable(path.name), location(path), path, named
    )


def _is_entered(folder: str, avoid: Path | None, found: Found) -> bool:
    """Say whether a walk goes into a folder; note where it does not."""
    if os.path.islink(folder):
        found.links.append(printable(folder))
    elif _is_own(folder, avoid):
        found.workspaces.append(printable(folder))
    else:
        return True
    return False


def _is_own(folder: str, avoid: Path | None) -> bool:
    """Say whether a folder is a workspace or holds what one keeps.

    Whoever works with their documents in the workspace folder itself may still take in
    folders of their own in it.
    """
    place = Path(os.path.realpath(folder or os.curdir))
    if avoid is not None and place == Path(os.path.realpath(avoid)):
        return True
    if _is_workspace(place):
        return True
    return any(
        inner.name in _KEPT and _is_workspace(inner.parent)
        for inner in (place, *place.parents)
    )


def _is_workspace(folder: Path) -> bool:
    # One to which nothing was committed yet has no blobs.
    has = {name for name in _KEPT if (folder / name).is_dir()}
    return (folder / "lock").is_file() and "store" in has and len(has) > 1


def _check_size(size: int, limit_mb: int) -> None:
    if size > limit_mb * 1_000_000:
        raise ReadError(
            f"it has more than {limit_mb} MB, the limit",
            hint="The setting max_file_mb raises it: in aitia.toml, or as "
            "AITIA_MAX_FILE_MB.",
        )
