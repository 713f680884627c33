"""A model's arguments for a method: their JSON schema, and how they are read.

The arguments of a method are a dataclass of JSON fields. Where one of them is to be a
node of the run its type is `NodeRef`: in JSON that is the label under which the node
was shown, and whoever reads the arguments says which node has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any

from aitia.errors import UsageError
from aitia.methods.base import Method

LABEL = r"^[A-Z]+[0-9]+$"
"""What labels look like: G1, H2, E3."""


@dataclass(frozen=True)
class NodeRef:
    """A node of the run, as a method is given it.

    Attributes:
        label: The label under which a model was shown it, or "".
        node: Its IRI.
        text: What it says, in words.
        document: IRI of the document that its words stand in, or "".
        start: Offset of its first character in that document's stored text.
        end: Offset after its last character.
        about: Headings and title that the words stand under, or "".
        call: The call whose result it is, as `pressure(station="Mill Street")`, or "".
        means: What the tool that was called says of itself, or "".
        arguments: The texts and numbers that it was called with.
    """

    label: str = ""
    node: str = ""
    text: str = ""
    document: str = ""
    start: int = 0
    end: int = 0
    about: str = ""
    call: str = ""
    means: str = ""
    arguments: tuple[str, ...] = ()

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """Return how pydantic reads one: a label, looked up in the context."""
        from pydantic_core import core_schema

        return core_schema.with_info_after_validator_function(
            _looked_up,
            core_schema.str_schema(pattern=LABEL, max_length=12, metadata={}),
        )


Resolve = Callable[[str], NodeRef]
"""Returns the node that was shown under a label; KeyError for any other."""


def schema(method: Method) -> dict[str, Any]:
    """Return the JSON schema of a method's arguments; nothing beside them is allowed.

    Raises:
        UsageError: The method is not offered to models.
    """
    made: dict[str, Any] = _adapter(_asked(method)).json_schema()
    made["additionalProperties"] = False
    return made


def arguments(method: Method, given: Mapping[str, Any], resolve: Resolve) -> Any:
    """Return a model's arguments as the input of a method.

    Args:
        method: The method.
        given: The arguments as JSON.
        resolve: Returns the node that was shown under a label.

    Raises:
        UsageError: They do not fit; the message says each reason in plain words.
    """
    from pydantic import ValidationError

    asked = _asked(method)
    known = {item.name for item in fields(asked)}
    strange = sorted(set(given) - known)
    if strange:
        raise UsageError(
            f"{method.name} takes no {strange[0]!r}; it takes {', '.join(sorted(known))}."
        )
    try:
        return _adapter(asked).validate_python(dict(given), context=resolve)
    except ValidationError as error:
        told = "; ".join(
            f"{'.'.join(str(part) for part in item['loc']) or 'arguments'}: {item['msg']}"
            for item in error.errors()
        )
        raise UsageError(f"Arguments of {method.name}: {told}.") from error


def nodes(given: Any) -> Iterator[NodeRef]:
    """Yield the nodes that arguments name, at any depth: what an execution uses."""
    if isinstance(given, NodeRef):
        yield given
    elif is_dataclass(given) and not isinstance(given, type):
        for item in fields(given):
            yield from nodes(getattr(given, item.name))
    elif isinstance(given, (list, tuple)):
        for item in given:
            yield from nodes(item)


def _asked(method: Method) -> Any:
    if method.asks is None:
        raise UsageError(f"The method {method.name!r} is not offered to models.")
    return method.asks


@cache
def _adapter(asked: type) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(asked)


def _looked_up(label: str, info: Any) -> NodeRef:
    if info.context is None:
        return NodeRef(label)
    found: NodeRef
    try:
        found = info.context(label)
    except KeyError:
        raise ValueError(f"nothing was shown as {label}") from None
    return found
