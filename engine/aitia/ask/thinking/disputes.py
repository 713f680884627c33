"""Sources that say otherwise than an answer's sentence: told with it, never hidden."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pyoxigraph import NamedNode

from aitia.ask.conflicts import dismissed, record
from aitia.ask.performing import run
from aitia.ask.thinking.mind import Mind
from aitia.ask.thinking.words import evidence_of
from aitia.methods.arguments import NodeRef
from aitia.methods.base import registered
from aitia.methods.entailment_check import Entailed, by_rules, entailment_check
from aitia.model.trace import Disagreement, Sentence


def disputes(
    mind: Mind, goal: NamedNode, sentences: Sequence[Sentence], found: Sequence[NodeRef]
) -> tuple[Disagreement, ...]:
    """Return where a source that was found contradicts a sentence that stands.

    Args:
        mind: The run.
        goal: The goal that the sentences answer.
        sentences: The sentences as they were checked.
        found: All evidence that was found.
    """
    return tuple(
        item
        for sentence in sentences
        if sentence.support == "supported"
        for item in _disputes(mind, goal, sentence, found)
    )


def _disputes(
    mind: Mind, goal: NamedNode, sentence: Sentence, found: Sequence[NodeRef]
) -> Iterator[Disagreement]:
    session, own = mind.session, {item.document for item in sentence.evidence}
    others = tuple(ref for ref in found if ref.document and ref.document not in own)
    given = Entailed(sentence.text, others)
    if not others or by_rules(given).relation != "contradicts":
        return
    # By rules alone: what a model would add is no ground to call sources at odds.
    reads = replace(session.reads, models=None)
    ran = run(reads, registered(entailment_check), given, {})
    done = session.record(ran, goal, uses=[NamedNode(ref.node) for ref in others])
    for place in done.output.places:
        other = evidence_of(mind, done.node, place)
        sides = [sentence.evidence[0], other]
        if not dismissed(session, sides):
            yield record(session, done.node, done.output.reason, sides)
