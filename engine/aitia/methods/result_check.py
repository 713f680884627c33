"""Result check: whether what a tool returned says anything that can be gone on from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from aitia.methods.base import Reads, method
from aitia.methods.quote_check import Checked

ERRORS = ("error", "errors", "exception")


@dataclass(frozen=True)
class ToolResult:
    """What a tool returned.

    Attributes:
        tool: Its name.
        text: The result as text, JSON where it is no text.
    """

    tool: str
    text: str


@method(
    "result_check",
    "Tells whether a tool's result says something, and is no error in place of one.",
)
def result_check(reads: Reads, given: ToolResult) -> Checked:
    """Return whether a result is neither empty nor an error told as a result."""
    value = _value(given.text)
    failure = ""
    if value is None or value == "" or value == [] or value == {}:
        failure = f"{given.tool} returned nothing."
    elif isinstance(value, dict) and (told := _error(value)):
        failure = f"{given.tool} returned an error: {told}"
    return Checked(
        passed=not failure,
        found=given.text[:200],
        summary=failure or "it says something",
        failure=failure,
    )


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text.strip()


def _error(value: dict[str, Any]) -> str:
    """Return the error that a result consists of, or ""."""
    told = {key: item for key, item in value.items() if item not in (None, "", [], {})}
    if not told or not set(told) <= {*ERRORS, "message", "code", "status", "detail"}:
        return ""
    return next((str(told[key])[:300] for key in ERRORS if key in told), "")
