"""Recursive retrieval: searches, reads what was found, and searches for what it leads to.

Each round takes the best sentence for the query and goes on to the thing that it names
and the query does not. With a model, that says what is still lacking. It ends where
nothing new comes up, nothing is lacking, or after `rounds`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Final

from annotated_types import Ge, Le

from aitia.methods.asking import DATA, Asked, ask_model, data
from aitia.methods.base import Reads, method
from aitia.methods.bridge import Link, bridge
from aitia.methods.found import Count, found, look
from aitia.methods.keywords import keywords
from aitia.methods.mentions import Question
from aitia.methods.passages import Hits
from aitia.methods.rerank import ToRank, rerank
from aitia.methods.withdrawn import Withdrawn
from aitia.model import Hit

if TYPE_CHECKING:
    from aitia.methods.replies import Asking

VERSION: Final = "1"
SHOWN: Final = 5  # passages of a round that a model is shown
_SYSTEM: Final = (
    "You look for texts that answer a question. You are shown what was found so far. "
    "Answer with JSON: `query`, the one search query for what is still lacking, or empty "
    f"where the texts answer the question. {DATA}"
)


@dataclass(frozen=True)
class Chain:
    """A question that may need several texts, one leading to the next.

    Attributes:
        question: The question.
        rounds: How often to search at most.
        k: How many passages each round returns.
    """

    question: str
    rounds: Annotated[int, Ge(1), Le(5)] = 3
    k: Count = 8


@dataclass(frozen=True)
class Chained(Hits):
    """The passages of all rounds, those of the first rounds first.

    Attributes:
        queries: What was searched with, round by round.
    """

    queries: tuple[str, ...] = field(default=())

    def told(self) -> dict[str, Any]:
        """Return what the record keeps: the passages, and the queries."""
        return {**super().told(), "queries": self.queries}


@method(
    "recursive_retrieval",
    "Searches, and searches again for what the passages found lead to.",
    offered=True,
)
def recursive_retrieval(reads: Reads, given: Chain) -> Chained:
    """Return the passages of a question and of what they lead to."""
    hits: dict[str, Hit] = {}
    queries: list[str] = []
    notices: list[str] = []
    query = given.question
    for _ in range(given.rounds):
        queries.append(query)
        fresh = look(reads, query, given.k)
        new = [hit for hit in fresh if hit.passage.iri not in hits]
        hits.update((hit.passage.iri, hit) for hit in new)
        if not new:
            break
        asked = _asked(reads, given.question, list(hits.values()))
        notices += asked.notices
        query = (
            asked.value.query if asked.value else _onward(reads, given, query, fresh)
        )
        if not query.strip() or query in queries:
            break
    done = found(list(hits.values()))
    return Chained(
        hits=done.hits,
        summary=f"{done.summary} in {len(queries)} rounds",
        failure=done.failure,
        queries=tuple(queries),
        notices=tuple(dict.fromkeys(notices)),
    )


def _onward(reads: Reads, given: Chain, query: str, hits: Sequence[Hit]) -> str:
    """Return the query for what the best sentence leads to, or ""."""
    words = keywords(reads, Question(query))
    best = rerank(reads, ToRank(words, Hits(hits=tuple(hits))), keep=1).sentences
    if not best:
        return ""
    return bridge(reads, Link(given.question, query, best[0].piece.text)).question


def _asked(reads: Reads, question: str, hits: Sequence[Hit]) -> Asked[Asking]:
    if reads.models is None:
        return Asked()
    from aitia.methods.replies import Asking

    out = Withdrawn.of(reads.store)
    texts = "\n\n".join(data(out.masked(hit.passage).text) for hit in hits[-SHOWN:])
    return ask_model(
        reads,
        Asking,
        purpose="recursive_retrieval",
        version=VERSION,
        system=_SYSTEM,
        text=f"Question:\n{data(question)}\n\nFound:\n{texts}",
    )
