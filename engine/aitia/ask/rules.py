"""Strategies for a question whether something may be done to a thing on record.

`rules` finds the sentences of texts that speak of what is to be done. `conditions`
looks up what those rules turn on: the properties of the thing whose name or values
stand in the rules' sentences; and says beside each whether the value that the rule
names is the one on record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from pyoxigraph import NamedNode

from aitia.ask.candidates import hypothesis, judge, weigh
from aitia.ask.evidence import nodes, state
from aitia.ask.from_text import check, find
from aitia.ask.perceive import Part
from aitia.ask.results import Finding, Result
from aitia.ask.session import Session
from aitia.methods.keywords import keywords
from aitia.methods.mentions import ENTITY, Question
from aitia.methods.rule_conditions import Condition, Ruled, rule_conditions
from aitia.methods.rule_selection import Case, rule_selection
from aitia.methods.statement_check import Stated, statement_check
from aitia.model.trace import Goal

RULES: Final = "find_rules"
RULES_COMPETENCE: Final = "Finds the sentences of texts that rule on an action."
CONDITIONS: Final = "look_up_conditions"
CONDITIONS_COMPETENCE: Final = "Looks up the facts of a case that rules turn on."
RULE: Final = "confidence of the rule's sentence that names the condition"

Earlier = Mapping[NamedNode, Result]


def rules(session: Session, goal: Goal, earlier: Earlier, attempt: int) -> Result:
    """Pursue a goal that asks texts for the rules, without the name of the case."""
    part = session.parts[goal.node]
    names = [item.text for item in part.of(ENTITY)]
    with session.strategy(RULES, RULES_COMPETENCE, goal, attempt) as running:
        words = session.perform(
            keywords,
            Question(_without(part.text, names)),
            goal.node,
            uses=part.seen[:1],
            part_of=running.node,
        )
        if words.output.failure:
            running.failed(words.output.failure)
            return Result(goal, reason=words.output.failure, trigger=words.node)
        ranked = find(session, goal, running.node, words, attempt)
        chosen = session.perform(
            rule_selection,
            Case(ranked.output, _cases(part), part.text),
            goal.node,
            uses=[ranked.observation],
            part_of=running.node,
        )
        result = check(session, goal, running.node, chosen)
        told = {"found": [item.text for item in result.findings]}
        running.returns(told, f"{len(result.findings)} rules")
        running.measured(result.confidence, result.rule)
        if not result.reached:
            running.failed(result.reason)
    return result


def conditions(session: Session, goal: Goal, earlier: Earlier, attempt: int) -> Result:
    """Pursue a goal that looks up what the rules found before turn on."""
    part = session.parts[goal.node]
    found = [
        item
        for node in goal.depends
        if node in earlier
        for item in earlier[node].findings
    ]
    with session.strategy(CONDITIONS, CONDITIONS_COMPETENCE, goal, attempt) as running:
        done = session.perform(
            rule_conditions,
            Ruled(tuple(item.text for item in found), _cases(part), part.text),
            goal.node,
            uses=[*part.seen[:1], *(item.hypothesis for item in found)],
            part_of=running.node,
        )
        findings = [
            finding
            for condition in done.output.conditions
            if (
                finding := _met(
                    session, goal, running.node, done.node, found, condition
                )
            )
        ]
        running.returns(
            {"found": [item.text for item in findings]}, done.output.summary
        )
        best = max((item.confidence for item in findings), default=0.0)
        if not findings:
            running.failed("No fact on record is one that the rules turn on.")
    reason = "" if findings else "No fact on record is one that the rules turn on."
    return Result(goal, tuple(findings), reason, best, RULE, done.node)


def _met(
    session: Session,
    goal: Goal,
    part_of: NamedNode,
    execution: NamedNode,
    found: list[Finding],
    condition: Condition,
) -> Finding | None:
    """Put a fact that a rule turns on on record as a candidate, and check it."""
    ruling = found[condition.rule]
    evidence = state(session, execution, condition.facts)
    node = hypothesis(
        session, execution, condition.text, evidence, ruling.confidence, RULE
    )
    finding = Finding(condition.text, node, tuple(evidence), ruling.confidence, RULE)
    if condition.compares:
        finding = replace(finding, evidence=(*evidence, *ruling.evidence))
    stands = session.perform(
        statement_check,
        Stated(condition.facts),
        goal.node,
        uses=nodes(evidence),
        part_of=part_of,
    )
    if not judge(session, node, stands):
        return None
    return finding if weigh(session, goal, part_of, finding).output.passed else None


def _cases(part: Part) -> tuple[NamedNode, ...]:
    """Return the resources that a part asks about."""
    return tuple(NamedNode(iri) for item in part.of(ENTITY) for iri in item.targets)


def _without(text: str, names: list[str]) -> str:
    for name in names:
        text = text.replace(name, " ")
    return " ".join(text.split())
