"""A causal graph as the source of a drawing: Mermaid and Graphviz DOT."""

from __future__ import annotations

import re
from typing import Final

from aitia.lookup import short as short_id
from aitia.model.graph import CausalGraph, CausalNode
from aitia.plain import short
from aitia.why.render import words

_WIDE: Final = 80


def mermaid(graph: CausalGraph) -> str:
    """Return a Mermaid flowchart, effects above causes."""
    names = _names(graph)
    lines = ["flowchart TD"]
    lines += [f"  %% {line}" for line in words.summary(graph)]
    for node in graph.nodes.values():
        ends = ("([", "])") if node.ending else ("[", "]")
        lines.append(f'  {names[node.iri]}{ends[0]}"{_entity(_label(node))}"{ends[1]}')
    for link in graph.links:
        arrow = "-.->" if link.inferred or link.basis == "claimed" else "-->"
        told = _entity(short(words.link_words(link), _WIDE))
        lines.append(f'  {names[link.effect]} {arrow}|"{told}"| {names[link.cause]}')
    return "\n".join(lines) + "\n"


def dot(graph: CausalGraph) -> str:
    """Return a Graphviz digraph, effects above causes."""
    names = _names(graph)
    lines = ["digraph why {", "  node [shape=box];"]
    lines += [f"  // {line}" for line in words.summary(graph)]
    for node in graph.nodes.values():
        shape = ", shape=ellipse" if node.ending else ""
        lines.append(f"  {names[node.iri]} [label={_quote(_label(node))}{shape}];")
    for link in graph.links:
        style = ", style=dashed" if link.inferred or link.basis == "claimed" else ""
        told = _quote(short(words.link_words(link), _WIDE))
        lines.append(
            f"  {names[link.effect]} -> {names[link.cause]} [label={told}{style}];"
        )
    return "\n".join([*lines, "}"]) + "\n"


def _names(graph: CausalGraph) -> dict[str, str]:
    return {iri: f"n{i}" for i, iri in enumerate(graph.nodes)}


def _label(node: CausalNode) -> str:
    told = f"{words.kind_words(node)}: {node.label}" if node.label else node.kind
    return f"{short(told, _WIDE)} · {short(short_id(node.iri), _WIDE)}"


def _entity(text: str) -> str:
    """Escape for Mermaid: everything but letters, digits and a few marks by number."""
    return re.sub(r"[^\w .,:;/·…()+−–?-]", lambda found: f"#{ord(found[0])};", text)


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
