"""What a model may have run: the methods and tools at hand, and how they are asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from aitia.errors import UsageError
from aitia.methods.arguments import Resolve, arguments, schema
from aitia.methods.base import Method
from aitia.tools.kinds import Tool

Check = Callable[[Mapping[str, Any], Resolve], tuple[str, ...]]

_NESTED: Final = 3
"""How deep a signature follows a schema; what lies deeper is called by its type."""


@dataclass(frozen=True)
class Offer:
    """A method or a tool that a model may have run.

    Attributes:
        name: Its name.
        description: What it is good for.
        schema: JSON schema of its arguments.
        check: Returns what is wrong with arguments, in plain words.
        side_effect: Whether it changes something outside.
    """

    name: str
    description: str
    schema: Mapping[str, Any] = field(compare=False)
    check: Check = field(compare=False)
    side_effect: bool = False

    def signature(self) -> str:
        """Return name and arguments in one line, as `find(name: string, k?: integer)`."""
        needed = self.schema.get("required", ())
        told = (
            f"{name}{'' if name in needed else '?'}: {_type(part, self.schema)}"
            for name, part in self.schema.get("properties", {}).items()
        )
        return f"{self.name}({', '.join(told)})"


@dataclass(frozen=True)
class Offered:
    """Everything that a model may have run.

    Attributes:
        methods: Name → method.
        tools: Name → tool.
    """

    methods: Mapping[str, Offer] = field(default_factory=dict)
    tools: Mapping[str, Offer] = field(default_factory=dict)

    @classmethod
    def of(cls, methods: Mapping[str, Method], tools: Mapping[str, Tool]) -> Offered:
        """Return methods and tools as they are offered, by name."""
        return cls(
            {name: _method(methods[name]) for name in sorted(methods)},
            {name: _tool(tools[name]) for name in sorted(tools)},
        )


@cache
def _method(method: Method) -> Offer:
    """Return a method as it is offered; its schema is made once a process."""

    def check(given: Mapping[str, Any], resolve: Resolve) -> tuple[str, ...]:
        try:
            arguments(method, given, resolve)
        except UsageError as error:
            return (str(error),)
        return ()

    return Offer(method.name, method.competence, schema(method), check)


def _tool(tool: Tool) -> Offer:
    def check(given: Mapping[str, Any], _: Resolve) -> tuple[str, ...]:
        return tool.problems(given)

    return Offer(tool.name, tool.description, tool.schema, check, tool.side_effect)


def _type(part: Any, whole: Mapping[str, Any], depth: int = 0) -> str:
    """Return a JSON schema in a few characters."""
    if not isinstance(part, Mapping):
        return "any"
    if "$ref" in part:
        name = str(part["$ref"]).rpartition("/")[2]
        return _type(whole.get("$defs", {}).get(name), whole, depth + 1)
    if "enum" in part:
        return " | ".join(json.dumps(v, ensure_ascii=False) for v in part["enum"])
    for key in ("anyOf", "oneOf"):
        if key in part:
            told = (_type(one, whole, depth + 1) for one in part[key])
            return " | ".join(dict.fromkeys(told))
    if depth < _NESTED and part.get("type") == "array":
        return f"[{_type(part.get('items'), whole, depth + 1)}]"
    if depth < _NESTED and part.get("type") == "object" and part.get("properties"):
        inner = (
            f"{name}: {_type(one, whole, depth + 1)}"
            for name, one in part["properties"].items()
        )
        return f"{{{', '.join(inner)}}}"
    return str(part.get("type", "any"))
