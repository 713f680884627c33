"""What `aitia validate` does: files or a workspace, by own or given shapes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from pyoxigraph import Quad

from aitia.errors import NotFound
from aitia.gate import Gate, sets, whole
from aitia.gate.files import as_it_stands
from aitia.gate.index import Index
from aitia.gate.lint import lint
from aitia.gate.loading import load, read_text
from aitia.gate.report import Report
from aitia.gate.shapes import read
from aitia.gate.words import id_text
from aitia.store import OxigraphStore
from aitia.terms import GRAPH_INFERRED


class Holding(Protocol):
    """What this needs of a workspace."""

    store: OxigraphStore

    @property
    def gate(self) -> Gate:
        """The gate with the users' shapes."""
        ...


Open = Callable[[], AbstractContextManager[Holding]]


def check(
    files: Sequence[Path], shapes: Sequence[Path], form: str, workspace: Open
) -> Report:
    """Check files, or a workspace where there are none, by shapes.

    Args:
        files: The files; none for everything on record.
        shapes: Files of shapes; none for aitia's own and those that users added.
        form: The format of the files, or "".
        workspace: Opens the workspace.

    Raises:
        NotFound: A file is not there; or there is none, and no workspace either.
        ReadError: A file is not what it is taken for.
        UsageError: The shapes cannot be trusted to check what they say.
    """
    texts, bases = _shapes(shapes)
    if not files:
        with workspace() as held:
            return _on_record(held, texts, bases)
    quads, homes = _loaded(files, form)
    if texts:
        report = whole.validate(quads, texts, bases)
    else:
        report = as_it_stands(quads, _user_shapes(workspace))
    placed = (replace(v, document=homes.get(v.focus, "")) for v in report.violations)
    return replace(report, violations=tuple(placed))


def _loaded(files: Sequence[Path], form: str) -> tuple[list[Quad], dict[str, str]]:
    """Return the quads of files, and node → the file that describes it."""
    quads: list[Quad] = []
    homes: dict[str, str] = {}
    for number, path in enumerate(files):
        for quad in load(path, number, form):
            quads.append(quad)
            homes.setdefault(id_text(quad.subject), str(path))
    return quads, homes


def _shapes(paths: Sequence[Path]) -> tuple[dict[str, str], dict[str, str]]:
    texts: dict[str, str] = {}
    bases: dict[str, str] = {}
    for path in paths:
        text, base = read_text(path)
        texts[str(path)] = text
        if base:
            bases[str(path)] = base
    return texts, bases


def _user_shapes(workspace: Open) -> Mapping[str, str]:
    """Return the shapes that users added; none where there is no workspace."""
    try:
        with workspace() as held:
            return held.gate.user_shapes
    except NotFound:
        return {}


def _on_record(
    held: Holding, texts: Mapping[str, str], bases: Mapping[str, str]
) -> Report:
    if not texts:
        return held.gate.validate_store(held.store)
    if _is_light(texts, bases):
        judges = [
            sets.of_user(n, t, base=bases.get(n), users_only=False)
            for n, t in texts.items()
        ]
        return whole.validate_store(held.store, judges, with_rules=False)
    return whole.validate(_asserted(held.store), texts, bases)


def _is_light(texts: Mapping[str, str], bases: Mapping[str, str]) -> bool:
    """Tell whether shapes can be checked node by node, whatever the store's size."""
    for name, text in texts.items():
        index = Index(read(text, name, bases.get(name)))
        whole.refuse(lint(index, for_gate=False), name)
        if lint(index, for_gate=True):
            return False
    return True


def _asserted(store: OxigraphStore) -> Iterable[Quad]:
    return (quad for quad in store.quads() if quad.graph_name != GRAPH_INFERRED)
