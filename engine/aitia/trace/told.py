"""What an execution was given and gave, as the JSON that the record keeps."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any

from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms


def to_json(value: Any) -> str:
    """Return `value` as JSON; terms become their text, dataclasses their fields."""
    return json.dumps(value, ensure_ascii=False, default=_plain, sort_keys=True)


def _plain(value: Any) -> Any:
    if callable(told := getattr(value, "told", None)):
        return told()
    if is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, (NamedNode, Literal)):
        return value.value
    if isinstance(value, Quad):
        return terms.nquad(value)
    if isinstance(value, datetime):
        return terms.time(value).value
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON.")
