"""The end of a run: a decision or an abstention, the answer, and its layout as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from pyoxigraph import NamedNode

from aitia import terms
from aitia.ask.evidence import nodes
from aitia.ask.results import Finding, Result
from aitia.ask.session import Session
from aitia.methods.composition import Composed, Drafted, composition
from aitia.methods.name_check import Named, name_check
from aitia.model.trace import Answer, Disagreement, Plan, Sentence
from aitia.vocab import AITIA

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
    reached = [item for item in results if item.reached]
    told = [item for item in reached if not item.goal.parameters.get("bridge")]
    if not told:
        return _abstain(session, plan, results, question)
    return _decide(session, plan, results, told, question)


def _decide(
    session: Session,
    plan: Plan,
    results: Sequence[Result],
    told: Sequence[Result],
    question: str,
) -> Answer:
    trace, root = session.trace, plan.root.node
    findings = _unique(told)
    failed = [item for item in results if not item.reached and _is_part(item)]
    sure = min(item.findings[0].confidence for item in told)
    rule = RULE + "; ".join(dict.fromkeys(item.findings[0].rule for item in told))
    done = session.perform(
        composition,
        Drafted(
            tuple(item.text for item in findings),
            tuple(item.goal.question for item in failed),
        ),
        root,
        uses=[item.hypothesis for item in findings],
    )
    composed: Composed = done.output
    sentences = _claims(session, done.node, findings, composed)
    decision = trace.conclude(AITIA.Decision, "decision", root)
    trace.text(decision, composed.text)
    trace.sure(decision, sure, rule)
    for sentence in sentences:
        trace.say(decision, AITIA.hasClaim, NamedNode(sentence.node))
        trace.link(decision, AITIA.derivesFrom, NamedNode(sentence.node))
    for finding in findings:
        trace.say(decision, AITIA.accepts, finding.hypothesis)
        trace.link(decision, AITIA.derivesFrom, finding.hypothesis)
    accepted = {finding.hypothesis for finding in findings}
    for node in {node for item in results for node in item.rejected} - accepted:
        trace.say(decision, AITIA.rejects, node)
    _answer(session, decision, composed.text, sentences)
    trace.state(root, AITIA.succeeded)
    trace.end(succeeded=True)
    return Answer(
        run=trace.run.value,
        question=question,
        text=composed.text,
        sentences=tuple(sentences),
        confidence=sure,
        confidence_rule=rule,
        conflicts=_conflicts(told),
        reason=" ".join(f"{item.goal.question}: {item.reason}" for item in failed),
        tried=tuple(session.executions),
        notice=NOTICE,
    )


def _abstain(
    session: Session, plan: Plan, results: Sequence[Result], question: str
) -> Answer:
    trace, root = session.trace, plan.root.node
    reason = " ".join([*_unknown(session, plan), *_reasons(results)])
    best = max(results, key=lambda item: item.confidence)
    node = trace.conclude(AITIA.Abstention, "abstention", root)
    trace.say(node, AITIA.reason, terms.string(reason))
    if best.rule:
        trace.sure(node, best.confidence, best.rule)
    for done in session.executions:
        trace.say(node, AITIA.tried, done.node)
    for item in results:
        if item.trigger in session.observed:
            trace.link(node, AITIA.derivesFrom, session.observed[item.trigger])
    text = f"{ABSTAINED} {reason}"
    _answer(session, node, text, [])
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


def _claims(
    session: Session,
    execution: NamedNode,
    findings: Sequence[Finding],
    composed: Composed,
) -> list[Sentence]:
    """Put every sentence on record as a claim with what it rests on."""
    trace = session.trace
    made = []
    for order, text in enumerate(composed.sentences, start=1):
        finding = findings[order - 1] if order <= len(findings) else None
        node = trace.node(AITIA.Claim, "claim")
        trace.text(node, text)
        trace.say(node, AITIA.order, terms.integer(order))
        trace.link(execution, AITIA.produced, node)
        support = "supported" if finding and finding.evidence else "unsupported"
        trace.state(
            node,
            AITIA.supported if support == "supported" else AITIA.unsupported,
            AITIA.supportState,
        )
        if finding:
            trace.sure(node, finding.confidence, finding.rule)
            trace.link(node, AITIA.derivesFrom, finding.hypothesis)
            for item in nodes(finding.evidence):
                trace.link(node, AITIA.derivesFrom, item)
        evidence = finding.evidence if finding else ()
        made.append(Sentence(text, support, evidence, node.value))
    return made


def _answer(
    session: Session, conclusion: NamedNode, text: str, sentences: Sequence[Sentence]
) -> None:
    trace = session.trace
    node = trace.node(AITIA.Answer, "answer", numbered=False)
    trace.text(node, text)
    trace.say(node, AITIA.answerMode, AITIA.extractive)
    trace.link(node, AITIA.derivesFrom, conclusion)
    for sentence in sentences:
        trace.say(node, AITIA.hasClaim, NamedNode(sentence.node))


def _is_part(result: Result) -> bool:
    """Tell whether a goal stands for a part of the question, and not for a help to one."""
    return result.goal.way not in HELPING


def _unique(results: Sequence[Result]) -> list[Finding]:
    """Return the findings of all goals, each sentence once."""
    found: dict[str, Finding] = {}
    for result in results:
        for item in result.findings:
            found.setdefault(item.text, item)
    return list(found.values())


def _conflicts(results: Sequence[Result]) -> tuple[Disagreement, ...]:
    return tuple(item for result in results for item in result.conflicts)


def layout(answer: Answer) -> dict[str, Any]:
    """Return an answer in the layout of `aitia ask --json`, which is kept stable."""
    return {
        "run": answer.run,
        "question": answer.question,
        "answer": answer.text,
        "sentences": [
            {
                "text": item.text,
                "support": item.support,
                "evidence": [_evidence(asdict(one)) for one in item.evidence],
            }
            for item in answer.sentences
        ],
        "confidence": round(answer.confidence, 4),
        "confidence_rule": answer.confidence_rule,
        "conflicts": [
            {
                "reason": item.reason,
                "between": [_evidence(asdict(one)) for one in item.sides],
            }
            for item in answer.conflicts
        ],
        "abstained": answer.abstained,
        "reason": answer.reason,
        "tried": [
            {
                "method": item.method,
                "parameters": dict(item.parameters),
                "status": item.status,
                "result": item.error or item.summary,
            }
            for item in answer.tried
        ],
        "mode": answer.mode,
        "notice": answer.notice,
    }


def _evidence(told: dict[str, Any]) -> dict[str, Any]:
    names = ("quote", "document", "path", "start", "end", "passage", "statement")
    return {name: told[name] for name in names}
