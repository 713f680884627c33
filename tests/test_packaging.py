"""What is installed is what is pinned, and what is pinned fits what is declared."""

import ast
import re
import tomllib
from collections.abc import Iterable
from importlib.metadata import (
    PackageNotFoundError,
    distribution,
    packages_distributions,
)
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

pytestmark = pytest.mark.checkout
CHECKOUT = Path(__file__).parents[1]
PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]
LINES = (CHECKOUT / "constraints.txt").read_text("utf-8").splitlines()
PINNED = {
    canonicalize_name(name): Version(number)
    for name, _, number in (line.partition("==") for line in LINES)
    if number and not name.startswith("#")
}


def test_constraints_pin_exact_versions_and_name_no_place_to_get_them() -> None:
    for line in LINES:
        assert line.startswith("#") or re.fullmatch(r"[A-Za-z0-9._-]+==[\w.]+", line)


@pytest.mark.parametrize(
    "text", PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"]
)
def test_the_pinned_version_is_in_the_declared_range(text: str) -> None:
    wanted = Requirement(text)
    assert wanted.specifier.contains(PINNED[canonicalize_name(wanted.name)])


def test_every_transitive_dependency_is_pinned_and_nothing_else() -> None:
    todo = [Requirement(text) for text in PROJECT["dependencies"]]
    todo += [Requirement(text) for text in PROJECT["optional-dependencies"]["dev"]]
    seen: set[tuple[str, frozenset[str]]] = set()
    while todo:
        wanted = todo.pop()
        name = canonicalize_name(wanted.name)
        key = (name, frozenset(wanted.extras))
        if key in seen:
            continue
        seen.add(key)
        assert name in PINNED, name
        todo += _needed_by(name, wanted.extras)
    assert set(PINNED) - {name for name, _ in seen} == set(), "pinned for nothing"


def _needed_by(name: str, extras: set[str]) -> list[Requirement]:
    try:
        declared = distribution(name).requires or []
    except PackageNotFoundError:
        return []  # not needed on this machine, and so not installed
    every = [Requirement(text) for text in declared]
    return [
        item
        for item in every
        if item.marker is None
        or any(item.marker.evaluate({"extra": extra}) for extra in ("", *extras))
    ]


def _imported() -> set[str]:
    """The distributions that engine and cli import, by canonical name."""
    tops: set[str] = set()
    for path in [*CHECKOUT.glob("engine/**/*.py"), *CHECKOUT.glob("cli/**/*.py")]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                tops |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                tops.add((node.module or "").split(".")[0])
    owners = packages_distributions()
    found = {owner for top in tops for owner in owners.get(top, ())}
    return {str(canonicalize_name(name)) for name in found} - {"aitia"}


def test_what_is_imported_is_declared_and_the_other_way_round() -> None:
    extras = {**PROJECT["optional-dependencies"], "dev": ()}
    declared = _names(PROJECT["dependencies"])
    optional = _names(text for extra in extras.values() for text in extra)
    assert _imported() - declared - optional == set()
    assert declared - _imported() == set()


def _names(texts: Iterable[str]) -> set[str]:
    return {str(canonicalize_name(Requirement(text).name)) for text in texts}
