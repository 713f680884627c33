"""A causal graph as a tree of plain text: each node told in full once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from aitia.lookup import short as short_id
from aitia.model.graph import CausalGraph, CausalLink, CausalNode
from aitia.plain import clean, quoted
from aitia.why.render import words

_FIRST: Final = (
    "derivesFrom",
    "supports",
    "contradicts",
    "verifies",
    "refutes",
    "followsFrom",
    "statedIn",
    "produced",
    "usedTool",
    "triggers",
    "concludes",
    "motivates",
)
"""What a node rests on comes before how it was made, and that before what for."""
_GROUND: Final = ("Quote", "Statement", "Passage", "Document")
"""Kinds of node that come before others: the ground of the rest."""
_DEEPEST: Final = 16
"""Levels that are indented; deeper ones say their level instead."""


def tree(graph: CausalGraph) -> str:
    """Return the graph as a tree, effects above causes, and a line of summary.

    A node that was told before is named again and its causes are not repeated.
    """
    rules = words.Rules()
    return _page(list(_tree(graph, rules)), graph, rules)


def roots(graph: CausalGraph) -> str:
    """Return the nodes where the chains end, one by one, and a line of summary."""
    rules = words.Rules()
    lines: list[str] = []
    named = words.agents(graph)
    for node in graph.roots():
        below = (f"  {line}" for line in _below(node, named))
        lines += [f"• {_told(node, rules)}", *below]
    return _page(lines, graph, rules)


def chain(links: tuple[CausalLink, ...], graph: CausalGraph) -> str:
    """Return one way from an effect to a cause, a line a step."""
    rules = words.Rules()
    lines = [_told(graph.nodes[link.effect], rules) for link in links[:1]]
    for link in links:
        told = clean(words.link_words(link, rules))
        lines.append(f"  ← {told} {_told(graph.nodes[link.cause], rules)}")
    lines += [f"  {clean(note)}" for note in rules.notes()]
    return "".join(f"{line}\n" for line in lines)


def _page(lines: list[str], graph: CausalGraph, rules: words.Rules) -> str:
    notes = [clean(note) for note in rules.notes()]
    whole = [*lines, "", *words.summary(graph), *([""] if notes else []), *notes]
    return "\n".join(whole) + "\n"


def _tree(graph: CausalGraph, rules: words.Rules) -> Iterator[str]:
    told: set[str] = set()
    named = words.agents(graph)
    # What is still to be told: the link that led there, and whether each level above
    # has further causes to come.
    stack: list[tuple[str, CausalLink | None, tuple[bool, ...]]] = []
    stack.append((graph.start, None, ()))
    while stack:
        iri, link, open_levels = stack.pop()
        node, again = graph.nodes[iri], iri in told
        told.add(iri)
        head = f"{clean(words.link_words(link, rules))} " if link else ""
        tail = " (told above)" if again and graph.causes(iri) else ""
        yield _branch(open_levels) + head + _told(node, rules) + tail
        if again:
            continue
        causes = sorted(graph.causes(iri), key=lambda link: _place(link, graph))
        stem = _stem(open_levels) + ("│  " if causes else "   ")
        yield from (stem + line for line in _below(node, named))
        stack.extend(
            (cause.cause, cause, (*open_levels, i > 0))
            for i, cause in enumerate(reversed(causes))
        )


def _place(link: CausalLink, graph: CausalGraph) -> tuple[int, int]:
    kind = graph.nodes[link.cause].kind
    return (
        _FIRST.index(link.kind) if link.kind in _FIRST else len(_FIRST),
        _GROUND.index(kind) if kind in _GROUND else len(_GROUND),
    )


def _branch(open_levels: tuple[bool, ...]) -> str:
    if not open_levels:
        return ""
    return _stem(open_levels[:-1]) + ("├─ " if open_levels[-1] else "└─ ")


def _stem(open_levels: tuple[bool, ...]) -> str:
    if len(open_levels) > _DEEPEST:
        return f"   ⋯{len(open_levels)} "
    return "".join("│  " if is_open else "   " for is_open in open_levels)


def _told(node: CausalNode, rules: words.Rules) -> str:
    state = words.state_words(node, rules)
    parts = [
        clean(words.kind_words(node)),
        quoted(node.label),
        f"({clean(state)})" if state else "",
        clean(short_id(node.iri)),
    ]
    return " ".join(part for part in parts if part)


def _below(node: CausalNode, named: frozenset[str]) -> Iterator[str]:
    """Yield what else there is to say of a node, a line each.

    Args:
        node: The node.
        named: The agents that are to be named.
    """
    if author := words.author(node, named):
        yield clean(author)
    yield from map(clean, words.details(node))
    if node.error:
        yield f"error: {quoted(node.error)}"
    check = words.check_words(node.place) if node.place else ""
    if node.place and (check or not node.ending):
        yield f"in {clean(words.place_words(node.place))}" + (
            f" – {clean(check)}" if check else ""
        )
        if node.place.matches is False and node.place.exact:
            yield f"the stored text says {quoted(node.place.exact)}"
    if node.hidden:
        yield f"{words.count(node.hidden, 'further cause')} not shown"
    if node.unrecorded:
        yield words.unrecorded(node)
    if node.ending:
        yield f"the chain ends here: {clean(node.ending)}"
