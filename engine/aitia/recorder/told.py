"""Any object as JSON that the record can keep: nothing fails, nothing runs away."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping, Set as AbstractSet
from dataclasses import fields, is_dataclass
from datetime import date, datetime, time
from decimal import Decimal
from itertools import islice
from typing import Any, Final

from aitia.recorder.known import Node

DEEPEST: Final = 12
"""Levels of lists and objects that are told; what is deeper is named only."""
LONGEST: Final = 500
"""Characters that are told of an object which has no form in JSON."""
WIDEST: Final = 4_000
"""Bits of a whole number above which only its first hexadecimal digits are told."""
MOST: Final = 10_000
"""Items that are told of one list or object."""


def as_json(value: Any) -> str:
    """Return any value as JSON text.

    Dataclasses, pydantic models and the like are told by their fields, other objects
    by their class and their `repr`, bytes by their length and SHA-256.
    """
    return json.dumps(plain(value), ensure_ascii=False, sort_keys=True)


def plain(value: Any, depth: int = 0) -> Any:
    """Return any value in the terms of JSON."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if value.bit_length() <= WIDEST else f"{value:x}"[:LONGEST]
    if isinstance(value, str):
        return whole(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else repr(value)
    if isinstance(value, Node):
        return {"node": value.id}
    if depth >= DEEPEST:
        return f"{_kind(value)} …"
    return _inside(value, depth + 1)


def whole(text: str) -> str:
    """Return a text with halves of characters, which nothing can keep, made visible."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _inside(value: Any, depth: int) -> Any:
    if isinstance(value, Mapping):
        return {_key(k): plain(v, depth) for k, v in islice(value.items(), MOST)}
    if isinstance(value, list | tuple):
        return [plain(item, depth) for item in islice(value, MOST)]
    if isinstance(value, AbstractSet):
        return sorted((plain(item, depth) for item in islice(value, MOST)), key=repr)
    if isinstance(value, bytes | bytearray | memoryview):
        raw = bytes(value)
        return {"bytes": len(raw), "sha256": hashlib.sha256(raw).hexdigest()}
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, Decimal):
        return str(value)
    return _object(value, depth)


def _object(value: Any, depth: int) -> Any:
    dump: Callable[[], Any] | None = getattr(type(value), "model_dump", None)
    try:
        if dump is not None:
            return plain(value.model_dump(), depth)
        if is_dataclass(value) and not isinstance(value, type):
            found = {f.name: getattr(value, f.name) for f in fields(value)}
            return plain(found, depth)
        said = repr(value)
    except BaseException as error:
        # A foreign object may fail to tell itself; that it was there is on record. One
        # that raises SystemExit in its `repr` must not end the program either.
        if isinstance(error, KeyboardInterrupt):
            raise
        said = f"(cannot be told: {type(error).__name__})"
    return {"object": _kind(value), "says": whole(said[:LONGEST])}


def _key(value: Any) -> str:
    return whole(value if isinstance(value, str) else str(plain(value)))


def _kind(value: Any) -> str:
    kind = value if isinstance(value, type) else type(value)
    return f"{kind.__module__}.{kind.__qualname__}"
