"""Would a batch close a loop: a goal that waits for itself, a cause behind its effect?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from pyoxigraph import NamedNode

from aitia.model.links import LINKS
from aitia.reason import kinds
from aitia.reason.board import Board
from aitia.reason.operations import AddLink, AddNode, Batch

PATIENCE: Final = 5_000
"""Nodes on record that are looked at behind one link; the gate looks at all of them."""

Key = str | NamedNode
"""A node: its IRI, or the label of one that the batch adds."""
Edges = dict[Key, list[Key]]


class Loops:
    """Looks for loops that a batch closes."""

    def __init__(self, board: Board, batch: Batch, new: Mapping[str, AddNode]) -> None:
        """Take what is needed.

        Args:
            board: What is there already.
            batch: What is proposed.
            new: The nodes that it adds, by label.
        """
        self._board, self._batch, self._new = board, batch, new

    def found(self) -> Iterator[tuple[str, str]]:
        """Yield rule and reason for each loop."""
        for words, fields in (
            ("is a part of itself", ("parent",)),
            ("waits for itself", ("depends",)),
            ("replaces itself", ("replaces",)),
        ):
            for label in _looping(self._tree(fields)):
                yield "noLoop", f"{self._told(label)} {words}, by way of other goals."
        for label in _looping(self._causes(), self._board.causes):
            yield "noCycle", f"{self._told(label)} would be among its own causes."

    def _tree(self, fields: Iterable[str]) -> Edges:
        found: Edges = {}
        for label, added in self._new.items():
            for field in fields:
                value = getattr(added, field)
                for other in [value] if isinstance(value, str) else value or ():
                    if other in self._new and other != label:
                        found.setdefault(label, []).append(other)
        return found

    def _causes(self) -> Edges:
        """Return effect → causes as the batch would state them."""
        found: Edges = {}
        known = {kinds.name(kind): LINKS[kind] for kind in kinds.link_kinds()}
        for operation in self._batch.operations:
            if isinstance(operation, AddNode) and operation.kind != "Goal":
                pairs = [(operation.label, cause) for cause in operation.because]
            elif isinstance(operation, AddLink) and operation.kind in known:
                ends = (operation.source, operation.target)
                subject = known[operation.kind].effect_is_subject
                pairs = [ends if subject else ends[::-1]]
            else:
                continue
            for effect, cause in pairs:
                one, other = self._key(effect), self._key(cause)
                if one and other and one != other:
                    found.setdefault(one, []).append(other)
        return found

    def _key(self, label: str) -> Key | None:
        if label in self._new:
            return label
        return self._board.node(label) if label in self._board else None

    def _told(self, key: Key) -> str:
        return key if isinstance(key, str) else self._board.label(key)


def _looping(
    edges: Edges, stand: Callable[[NamedNode], Iterable[NamedNode]] | None = None
) -> Iterator[Key]:
    """Yield the nodes from which a way leads back to themselves.

    Args:
        edges: The ways that a batch would open.
        stand: Returns the ways from a node that are open already.
    """
    for start in edges:
        seen: set[Key] = set()
        waiting = list(edges[start])
        while waiting and len(seen) < PATIENCE:
            key = waiting.pop()
            if key == start:
                yield start
                break
            if key not in seen:
                seen.add(key)
                waiting += edges.get(key, ())
                if stand is not None and isinstance(key, NamedNode):
                    waiting += stand(key)
