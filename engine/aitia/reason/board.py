"""The board: the nodes of a run that a model was or can be shown, by short labels.

A model never sees an IRI and never names one. What it may refer to stands here under a
label such as G1 or O3; labels are given in the order in which nodes are put up, so that
the same run has the same labels.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from pyoxigraph import NamedNode

from aitia.errors import UsageError
from aitia.methods.arguments import LABEL, NodeRef
from aitia.reason.kinds import is_a, term
from aitia.store import Reader
from aitia.vocab import AITIA

PREFIXES: Final = {
    AITIA.UserInput: "Q",
    AITIA.Intent: "I",
    AITIA.Entity: "E",
    AITIA.Goal: "G",
    AITIA.Hypothesis: "H",
    AITIA.Claim: "C",
    AITIA.Observation: "O",
    AITIA.Passage: "P",
    AITIA.Quote: "W",
    AITIA.Statement: "S",
    AITIA.Document: "D",
    AITIA.Conflict: "K",
    AITIA.Run: "R",
    AITIA.MethodExecution: "X",
    AITIA.ToolCall: "X",
}
"""First letter of the labels of each class; N for any other."""

_LABEL: Final = re.compile(LABEL)


@dataclass(frozen=True)
class Entry:
    """A node on the board.

    Attributes:
        label: What it is called in prompts and replies.
        node: Its IRI.
        kind: Its class.
        text: What it says, in words.
        status: Local name of its status or state, or "".
        goal: The goal that it was found or made for, or None.
        detail: What else is to be known of it: when a goal is reached, and the like.
        about: Headings and title that its words stand under, or "".
        place: Document, and offsets of the first character and after the last one in
            that document's stored text; "", 0, 0 where it stands in none.
    """

    label: str
    node: NamedNode
    kind: NamedNode
    text: str
    status: str = ""
    goal: NamedNode | None = None
    detail: str = ""
    about: str = ""
    place: tuple[str, int, int] = ("", 0, 0)


class Board:
    """What a run has put up for a model, in order."""

    def __init__(self, run: NamedNode, store: Reader) -> None:
        """Make an empty board.

        Args:
            run: The run.
            store: Where links between nodes on record are looked up.
        """
        self.run, self._store = run, store
        self._entries: dict[str, Entry] = {}
        self._labels: dict[NamedNode, str] = {}
        self._numbers: dict[str, int] = {}
        self.conclusion: NamedNode | None = None

    def add(
        self,
        node: NamedNode,
        kind: NamedNode | str,
        text: str,
        *,
        status: str = "",
        goal: NamedNode | None = None,
        detail: str = "",
        label: str = "",
    ) -> str:
        """Put a node up and return its label; one that is up already keeps its own.

        Args:
            node: The node.
            kind: Its class, or the class's local name.
            text: What it says, in words.
            status: Local name of its status or state.
            goal: The goal that it was found or made for.
            detail: What else is to be known of it.
            label: What to call it; the next of its class where none is given.

        Raises:
            UsageError: The label is no label or another node has it.
        """
        if node in self._labels:
            return self._labels[node]
        made = term(kind) if isinstance(kind, str) else kind
        chosen = label or self._next(PREFIXES.get(made, "N"))
        if _LABEL.fullmatch(chosen) is None or chosen in self._entries:
            raise UsageError(f"{chosen!r} is no label that is free.")
        self._entries[chosen] = Entry(chosen, node, made, text, status, goal, detail)
        self._labels[node] = chosen
        return chosen

    def _next(self, prefix: str) -> str:
        while True:
            number = self._numbers[prefix] = self._numbers.get(prefix, 0) + 1
            if (label := f"{prefix}{number}") not in self._entries:
                return label

    def place(
        self, node: NamedNode, document: str, start: int, end: int, about: str = ""
    ) -> None:
        """Say in which document's text the words of a node stand, and where."""
        self._change(node, place=(document, start, end), about=about)

    def set_status(self, node: NamedNode, status: str) -> None:
        """Say what status or state a node has now."""
        self._change(node, status=status)

    def _change(self, node: NamedNode, **changed: object) -> None:
        label = self._labels[node]
        self._entries[label] = replace(self._entries[label], **changed)  # type: ignore[arg-type]

    def conclude(self, node: NamedNode) -> None:
        """Say what the run ended in; nothing can end it again."""
        self.conclusion = node

    # Looking things up

    def __contains__(self, label: str) -> bool:
        return label in self._entries

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries.values())

    def __len__(self) -> int:
        return len(self._entries)

    def entry(self, label: str) -> Entry:
        """Return what stands under a label.

        Raises:
            KeyError: Nothing does.
        """
        return self._entries[label]

    def node(self, label: str) -> NamedNode:
        """Return the node of a label; KeyError for an unknown one."""
        return self._entries[label].node

    def text(self, label: str) -> str:
        """Return what the node of a label says; KeyError for an unknown one."""
        return self._entries[label].text

    def label(self, node: NamedNode) -> str:
        """Return the label of a node, or "" where it is not on the board."""
        return self._labels.get(node, "")

    def entries(self, *of: NamedNode | str) -> list[Entry]:
        """Return the nodes of any of these classes, in order; all for none."""
        wanted = [term(kind) if isinstance(kind, str) else kind for kind in of]
        return [
            entry
            for entry in self
            if not wanted or any(is_a(entry.kind, kind) for kind in wanted)
        ]

    def ref(self, label: str) -> NodeRef:
        """Return a node as methods are given it; KeyError for an unknown label."""
        entry = self._entries[label]
        document, start, end = entry.place
        return NodeRef(
            label, entry.node.value, entry.text, document, start, end, entry.about
        )

    # What is on record of the nodes

    def stands(self, start: NamedNode, kind: NamedNode, end: NamedNode) -> bool:
        """Tell whether a link is on record, whoever stated it."""
        return next(iter(self._store.quads(start, kind, end)), None) is not None

    def evidence(self, node: NamedNode) -> tuple[list[str], list[str]]:
        """Return the labels of what supports a node, and of what contradicts it."""
        for_it, against = (
            [
                self.label(quad.subject)
                for quad in self._store.quads(None, kind, node)
                if isinstance(quad.subject, NamedNode) and quad.subject in self._labels
            ]
            for kind in (AITIA.supports, AITIA.contradicts)
        )
        return sorted(for_it), sorted(against)

    def causes(self, node: NamedNode) -> Iterator[NamedNode]:
        """Yield the causes of a node that are on record."""
        for quad in self._store.quads(node, AITIA.hasCause):
            if isinstance(quad.object, NamedNode):
                yield quad.object
