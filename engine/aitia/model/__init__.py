"""What passes between the rooms: frozen dataclasses without behaviour of their own."""

from aitia.model.links import causal, link
from aitia.model.patch import (
    Admitted,
    CommitRecord,
    Origin,
    Patch,
    Violation,
)
from aitia.model.text import Hit, PassageRecord

__all__ = [
    "Admitted",
    "CommitRecord",
    "Hit",
    "Origin",
    "PassageRecord",
    "Patch",
    "Violation",
    "causal",
    "link",
]
