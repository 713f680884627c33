"""A callback handler that records what a LangChain or LangGraph agent does.

Needs `langchain-core`, which the extra `langchain` brings. Hand it to any runnable or
graph:

    with workspace.record("tea price", agent="shopper") as r:
        handler = RecorderCallback(r)
        state = graph.invoke(question, config={"callbacks": [handler]})
        answer = state["messages"][-1]
        r.decide(answer.content, because=answer)

Models, tools and retrievers are recorded as calls. A message that a call gave is known
where it comes back, by the object, its id, or the tool call that it answers, so that
what flowed from one call into the next is observed. A message from elsewhere is
recorded as seen.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, LLMResult
from pyoxigraph import NamedNode

from aitia.recorder.calling import Call
from aitia.recorder.doing import ModelCall
from aitia.recorder.known import Node
from aitia.recorder.recorder import Recorder
from aitia.recorder.told import as_json

Key = tuple[str, str]


class RecorderCallback(BaseCallbackHandler):
    """Records models, tools, retrievers and, if wanted, chains; for several threads.

    Attributes:
        recorder: What it records with.
        raise_error: True: what cannot be recorded stops the agent. Set it to False to
            have LangChain log it and go on.
    """

    raise_error = True

    def __init__(self, recorder: Recorder, *, chains: bool = False) -> None:
        """Make ready to record.

        Args:
            recorder: What to record with.
            chains: Record chains and the nodes of graphs too, as calls that the others
                are parts of.
        """
        super().__init__()
        self.recorder, self._chains = recorder, chains
        self._calls: dict[UUID, Call] = {}
        self._parents: dict[UUID, UUID | None] = {}
        self._keys: dict[Key, NamedNode] = {}
        self._lock = threading.RLock()

    # Models

    def on_chat_model_start(
        self,
        serialized: dict[str, Any],
        messages: list[list[BaseMessage]],
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **kwargs: Any,
    ) -> None:
        """Begin a call of a chat model, with the messages that flow into it."""
        with self._lock:
            told = [message for prompt in messages for message in prompt]
            nodes = [self._known(message) for message in told]
            name = _name(serialized, kwargs, "chat model")
            call = self._begin(name, {"messages": told}, run_id, parent_run_id)
            call.uses(*nodes)

    def on_llm_start(
        self,
        serialized: dict[str, Any],
        prompts: list[str],
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **kwargs: Any,
    ) -> None:
        """Begin a call of a model that completes text."""
        name = _name(serialized, kwargs, "model")
        self._begin(name, {"prompts": prompts}, run_id, parent_run_id)

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **kwargs: Any) -> None:
        """End a call of a model with what it replied."""
        with self._lock:
            given = [one for some in response.generations for one in some]
            replies = [
                one.message if isinstance(one, ChatGeneration) else one.text
                for one in given
            ]
            call = self._calls[run_id]
            call.returns(
                replies[0] if len(replies) == 1 else replies,
                "\n".join(map(_words, replies)),
            )
            self.recorder.model_called(call, _model_call(response, replies))
            node = self._end(run_id)
            for reply in replies:
                self._stands(node, reply)

    def on_llm_error(
        self, error: BaseException, *, run_id: UUID, **kwargs: Any
    ) -> None:
        """End a call of a model that failed."""
        self._end(run_id, error)

    # Tools

    def on_tool_start(
        self,
        serialized: dict[str, Any],
        input_str: str,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        inputs: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """Begin a call of a tool, set off by the reply that asked for it."""
        with self._lock:
            name = _name(serialized, kwargs, "tool")
            given = input_str if inputs is None else inputs
            says = str((serialized or {}).get("description") or "")
            call = self._begin(name, given, run_id, parent_run_id, says)
            asked = self._keys.get(("asked", str(kwargs.get("tool_call_id"))))
            if asked is not None:
                call.triggered_by(asked)

    def on_tool_end(self, output: Any, *, run_id: UUID, **kwargs: Any) -> None:
        """End a call of a tool with what it returned."""
        with self._lock:
            self._calls[run_id].returns(output, _words(output))
            self._stands(self._end(run_id), output)

    def on_tool_error(
        self, error: BaseException, *, run_id: UUID, **kwargs: Any
    ) -> None:
        """End a call of a tool that failed."""
        self._end(run_id, error)

    # Retrievers

    def on_retriever_start(
        self,
        serialized: dict[str, Any],
        query: str,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **kwargs: Any,
    ) -> None:
        """Begin a call of a retriever."""
        name = _name(serialized, kwargs, "retriever")
        self._begin(name, {"query": query}, run_id, parent_run_id)

    def on_retriever_end(
        self, documents: Sequence[Document], *, run_id: UUID, **kwargs: Any
    ) -> None:
        """End a call of a retriever; each document stands for what it found."""
        with self._lock:
            said = "\n".join(document.page_content for document in documents)
            self._calls[run_id].returns(documents, said)
            node = self._end(run_id)
            for document in documents:
                self._stands(node, document)

    def on_retriever_error(
        self, error: BaseException, *, run_id: UUID, **kwargs: Any
    ) -> None:
        """End a call of a retriever that failed."""
        self._end(run_id, error)

    # Chains and the nodes of graphs

    def on_chain_start(
        self,
        serialized: dict[str, Any],
        inputs: dict[str, Any],
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **kwargs: Any,
    ) -> None:
        """Begin a chain, where chains are wanted; else only note what is inside what."""
        with self._lock:
            if self._chains:
                name = _name(serialized, kwargs, "chain")
                self._begin(name, inputs, run_id, parent_run_id)
            else:
                self._parents[run_id] = parent_run_id

    def on_chain_end(self, outputs: Any, *, run_id: UUID, **kwargs: Any) -> None:
        """End a chain with what it gave."""
        with self._lock:
            if run_id in self._calls:
                self._calls[run_id].returns(outputs, _words(outputs))
                node = self._end(run_id)
                for message in _messages(outputs):
                    if self.recorder.run.known.same(message) is None:
                        self._stands(node, message)
            self._parents.pop(run_id, None)

    def on_chain_error(
        self, error: BaseException, *, run_id: UUID, **kwargs: Any
    ) -> None:
        """End a chain that failed."""
        with self._lock:
            if run_id in self._calls:
                self._end(run_id, error)
            self._parents.pop(run_id, None)

    # What stays inside

    def _begin(
        self, name: str, given: Any, run_id: UUID, parent: UUID | None, says: str = ""
    ) -> Call:
        with self._lock:
            outer = self._outer(parent)
            call = Call(self.recorder, name, given, competence=says, outer=outer)
            self._calls[run_id] = call.begin()
            self._parents[run_id] = parent
            return call

    def _end(self, run_id: UUID, error: BaseException | None = None) -> Node | None:
        with self._lock:
            self._parents.pop(run_id, None)
            return self._calls.pop(run_id).end(error)

    def _outer(self, parent: UUID | None) -> Call | None:
        """Return the nearest recorded call that something is inside of."""
        while parent is not None and parent not in self._calls:
            parent = self._parents.get(parent)
        return self._calls[parent] if parent is not None else None

    def _stands(self, node: Node | None, thing: Any) -> None:
        """Let what a call gave stand for its node, by the object and by its ids."""
        if node is None:
            return
        self.recorder.run.known.also(thing, node.iri)
        for key in _keys(thing):
            self._keys.setdefault(key, node.iri)
        for call in _tool_calls(thing):
            self._keys["asked", str(call.get("id"))] = node.iri

    def _known(self, message: BaseMessage) -> NamedNode:
        """Return the node of a message; one from elsewhere is recorded as seen."""
        found = self.recorder.run.known.same(message)
        if found is None:
            found = next(
                (self._keys[k] for k in _keys(message) if k in self._keys), None
            )
        if found is None:
            source = f"{message.type} message"
            node = self.recorder.observe(message, _words(message), source=source)
            self._stands(node, message)
            return node.iri
        return found


def _keys(thing: Any) -> Iterator[Key]:
    """Yield what a message is known by besides the object that it is."""
    if isinstance(thing, BaseMessage) and thing.id:
        yield "id", thing.id
    if isinstance(thing, ToolMessage):
        yield "answers", thing.tool_call_id


def _messages(outputs: Any) -> Iterator[BaseMessage]:
    """Yield the messages that a chain gave, alone or in the lists of a state."""
    parts = outputs.values() if isinstance(outputs, dict) else [outputs]
    for part in parts:
        for thing in part if isinstance(part, list) else [part]:
            if isinstance(thing, BaseMessage):
                yield thing


def _tool_calls(thing: Any) -> Sequence[Any]:
    return thing.tool_calls if isinstance(thing, AIMessage) else ()


def _words(thing: Any) -> str:
    """Return what a message or reply says, in words; "" where it is no text."""
    if isinstance(thing, str):
        return thing
    if not isinstance(thing, BaseMessage):
        return ""
    text = thing.text if isinstance(thing.text, str) else thing.text()
    asked = (
        f"calls {call['name']} {as_json(call['args'])}" for call in _tool_calls(thing)
    )
    return "\n".join(filter(None, (str(text), *asked))) or f"({thing.type} message)"


def _name(serialized: dict[str, Any] | None, kwargs: dict[str, Any], kind: str) -> str:
    """Return what a runnable is called."""
    known = serialized or {}
    path = known.get("id") or [""]
    return str(kwargs.get("name") or known.get("name") or path[-1] or kind)


def _model_call(response: LLMResult, replies: Iterable[Any]) -> ModelCall:
    """Return what a reply tells of the model, as far as it does."""
    output = response.llm_output or {}
    message = next((x for x in replies if isinstance(x, AIMessage)), None)
    meta = message.response_metadata if message is not None else {}
    usage: Any = (message.usage_metadata if message is not None else None) or {}
    spent = output.get("token_usage") or {}
    return ModelCall(
        model=str(meta.get("model_name") or output.get("model_name") or ""),
        finish=str(meta.get("finish_reason") or ""),
        input_tokens=usage.get("input_tokens", spent.get("prompt_tokens")),
        output_tokens=usage.get("output_tokens", spent.get("completion_tokens")),
    )
