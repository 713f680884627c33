"""Can what a model wrote be kept at all?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

CHARS: Final = 50_000
"""Characters of JSON that one operation may have; the gate's shapes allow some more."""


def unfit(value: Any) -> Iterator[tuple[str, str]]:
    """Yield rule and reason where a value cannot be put on record."""
    try:
        text = to_json(value)
        text.encode()
    except UnicodeEncodeError:
        yield "storable", "It holds half a character, which no text can hold."
    except (TypeError, ValueError):
        yield "storable", "It holds a number that is none: NaN or infinity."
    except RecursionError:
        yield "storable", "It is nested too deep."
    else:
        if len(text) > CHARS:
            yield (
                "size",
                f"It has {len(text):,} characters; at most {CHARS:,} are kept.",
            )


def to_json(value: Any) -> str:
    """Return a value as JSON, the same for the same value.

    Raises:
        ValueError: A number in it is none.
        RecursionError: It is nested too deep.
    """
    return json.dumps(value, ensure_ascii=False, sort_keys=True, allow_nan=False)
