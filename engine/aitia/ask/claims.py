"""The sentences of an answer on record: claims, each with what it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pyoxigraph import NamedNode

from aitia import terms
from aitia.ask.evidence import bounded, nodes
from aitia.ask.results import Finding, Result
from aitia.ask.session import Session
from aitia.model.trace import Sentence
from aitia.vocab import AITIA


def unique(results: Sequence[Result]) -> Iterator[Finding]:
    """Return the findings of all goals, each sentence once."""
    found: dict[str, Finding] = {}
    for result in results:
        for item in result.findings:
            found.setdefault(item.text, item)
    yield from found.values()


def claims(
    session: Session,
    execution: NamedNode,
    findings: Sequence[Finding],
    sentences: Sequence[str],
) -> Iterator[Sentence]:
    """Put the sentences of an answer on record, and return them.

    Args:
        session: The run.
        execution: The composition that made them.
        findings: What the first sentences tell, in their order.
        sentences: The sentences; those after the findings rest on nothing. One whose
            value its source does not show is not supported either.
    """
    for order, text in enumerate(sentences, start=1):
        finding = findings[order - 1] if order <= len(findings) else None
        node = session.trace.node(AITIA.Claim, "claim")
        session.trace.text(node, text)
        session.trace.say(node, AITIA.order, terms.integer(order))
        session.trace.link(execution, AITIA.produced, node)
        evidence = finding.evidence if finding else ()
        stands = bool(evidence) and not any(item.unseen for item in evidence)
        state = AITIA.supported if stands else AITIA.unsupported
        session.trace.state(node, state, AITIA.supportState)
        if finding:
            _rests_on(session, node, finding)
        support = "supported" if stands else "unsupported"
        yield Sentence(text, support, evidence, node.value)


def _rests_on(session: Session, claim: NamedNode, finding: Finding) -> None:
    trace = session.trace
    sure, rule = bounded(finding.confidence, finding.rule, finding.evidence)
    trace.sure(claim, sure, rule)
    trace.link(claim, AITIA.derivesFrom, finding.hypothesis)
    for item in nodes(finding.evidence):
        trace.link(claim, AITIA.derivesFrom, item)
