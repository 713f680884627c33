"""The end of a run: a decision or an abstention, and the answer that is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pyoxigraph import NamedNode

from aitia import terms
from aitia.ask.claims import claims, unique
from aitia.ask.evidence import bounded
from aitia.ask.layout import layout
from aitia.ask.results import Finding, Result
from aitia.ask.session import Session
from aitia.methods.attribute_check import Wanted, attribute_check
from aitia.methods.composition import Composed, Drafted, composition
from aitia.methods.name_check import Named, name_check
from aitia.model.trace import Answer, Plan, Sentence
from aitia.vocab import AITIA

__all__ = ["conclude", "layout", "tell"]

NOTICE: Final = (
    "Extractive answer: every word is from the sources or made of their labels and "
    "values; a language model would word it freely, draw conclusions and bridge gaps."
)
RULE: Final = "the lowest confidence of the parts that were answered; each: "
HELPING: Final = frozenset({"conditions", "chain"})
"""Ways of goals that only add to what another goal found."""
ABSTAINED: Final = "I cannot answer that from what is on record."


def conclude(
    session: Session, plan: Plan, results: Sequence[Result], question: str
) -> Answer:
    """Conclude a run from how its goals came out, and close it."""
    compared = {
        node
        for item in results
        if item.reached and item.goal.way == "compare"
        for node in item.goal.depends
    }
    told = [
        item
        for item in results
        if item.reached
        and not item.goal.parameters.get("bridge")
        and item.goal.node not in compared
    ]
    if told:
        return _decide(session, plan, results, told, question)
    return _abstain(session, plan, results, question)


@dataclass(frozen=True)
class _Draft:
    """An answer before it is concluded.

    Attributes:
        findings: What was found, each sentence once.
        open: The goals that stand for parts that were not answered.
        confidence: The lowest of the parts that were.
        rule: How that was computed.
    """

    findings: tuple[Finding, ...]
    open: tuple[Result, ...]
    confidence: float
    rule: str


def _decide(
    session: Session,
    plan: Plan,
    results: Sequence[Result],
    told: Sequence[Result],
    question: str,
) -> Answer:
    rules = dict.fromkeys(item.findings[0].rule for item in told)
    findings = tuple(unique(told))
    sure, rule = bounded(
        min(item.findings[0].confidence for item in told),
        RULE + "; ".join(rules),
        [one for item in findings for one in item.evidence],
    )
    draft = _Draft(
        findings=findings,
        open=tuple(r for r in results if not r.reached and r.goal.way not in HELPING),
        confidence=sure,
        rule=rule,
    )
    composed, sentences = _composed(session, plan, draft)
    decision = _decision(session, plan, draft, composed, sentences)
    _reject(session, decision, results, draft.findings)
    tell(session, decision, composed.text, sentences)
    session.trace.state(plan.root.node, AITIA.succeeded)
    session.trace.end(succeeded=True)
    return Answer(
        run=session.trace.run.value,
        question=question,
        text=composed.text,
        sentences=sentences,
        confidence=draft.confidence,
        confidence_rule=draft.rule,
        conflicts=tuple(item for result in told for item in result.conflicts),
        reason=" ".join(f"{item.goal.question}: {item.reason}" for item in draft.open),
        tried=tuple(session.executions),
        notice=NOTICE,
        notices=tuple(session.notices),
    )


def _composed(
    session: Session, plan: Plan, draft: _Draft
) -> tuple[Composed, tuple[Sentence, ...]]:
    """Compose the answer, and put its sentences on record as claims."""
    done = session.perform(
        composition,
        Drafted(
            tuple(item.text for item in draft.findings),
            tuple(item.goal.question for item in draft.open),
        ),
        plan.root.node,
        uses=[item.hypothesis for item in draft.findings],
    )
    made = claims(session, done.node, draft.findings, done.output.sentences)
    return done.output, tuple(made)


def _decision(
    session: Session,
    plan: Plan,
    draft: _Draft,
    composed: Composed,
    sentences: Sequence[Sentence],
) -> NamedNode:
    """Put the decision on record: what it is made of and what it accepts."""
    trace = session.trace
    decision = trace.conclude(AITIA.Decision, "decision", plan.root.node)
    trace.text(decision, composed.text)
    trace.sure(decision, draft.confidence, draft.rule)
    for sentence in sentences:
        trace.say(decision, AITIA.hasClaim, NamedNode(sentence.node))
        trace.link(decision, AITIA.derivesFrom, NamedNode(sentence.node))
    for finding in draft.findings:
        trace.say(decision, AITIA.accepts, finding.hypothesis)
        trace.link(decision, AITIA.derivesFrom, finding.hypothesis)
    return decision


def _reject(
    session: Session,
    decision: NamedNode,
    results: Sequence[Result],
    findings: Sequence[Finding],
) -> None:
    """Put on record which candidates the decision rejects."""
    accepted = {finding.hypothesis for finding in findings}
    rejected = {node for item in results for node in item.rejected} - accepted
    for node in rejected:
        session.trace.say(decision, AITIA.rejects, node)


def _abstain(
    session: Session, plan: Plan, results: Sequence[Result], question: str
) -> Answer:
    trace, root = session.trace, plan.root.node
    said = (*_unknown(session, plan), *_lacking(session, plan), *_reasons(results))
    reason = " ".join(said)
    best = max(results, key=lambda item: item.confidence)
    node = trace.conclude(AITIA.Abstention, "abstention", root)
    trace.say(node, AITIA.reason, terms.string(reason))
    trace.sure(node, best.confidence if best.rule else None, best.rule)
    for done in session.executions:
        trace.say(node, AITIA.tried, done.node)
    for item in results:
        if item.trigger in session.observed:
            trace.link(node, AITIA.derivesFrom, session.observed[item.trigger])
    text = f"{ABSTAINED} {reason}"
    tell(session, node, text, ())
    trace.state(root, AITIA.failed)
    trace.end(succeeded=True)
    return Answer(
        run=trace.run.value,
        question=question,
        text=text,
        sentences=(),
        confidence=best.confidence,
        confidence_rule=best.rule,
        abstained=True,
        reason=reason,
        tried=tuple(session.executions),
        notice=NOTICE,
        notices=tuple(session.notices),
    )


def _reasons(results: Sequence[Result]) -> list[str]:
    """Return why the goals failed, each reason once."""
    reasons = list(dict.fromkeys(item.reason for item in results if item.reason))
    return reasons or ["Nothing on record speaks of it."]


def _unknown(session: Session, plan: Plan) -> list[str]:
    """Return a sentence for the names that nothing on record has."""
    names: dict[str, None] = {}
    for part in dict.fromkeys(session.parts[goal.node] for goal in plan.goals):
        check = session.perform(
            name_check,
            Named(part.text, part.mentions),
            plan.root.node,
            uses=part.seen[:1],
        )
        names |= dict.fromkeys(check.output.names)
    return [f"Nothing on record is called {', '.join(names)}."] if names else []


def _lacking(session: Session, plan: Plan) -> list[str]:
    """Return a sentence for each thing on record that lacks what is asked of it."""
    parts = {id(part): part for part in (session.parts[g.node] for g in plan.goals)}
    checks = (
        session.perform(
            attribute_check,
            Wanted(part.text, part.mentions),
            plan.root.node,
            uses=part.seen[:1],
        )
        for part in parts.values()
    )
    return [done.output.failure for done in checks if done.output.failure]


def tell(
    session: Session,
    conclusion: NamedNode,
    text: str,
    sentences: Sequence[Sentence],
    mode: NamedNode = AITIA.extractive,
) -> None:
    """Put what is told to the asker on record."""
    trace = session.trace
    node = trace.node(AITIA.Answer, "answer", numbered=False)
    trace.text(node, text)
    trace.say(node, AITIA.answerMode, mode)
    trace.link(node, AITIA.derivesFrom, conclusion)
    for sentence in sentences:
        trace.say(node, AITIA.hasClaim, NamedNode(sentence.node))
