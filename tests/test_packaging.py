"""What is installed is what is pinned, and what is pinned fits what is declared."""

import re
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

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


def test_every_transitive_dependency_is_pinned() -> None:
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
