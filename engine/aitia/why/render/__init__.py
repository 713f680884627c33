"""Tells a causal graph: as a tree, as data, as a drawing, as a page."""

from collections.abc import Callable, Mapping
from typing import Final

from aitia.errors import UsageError
from aitia.model.graph import CausalGraph

FORMATS: Final = ("tree", "json", "turtle", "mermaid", "dot", "html")
DRAWN: Final = ("tree", "mermaid", "dot", "html")
"""Formats for people's eyes, which show the nearest nodes first and say how many
there are in all."""


def render(graph: CausalGraph, form: str) -> str:
    """Return the graph in one of `FORMATS`, ending in a line break.

    Raises:
        UsageError: There is no such format.
    """
    if form not in FORMATS:
        raise UsageError(f"There is no format {form!r}: choose from {FORMATS}.")
    return _renderers()[form](graph)


def _renderers() -> Mapping[str, Callable[[CausalGraph], str]]:
    from aitia.why.render import drawing, page, record, tree

    return {
        "tree": tree.tree,
        "json": record.as_json,
        "turtle": record.turtle,
        "mermaid": drawing.mermaid,
        "dot": drawing.dot,
        "html": page.html,
    }
