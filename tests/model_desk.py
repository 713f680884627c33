"""A model played by a script: what it replies to each kind of prompt, in order."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.vocab import AITIA, RDF
from aitia.workspace import Workspace
from tests.llm_server import ModelServer

KINDS = {
    "You read what a person asks": "perceive",
    "You plan and decide": "plan",
    "You check whether texts bear out": "entailment",
    "You answer a question from numbered sources": "compose",
}
SEEN: dict[str, Any] = {"intent": "factLookup", "asks": "what is asked", "entities": []}
UNSURE = {"relation": "cannot tell", "quote": "", "reason": "not said"}

Reply = Any
"""A dict, a text, or a function of the prompt's last message that returns one."""


@dataclass
class Player:
    """Replies by kind of prompt; plans are played one after another.

    Attributes:
        plans: What it replies to the prompts for batches, in order; the last repeats.
        perceive: What it replies to the prompt of perception.
        entailment: What it replies to checks of sentences.
        compose: What it replies where it is to word an answer.
        asked: Kinds of the prompts so far, in the order in which they came.
    """

    plans: Sequence[Reply] = ()
    perceive: Reply = field(default_factory=lambda: SEEN)
    entailment: Reply = field(default_factory=lambda: UNSURE)
    compose: Reply = "NO ANSWER"
    asked: list[str] = field(default_factory=list)
    planned: int = 0

    def __call__(self, body: dict[str, Any]) -> Any:
        kind = kind_of(body)
        self.asked.append(kind)
        reply: Any = {
            "perceive": self.perceive,
            "entailment": self.entailment,
            "compose": self.compose,
            "plan": None,
        }.get(kind, {})
        if kind == "plan":
            reply = self.plans[min(self.planned, len(self.plans) - 1)]
            self.planned += 1
        last = body["messages"][-1]["content"]
        return reply(last) if callable(reply) else reply


def kind_of(body: dict[str, Any]) -> str:
    """What a request asks for, by its system prompt."""
    system = body["messages"][0]["content"]
    return next((kind for head, kind in KINDS.items() if head in system), "other")


def batch(*operations: dict[str, Any], addresses: str = "G1") -> dict[str, Any]:
    """A batch of operations."""
    return {
        "addresses": [addresses],
        "rationale": f"{addresses} is the most uncertain.",
        "operations": list(operations),
    }


def goal(label: str, text: str, **more: Any) -> dict[str, Any]:
    told = {"op": "addNode", "kind": "Goal", "label": label, "text": text}
    return {**told, "why": "It is a part of the question.", "parent": "G1", **more}


def hypothesis(label: str, text: str, **more: Any) -> dict[str, Any]:
    told = {"op": "addNode", "kind": "Hypothesis", "label": label, "text": text}
    return {**told, **more}


def call(
    goal: str, tool: str, tests: str | None = None, **given: Any
) -> dict[str, Any]:
    told = {"op": "callTool", "goal": goal, "tool": tool, "arguments": given}
    return told | ({"tests": tests} if tests else {})


def method(
    goal: str, name: str, tests: str | None = None, **given: Any
) -> dict[str, Any]:
    told = {"op": "runMethod", "goal": goal, "method": name, "arguments": given}
    return told | ({"tests": tests} if tests else {})


def reached(goal: str, status: str = "succeeded", **more: Any) -> dict[str, Any]:
    return {"op": "setGoalStatus", "goal": goal, "status": status, **more}


def conclude(*sentences: tuple[str, Sequence[str]], **more: Any) -> dict[str, Any]:
    told = [{"text": text, "cites": list(cites)} for text, cites in sentences]
    return {"op": "conclude", "sentences": told, **more}


def label(prompt: str, words: str) -> str:
    """The label under which a prompt shows a node with these words."""
    found = re.search(rf"^([A-Z]+\d+)\b[^\n]*{re.escape(words)}", prompt, re.M)
    assert found, f"{words!r} is not shown in:\n{prompt}"
    return found.group(1)


def entails(quote: str) -> dict[str, str]:
    return {"relation": "entails", "quote": quote, "reason": "a text says it"}


def contradicts(quote: str) -> dict[str, str]:
    return {"relation": "contradicts", "quote": quote, "reason": "a text denies it"}


@contextmanager
def opened(
    folder: Path, replies: Any, **flags: Any
) -> Iterator[tuple[Workspace, ModelServer]]:
    """A workspace that asks a server with scripted replies."""
    with ModelServer(replies) as server:
        told = {"model.url": server.url, "model.name": "m", "memory.chars": 0}
        named = {name.replace("__", "."): value for name, value in flags.items()}
        with Workspace.open(folder, flags=told | named) as workspace:
            yield workspace, server


class Graph:
    """The record of one run, to be looked at."""

    def __init__(self, workspace: Workspace, run: str) -> None:
        self.run = NamedNode(run)
        self.quads = list(
            workspace.store.quads(None, None, None, terms.run_graph(self.run))
        )

    def of(self, kind: NamedNode) -> list[NamedNode]:
        """The nodes of a class, in the order in which they were made."""
        found = [
            quad.subject
            for quad in self.quads
            if quad.predicate == RDF.type and quad.object == kind
        ]
        nodes = [node for node in found if isinstance(node, NamedNode)]
        return sorted(nodes, key=lambda node: _number(node.value))

    def values(self, node: NamedNode, predicate: NamedNode) -> list[str]:
        return sorted(
            quad.object.value
            for quad in self.quads
            if quad.subject == node
            and quad.predicate == predicate
            and isinstance(quad.object, (NamedNode, Literal))
        )

    def value(self, node: NamedNode, predicate: NamedNode) -> str:
        (found,) = self.values(node, predicate)
        return found

    def said(self, predicate: NamedNode) -> list[str]:
        """Every value of a predicate, by local name where it is a term of ours."""
        return sorted(
            quad.object.value.removeprefix(AITIA.NS)
            for quad in self.quads
            if quad.predicate == predicate
            and isinstance(quad.object, (NamedNode, Literal))
        )

    def conclusions(self) -> list[str]:
        """The classes of what the run ended in; one, whatever happened."""
        kinds = (AITIA.Decision, AITIA.Abstention, AITIA.Abort)
        return [
            kind.value.removeprefix(AITIA.NS) for kind in kinds for _ in self.of(kind)
        ]

    def methods(self) -> list[str]:
        """The methods that were executed, in order."""
        nodes = [*self.of(AITIA.MethodExecution), *self.of(AITIA.ToolCall)]
        ordered = sorted(nodes, key=lambda node: _number(node.value))
        return [self.value(node, AITIA.method).rpartition(":")[2] for node in ordered]


def _number(iri: str) -> tuple[str, int]:
    head, _, tail = iri.rpartition("/")
    return (head, int(tail)) if tail.isdigit() else (iri, 0)


TIMES = frozenset(
    {
        "http://www.w3.org/ns/prov#startedAtTime",
        "http://www.w3.org/ns/prov#endedAtTime",
        "http://www.w3.org/ns/prov#generatedAtTime",
        f"{AITIA.NS}latency",
    }
)
BLOBS = frozenset(
    AITIA.NS + name
    for name in (
        "inputBlob",
        "outputBlob",
        "promptBlob",
        "replyBlob",
        "reasoningBlob",
        "patchBlob",
        "reportBlob",
    )
)


def canonical(
    workspace: Workspace, run: str, *, but: Sequence[NamedNode] = ()
) -> list[str]:
    """The record of a run as sorted lines, without ids and times.

    What a blob holds takes the place of its name; the run's own id and those of links
    and refusals, which are random or made of it, take the place of none.
    """
    graph = Graph(workspace, run)
    left_out = {term.value for term in but} | {f"{AITIA.NS}ledgerPosition"}
    lines = [
        _line(workspace, graph, quad)
        for quad in graph.quads
        if quad.predicate.value not in left_out
    ]
    return sorted(lines)


def _line(workspace: Workspace, graph: Graph, quad: Quad) -> str:
    value = quad.object
    text = value.value if isinstance(value, (NamedNode, Literal)) else str(value)
    if quad.predicate.value in TIMES:
        text = "TIME"
    elif quad.predicate.value in BLOBS:
        text = _plain(workspace.blobs.get(text).decode("utf-8", "replace"))
    key = f"{_link(graph, quad.subject)} {quad.predicate.value} {_link(graph, text)}"
    return key.replace(graph.run.value, "RUN")


def _plain(text: str) -> str:
    """A blob without the times and the seconds in it."""
    text = re.sub(r'"(seconds|latency)": ?[\d.e-]+', "SECONDS", text)
    return re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME", text)


def _link(graph: Graph, node: Any) -> str:
    """A link node by its ends, whose hash it is named by; anything else as it is."""
    text = node.value if isinstance(node, NamedNode) else str(node)
    if not text.startswith("urn:aitia:link:"):
        return re.sub(r"urn:aitia:refusal:\w+", "REFUSAL", text)
    named = NamedNode(text)
    ends = (AITIA.linkFrom, AITIA.linkKind, AITIA.linkTo)
    return "LINK " + " ".join("".join(graph.values(named, end)) for end in ends)


def dumped(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


Replies = Callable[[dict[str, Any]], Any]
