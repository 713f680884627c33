"""Why: the recorded causes behind a node, as a query and never as a story."""

from aitia.why.explain import explain

__all__ = ["explain"]
