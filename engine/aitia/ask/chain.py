"""Strategy: follow a chain of sentences back to where it starts.

"What feeds C in the end?" is answered by "B feeds C" and then by what feeds B. From
the sentence found last, the name in it that the question does not have is put in
place of the one asked about, and texts are asked again, until no sentence goes on or
one comes back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pyoxigraph import NamedNode

from aitia.ask.from_text import check, find
from aitia.ask.results import Finding, Result
from aitia.ask.session import Session
from aitia.methods.bridge import Link, bridge
from aitia.methods.evidence_selection import Ranked, evidence_selection
from aitia.methods.keywords import keywords
from aitia.methods.mentions import Question
from aitia.methods.scoring import RULE
from aitia.model.trace import Goal

NAME: Final = "follow_chain"
COMPETENCE: Final = "Follows sentences from one to the next, back to where they start."
LINKS: Final = 6  # sentences that a chain may have

Earlier = Mapping[NamedNode, Result]


def chain(session: Session, goal: Goal, earlier: Earlier, attempt: int) -> Result:
    """Pursue a goal that goes on from what an earlier goal found."""
    first = [
        f for node in goal.depends if node in earlier for f in earlier[node].findings
    ]
    with session.strategy(NAME, COMPETENCE, goal, attempt) as running:
        found: list[Finding] = []
        question, seen = goal.question, {item.text for item in first[:1]}
        last = first[0] if first else None
        trigger = running.node
        while last is not None and len(found) < LINKS:
            step = session.perform(
                bridge,
                Link(goal.question, question, last.text),
                goal.node,
                uses=[NamedNode(item.node) for item in last.evidence],
                part_of=running.node,
            )
            trigger = step.node
            last = None
            if step.output.question:
                question = step.output.question
                result = _next(session, goal, running.node, question)
                trigger = result.trigger or trigger
                last = next((f for f in result.findings if f.text not in seen), None)
            if last is not None:
                seen.add(last.text)
                found.append(last)
        best = min((item.confidence for item in found), default=0.0)
        running.returns({"found": [item.text for item in found]}, f"{len(found)} links")
        reason = "" if found else "No sentence goes on from what was found."
        if reason:
            running.failed(reason)
    return Result(goal, tuple(found), reason, best, RULE, trigger)


def _next(session: Session, goal: Goal, part_of: NamedNode, question: str) -> Result:
    """Return the sentences that answer the question about the thing before."""
    words = session.perform(keywords, Question(question), goal.node, part_of=part_of)
    if words.output.failure:
        return Result(goal, reason=words.output.failure, trigger=words.node)
    ranked = find(session, goal, part_of, words, 1)
    chosen = session.perform(
        evidence_selection,
        Ranked(ranked.output),
        goal.node,
        uses=[ranked.observation],
        part_of=part_of,
        most=1,
    )
    return check(session, goal, part_of, chosen)
