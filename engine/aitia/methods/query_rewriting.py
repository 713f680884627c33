"""Query rewriting: other words for a question, to search with.

Without a model: the question's telling words without those of form; the same with
words replaced by other names that the facts know for the same thing; and, where two
things are asked, each by itself. With a model: what it proposes comes first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from aitia.methods.asking import DATA, Asked, ask_model, data
from aitia.methods.base import Outcome, Reads, method
from aitia.methods.entity_lookup import entity_lookup
from aitia.methods.keywords import keywords
from aitia.methods.mentions import ENTITY, Question
from aitia.methods.vocabulary_lookup import vocabulary_lookup

if TYPE_CHECKING:
    from aitia.methods.replies import Queries

VERSION: Final = "1"
MOST: Final = 6
LONGEST: Final = 400  # characters of a query
_AND: Final = re.compile(r"\s+(?:and|as well as)\s+|[;；]\s*", re.I)
_SYSTEM: Final = (
    "You rewrite a question into up to four short search queries that would find texts "
    "which answer it, in other words than those tried. Answer with JSON: `queries`, a "
    f"list of texts. {DATA}"
)


@dataclass(frozen=True)
class ToRewrite:
    """A question, and the queries that were tried in vain."""

    question: str
    tried: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rewritten(Outcome):
    """Queries to search with, none of them tried yet."""

    queries: tuple[str, ...] = field(default=())


@method(
    "query_rewriting", "Puts a question in other words to search with.", offered=True
)
def query_rewriting(reads: Reads, given: ToRewrite) -> Rewritten:
    """Return other queries for a question, the likeliest first."""
    asked = _asked(reads, given)
    proposed = asked.value.queries if asked.value else []
    tried = {_key(text) for text in (given.question, *given.tried)}
    found: dict[str, str] = {}
    for text in (*proposed, *_by_rules(reads, given.question)):
        short = " ".join(text.split())[:LONGEST]
        if _key(short) and _key(short) not in tried:
            found.setdefault(_key(short), short)
    queries = tuple(found.values())[:MOST]
    return Rewritten(
        queries=queries,
        summary="; ".join(queries) or "no other words",
        failure="" if queries else "There are no other words to search with.",
        notices=asked.notices,
    )


def _by_rules(reads: Reads, question: str) -> Iterator[str]:
    telling = keywords(reads, Question(question))
    yield telling.query
    yield from _other_names(reads, question)
    parts = [part for part in _AND.split(question) if part.strip()]
    if len(parts) > 1:
        yield from (keywords(reads, Question(part)).query for part in parts)
    naming = [word.text for word in telling.words if word.weight > 1]
    yield " ".join(naming)


def _other_names(reads: Reads, question: str) -> Iterator[str]:
    """Yield the question with other names of the things and kinds that it names."""
    asked = Question(question)
    things = entity_lookup(reads, asked).mentions
    kinds = vocabulary_lookup(reads, asked).mentions
    for item in (*things, *kinds):
        for target in item.targets[:2]:
            names = _names(reads, target, entity=item.kind == ENTITY)
            for name in names[:2]:
                if name.lower() != item.text.lower():
                    yield f"{question[: item.start]}{name}{question[item.end :]}"


def _names(reads: Reads, target: str, *, entity: bool) -> list[str]:
    from pyoxigraph import NamedNode

    node = NamedNode(target)
    if entity:
        return reads.schema.labels(node)
    known = reads.schema.properties.get(node) or reads.schema.classes.get(node)
    return list(known.labels) if known else []


def _asked(reads: Reads, given: ToRewrite) -> Asked[Queries]:
    if reads.models is None:
        return Asked()
    from aitia.methods.replies import Queries

    tried = "\n".join(given.tried)
    return ask_model(
        reads,
        Queries,
        purpose="query_rewriting",
        version=VERSION,
        system=_SYSTEM,
        text=f"Question:\n{data(given.question)}\n\nTried:\n{data(tried)}",
    )


def _key(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))
