"""The chat protocol: a question as the body of a request, a response as an answer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from aitia.llm import shapes
from aitia.llm.abilities import Abilities
from aitia.llm.veil import Veil

if TYPE_CHECKING:
    from pydantic import BaseModel

CHARS_PER_TOKEN: Final = 64
"""A reply of more characters for each token that it may have is not read further."""

NAME: Final = 200
"""Characters of a name that a server tells that are kept."""

_SURROGATES: Final = re.compile("[\ud800-\udfff]")


class NotSpoken(Exception):
    """What came back, in `text`, is no reply of this protocol."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(reason)
        self.text = text


class BrokenOff(Exception):
    """A streamed reply ended before its end."""


@dataclass(frozen=True)
class Question:
    """What is asked, before it is fitted to what the server can do.

    Attributes:
        model: The model's name.
        messages: The prompt, as the protocol has it.
        shape: What the reply must be, or None for plain text.
        limit: Tokens that the reply may have.
        temperature: Sampling temperature.
        told: Is given the pieces of the reply, or None.
        streams: Whether it is to come in pieces where it can.
    """

    model: str
    messages: tuple[Mapping[str, str], ...]
    shape: type[BaseModel] | None
    limit: int
    temperature: float
    told: Callable[[str], None] | None = None
    streams: bool = True

    def body(self, can: Abilities) -> dict[str, Any]:
        """Return the request for a server that can so much."""
        told: dict[str, Any] = {"model": self.model, "messages": self._messages(can)}
        if can.temperature:
            told["temperature"] = self.temperature
        if can.limit:
            told[can.limit] = self.limit
        if self.shape is not None:
            told |= _form(self.shape, can.format)
        if self.told is not None and self.streams and can.stream:
            told["stream"] = True
            if can.stream_usage:
                told["stream_options"] = {"include_usage": True}
        return told

    def _messages(self, can: Abilities) -> list[dict[str, str]]:
        told = [dict(item) for item in self.messages]
        if self.shape is not None and not (can.format == "json_schema" and can.heeds):
            told[-1]["content"] += "\n\n" + shapes.hint(self.shape)
        return told


@dataclass
class Answer:
    """What came back of one request.

    Attributes:
        text: The words.
        reasoning: What the server itself sets apart as reasoning.
        model: The model, as the server names it.
        finish: Why it stopped, in the server's word, or "".
        refusal: Why the model would not reply, in its own words, or "".
        called: Whether the words are the arguments of a tool that it called.
        input_tokens: Tokens read, or None where they are not told.
        output_tokens: Tokens written, likewise.
        body: The request.
        response: The response as it came; "" where it came in pieces.
    """

    text: str = ""
    reasoning: str = ""
    model: str = ""
    finish: str = ""
    refusal: str = ""
    called: bool = False
    input_tokens: int | None = None
    output_tokens: int | None = None
    body: dict[str, Any] = field(default_factory=dict)
    response: str = ""

    def line(self) -> dict[str, Any]:
        """Return what is kept of it: the response, or what its pieces came to."""
        if self.response:
            return {"response": self.response}
        names = ("text", "reasoning", "model", "finish", "refusal")
        counted = {"input": self.input_tokens, "output": self.output_tokens}
        told = {name: getattr(self, name) for name in names}
        return {"streamed": {**told, "tokens": counted}}


def proper(text: str) -> str:
    """Return a text without halves of characters, which no UTF-8 can hold."""
    return _SURROGATES.sub("\ufffd", text)


def answer(text: str, body: dict[str, Any], most: int, veil: Veil) -> Answer:
    """Read a response that came in one piece.

    Args:
        text: The response.
        body: The request.
        most: Characters of the reply that are read.
        veil: Masks the secrets in all that it says.

    Raises:
        NotSpoken: It is none of this protocol.
    """
    try:
        told = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotSpoken("the reply is no JSON", veil.hide(text)) from error
    if not isinstance(told, dict) or not isinstance(told.get("choices"), list):
        reason = veil.hide(_message(told)) or "the reply has no choices"
        raise NotSpoken(reason, veil.hide(text))
    found = Answer(body=body, response=text)
    _take(found, told, "message")
    return _bounded(found, most, veil)


def streamed(
    pieces: Iterable[Mapping[str, Any]],
    body: dict[str, Any],
    most: int,
    told: Callable[[str], None],
    veil: Veil,
) -> Answer:
    """Read a response that comes in pieces.

    Raises:
        BrokenOff: It ended before its end.
    """
    found, count = Answer(body=body), 0
    for piece in pieces:
        before = len(found.text)
        _take(found, piece, "delta")
        if new := proper(found.text[before:]):
            told(new)
        if len(found.text) + len(found.reasoning) > most:
            break
        count += 1
    if not found.finish and len(found.text) + len(found.reasoning) <= most:
        raise BrokenOff(f"the stream ended after {count} pieces, before its end")
    return _bounded(found, most, veil)


def _form(shape: type[BaseModel], kind: str) -> dict[str, Any]:
    """Return how a server is asked for JSON in one of the ways."""
    if kind == "json_schema":
        return {"response_format": shapes.response_format(shape)}
    if kind == "json_object":
        return {"response_format": {"type": "json_object"}}
    if kind == "tool":
        made = shapes.tool(shape)
        named = {"type": "function", "function": {"name": made["function"]["name"]}}
        return {"tools": [made], "tool_choice": named}
    return {}


def _take(found: Answer, told: Mapping[str, Any], part: str) -> None:
    """Add what a response, or a piece of one, tells."""
    found.model = _text(told.get("model")) or found.model
    _count(found, told.get("usage"))
    choice = _first(told.get("choices"))
    found.finish = _text(choice.get("finish_reason")) or found.finish
    message = choice.get(part)
    if not isinstance(message, Mapping):
        return
    found.text += _text(message.get("content"))
    found.refusal += _text(message.get("refusal"))
    thought = message.get("reasoning_content") or message.get("reasoning")
    found.reasoning += _text(thought)
    if arguments := _arguments(message.get("tool_calls")):
        found.text, found.called = found.text * found.called + arguments, True


def _count(found: Answer, usage: Any) -> None:
    if not isinstance(usage, Mapping):
        return
    for name in ("input", "output"):
        wire = {"input": "prompt_tokens", "output": "completion_tokens"}[name]
        value = usage.get(wire)
        if type(value) is int and value >= 0:
            setattr(found, f"{name}_tokens", value)


def _arguments(calls: Any) -> str:
    """Return the arguments of the first tool that a message calls, or ""."""
    function = _first(calls).get("function")
    told = function.get("arguments") if isinstance(function, Mapping) else None
    return json.dumps(told) if isinstance(told, Mapping) else _text(told)


def _first(items: Any) -> Mapping[str, Any]:
    """Return the first of a list of objects; an empty one where it is no such list."""
    found = items[0] if isinstance(items, list) and items else None
    return found if isinstance(found, Mapping) else {}


def _text(value: Any) -> str:
    """Return a text, or the texts of a list of parts; "" for anything else."""
    if isinstance(value, list):
        parts = (item.get("text") for item in value if isinstance(item, Mapping))
        return "".join(map(_text, parts))
    return value if isinstance(value, str) else ""


def _bounded(found: Answer, most: int, veil: Veil) -> Answer:
    """Return an answer in proper text, secrets masked; far too long counts as cut off.

    All that is kept or told of a response passes here: whatever it says is masked
    before it is cut, lest a part of a secret be left.
    """
    for name in ("text", "reasoning", "refusal", "finish", "model", "response"):
        setattr(found, name, veil.hide(proper(getattr(found, name))))
    if len(found.text) > most:
        found.text, found.finish = found.text[:most], "length"
    found.reasoning, found.refusal = found.reasoning[:most], found.refusal[:most]
    found.finish, found.model = found.finish[:NAME], found.model[:NAME]
    return found


def _message(told: Any) -> str:
    """Return the message of an error that came in place of a reply, or ""."""
    error = told.get("error") if isinstance(told, Mapping) else None
    if isinstance(error, Mapping):
        error = error.get("message")
    return _text(error)
