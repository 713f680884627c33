"""What follows from the current knowledge by OWL 2 RL, and by which premises."""

from aitia.inference.closure import MOST, Closure, Inferred, close, patch

__all__ = ["MOST", "Closure", "Inferred", "close", "patch"]
