"""The record for other people's agents: a few lines, and `why` answers for them too."""

from __future__ import annotations

from aitia.recorder.calling import Call
from aitia.recorder.known import Node
from aitia.recorder.place import Place
from aitia.recorder.recorder import Recorder
from aitia.recorder.run import Run
from aitia.recorder.writing import BUFFER

__all__ = ["BUFFER", "Call", "Node", "Place", "Recorder", "Run", "record"]


def record(
    place: Place,
    label: str,
    agent: str,
    *,
    kind: str = "software",
    mode: str = "call",
    level: str = "full",
    buffer: int = BUFFER,
) -> Recorder:
    """Open a run and return what its first agent records with.

    Args:
        place: The workspace's parts.
        label: What it is about, in words.
        agent: Name of the agent.
        kind: What the agent is: `software`, `person` or `model`.
        mode: `call`: each step is committed before the method returns. `batch`: all is
            kept in memory, and judged and committed as one at `flush` and at the end.
            `async`: a thread commits; a crash loses at most `buffer` steps, and it is
            told how many.
        level: `full`, or `decisions`: only what a decision rests on is recorded, and
            steps left out are counted.
        buffer: How many steps `async` may hold.

    Raises:
        UsageError: An argument has no meaning.
        ShapeViolation: The gate refused the opening.
    """
    run = Run(place, label, agent, kind=kind, mode=mode, level=level, buffer=buffer)
    return Recorder(run, agent, owns=True)
