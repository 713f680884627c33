"""A knowledge engine that records every reasoning step as RDF and answers why.

`Workspace.open(folder)` opens one; `ingest`, `ask`, `why` and the rest are its methods.
Everything raised is an `AitiaError`.
"""

from typing import TYPE_CHECKING

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
    TooMuch,
    UsageError,
)

if TYPE_CHECKING:
    from aitia.model.graph import CausalGraph
    from aitia.model.trace import Answer
    from aitia.recorder import Recorder
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
    "Recorder",
    "SettingsError",
    "ShapeViolation",
    "TooMuch",
    "UsageError",
    "Workspace",
]

# Loaded when first asked for: the errors alone are all that a command needs to start.
_LATER = {
    "Answer": "aitia.model.trace",
    "CausalGraph": "aitia.model.graph",
    "Recorder": "aitia.recorder",
    "Workspace": "aitia.workspace",
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(_LATER[name]), name)
    globals()[name] = value
    return value
