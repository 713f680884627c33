"""What a run tells while it goes on: steps as they are committed, words as they come.

A step is told after the commit that holds it, and from that commit: what was told
is on record.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from pyoxigraph import Literal, NamedNode

from aitia.model import CommitRecord, Patch
from aitia.trace import Commit
from aitia.vocab import AITIA

STEPS: Final = (
    AITIA.Goal,
    AITIA.MethodExecution,
    AITIA.ToolCall,
    AITIA.Hypothesis,
    AITIA.Batch,
    AITIA.RefusedOperation,
    AITIA.Decision,
    AITIA.Abstention,
    AITIA.Abort,
)
_WORDS: Final = (
    AITIA.description,
    AITIA.rationale,
    AITIA.error,
    AITIA.reason,
    AITIA.text,
)


@dataclass(frozen=True)
class Event:
    """One thing that a run tells while it goes on.

    Attributes:
        kind: `step`, `piece` (of the answer, as it comes) or `notice`.
        text: In words.
        node: IRI of the step's node, or "".
        of: Its class, by local name, or "".
        status: Its status, by local name, or "".
        commit: Number of the commit that holds it, or 0.
    """

    kind: str
    text: str
    node: str = ""
    of: str = ""
    status: str = ""
    commit: int = 0

    def layout(self) -> dict[str, Any]:
        """Return it in the layout of `aitia ask --json-lines`."""
        if self.kind != "step":
            return {"event": self.kind, "text": self.text}
        return {
            "event": self.kind,
            "node": self.node,
            "kind": self.of,
            "status": self.status,
            "text": self.text,
            "commit": self.commit,
        }


Told = Callable[[Event], None]


def silent(event: Event) -> None:
    """Tell nobody."""


def streamed(commit: Commit, told: Told) -> Commit:
    """Return a commit that tells each step it has written."""

    def write(patch: Patch, *, durable: bool = False) -> CommitRecord:
        record = commit(patch, durable=durable)
        for event in _steps(patch, record.number):
            told(event)
        return record

    return write


def _steps(patch: Patch, number: int) -> Iterator[Event]:
    said: dict[NamedNode, dict[NamedNode, Any]] = {}
    kinds: dict[NamedNode, NamedNode] = {}
    for quad in patch.adds:
        if isinstance(quad.subject, NamedNode):
            said.setdefault(quad.subject, {})[quad.predicate] = quad.object
            if isinstance(quad.object, NamedNode) and quad.object in STEPS:
                kinds[quad.subject] = quad.object
    for node in sorted(kinds, key=_place):
        status = said[node].get(AITIA.status) or said[node].get(AITIA.hypothesisState)
        yield Event(
            kind="step",
            text=_text(said[node]),
            node=node.value,
            of=_local(kinds[node]),
            status=_local(status) if status else "",
            commit=number,
        )


def _place(node: NamedNode) -> tuple[str, int]:
    """Return what puts nodes of one name in the order in which they were made."""
    head, _, tail = node.value.rpartition("/")
    return (head, int(tail)) if tail.isdigit() else (node.value, 0)


def _text(facts: dict[NamedNode, Any]) -> str:
    method = facts.get(AITIA.method)
    name = _local(method) if method else ""
    words = next((facts[p].value for p in _WORDS if p in facts), "")
    output = facts.get(AITIA.output)
    if not words and isinstance(output, Literal):
        words = _summary(output.value)
    return ": ".join(filter(None, (name, words)))


def _summary(output: str) -> str:
    told = json.loads(output)
    summary = told.get("summary", "") if isinstance(told, dict) else ""
    return summary if isinstance(summary, str) else ""


def _local(node: NamedNode) -> str:
    return re.split(r"[:#]", node.value)[-1]
