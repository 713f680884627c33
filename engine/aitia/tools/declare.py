"""`@tool`: a function with type hints and a docstring becomes a tool."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar, cast, overload

from aitia.errors import UsageError
from aitia.tools.kinds import Tool, ToolFailed, plain

_MARK: Final = "__aitia_tool__"

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Declared:
    """What `@tool` was told of a function.

    Attributes:
        name: The tool's name.
        side_effect: Whether it changes something outside.
        seconds: How long one call may take, or None for the setting.
    """

    name: str
    side_effect: bool
    seconds: float | None


@overload
def tool(function: Function, /) -> Function: ...


@overload
def tool(
    *, side_effect: bool = False, name: str = "", seconds: float | None = None
) -> Callable[[Function], Function]: ...


def tool(
    function: Function | None = None,
    /,
    *,
    side_effect: bool = False,
    name: str = "",
    seconds: float | None = None,
) -> Function | Callable[[Function], Function]:
    """Make a function a tool; it stays a function that can be called.

    The JSON schema of its arguments comes from its type hints, what it is good for
    from its docstring, and what each argument means from the docstring's `Args:`.

    Args:
        function: The function.
        side_effect: Whether it changes something outside: then it is only called
            where somebody consented.
        name: What to call it; the function's name for "".
        seconds: How long one call may take, or None for the setting tools.seconds.

    Raises:
        UsageError: A parameter has no type hint, or there is no docstring.
    """

    def declare(function: Function) -> Function:
        _usable(function)
        declared = Declared(name or function.__name__, side_effect, seconds)
        setattr(function, _MARK, declared)
        return function

    return declare if function is None else declare(function)


def declared(function: Any) -> Declared | None:
    """Return what `@tool` was told of a function, or None for any other object."""
    found = getattr(function, _MARK, None)
    return found if isinstance(found, Declared) and callable(function) else None


def functions(things: Iterable[Any]) -> list[Callable[..., Any]]:
    """Return those among things that `@tool` marked, each once."""
    return list(dict.fromkeys(item for item in things if _is_tool(item)))


def _is_tool(item: Any) -> bool:
    return inspect.isroutine(item) and declared(item) is not None


def describe(function: Callable[..., Any], source: str) -> Tool:
    """Return the tool that a marked function is.

    Raises:
        UsageError: It was not marked, or its types have no JSON schema.
    """
    told = declared(function)
    if told is None:
        raise UsageError(f"{function!r} is no tool: mark it with @tool.")
    said, meant = _documented(function)
    return Tool(
        name=told.name,
        description=said,
        schema=_schema(function, told.name, meant),
        side_effect=told.side_effect,
        source=source,
        seconds=told.seconds,
    )


def run(function: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    """Call a function with arguments from JSON and return its result as JSON values.

    Arguments become what the type hints say; what an `async` function returns is
    waited for.

    Raises:
        ToolFailed: The function raised, or its arguments or result do not fit.
    """
    import asyncio

    from pydantic import ValidationError, validate_call
    from pydantic_core import to_jsonable_python

    try:
        found = validate_call(function)(**arguments)
        if inspect.iscoroutine(found):
            found = asyncio.run(found)
    except ValidationError as error:
        raise ToolFailed(_unfit(error)) from error
    except BaseException as error:
        # Whatever a tool raises is its own: it ends neither a run nor its process.
        raise ToolFailed(said(error)) from error
    try:
        # Dataclasses, models, dates and the like become what JSON has for them.
        return plain(to_jsonable_python(found))
    except ToolFailed:
        raise
    except BaseException as error:
        raise ToolFailed(f"The result has no form in JSON: {said(error)}") from error


def said(error: BaseException) -> str:
    """Return what a tool raised in words, also where it cannot be put into any."""
    kind = type(error).__name__
    try:
        return f"{kind}: {error}"
    except BaseException as second:
        return f"{kind}, which cannot be told: {type(second).__name__}"


def _unfit(error: Any) -> str:
    told = [
        f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors()
    ]
    return f"{error.title}: {'; '.join(told)}"


def _usable(function: Callable[..., Any]) -> None:
    """Refuse a function that cannot be described.

    Raises:
        UsageError: It is one.
    """
    name = getattr(function, "__name__", repr(function))
    if not inspect.getdoc(function):
        raise UsageError(f"The tool {name!r} needs a docstring: what is it good for?")
    by_name = {
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        inspect.Parameter.KEYWORD_ONLY,
    }
    for item in inspect.signature(function).parameters.values():
        if item.kind not in by_name:
            raise UsageError(
                f"The tool {name!r} takes {item.name!r} not by name."
                " Arguments of a tool are given by name."
            )
        if item.annotation is inspect.Parameter.empty:
            raise UsageError(f"The tool {name!r} does not type its {item.name!r}.")


def _documented(function: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    """Return what a docstring says of a function, and of each argument."""
    from docstring_parser import parse

    found = parse(inspect.getdoc(function) or "")
    parts = (found.short_description, found.long_description)
    meant = {item.arg_name: item.description or "" for item in found.params}
    return "\n\n".join(part for part in parts if part), meant


def _schema(
    function: Callable[..., Any], name: str, meant: Mapping[str, str]
) -> dict[str, Any]:
    """Return the JSON schema of a function's arguments.

    Raises:
        UsageError: A type has none.
    """
    from pydantic import TypeAdapter
    from pydantic.errors import PydanticUserError

    try:
        adapter: TypeAdapter[Any] = TypeAdapter(cast(Any, function))
        schema: dict[str, Any] = _untitled(adapter.json_schema())
    except (PydanticUserError, NameError, TypeError) as error:
        first = str(error).splitlines()[0]
        raise UsageError(f"The tool {name!r} has no schema: {first}") from error
    for argument, text in meant.items():
        if argument in (taken := schema.get("properties", {})) and text:
            taken[argument].setdefault("description", " ".join(text.split()))
    return schema


def _untitled(schema: Any) -> Any:
    """Return a schema without the titles that only repeat the names."""
    if isinstance(schema, list):
        return [_untitled(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _named(value) if key in ("properties", "$defs") else _untitled(value)
        for key, value in schema.items()
        if key != "title"
    }


def _named(schemas: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _untitled(schema) for name, schema in schemas.items()}
