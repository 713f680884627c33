"""What passes between the rooms: frozen dataclasses without behaviour of their own."""

from aitia.model.links import causal, link
from aitia.model.patch import (
    ENGINE_AGENT,
    Admitted,
    CommitRecord,
    Origin,
    Patch,
    Violation,
)
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
