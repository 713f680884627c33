"""The public face: what `import aitia` offers, and nothing besides."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import aitia
from aitia import errors


def test_all_is_sorted_and_exact() -> None:
    assert list(aitia.__all__) == sorted(aitia.__all__)
    public = {name for name, value in vars(aitia).items() if _is_offered(name, value)}
    assert public <= set(aitia.__all__)
    assert all(hasattr(aitia, name) for name in aitia.__all__)


def _is_offered(name: str, value: object) -> bool:
    ours = isinstance(value, type) and value.__module__.startswith("aitia.")
    return ours and not name.startswith("_")


def test_every_error_is_offered_and_drawn() -> None:
    tree = errors.__doc__ or ""
    made = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, errors.AitiaError)
    }
    assert made <= set(aitia.__all__)
    for name in made:
        line = next(line for line in tree.splitlines() if f" {name} " in f" {line} ")
        assert f"exit {getattr(errors, name).exit_code}" in line


@pytest.mark.checkout
def test_errors_that_are_defined_elsewhere_are_drawn_under_what_they_are() -> None:
    bases = set(_bases(Path(aitia.__file__).parent))
    known = {"AitiaError"}
    while more := {name for name, base in bases if base in known} - known:
        known |= more
    assert set(_drawn(errors.__doc__ or "")) == {
        (name, base) for name, base in bases if base in known
    }


def _drawn(tree: str) -> Iterator[tuple[str, str]]:
    """Yield each error of the tree and what it is drawn under."""
    path: list[str] = []
    for line in tree.splitlines():
        if found := re.match(r"([│├└─ ]*)(\w+) +exit \d", line):
            depth = len(found[1]) // 4
            path[depth:] = [found[2]]
            if depth:
                yield found[2], path[depth - 1]


def _bases(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield each class of the package that has one base, and that."""
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and len(node.bases) == 1:
                yield node.name, ast.unparse(node.bases[0])
