"""The end of a run with a model: a decision, an abstention or an abort; exactly one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from pyoxigraph import NamedNode

from aitia import terms
from aitia.ask.answer import tell
from aitia.ask.evidence import bounded
from aitia.ask.thinking.mind import Mind
from aitia.model.trace import Answer, Disagreement, Sentence
from aitia.vocab import AITIA

RULE: Final = "share of the sentences that a check found borne out by what they cite"
NOTICE: Final = (
    "Generative answer: {} worded it. Each sentence was checked against what it cites."
)
BROKEN: Final = "The run was broken off: {}"
ENDED: Final = "The model ended the run: {}"


@dataclass(frozen=True)
class Ending:
    """What a run is concluded with.

    Attributes:
        sentences: The sentences as they were checked, contradicted ones included.
        accepts: Hypotheses that the decision accepts.
        rejects: Hypotheses that it rejects.
        open: What stays unanswered, in words, or "".
        conflicts: Sources that disagree.
    """

    sentences: tuple[Sentence, ...]
    accepts: tuple[NamedNode, ...] = ()
    rejects: tuple[NamedNode, ...] = ()
    open: str = ""
    conflicts: tuple[Disagreement, ...] = ()

    @property
    def kept(self) -> tuple[Sentence, ...]:
        """The sentences that the answer is made of."""
        return tuple(item for item in self.sentences if item.support != "contradicted")

    @property
    def stands(self) -> bool:
        """Whether anything in it was borne out."""
        return any(item.support == "supported" for item in self.sentences)


def decide(
    mind: Mind, question: str, root: NamedNode, ending: Ending, *, by: str
) -> Answer:
    """Conclude a run with a decision, and close it.

    Args:
        mind: The run.
        question: The question.
        root: The goal that it answers.
        ending: What it is concluded with; something in it stands.
        by: Name of the model that worded it.
    """
    trace, kept = mind.session.trace, ending.kept
    sure, rule = bounded(
        sum(item.support == "supported" for item in kept) / len(kept),
        RULE,
        [one for item in kept for one in item.evidence],
    )
    text = "\n".join(item.text for item in kept)
    decision = trace.conclude(AITIA.Decision, "decision", root)
    trace.text(decision, text)
    trace.sure(decision, sure, rule)
    for item in kept:
        trace.say(decision, AITIA.hasClaim, NamedNode(item.node))
        trace.link(decision, AITIA.derivesFrom, NamedNode(item.node))
    for node in ending.accepts:
        trace.say(decision, AITIA.accepts, node)
        trace.link(decision, AITIA.derivesFrom, node)
    for node in set(ending.rejects) - set(ending.accepts):
        trace.say(decision, AITIA.rejects, node)
    tell(mind.session, decision, text, kept, AITIA.generative)
    _close(mind, root, AITIA.succeeded)
    return Answer(
        run=trace.run.value,
        question=question,
        text=text,
        sentences=kept,
        confidence=sure,
        confidence_rule=rule,
        conflicts=ending.conflicts,
        reason=ending.open,
        tried=tuple(mind.session.executions),
        mode="generative",
        notice=NOTICE.format(by),
        dropped=tuple(item for item in ending.sentences if item not in kept),
        notices=tuple(mind.session.notices),
    )


def abstain(
    mind: Mind,
    question: str,
    root: NamedNode,
    reason: str,
    *,
    because: NamedNode | None = None,
    sentences: Iterable[Sentence] = (),
) -> Answer:
    """Conclude a run without an answer, with what was tried, and close it.

    Args:
        mind: The run.
        question: The question.
        root: The goal that stays unanswered.
        reason: Why.
        because: The operation that asked for a conclusion, if one did.
        sentences: What was to be said and was not borne out.
    """
    trace = mind.session.trace
    text = f"I cannot answer that from what is on record. {reason}"
    node = trace.conclude(AITIA.Abstention, "abstention", root)
    trace.say(node, AITIA.reason, terms.string(reason))
    trace.links(filter(None, [because]), AITIA.motivates, node)
    for item in sentences:
        trace.link(node, AITIA.derivesFrom, NamedNode(item.node))
    for done in mind.session.executions:
        trace.say(node, AITIA.tried, done.node)
    tell(mind.session, node, text, (), AITIA.generative)
    _close(mind, root, AITIA.failed)
    return _none(mind, question, text, reason)


def break_off(
    mind: Mind, question: str, reason: str, *, because: NamedNode | None = None
) -> Answer:
    """Record that a run broke off, with the reason, and close it.

    Args:
        mind: The run.
        question: The question.
        reason: Why.
        because: The operation of a model that ended it, if one did.
    """
    mind.session.trace.abort(reason, because=because)
    text = (ENDED if because else BROKEN).format(reason)
    return _none(mind, question, text, reason, aborted=True)


def _none(
    mind: Mind, question: str, text: str, reason: str, *, aborted: bool = False
) -> Answer:
    session = mind.session
    return Answer(
        run=session.trace.run.value,
        question=question,
        text=text,
        sentences=(),
        confidence=0.0,
        confidence_rule="",
        abstained=not aborted,
        aborted=aborted,
        reason=reason,
        tried=tuple(session.executions),
        mode="generative",
        notices=tuple(session.notices),
    )


def give_up_goals(mind: Mind, root: NamedNode) -> None:
    """Give the goals that are still open, but the root, their last status."""
    session = mind.session
    open_states = (AITIA.pending, AITIA.running)
    for goal in session.goals:
        if goal.node != root and session.trace.status(goal.node) in open_states:
            session.trace.state(goal.node, AITIA.abandoned)


def _close(mind: Mind, root: NamedNode, status: NamedNode) -> None:
    give_up_goals(mind, root)
    mind.session.trace.state(root, status)
    mind.session.trace.end(succeeded=True)
