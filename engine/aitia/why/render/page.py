"""A causal graph as one page of HTML: no script, no network, everything escaped."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from html import escape
from typing import Final

from aitia.lookup import short as short_id
from aitia.model.graph import CausalGraph, CausalLink, CausalNode
from aitia.plain import clean, short
from aitia.why.render import words

_STYLE: Final = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #222; background: #fff; }
details { border: 1px solid #ccc; border-radius: 4px; margin: .4rem 0; padding: .3rem .6rem; }
summary { cursor: pointer; overflow-wrap: anywhere; }
blockquote { border-left: 3px solid #999; margin: .5rem 0; padding-left: .8rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.kind { font-weight: 600; } .note { color: #555; } .bad { color: #a00; font-weight: 600; } .inferred { border-style: dashed; }
li { overflow-wrap: anywhere; }
"""


def html(graph: CausalGraph) -> str:
    """Return the page: a collapsed block per node, nearest first, linked by anchors."""
    hashed = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{hashed}'; base-uri 'none'; form-action 'none'"
    names = {iri: f"n{i}" for i, iri in enumerate(graph.nodes)}
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width">',
            f"<title>Why {_text(short_id(graph.start))}</title>",
            f"<style>{_STYLE}</style>\n</head>\n<body>",
            f"<h1>Why {_text(short_id(graph.start))}</h1>",
            *(f'<p class="note">{_text(line)}</p>' for line in words.summary(graph)),
            *_blocks(graph, names),
            "</body>\n</html>\n",
        ]
    )


def _blocks(graph: CausalGraph, names: dict[str, str]) -> Iterator[str]:
    away, named = -1, words.agents(graph)
    for node in graph.nodes.values():
        if node.depth != away:
            away = node.depth
            links = words.count(away, "link")
            yield f"<h2>{'Asked about' if away == 0 else f'{links} away'}</h2>"
        yield _block(node, graph, names, named)


def _block(
    node: CausalNode,
    graph: CausalGraph,
    names: dict[str, str],
    named: frozenset[str],
) -> str:
    name, opened = names[node.iri], " open" if node.depth == 0 else ""
    return "\n".join(
        [
            f'<details id="{name}"{opened}>',
            f'<summary><span class="kind">{_text(words.kind_words(node))}</span> '
            f"{_text(short(node.label, 120))} "
            f'<span class="note">{_text(words.state_words(node))}</span></summary>',
            *_inside(node, named),
            "<ul>",
            *(_cause(link, graph, names) for link in graph.causes(node.iri)),
            "</ul>\n</details>",
        ]
    )


def _inside(node: CausalNode, named: frozenset[str]) -> Iterator[str]:
    yield f'<p class="note">{_text(short_id(node.iri))}</p>'
    for line in filter(None, [words.author(node, named), *words.details(node)]):
        yield f"<p>{_text(line)}</p>"
    if len(node.label) > 120:
        yield f"<blockquote>{_text(node.label, lines=True)}</blockquote>"
    if node.error:
        yield f'<p class="bad">{_text(node.error)}</p>'
    if node.place:
        check = words.check_words(node.place)
        bad = (
            ' class="bad"' if node.place.problem or node.place.matches is False else ""
        )
        yield f"<p>In {_text(words.place_words(node.place))} <span{bad}>{_text(check)}</span></p>"
        yield f"<blockquote>{_text(node.place.exact, lines=True)}</blockquote>"
    if node.hidden:
        yield f"<p>{words.count(node.hidden, 'further cause')} not shown</p>"
    if node.unrecorded:
        yield f"<p>{words.unrecorded(node)}</p>"
    if node.ending:
        yield f"<p>The chain ends here: {_text(node.ending)}</p>"


def _cause(link: CausalLink, graph: CausalGraph, names: dict[str, str]) -> str:
    cause = graph.nodes[link.cause]
    told = f"{words.kind_words(cause)} {short(cause.label, 100)}"
    return (
        f'<li>{_text(words.link_words(link))} <a href="#{names[link.cause]}">'
        f"{_text(told)}</a></li>"
    )


def _text(text: str, *, lines: bool = False) -> str:
    return escape(clean(text, lines=lines))
