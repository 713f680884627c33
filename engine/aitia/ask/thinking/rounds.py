"""Rounds of proposed operations; none yet, so that an answer is worded from sources."""

from __future__ import annotations

from pyoxigraph import NamedNode

from aitia.ask.thinking.mind import Mind
from aitia.model.trace import Answer, Goal


def reason(mind: Mind, question: str, asked: NamedNode, root: Goal) -> Answer | None:
    """Reason in rounds."""
    return None
