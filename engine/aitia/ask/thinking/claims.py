"""Sentences that a model proposes, put on record as claims and checked by machine.

The model's patch states the claims as unsupported, with what they cite as claimed
links. The checks are executions of the engine; what they find turns a claim into a
supported or a contradicted one, with the exact words that say so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from pyoxigraph import NamedNode, Quad

from aitia import terms
from aitia.ask.performing import Ran, run
from aitia.ask.thinking.mind import Mind
from aitia.ask.thinking.words import evidence_of
from aitia.methods.arguments import NodeRef
from aitia.methods.base import registered
from aitia.methods.claim_check import ClaimToCheck, ClaimVerdict, claim_check
from aitia.methods.entailment_check import Entailment
from aitia.model import link
from aitia.model.trace import Evidence, Sentence
from aitia.vocab import AITIA, RDF

JUDGED: Final = (
    "Judged by the model {} in {}, not by a rule; its quote stands in the evidence and"
    " has the sentence's numbers, names and units. Its reason: {}"
)
STATES: Final = {
    "supported": AITIA.supported,
    "unsupported": AITIA.unsupported,
    "contradicted": AITIA.contradicted,
}


@dataclass(frozen=True)
class Said:
    """A sentence that a model proposes.

    Attributes:
        text: The sentence.
        cites: What it is said to rest on.
        unknown: What it cites that does not exist, as it is written.
    """

    text: str
    cites: tuple[NodeRef, ...]
    unknown: tuple[str, ...] = ()


def put(
    mind: Mind, execution: NamedNode, author: NamedNode, said: Sequence[Said]
) -> list[NamedNode]:
    """Put sentences to the gate as claims of a model, and return their nodes.

    Args:
        mind: The run.
        execution: The call of the model that they are from.
        author: The model.
        said: The sentences.

    Raises:
        Denied: The gate refused them.
    """
    trace = mind.session.trace
    nodes = [trace.reserve("claim") for _ in said]
    quads: set[Quad] = set()
    for order, (node, item) in enumerate(zip(nodes, said, strict=True), start=1):
        quads |= set(_claim(mind, node, item, order, author))
    mind.propose(quads, author)
    for node in nodes:
        trace.adopt(node, AITIA.unsupported)
        trace.link(execution, AITIA.produced, node)
    return nodes


def _claim(
    mind: Mind, node: NamedNode, said: Said, order: int, author: NamedNode
) -> Iterator[Quad]:
    run, graph = mind.session.trace.run, mind.session.trace.graph
    yield Quad(node, RDF.type, AITIA.Claim, graph)
    yield Quad(node, AITIA.inRun, run, graph)
    yield Quad(node, AITIA.text, terms.string(said.text), graph)
    yield Quad(node, AITIA.order, terms.integer(order), graph)
    yield Quad(node, AITIA.supportState, AITIA.unsupported, graph)
    for cited in dict.fromkeys(item.node for item in said.cites):
        yield from link(
            node,
            AITIA.derivesFrom,
            NamedNode(cited),
            graph,
            basis=AITIA.claimed,
            author=author,
        )


def check(
    mind: Mind,
    goal: NamedNode,
    nodes: Sequence[NamedNode],
    said: Sequence[Said],
    found: Sequence[NodeRef],
) -> list[Sentence]:
    """Check claims, all beside each other, and return them as they came out.

    Args:
        mind: The run.
        goal: The goal that they answer.
        nodes: The claims.
        said: What they say and cite.
        found: All evidence that was found: what is not cited can still contradict.
    """
    reads, method = mind.session.reads, registered(claim_check)
    tasks = [partial(run, reads, method, _given(item, found), {}) for item in said]
    ran = mind.together(tasks)
    return [
        _checked(mind, goal, node, item, one)
        for node, item, one in zip(nodes, said, ran, strict=True)
    ]


def _given(said: Said, found: Sequence[NodeRef]) -> ClaimToCheck:
    cited = {item.node for item in said.cites}
    beside = tuple(item for item in found if item.node not in cited)
    return ClaimToCheck(said.text, said.cites, beside, said.unknown)


def _checked(
    mind: Mind, goal: NamedNode, node: NamedNode, said: Said, ran: Ran[ClaimVerdict]
) -> Sentence:
    """Put the verdict on a claim on record, with the words it goes by."""
    session, trace = mind.session, mind.session.trace
    given = ran.given
    looked = [NamedNode(item.node) for item in (*given.evidence, *given.beside)]
    cited = looked[: len(given.evidence)]
    done = session.record(ran, goal, uses=cited)
    verdict = done.output
    against = verdict.verdict == "contradicted"
    places = verdict.places if verdict.verdict != "unsupported" else ()
    evidence = tuple(evidence_of(mind, done.node, place) for place in places)
    if verdict.judge and evidence:
        trace.link(node, AITIA.derivesFrom, done.observation)
    _weigh(mind, node, done.node, verdict, evidence)
    trace.state(node, STATES[verdict.verdict], AITIA.supportState)
    if against or verdict.verdict == "unsupported":
        trace.say(node, AITIA.reason, terms.string(verdict.reason))
    return Sentence(
        said.text,
        verdict.verdict,
        evidence,
        node.value,
        verdict.reason,
        verdict.judge if places else "",
    )


def _weigh(
    mind: Mind,
    node: NamedNode,
    execution: NamedNode,
    verdict: ClaimVerdict,
    evidence: Sequence[Evidence],
) -> None:
    """Link a claim to the words that bear it out, or that contradict it."""
    trace = mind.session.trace
    supported = verdict.verdict == "supported"
    trace.sure(node, verdict.confidence, verdict.confidence_rule)
    for item in evidence:
        words = NamedNode(item.words or item.node)
        if supported:
            trace.link(node, AITIA.derivesFrom, words)
            weigh(mind, words, AITIA.supports, node, execution, verdict)
        else:
            weigh(mind, words, AITIA.contradicts, node, execution, verdict)


def weigh(
    mind: Mind,
    words: NamedNode,
    kind: NamedNode,
    node: NamedNode,
    execution: NamedNode,
    found: ClaimVerdict | Entailment,
) -> None:
    """Link words to what they speak for or against, on the ground that was found.

    Where a model judged, the link is claimed and says by whom, in which step and why:
    a model's word tests nothing.
    """
    trace = mind.session.trace
    if not found.judge:
        trace.link(words, kind, node)
        return
    step = execution.value.removeprefix(f"{trace.run.value}/")
    trace.weighed(
        words,
        kind,
        node,
        basis=AITIA.claimed,
        reason=JUDGED.format(found.judge, step, found.reason),
        author=terms.agent_iri(found.judge),
    )
