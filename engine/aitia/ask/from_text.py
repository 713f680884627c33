"""Strategy: answer from texts.

Look for passages by words and by meaning, fuse the rankings, drop what cannot answer,
order the sentences, pick those that answer, check every quote against the stored
bytes, see whether sources disagree, and hold the confidence to the threshold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pyoxigraph import NamedNode

from aitia.ask.candidates import hypothesis, judge, weigh
from aitia.ask.conflicts import disagreements
from aitia.ask.evidence import quote
from aitia.ask.results import Finding, Result
from aitia.ask.session import Done, Session
from aitia.methods.dense_search import dense_search
from aitia.methods.evidence_selection import Ranked, evidence_selection
from aitia.methods.fusion import Rankings, fusion
from aitia.methods.instructions import (
    Told,
    flagged,
    instruction_check,
    instructions,
)
from aitia.methods.keywords import Keywords, keywords
from aitia.methods.lexical_search import lexical_search
from aitia.methods.mentions import Question
from aitia.methods.passage_filter import Screened, passage_filter
from aitia.methods.passages import Hits
from aitia.methods.quote_check import Quoted, quote_check
from aitia.methods.rerank import Sentences, ToRank, rerank
from aitia.methods.scoring import RULE, Measured
from aitia.model.trace import Goal

NAME: Final = "answer_from_texts"
COMPETENCE: Final = "Finds the sentences of documents that answer a question."
USED: Final = 8  # passages that the record names as read

Earlier = Mapping[NamedNode, Result]


def from_text(session: Session, goal: Goal, earlier: Earlier, attempt: int) -> Result:
    """Pursue a goal over the texts."""
    with session.strategy(NAME, COMPETENCE, goal, attempt) as running:
        words = session.perform(
            keywords,
            Question(goal.parameters.get("query", goal.question)),
            goal.node,
            uses=session.parts[goal.node].seen[:1],
            part_of=running.node,
        )
        if words.output.failure:
            running.failed(words.output.failure)
            return Result(goal, reason=words.output.failure, trigger=words.node)
        ranked = find(session, goal, running.node, words, attempt)
        chosen = session.perform(
            evidence_selection,
            Ranked(ranked.output),
            goal.node,
            uses=[ranked.observation],
            part_of=running.node,
            around=session.parts[goal.node].cues.describe,
        )
        result = check(session, goal, running.node, chosen)
        running.returns(
            {"found": [item.text for item in result.findings]},
            f"{len(result.findings)} found",
        )
        running.measured(result.confidence, RULE)
        if not result.reached:
            running.failed(result.reason)
    return result


def find(
    session: Session,
    goal: Goal,
    part_of: NamedNode,
    words: Done[Keywords],
    attempt: int,
) -> Done[Sentences]:
    """Return the sentences that may answer, best first."""
    told = goal.parameters
    k = told.get("k", 20)
    given = words.output
    by_words: Done[Hits] = session.perform(
        lexical_search, given, goal.node, uses=[words.observation], part_of=part_of, k=k
    )
    by_meaning: Done[Hits] = session.perform(
        dense_search,
        Question(given.question),
        goal.node,
        uses=[words.observation],
        part_of=part_of,
        k=k,
    )
    fused: Done[Hits] = session.perform(
        fusion,
        Rankings(by_words.output, by_meaning.output),
        goal.node,
        uses=[by_words.observation, by_meaning.observation],
        part_of=part_of,
    )
    kept: Done[Hits] = session.perform(
        passage_filter,
        Screened(given, fused.output),
        goal.node,
        uses=[fused.observation, words.observation],
        part_of=part_of,
        floor=told.get("floor", 0.35),
        keep=told.get("keep", 12),
    )
    passages = [NamedNode(hit.passage.iri) for hit in kept.output.hits[:USED]]
    ranked: Done[Sentences] = session.perform(
        rerank,
        ToRank(given, kept.output),
        goal.node,
        uses=[kept.observation, words.observation, *passages],
        part_of=part_of,
        attempt=attempt,
        embedded=told.get("embedded", 24),
    )
    return ranked


def check(
    session: Session, goal: Goal, part_of: NamedNode, chosen: Done[Sentences]
) -> Result:
    """Check the sentences that were picked, and return those that hold."""
    found: list[Finding] = []
    rejected: list[NamedNode] = []
    trigger = chosen.node
    kept: list[Measured] = []
    for item in chosen.output.sentences:
        finding, failed = _candidate(session, goal, part_of, chosen.node, item)
        if failed is None:
            found.append(finding)
            kept.append(item)
        else:
            rejected.append(finding.hypothesis)
            trigger = failed
    best = max((item.confidence for item in chosen.output.sentences), default=0.0)
    conflicts = (
        disagreements(session, goal, part_of, kept, found) if len(found) > 1 else ()
    )
    reason = "" if found else _reason(chosen.output.sentences)
    return Result(
        goal, tuple(found), reason, best, RULE, trigger, tuple(rejected), conflicts
    )


def _candidate(
    session: Session,
    goal: Goal,
    part_of: NamedNode,
    execution: NamedNode,
    item: Measured,
) -> tuple[Finding, NamedNode | None]:
    """Put a sentence on record as a candidate and check it."""
    evidence = quote(session, execution, item)
    node = hypothesis(
        session, execution, item.piece.text, [evidence], item.confidence, RULE
    )
    text = " ".join(item.piece.text.split())
    finding = Finding(text, node, (evidence,), item.confidence, RULE)
    stands = session.perform(
        quote_check,
        Quoted(evidence.document, evidence.quote, evidence.start, evidence.end),
        goal.node,
        uses=[NamedNode(evidence.node)],
        part_of=part_of,
    )
    if not judge(session, node, stands):
        return finding, stands.node
    if found := instructions(text):
        session.announce(flagged(evidence.path, found[0]))
        said = session.perform(
            instruction_check,
            Told(text),
            goal.node,
            uses=[NamedNode(evidence.node)],
            part_of=part_of,
        )
        judge(session, node, said)
        return finding, said.node
    verdict = weigh(session, goal, part_of, finding, item.missing)
    return finding, None if verdict.output.passed else verdict.node


def _reason(sentences: Sequence[Measured]) -> str:
    if not sentences:
        return "No passage speaks of it."
    missing = ", ".join(sentences[0].missing)
    return (
        f"No sentence says enough; the nearest does not speak of {missing}."
        if missing
        else "No sentence says enough."
    )
