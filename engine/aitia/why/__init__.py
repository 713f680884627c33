"""Why: the recorded causes behind a node, as a query and never as a story."""

from aitia.why.explain import explain, explain_fact

__all__ = ["explain", "explain_fact"]
