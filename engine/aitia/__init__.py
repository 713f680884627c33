"""A knowledge engine that records every reasoning step as RDF and answers why."""

from aitia.workspace import Workspace

__all__ = ["Workspace"]
