"""What earlier runs left, told to a model as context; it has no label to cite it by."""

from __future__ import annotations

from typing import Any, Final

from pyoxigraph import NamedNode

from aitia.ask.replay import RECALL
from aitia.ask.thinking.mind import Mind
from aitia.memory import Recalled, recall, relate

COMPETENCE: Final = "Looks for earlier runs that belong to a question or resemble it."
HEAD: Final = (
    "\n\nEarlier runs, as context; they are no evidence and cannot be cited:\n"
)


def remember(mind: Mind, question: str, goal: NamedNode) -> None:
    """Look for earlier runs, and have what they came to stand in the prompts.

    Args:
        mind: The run.
        question: The question.
        goal: The goal that it serves.
    """
    session, replay = mind.session, mind.aids.replay
    found = (
        _recorded(replay.recalled)
        if replay is not None
        else recall(session.reads, question, mind.aids.session)
    )
    if not found.text:
        return
    session.trace.method(RECALL, COMPETENCE)
    parameters = {"session": mind.aids.session} if mind.aids.session else {}
    with session.trace.execution(
        RECALL, goal, {"question": question}, parameters
    ) as running:
        running.returns(_told(found), f"{len(found.runs)} earlier runs")
    session.trace.rely_on([running.node])  # it stood in every prompt
    relate(session.trace, found)
    mind.remembered = f"{HEAD}{found.text}"


def _told(found: Recalled) -> dict[str, Any]:
    return {
        "text": found.text,
        "runs": [run.value for run in found.runs],
        "left_out": found.left_out,
    }


def _recorded(told: Any) -> Recalled:
    return Recalled(
        text=str(told.get("text", "")),
        runs=tuple(NamedNode(iri) for iri in told.get("runs", ())),
        left_out=int(told.get("left_out", 0)),
    )
