"""Columns in the order in which a query names them."""

from __future__ import annotations

from collections.abc import Sequence

from aitia.sandbox.refuse import tokens


def as_written(sparql: str, variables: Sequence[str]) -> list[int]:
    """Return the places of `variables` in the order that the query gives them.

    A projection keeps its own; for `SELECT *`, which the store answers sorted by
    name, the first mention of each counts.
    """
    places = list(range(len(variables)))
    read = list(tokens(sparql))
    if not _is_star([token.text.upper() for token in read]):
        return places
    mentioned = [token.text[1:] for token in read if token.kind == "variable"]
    first = {name: mentioned.index(name) for name in set(mentioned)}
    return sorted(places, key=lambda i: first.get(variables[i], len(mentioned)))


def _is_star(words: Sequence[str]) -> bool:
    """Return whether the outermost SELECT, the first in a query, takes all."""
    if "SELECT" not in words:
        return False
    at = words.index("SELECT") + 1
    at += words[at : at + 1] in (["DISTINCT"], ["REDUCED"])
    return words[at : at + 1] == ["*"]
