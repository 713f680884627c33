"""A model's conclusion: its sentences checked, and the run ended, or gone on with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from urllib.parse import unquote

from pyoxigraph import NamedNode

from aitia.ask.stream import Event
from aitia.ask.thinking import claims
from aitia.ask.thinking.claims import Said
from aitia.ask.thinking.course import Course
from aitia.ask.thinking.disputes import disputes
from aitia.ask.thinking.ending import Ending, abstain, decide
from aitia.ask.thinking.mind import Denied
from aitia.ask.thinking.propose import Batched
from aitia.model.trace import Answer, Sentence
from aitia.plain import clipped
from aitia.reason.operations import Conclude, Sentence as Proposed
from aitia.vocab import AITIA

ON: Final = "A sentence of the conclusion is contradicted: {} The run goes on."
QUOTED: Final = 120
"""Characters of a sentence that is told with what is wrong with it."""
BARE: Final = "No sentence of the model's conclusion was borne out."


def conclude(
    course: Course, operation: Conclude, batch: Batched, node: NamedNode
) -> Answer | None:
    """Check what a model concludes and end the run with it.

    Args:
        course: The run.
        operation: The conclusion.
        batch: The batch that it ends.
        node: The operation's node.

    Returns:
        The answer; None where the run goes on, as it does once.
    """
    mind, root = course.mind, course.root.node
    if not operation.sentences:
        return abstain(mind, course.question, root, operation.reason, because=node)
    sentences = _checked(course, operation.sentences, batch, node)
    against = next((s for s in sentences if s.support == "contradicted"), None)
    disputed = disputes(mind, root, sentences, course.found())
    ending = Ending(
        sentences=tuple(sentences),
        conflicts=disputed,
        accepts=_nodes(course, operation.accepts),
        rejects=_nodes(course, operation.rejects),
        open=" ".join(f"Not reached: {told}" for told in course.unreached()),
    )
    if not course.gone_on and (against is not None or not ending.stands):
        course.gone_on = True
        told = against.reason if against else BARE
        mind.session.announce(
            ON.format(told) if against else f"{BARE} The run goes on."
        )
        _show(course, sentences)
        return None
    if not ending.stands:
        reason = " ".join([BARE, *(_why(item) for item in sentences)])
        return abstain(
            mind, course.question, root, reason, because=node, sentences=sentences
        )
    for item in ending.kept:
        mind.session.told(Event("piece", f"{item.text}\n"))
    return decide(mind, course.question, root, ending, by=_name(batch.author))


def _why(item: Sentence) -> str:
    """Return a sentence and why it was not borne out."""
    return f"“{clipped(item.text, QUOTED)}”: {item.reason}"


def _checked(
    course: Course, proposed: Sequence[Proposed], batch: Batched, node: NamedNode
) -> list[Sentence]:
    mind = course.mind
    said = [_said(course, item) for item in proposed]
    try:
        nodes = claims.put(mind, batch.execution, batch.author, said)
    except Denied as error:
        mind.session.announce(str(error).splitlines()[0])
        return []
    for claim in nodes:
        mind.session.trace.link(node, AITIA.motivates, claim)
    return claims.check(mind, course.root.node, nodes, said, course.found())


def _said(course: Course, item: Proposed) -> Said:
    cited = [course.board.node(label) for label in item.cites]
    grounds = {ref.node: ref for node in cited for ref in course.grounds(node)}
    return Said(item.text, tuple(grounds.values()))


def _nodes(course: Course, labels: Sequence[str]) -> tuple[NamedNode, ...]:
    return tuple(course.board.node(label) for label in dict.fromkeys(labels))


def _show(course: Course, sentences: Sequence[Sentence]) -> None:
    """Put up how the sentences came out, so that the model can do better."""
    for item in sentences:
        text = f"{item.text} ({item.reason})" if item.reason else item.text
        course.board.add(NamedNode(item.node), AITIA.Claim, text, status=item.support)


def _name(agent: NamedNode) -> str:
    return unquote(agent.value.rpartition(":")[2])
