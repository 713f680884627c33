"""Bridge: the question that goes on from a sentence to the one before it in a chain."""

from __future__ import annotations

from dataclasses import dataclass

from aitia.methods.base import Outcome, Reads, method
from aitia.methods.cues import read_cues
from aitia.methods.words import Word, content


@dataclass(frozen=True)
class Link:
    """A link of a chain.

    Attributes:
        first: The question that the chain started from.
        question: The question that the sentence answers.
        sentence: The sentence.
    """

    first: str
    question: str
    sentence: str


@dataclass(frozen=True)
class Bridged(Outcome):
    """The question to ask next, or "" where the sentence names nothing new."""

    question: str = ""


@method(
    "bridge", "Finds the thing that leads from one sentence of a chain to the next."
)
def bridge(reads: Reads, given: Link) -> Bridged:
    """Return the question with the new thing in place of the one asked about."""
    question = _without_cues(given.question)
    known = {stem for word in content(question) for stem in word.stems}
    sentence = content(given.sentence)
    new = [word for word in sentence if not set(word.stems) <= known]
    old = [
        word for word in content(question) if not _is_relation(word, sentence, given)
    ]
    if not new or not old:
        return Bridged(summary="nothing new", failure="The sentence names nothing new.")
    thing = _first_run(given.sentence, new)
    asked = f"{question[: old[0].start]}{thing}{question[old[-1].end :]}"
    return Bridged(question=asked, summary=f"on from {thing!r}")


def _is_relation(word: Word, sentence: list[Word], given: Link) -> bool:
    """Tell whether a word of the question is the link between the two things.

    It stands between them in the sentence: new thing, relation, thing asked about.
    """
    stems = [item.stems for item in sentence]
    if word.stems not in stems or word.naming:
        return False
    at = stems.index(word.stems)
    before = {stem for item in sentence[:at] for stem in item.stems}
    known = {s for item in content(given.question) for s in item.stems}
    return bool(before - known) and not before & (known - set(word.stems))


def _first_run(sentence: str, new: list[Word]) -> str:
    """Return the first run of new words that stand side by side."""
    end = new[0].end
    for word in new[1:]:
        if sentence[end : word.start].strip():
            break
        end = word.end
    return sentence[new[0].start : end]


def _without_cues(question: str) -> str:
    cues = read_cues(question)
    for start, end in sorted(cues.spans, reverse=True) if cues.chain else ():
        question = question[:start] + question[end:]
    return " ".join(question.split())
