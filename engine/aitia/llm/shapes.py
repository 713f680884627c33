"""What a reply must be, as a schema for servers and in plain words for models."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from aitia.llm.keys import canonical

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

FAULTS: Final = 5
"""So many faults of a reply are told to the model at most."""

_SHAPES: Final = 64
"""Of so many shapes the schema is kept; some are made anew for each run."""

_HINT: Final = (
    "Reply with one JSON object and nothing else. It must fit this JSON Schema:"
)
_MAPS: Final = frozenset({"properties", "$defs", "definitions"})


def schema(shape: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON Schema of a shape, without the titles that say nothing new."""
    return dict(_schema(shape))


@lru_cache(maxsize=_SHAPES)
def _schema(shape: type[BaseModel]) -> dict[str, Any]:
    found = _untitled(shape.model_json_schema())
    assert isinstance(found, dict)
    return found


@lru_cache(maxsize=_SHAPES)
def hint(shape: type[BaseModel]) -> str:
    """Return how a model is told what to reply, where the server does not see to it."""
    return f"{_HINT}\n{canonical(_schema(shape))}"


@lru_cache(maxsize=_SHAPES)
def response_format(shape: type[BaseModel]) -> dict[str, Any]:
    """Return the `response_format` of kind `json_schema` for a shape."""
    told = {"name": _name(shape), "schema": _schema(shape), "strict": False}
    if not _open(_schema(shape)):
        import openai

        function = openai.pydantic_function_tool(shape)["function"]
        told |= {"schema": _untitled(function["parameters"]), "strict": True}
    return {"type": "json_schema", "json_schema": told}


@lru_cache(maxsize=_SHAPES)
def tool(shape: type[BaseModel]) -> dict[str, Any]:
    """Return a tool whose arguments are the shape."""
    told = {"name": _name(shape), "parameters": _schema(shape)}
    return {"type": "function", "function": told}


def faults(error: ValidationError) -> str:
    """Return what is wrong with a reply, in plain words."""
    found = error.errors(include_url=False, include_context=False, include_input=False)
    told = [f"{_place(item['loc'])}: {item['msg']}" for item in found[:FAULTS]]
    more = f" and {len(found) - FAULTS} more" if len(found) > FAULTS else ""
    return "; ".join(told) + more


def _name(shape: type[BaseModel]) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "_", shape.__name__)[:64]


def _place(location: tuple[int | str, ...]) -> str:
    return ".".join(map(str, location)) or "the reply"


def _untitled(value: Any, names: bool = False) -> Any:
    """Return a schema without titles; where its keys are names, all are kept."""
    if isinstance(value, list):
        return [_untitled(item) for item in value]
    if not isinstance(value, Mapping):
        return value
    return {
        key: _untitled(item, not names and key in _MAPS)
        for key, item in value.items()
        if names or key != "title"
    }


def _open(value: Any) -> bool:
    """Tell whether a schema has objects with keys of any name, or a union by mark.

    Servers that see to it that a schema is kept take neither.
    """
    if isinstance(value, list):
        return any(map(_open, value))
    if not isinstance(value, Mapping):
        return False
    free = value.get("type") == "object" and not value.get("properties")
    loose = bool(value.get("additionalProperties")) or "oneOf" in value or not value
    return free or loose or any(map(_open, value.values()))
