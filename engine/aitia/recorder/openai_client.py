"""An OpenAI client that records what a model is asked and what it replies.

Needs `openai`. Use the client that `recorded` returns in place of your own:

    with workspace.record("tea price", agent="shopper") as r:
        client = recorded(OpenAI(), r)
        reply = client.chat.completions.create(model="m", messages=messages)
        answer = reply.choices[0].message
        r.decide(answer.content, because=answer)

Recorded are `chat.completions.create` and `parse`, streamed or not, and
`responses.create`, of clients sync and async. A message that was there before is known
by the object that it is; what a reply said, also by its tool calls or its very words in
the role of the assistant. Every other message is recorded as seen.
"""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pyoxigraph import NamedNode

from aitia.recorder.calling import Call
from aitia.recorder.doing import ModelCall
from aitia.recorder.known import Node
from aitia.recorder.recorder import Recorder

if TYPE_CHECKING:
    from openai import AsyncOpenAI, OpenAI

    Client = TypeVar("Client", OpenAI, AsyncOpenAI)

_UNSAID: Final = {"extra_headers", "extra_query", "extra_body", "timeout"}
"""Arguments that say how to reach a server, and may hold secrets."""


def recorded(client: Client, recorder: Recorder) -> Client:
    """Return a client like the given one, whose calls of models are recorded.

    Args:
        client: The client, which stays as it is; both share their connections.
        recorder: What to record with.
    """
    made = client.with_options()
    memory = _Memory(recorder)
    completions: Any = made.chat.completions
    responses: Any = made.responses
    completions.create = _watched(completions.create, memory, "chat")
    completions.parse = _watched(completions.parse, memory, "chat")
    responses.create = _watched(responses.create, memory, "response")
    return made


class _Memory:
    """Which messages stand for which nodes, over the calls of one client."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self._said: dict[str, NamedNode] = {}

    def begin(self, name: str, arguments: Mapping[str, Any]) -> Call:
        """Begin a call, with the messages that flow into it."""
        told = arguments.get("messages", arguments.get("input"))
        messages = [told] if isinstance(told, str | Mapping) else list(told or ())
        nodes = [self._known(message) for message in messages]
        given = {k: v for k, v in arguments.items() if k not in _UNSAID}
        before = self._said.get(_id(arguments.get("previous_response_id")))
        call = Call(self.recorder, f"openai-{name}", given).begin()
        call.uses(*filter(None, (before,)), *nodes)
        return call

    def end(self, call: Call, reply: Any) -> None:
        """End a call with what came back."""
        read = _read(reply)
        call.returns(reply.said if isinstance(reply, _Pieces) else reply, read.text)
        self.recorder.model_called(call, read.told)
        node = call.end()
        if node is not None:
            for part in read.parts:
                self._stands(node, part)

    def _stands(self, node: Node, part: Any) -> None:
        self.recorder.run.known.also(part, node.iri)
        for key in _keys(part):
            self._said[key] = node.iri

    def _known(self, message: Any) -> NamedNode:
        found = self.recorder.run.known.same(message)
        if found is None and _field(message, "role") in ("assistant", None):
            found = next(
                (self._said[k] for k in _keys(message) if k in self._said), None
            )
        if found is not None:
            return found
        role = _field(message, "role") or _field(message, "type") or "user"
        text = _content(message)
        node = self.recorder.observe(
            message,
            text or f"({role} message)",
            because=self._perhaps(text),
            source=f"{role} message",
        )
        return node.iri

    def _perhaps(self, text: str) -> list[NamedNode]:
        """Return the one node whose text this is, if any: likely where it is from."""
        found = self.recorder.run.known.equal(text)
        return found if len(found) == 1 else []


class _Read:
    """What is read off a reply: its words, its parts, and what it tells of the model."""

    def __init__(self, text: str, parts: list[Any], told: ModelCall) -> None:
        self.text, self.parts, self.told = text, parts, told


def _read(reply: Any) -> _Read:
    """Read a chat completion, a response, or the pieces of a streamed one."""
    if isinstance(reply, _Pieces):
        return reply.read()
    choices = getattr(reply, "choices", None) or []
    messages = [choice.message for choice in choices if hasattr(choice, "message")]
    output = list(getattr(reply, "output", None) or [])
    text = "\n".join(filter(None, map(_words, [*messages, *output])))
    usage = getattr(reply, "usage", None)
    finish = [str(choice.finish_reason or "") for choice in choices]
    return _Read(
        text or "(no words)",
        # A response is what the next one goes on from, by its id.
        [*messages, *output, *([reply] if output else [])],
        ModelCall(
            model=str(getattr(reply, "model", "") or ""),
            finish=finish[0] if finish else str(getattr(reply, "status", "") or ""),
            input_tokens=_first(usage, "prompt_tokens", "input_tokens"),
            output_tokens=_first(usage, "completion_tokens", "output_tokens"),
        ),
    )


class _Pieces:
    """A streamed reply, put together from its pieces."""

    def __init__(self) -> None:
        self._text: dict[int, list[str]] = {}
        self._calls: dict[tuple[int, int], dict[str, str]] = {}
        self._model = self._finish = ""
        self._usage: Any = None
        self._whole: Any = None

    def add(self, piece: Any) -> None:
        """Take a piece: a chunk of a completion, or an event of a response."""
        self._whole = getattr(piece, "response", None) or self._whole
        self._model = str(getattr(piece, "model", "") or self._model)
        self._usage = getattr(piece, "usage", None) or self._usage
        for choice in getattr(piece, "choices", None) or ():
            self._finish = choice.finish_reason or self._finish
            delta = choice.delta
            self._text.setdefault(choice.index, []).append(delta.content or "")
            for call in delta.tool_calls or ():
                self._call(choice.index, call)

    def _call(self, index: int, call: Any) -> None:
        made = self._calls.setdefault(
            (index, call.index), {"id": "", "name": "", "arguments": ""}
        )
        made["id"] = call.id or made["id"]
        if call.function is not None:
            made["name"] += call.function.name or ""
            made["arguments"] += call.function.arguments or ""

    def message(self) -> dict[str, Any]:
        """Return the reply as a message."""
        calls = [
            {"id": made.pop("id"), "type": "function", "function": made}
            for made in map(dict[str, Any], self._calls.values())
        ]
        text = "\n".join("".join(parts) for _, parts in sorted(self._text.items()))
        return {"role": "assistant", "content": text, "tool_calls": calls}

    def read(self) -> _Read:
        """Return what the whole says."""
        if self._whole is not None:
            return _read(self._whole)
        message = self.message()
        told = ModelCall(
            model=self._model,
            finish=self._finish,
            input_tokens=_first(self._usage, "prompt_tokens"),
            output_tokens=_first(self._usage, "completion_tokens"),
        )
        return _Read(_words(message) or "(no words)", [message], told)

    @property
    def said(self) -> Any:
        """What stands on record as the reply."""
        return self._whole if self._whole is not None else self.message()


class _Stream:
    """A stream of pieces, recorded as one reply at its end; else it is the stream."""

    def __init__(self, stream: Any, memory: _Memory, call: Call) -> None:
        self._stream, self._memory, self._call = stream, memory, call
        self._pieces = _Pieces()
        self._open = True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def _done(self, error: BaseException | None = None) -> None:
        if self._open:
            self._open = False
            if error is not None:
                self._call.end(error)
            else:
                self._memory.end(self._call, self._pieces)

    def __iter__(self) -> Iterator[Any]:
        try:
            for piece in self._stream:
                self._pieces.add(piece)
                yield piece
        except BaseException as error:
            # A reader that stops early leaves here too: what came so far is the reply.
            self._done(None if isinstance(error, GeneratorExit) else error)
            raise
        self._done()

    async def __aiter__(self) -> AsyncIterator[Any]:
        try:
            async for piece in self._stream:
                self._pieces.add(piece)
                yield piece
        except BaseException as error:
            self._done(None if isinstance(error, GeneratorExit) else error)
            raise
        self._done()

    def __next__(self) -> Any:
        try:
            piece = next(self._stream)
        except StopIteration:
            self._done()
            raise
        self._pieces.add(piece)
        return piece

    async def __anext__(self) -> Any:
        try:
            piece = await anext(self._stream)
        except StopAsyncIteration:
            self._done()
            raise
        self._pieces.add(piece)
        return piece

    def __enter__(self) -> _Stream:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._done(error)
        self._stream.close()

    async def __aenter__(self) -> _Stream:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._done(error)
        await self._stream.close()


def _watched(
    create: Callable[..., Any], memory: _Memory, name: str
) -> Callable[..., Any]:
    """Return a method of a client that records its calls."""

    def came(call: Call, reply: Any) -> Any:
        if any(hasattr(reply, method) for method in ("__next__", "__anext__")):
            return _Stream(reply, memory, call)
        memory.end(call, reply)
        return reply

    if inspect.iscoroutinefunction(inspect.unwrap(create)):

        @functools.wraps(create)
        async def later(**arguments: Any) -> Any:
            call = memory.begin(name, arguments)
            try:
                reply = await create(**arguments)
            except BaseException as error:
                call.end(error)
                raise
            return came(call, reply)

        return later

    @functools.wraps(create)
    def now(**arguments: Any) -> Any:
        call = memory.begin(name, arguments)
        try:
            reply = create(**arguments)
        except BaseException as error:
            call.end(error)
            raise
        return came(call, reply)

    return now


def _field(thing: Any, name: str) -> Any:
    return thing.get(name) if isinstance(thing, Mapping) else getattr(thing, name, None)


def _first(thing: Any, *names: str) -> int | None:
    found = (getattr(thing, name, None) for name in names)
    return next((value for value in found if isinstance(value, int)), None)


def _content(message: Any) -> str:
    """Return the words of a message that a program made."""
    if isinstance(message, str):
        return message
    content = _field(message, "content")
    if content is None:
        content = _field(message, "output")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(str(_field(x, "text") or "") for x in parts).strip()


def _tool_calls(message: Any) -> Iterator[tuple[str, str, str]]:
    """Yield id, name and arguments of the tool calls that a message makes, or is."""
    if _field(message, "type") == "function_call":
        told = (_field(message, name) for name in ("call_id", "name", "arguments"))
        ident, name, given = (str(value or "") for value in told)
        yield ident, name, given
    for call in _field(message, "tool_calls") or ():
        made = _field(call, "function")
        yield (
            str(_field(call, "id") or ""),
            str(_field(made, "name") or ""),
            str(_field(made, "arguments") or ""),
        )


def _words(message: Any) -> str:
    """Return what a reply says, and which tools it calls."""
    asked = (f"calls {name} {given}" for _, name, given in _tool_calls(message))
    return "\n".join(filter(None, (_content(message), *asked)))


def _id(ident: Any) -> str:
    return json.dumps(["id", ident])


def _keys(message: Any) -> Iterator[str]:
    """Yield what a reply is known by, where it comes back as another object."""
    calls = [ident for ident, _, _ in _tool_calls(message) if ident]
    for ident in (*calls, str(_field(message, "id") or "")):
        if ident:
            yield _id(ident)
    if not calls and (text := _content(message)).strip():
        yield json.dumps(["says", text])
