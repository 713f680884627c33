"""What earlier runs left: sessions, and what of them is told to a new run.

Earlier runs are context, never evidence: what is recalled stands in a prompt, and the
new run is linked to them by `relatedTo`, which is no causal link.
"""

from aitia.memory.recall import Recalled, recall, relate
from aitia.memory.sessions import SessionSummary, join, sessions

__all__ = ["Recalled", "SessionSummary", "join", "recall", "relate", "sessions"]
