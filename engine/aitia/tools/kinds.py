"""What a tool is, what offers tools, and what can go wrong with one."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from aitia.errors import AitiaError, UsageError

NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}")
"""What a tool may be called: safe in an IRI, in JSON and in a prompt."""
PROBLEMS: Final = 5
"""So many of the things that are wrong with arguments are told."""


class ToolFailed(AitiaError):
    """A tool could not be loaded or called, or its result not taken."""


@dataclass(frozen=True)
class Tool:
    """A function or a service that an operation can call.

    Attributes:
        name: Its name; unique among all tools.
        description: What it is good for.
        schema: JSON schema of its arguments, which are an object.
        side_effect: Whether it changes something outside, so that it needs consent.
        source: Where it is from: a module, a file, `mcp:` and a server, or `program`.
        seconds: How long one call may take, or None for the setting.
    """

    name: str
    description: str
    schema: Mapping[str, Any] = field(compare=False)
    side_effect: bool = False
    source: str = "program"
    seconds: float | None = None

    def problems(self, arguments: Mapping[str, Any]) -> tuple[str, ...]:
        """Return what is wrong with arguments, in plain words; () where they fit."""
        found = list(_checker(self.schema).iter_errors(dict(arguments)))
        found.sort(key=lambda error: (list(map(str, error.path)), error.message))
        return tuple(
            f"{'.'.join(map(str, error.path)) or self.name}: {_short(error.message)}"
            for error in found[:PROBLEMS]
        )


class Source(Protocol):
    """What offers tools: a module, a program's functions, an MCP server."""

    def tools(self) -> Sequence[Tool]:
        """Return its tools.

        Raises:
            ToolFailed: They cannot be told.
        """
        ...

    def call(
        self, tool: Tool, arguments: Mapping[str, Any], seconds: float, chars: int
    ) -> Any:
        """Return what the tool returns, as JSON values. Safe from several threads.

        Raises:
            ToolFailed: It failed, took longer than `seconds`, or returned more than
                `chars` characters.
        """
        ...

    def close(self) -> None:
        """Give free what it holds. Safe to call twice."""
        ...


def checked(found: Tool) -> Tool:
    """Return a tool whose name and schema can be used.

    Raises:
        UsageError: They cannot.
    """
    from jsonschema.exceptions import SchemaError

    if NAME.fullmatch(found.name) is None:
        raise UsageError(
            f"{found.name!r} of {found.source} is no name for a tool.",
            hint="A name has up to 64 letters, digits, `_`, `.` or `-`.",
        )
    try:
        _checker(found.schema).check_schema(dict(found.schema))
    except SchemaError as error:
        raise UsageError(
            f"The arguments of the tool {found.name!r} have no usable schema:"
            f" {_short(error.message)}"
        ) from error
    return found


def plain(value: Any) -> Any:
    """Return a value as JSON has it; half characters, which no store holds, become ?.

    Raises:
        ToolFailed: It has no form in JSON: a number that is none, too deep a nesting.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        return json.loads(text.encode("utf-8", "replace"))
    except (TypeError, ValueError, RecursionError) as error:
        raise ToolFailed(f"The result has no form in JSON: {error}") from error


def as_text(value: Any) -> str:
    """Return a result in words: a text as it is, all else as JSON."""
    if isinstance(value, str) and value.strip():
        return value
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def too_long(length: int, most: int) -> ToolFailed:
    """Return the error of a result that is longer than may be taken."""
    return ToolFailed(
        f"The result has {length:,} characters; at most {most:,} are taken.",
        hint="Ask the tool for less, or raise the setting tools.output_chars.",
    )


def too_slow(seconds: float) -> ToolFailed:
    """Return the error of a call that was given up."""
    return ToolFailed(f"The call was stopped after {seconds:g} seconds.")


def _checker(schema: Mapping[str, Any]) -> Any:
    """Return a validator that fetches no schema from anywhere."""
    from jsonschema import Draft202012Validator
    from referencing import Registry

    nothing: Registry[Any] = Registry()
    return Draft202012Validator(dict(schema), registry=nothing)


def _short(text: str, most: int = 300) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
