"""What a run did outside, in words: it is told whatever the run ended in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from aitia.model.trace import Outside
from aitia.plain import quoted
from aitia.trace.told import to_json

MOST: Final = 300
"""Characters of one argument or result that are told."""


def told(done: Iterable[Outside]) -> Iterator[str]:
    """Yield a line for each call: tool, arguments, what came of it, who permitted it."""
    for item in done:
        came = (
            f"failed, and may have been done all the same: {quoted(item.error, MOST)}"
            if item.error
            else quoted(item.result, MOST)
        )
        yield (
            f"{item.tool}({_given(item.arguments)}): {came}"
            f" — permitted by {item.permitted_by}, {item.how}"
        )


def _given(arguments: Mapping[str, Any]) -> str:
    pairs = (f"{name}={_value(value)}" for name, value in arguments.items())
    return ", ".join(pairs)


def _value(value: Any) -> str:
    return quoted(value if isinstance(value, str) else to_json(value), MOST)
