"""A request to act where rules answer: nothing is done, and that is told."""

from __future__ import annotations

from pyoxigraph import NamedNode

from aitia import terms
from aitia.ask.answer import ABSTAINED, NOTICE, tell
from aitia.ask.session import Session
from aitia.methods.request_check import Requested, request_check, requested
from aitia.model.trace import Answer
from aitia.vocab import AITIA


def declined(session: Session, root: NamedNode, question: str) -> Answer | None:
    """Conclude a run that was to do something; None where an answer is asked for.

    Args:
        session: The run.
        root: The goal that stands for the whole input.
        question: What was put in.
    """
    if not requested(question):
        return None
    trace = session.trace
    done = session.perform(request_check, Requested(question), root)
    reason = done.output.failure
    node = trace.conclude(AITIA.Abstention, "abstention", root)
    trace.say(node, AITIA.reason, terms.string(reason))
    for item in session.executions:
        trace.say(node, AITIA.tried, item.node)
    trace.link(node, AITIA.derivesFrom, done.observation)
    text = f"{ABSTAINED} {reason}"
    tell(session, node, text, ())
    trace.state(root, AITIA.failed)
    trace.end(succeeded=True)
    return Answer(
        run=trace.run.value,
        question=question,
        text=text,
        sentences=(),
        confidence=0.0,
        confidence_rule="",
        abstained=True,
        reason=reason,
        tried=tuple(session.executions),
        notice=NOTICE,
        notices=tuple(session.notices),
    )
