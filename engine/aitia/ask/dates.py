"""Strategy: find in texts when something was, for a comparison of what came first."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from pyoxigraph import NamedNode

from aitia.ask.from_text import check, find
from aitia.ask.results import Finding, Result
from aitia.ask.session import Session
from aitia.methods.date_check import Dating, Told, date_check, date_selection
from aitia.methods.keywords import keywords
from aitia.methods.mentions import Question
from aitia.methods.scoring import RULE
from aitia.model.trace import Goal

NAME: Final = "find_date"
COMPETENCE: Final = "Finds the sentence that tells when something was."
_BEFORE: Final = re.compile(
    r"^(?:was|were|is|are|did|has|have|had)\s+(?P<one>.+?)\s+(?P<did>\S+)\s+"
    r"(?:before|after|(?:earlier|later|sooner) than)\s+(?P<other>.+?)"
    r"(?:\s+(?:was|were|did|had))?\s*\?*$",
    re.I,
)
_FIRST: Final = re.compile(
    r"^(?:which|what|who)\b(?:\s+[\w ]+?)??(?:\s+(?:was|were|is|are))?\s+(?P<did>\w+)\s+"
    r"(?:first|last|earlier|later)[\s,:]+(?P<one>.+?)\s*,?\s+or\s+(?P<other>.+?)\s*\?*$",
    re.I,
)

Earlier = Mapping[NamedNode, Result]


def sides(question: str) -> tuple[str, ...]:
    """Return what is to be dated, as words, where a question asks what came first."""
    found = _BEFORE.match(question) or _FIRST.match(question)
    if found is None:
        return ()
    return tuple(f"{found[name]} {found['did']}" for name in ("one", "other"))


def dated(session: Session, goal: Goal, earlier: Earlier, attempt: int) -> Result:
    """Pursue a goal that asks texts when something was."""
    with session.strategy(NAME, COMPETENCE, goal, attempt) as running:
        result = _found(session, goal, running.node, attempt)
        told = {"found": [item.text for item in result.findings]}
        running.returns(told, f"{len(result.findings)} found")
        running.measured(result.confidence, RULE)
        if not result.reached:
            running.failed(result.reason)
    return result


def _found(session: Session, goal: Goal, part_of: NamedNode, attempt: int) -> Result:
    wanted: str = goal.parameters["side"]
    words = session.perform(
        keywords, Question(f"When {wanted}?"), goal.node, part_of=part_of
    )
    if words.output.failure:
        return Result(goal, reason=words.output.failure, trigger=words.node)
    ranked = find(session, goal, part_of, words, attempt)
    chosen = session.perform(
        date_selection,
        Dating(ranked.output, wanted),
        goal.node,
        uses=[ranked.observation],
        part_of=part_of,
    )
    if chosen.output.failure:
        return Result(goal, reason=chosen.output.failure, trigger=chosen.node)
    result = check(session, goal, part_of, chosen)
    findings = (_read(session, goal, part_of, item) for item in result.findings)
    return replace(result, findings=tuple(findings))


def _read(
    session: Session, goal: Goal, part_of: NamedNode, finding: Finding
) -> Finding:
    """Return a sentence with the days of its date."""
    days = session.perform(
        date_check,
        Told(finding.text),
        goal.node,
        uses=[finding.hypothesis],
        part_of=part_of,
    )
    return replace(finding, numbers=days.output.numbers, dated=True)
