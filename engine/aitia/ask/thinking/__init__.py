"""Thinking with a model: it proposes operations, the gate admits, the engine acts."""

from aitia.ask.thinking.mind import Mind
from aitia.ask.thinking.think import think

__all__ = ["Mind", "think"]
