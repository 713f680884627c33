"""Where the files that are not Python live, in a wheel and in a checkout."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

# Not importlib.resources: it takes longer to import than all of this package.
_PACKAGE = Path(__file__).parent
_CARRIED = _PACKAGE / "_resources"
_ROOT = _CARRIED if _CARRIED.is_dir() else Path(__file__).parents[2]


def turtle(folder: str) -> dict[str, str]:
    """Return every Turtle file of `ontology` or `shapes`: file name → text."""
    found = sorted(_ROOT.joinpath(folder).iterdir(), key=lambda path: path.name)
    return {path.name: _text(path) for path in found if path.name.endswith(".ttl")}


def text(folder: str, name: str) -> str:
    """Return the text of one file of `ontology`, `shapes` or `data`."""
    return _text(_ROOT.joinpath(folder, name))


def folder(name: str) -> Traversable:
    """Return the folder `ontology`, `shapes` or `data` itself."""
    return _ROOT.joinpath(name)


def query(room: str, question: str) -> str:
    """Return the SPARQL text of `aitia/<room>/<question>.rq`."""
    return _text(_PACKAGE.joinpath(room, f"{question}.rq"))


def _text(path: Traversable) -> str:
    return path.read_text(encoding="utf-8")
