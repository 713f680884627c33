"""What passes between the rooms: frozen dataclasses without behaviour of their own."""

from typing import TYPE_CHECKING

from aitia.model.links import causal, link
from aitia.model.patch import (
    ENGINE_AGENT,
    Admitted,
    CommitRecord,
    Origin,
    Patch,
    Violation,
)

if TYPE_CHECKING:
    from aitia.model.text import Hit, PassageRecord, ResourceHit

__all__ = [
    "ENGINE_AGENT",
    "Admitted",
    "CommitRecord",
    "Hit",
    "Origin",
    "PassageRecord",
    "Patch",
    "ResourceHit",
    "Violation",
    "causal",
    "link",
]


def __getattr__(name: str) -> object:
    """Load what a search returns only where it is asked for: making it takes time."""
    if name not in ("Hit", "PassageRecord", "ResourceHit"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from aitia.model import text

    value: object = getattr(text, name)
    return value
