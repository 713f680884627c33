"""A knowledge engine that records every reasoning step as RDF and answers why.

`Workspace.open(folder)` opens one; `ingest`, `ask`, `why` and the rest are its methods.
Everything raised is an `AitiaError`.
"""

from aitia.errors import (
    AitiaError,
    AmbiguousId,
    IndexMismatch,
    Locked,
    NotFound,
    NotIntact,
    QueryError,
    QueryLimit,
    QueryRefused,
    ReadError,
    SettingsError,
    ShapeViolation,
    UsageError,
)
from aitia.model.graph import CausalGraph
from aitia.model.trace import Answer
from aitia.workspace import Workspace

__all__ = [
    "AitiaError",
    "AmbiguousId",
    "Answer",
    "CausalGraph",
    "IndexMismatch",
    "Locked",
    "NotFound",
    "NotIntact",
    "QueryError",
    "QueryLimit",
    "QueryRefused",
    "ReadError",
    "SettingsError",
    "ShapeViolation",
    "UsageError",
    "Workspace",
]
