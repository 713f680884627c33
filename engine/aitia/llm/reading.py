"""Reads a reply as what was asked for, or says why it cannot be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aitia.llm import recover, shapes
from aitia.llm.calls import Call

if TYPE_CHECKING:
    from pydantic import BaseModel

_SCHEMA_WORDS = frozenset({"$schema", "$defs", "properties", "items", "anyOf"})


class Unusable(Exception):
    """A reply is not what was asked for; the text says why, in plain words."""


class CutOff(Unusable):
    """A reply breaks off, whatever the server says of it."""


@dataclass(frozen=True)
class Read:
    """A reply that was read.

    Attributes:
        value: The value: an instance of the shape, or None for plain text.
        how: How it was recovered, or "".
    """

    value: Any = None
    how: str = ""


def read(call: Call, text: str) -> Read:
    """Read a whole reply.

    Args:
        call: What was asked.
        text: The reply, reasoning set apart.

    Raises:
        Unusable: It is not what was asked for.
    """
    if not text:
        raise Unusable("it is empty")
    if call.shape is None:
        return Read()
    try:
        return _first(call.shape, text)
    except Unusable:
        if call.plain is None or (value := call.plain(text)) is None:
            raise
    return Read(value, "read as plain text")


def read_part(call: Call, text: str) -> Read:
    """Read the complete items of a reply that was cut off.

    Raises:
        Unusable: There is none.
    """
    found = recover.cut_off(text) if call.shape else None
    if call.shape is None or found is None:
        raise Unusable("no item of it is complete")
    return Read(_made(call.shape, found), "its complete items only")


def _first(shape: type[BaseModel], text: str) -> Read:
    """Return the first value in a text that fits; tell of the first that does not."""
    reason = ""
    try:
        for found in recover.values(text):
            try:
                return _fitted(shape, found)
            except Unusable as error:
                reason = reason or str(error)
    except recover.BreaksOff as error:
        if not reason:
            raise CutOff(str(error)) from error
    except recover.NoNumber as error:
        reason = reason or str(error)
    raise Unusable(reason or "there is no JSON in it")


def _fitted(shape: type[BaseModel], found: recover.Found) -> Read:
    """Return a value as the shape: as it is, or wrapped the one way that fits."""
    if isinstance(found.value, dict):
        return Read(_made(shape, found.value), found.how)
    if not isinstance(found.value, list):
        raise Unusable("it is no JSON object")
    fitting = list(_wrapped(shape, found.value))
    if len(fitting) != 1:
        raise Unusable("it is a list, not the object that was asked for")
    how = ", ".join(filter(None, (found.how, "a bare list taken as the object")))
    return Read(fitting[0], how)


def _wrapped(shape: type[BaseModel], items: list[Any]) -> Iterator[BaseModel]:
    """Yield what a bare list can be meant as."""
    tries: list[Any] = [{name: items} for name in shape.model_fields]
    if len(items) == 1 and isinstance(items[0], dict):
        tries.append(items[0])
    for value in tries:
        try:
            yield _made(shape, value)
        except Unusable:
            continue


def _made(shape: type[BaseModel], value: Any) -> BaseModel:
    from pydantic import ValidationError

    fields = shape.model_fields
    names = set(fields) | {field.alias for field in fields.values() if field.alias}
    if not isinstance(value, dict):
        raise Unusable("it is no JSON object")
    if names and not names & set(value):
        # Defaults must not turn a reply that says nothing into one that says "none".
        if _SCHEMA_WORDS & set(value):
            raise Unusable("it is the schema itself, not an object that fits it")
        raise Unusable(f"it has none of the keys {', '.join(sorted(names))}")
    try:
        return shape.model_validate(value)
    except ValidationError as error:
        raise Unusable(shapes.faults(error)) from error
