"""Tells a causal graph: as a tree, as data, as a drawing, as a page."""

from collections.abc import Callable
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
    return _renderer(form)(graph)


def _renderer(form: str) -> Callable[[CausalGraph], str]:
    """Import what one format needs and no more: why starts in a blink."""
    if form == "tree":
        from aitia.why.render.tree import tree as made
    elif form == "json":
        from aitia.why.render.record import as_json as made
    elif form == "turtle":
        from aitia.why.render.record import turtle as made
    elif form == "mermaid":
        from aitia.why.render.drawing import mermaid as made
    elif form == "dot":
        from aitia.why.render.drawing import dot as made
    else:
        from aitia.why.render.page import html as made
    return made
