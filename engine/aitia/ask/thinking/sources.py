"""The numbered sources that a model may word an answer from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pyoxigraph import NamedNode

from aitia.ask.results import Result
from aitia.ask.thinking.mind import Mind
from aitia.ask.thinking.words import in_use, of_evidence, of_passage
from aitia.llm.tokens import estimate
from aitia.methods.arguments import NodeRef
from aitia.methods.dense_search import dense_search
from aitia.methods.fusion import Rankings, fusion
from aitia.methods.keywords import keywords
from aitia.methods.lexical_search import lexical_search
from aitia.methods.mentions import Question
from aitia.methods.passage_filter import Screened, passage_filter

MOST: Final = 12
"""Sources that are shown at most."""
FOUND: Final = 20  # passages that each search returns


def sources(
    mind: Mind, question: str, goal: NamedNode, results: Iterable[Result], room: int
) -> tuple[list[NodeRef], int]:
    """Return passages and statements to answer from, best first, each once.

    Args:
        mind: The run.
        question: The question.
        goal: The goal that the search serves.
        results: What was found by rules: its passages and statements come in too.
        room: Tokens that they may take.

    Returns:
        The sources that have room, and how many have not.
    """
    found = [*_passages(mind, question, goal), *_found(mind, results)]
    unique = list({item.node: item for item in found}.values())
    kept: list[NodeRef] = []
    for item in unique[:MOST]:
        room -= estimate(item.about) + estimate(item.text) + 8
        if room < 0:
            break
        kept.append(item)
    return kept, len(unique) - len(kept)


def _passages(mind: Mind, question: str, goal: NamedNode) -> Iterable[NodeRef]:
    """Yield the passages that fit the question best, by words and by meaning."""
    session = mind.session
    words = session.perform(keywords, Question(question), goal)
    if words.output.failure:
        return
    seen = [words.observation]
    by_words = session.perform(lexical_search, words.output, goal, uses=seen, k=FOUND)
    by_meaning = session.perform(
        dense_search, Question(question), goal, uses=seen, k=FOUND
    )
    fused = session.perform(
        fusion,
        Rankings(by_words.output, by_meaning.output),
        goal,
        uses=[by_words.observation, by_meaning.observation],
    )
    kept = session.perform(
        passage_filter,
        Screened(words.output, fused.output),
        goal,
        uses=[fused.observation, *seen],
        keep=MOST,
    )
    for passage in in_use(mind, kept.output.hits):
        mind.passages[passage.iri] = passage
        yield of_passage(passage)


def _found(mind: Mind, results: Iterable[Result]) -> Iterable[NodeRef]:
    """Yield what candidates by rules rest on, where no passage holds it."""
    for result in results:
        for finding in result.findings:
            for item in finding.evidence:
                if item.statement and not item.unseen:
                    mind.evidence[item.node] = item
                    yield of_evidence(item)
