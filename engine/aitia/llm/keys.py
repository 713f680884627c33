"""Names of what was asked: the same question has the same name, whoever asks."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any


def canonical(value: Any) -> str:
    """Return a JSON-like value as text that is the same for equal values."""
    return json.dumps(
        value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str
    )


def digest(value: Any) -> str:
    """Return the SHA-256 of a JSON-like value, in hexadecimal."""
    return sha256(canonical(value).encode("utf-8", "surrogatepass")).hexdigest()
