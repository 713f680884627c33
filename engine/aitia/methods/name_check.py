"""Name check: which names, numbers and ids of a question nothing on record has."""

from __future__ import annotations

from dataclasses import dataclass, field

from aitia.methods.base import Outcome, Reads, method
from aitia.methods.mentions import Mention
from aitia.methods.words import words
from aitia.retrieval.words import all_tokens

LOOKED_AT = 5  # passages that are looked at for a name


@dataclass(frozen=True)
class Named:
    """A question and what of it is known.

    Attributes:
        text: The question or part of one.
        mentions: What in it names something on record.
    """

    text: str
    mentions: tuple[Mention, ...]


@dataclass(frozen=True)
class Unknown(Outcome):
    """The names that nothing on record has, as the question has them."""

    names: tuple[str, ...] = field(default=())


@method("name_check", "Tells which names in a question nothing on record has.")
def name_check(reads: Reads, given: Named) -> Unknown:
    """Return the names that are in no fact and in no text."""
    runs: list[tuple[int, int]] = []
    for word in words(given.text):
        known = any(m.start < word.end and word.start < m.end for m in given.mentions)
        if not (word.naming and word.content) or known or _is_written(reads, word.text):
            continue
        if runs and not given.text[runs[-1][1] : word.start].strip():
            runs[-1] = (runs[-1][0], word.end)
        else:
            runs.append((word.start, word.end))
    names = tuple(given.text[start:end] for start, end in runs)
    told = ", ".join(names)
    return Unknown(names=names, summary=told or "every name is known")


def _is_written(reads: Reads, name: str) -> bool:
    """Tell whether a text in use has a name."""
    wanted = set(all_tokens(name)[:1])
    hits = reads.indexes.search(name, k=LOOKED_AT, mode="lexical")
    return any(wanted <= set(all_tokens(hit.passage.text)) for hit in hits)
