"""A run asked again with what is on record of it: replies, results, what was kept.

No server is asked and no tool is called. The same question on the same knowledge then
takes the same course; where it does not, a reply is missing, and that is told.
"""

from __future__ import annotations

import json
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from pyoxigraph import Literal, NamedNode

from aitia import terms
from aitia.blobs import Blobs
from aitia.errors import NotFound, UsageError
from aitia.store import Reader
from aitia.vocab import AITIA, RDF

if TYPE_CHECKING:
    from aitia.llm.replay import Recorded
    from aitia.redact import Rules
    from aitia.tools.calling import Performed
    from aitia.tools.kinds import Tool

RECALL: Final = "recall"
"""Method by which earlier runs were looked for."""
DECOMPOSITION: Final = "decomposition"
"""What the parameters of a call say whose reply was a kept decomposition."""

Key = tuple[str, str]
"""Name of a method or tool, and its input as JSON."""


@dataclass(frozen=True)
class _Call:
    """What a call of a tool came to, as it is on record."""

    value: Any
    text: str
    error: str
    consent: str


class Replay:
    """What is on record of a run, as another run takes it up. Safe in several threads.

    Attributes:
        run: The run.
        question: What was asked.
        models: Its recorded replies; None where no model was asked.
        recalled: What it was told of earlier runs: `text` and `runs`.
        plan: The kept decomposition that it used, as JSON, or "".
    """

    def __init__(
        self, reader: Reader, blobs: Blobs, run: NamedNode, rules: Rules | None = None
    ) -> None:
        """Read the record of a run.

        Args:
            reader: The store.
            blobs: Where replies and long results are kept.
            run: The run.
            rules: What the user calls a secret; as when the run was recorded.

        Raises:
            UsageError: Nobody asked anything in that run.
            NotFound: A reply or result is no longer kept.
        """
        from aitia.llm.replay import Recorded, Step

        self.run, self._reader, self._blobs = run, reader, blobs
        self._graph = terms.run_graph(run)
        self._lock = Lock()
        self._calls: dict[Key, deque[_Call]] = defaultdict(deque)
        self._kept: dict[Key, deque[str]] = defaultdict(deque)
        self.recalled: Mapping[str, Any] = {}
        self.plan, steps = "", []
        self.question = self._asked()
        for node in self._executions():
            raw = self._said(node, AITIA.replyBlob)
            if raw and DECOMPOSITION in self._said(node, AITIA.parameters):
                self.plan = self._kept_plan(node, raw)
            elif raw:
                kept = self._value(node, AITIA.cachedFrom) is not None
                steps.append(Step(raw, kept))
            else:
                self._take(node)
        asked = steps or self.plan
        self.models: Recorded | None = Recorded(blobs, steps, rules) if asked else None

    def kept(self, method: str, given: str) -> str:
        """Return the kept passages that the run used here, as they are kept, or ""."""
        with self._lock:
            waiting = self._kept.get((method, given))
            return waiting.popleft() if waiting else ""

    def caller(self, tools: Mapping[str, Tool]) -> _Caller:
        """Return what answers calls of tools from the record."""
        return _Caller(self, tools)

    def call(self, tool: Tool, arguments: Mapping[str, Any]) -> Performed:
        """Return what a call of a tool came to when the run was recorded.

        Raises:
            NotFound: There was no such call.
        """
        from aitia.tools.calling import Performed
        from aitia.tools.consent import Consent

        with self._lock:
            waiting = self._calls.get((tool.name, _canonical(dict(arguments))))
            if not waiting:
                raise NotFound(
                    f"The record holds no further call of {tool.name} with these"
                    " arguments."
                )
            found = waiting.popleft()
        now = terms.now()
        consent = Consent(tool.name, now, found.consent) if found.consent else None
        return Performed(
            tool, arguments, now, now, found.value, found.text, found.error, consent
        )

    # Reading the record

    def _asked(self) -> str:
        for quad in self._reader.quads(None, RDF.type, AITIA.UserInput, self._graph):
            if isinstance(quad.subject, NamedNode):
                return self._said(quad.subject, AITIA.text)
        raise UsageError(
            f"{self.run.value} is no run of `ask`: nothing was asked in it.",
            hint="`aitia runs` lists the runs.",
        )

    def _executions(self) -> Iterator[NamedNode]:
        """Yield the executions in the order in which they were recorded."""
        found = {
            quad.subject
            for kind in (AITIA.MethodExecution, AITIA.ToolCall)
            for quad in self._reader.quads(None, RDF.type, kind, self._graph)
            if isinstance(quad.subject, NamedNode)
        }
        yield from sorted(found, key=lambda node: int(node.value.rpartition("/")[2]))

    def _take(self, node: NamedNode) -> None:
        """Take up an execution that asked no model itself."""
        method = self._value(node, AITIA.method)
        name = method.value.rpartition(":")[2] if method is not None else ""
        given = self._json(node, AITIA.input, AITIA.inputBlob)
        if self._is_call(node):
            self._calls[name, _canonical(json.loads(given))].append(self._call(node))
        elif name == RECALL:
            self.recalled = json.loads(self._json(node, AITIA.output, AITIA.outputBlob))
        else:
            source = self._value(node, AITIA.cachedFrom)
            self._kept[name, given].append(self._hits(node, source) if source else "")

    def _hits(self, node: NamedNode, source: NamedNode | Literal) -> str:
        output = json.loads(self._json(node, AITIA.output, AITIA.outputBlob))
        told = {"hits": output["hits"], "summary": output["summary"]}
        return json.dumps(told | {"execution": source.value})

    def _is_call(self, node: NamedNode) -> bool:
        found = self._reader.quads(node, RDF.type, AITIA.ToolCall, self._graph)
        return next(iter(found), None) is not None

    def _call(self, node: NamedNode) -> _Call:
        text = ""
        for quad in self._reader.quads(node, AITIA.produced, None, self._graph):
            if isinstance(quad.object, NamedNode):
                text = self._said(quad.object, AITIA.text)
        consent = self._value(node, AITIA.permittedBy)
        return _Call(
            json.loads(self._json(node, AITIA.output, AITIA.outputBlob) or "null"),
            text,
            self._said(node, AITIA.error),
            self._said(consent, AITIA.reason) if isinstance(consent, NamedNode) else "",
        )

    def _kept_plan(self, node: NamedNode, raw: str) -> str:
        """Return a decomposition that was kept, as it is kept."""
        told = {
            "text": self._output_text(node),
            "model": self._model(node),
            "raw": raw,
            "prompt": self._said(node, AITIA.promptBlob),
        }
        return json.dumps(told)

    def _output_text(self, node: NamedNode) -> str:
        output = json.loads(self._json(node, AITIA.output, AITIA.outputBlob))
        return str(output.get("reply", ""))

    def _model(self, node: NamedNode) -> str:
        from urllib.parse import unquote

        agent = self._value(node, AITIA.model)
        return unquote(agent.value.rpartition(":")[2]) if agent is not None else ""

    def _json(self, node: NamedNode, inline: NamedNode, blob: NamedNode) -> str:
        if text := self._said(node, inline):
            return text
        name = self._said(node, blob)
        return self._blobs.text(name) if name else ""

    def _said(self, node: NamedNode, predicate: NamedNode) -> str:
        value = self._value(node, predicate)
        return value.value if isinstance(value, Literal) else ""

    def _value(
        self, node: NamedNode, predicate: NamedNode
    ) -> NamedNode | Literal | None:
        for quad in self._reader.quads(node, predicate, None, self._graph):
            if isinstance(quad.object, (NamedNode, Literal)):
                return quad.object
        return None


@dataclass(frozen=True)
class _Caller:
    """Answers calls of tools from the record of a run."""

    replay: Replay
    tools: Mapping[str, Tool]

    def __call__(self, name: str, arguments: Mapping[str, Any]) -> Performed:
        return self.replay.call(self.tools[name], arguments)


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
