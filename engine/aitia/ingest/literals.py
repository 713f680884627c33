"""How the store writes literals, seen by passing them through a store in memory."""

from __future__ import annotations

from collections.abc import Iterable

from pyoxigraph import Literal, NamedNode, Quad, Store

from aitia.vocab import XSD

_NODE = NamedNode("urn:aitia:scratch")
_KEPT_AS_WRITTEN = frozenset({XSD.string, XSD.anyURI})


def stored(literal: Literal) -> Literal:
    """Return a literal as the store holds it."""
    if literal.datatype in _KEPT_AS_WRITTEN:
        return literal
    store = Store()
    store.add(Quad(_NODE, _NODE, literal))
    found = next(iter(store)).object
    assert isinstance(found, Literal)
    return found


def rewritten(quads: Iterable[Quad]) -> int:
    """Return how many quads have a literal that the store writes in another way."""
    changed: dict[Literal, bool] = {}
    count = 0
    for quad in quads:
        literal = quad.object
        if not isinstance(literal, Literal) or literal.datatype in _KEPT_AS_WRITTEN:
            continue
        if literal not in changed:
            changed[literal] = _form(stored(literal)) != _form(literal)
        count += changed[literal]
    return count


def _form(literal: Literal) -> tuple[str, str, str]:
    return literal.value, literal.datatype.value, literal.language or ""
