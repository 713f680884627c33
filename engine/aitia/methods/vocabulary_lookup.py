"""Vocabulary lookup: which classes and properties the words of a question name.

By words: a class or property is named where the terms of one of its names stand in
the question side by side, all of them or at least half. By likeness (`similar`, which
replanning turns on): words that name nothing are compared with all names by their
embeddings, and the nearest above `LIKE` counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from aitia.methods.base import Reads, method
from aitia.methods.mentions import CLASS, PROPERTY, Mention, Mentions, Question
from aitia.methods.schema import Class, Property
from aitia.methods.words import Word, words

HALF: Final = 0.5
LIKE: Final = 0.58
"""Cosine from which two names count as alike; measured, see tests/test_ask_words.py."""

Named = Class | Property


@method(
    "vocabulary_lookup",
    "Finds the classes and properties that a question names, by words or by likeness.",
)
def vocabulary_lookup(
    reads: Reads, given: Question, *, similar: bool = False
) -> Mentions:
    """Return the classes and properties that the question mentions."""
    asked = words(given.text)
    schema = reads.schema
    found = [
        *_by_words(given.text, asked, CLASS, schema.classes.values()),
        *_by_words(given.text, asked, PROPERTY, schema.properties.values()),
    ]
    if similar:
        found.extend(_by_likeness(reads, given.text, asked, found))
    found.sort(key=lambda item: (item.start, -item.end, item.kind))
    told = ", ".join(f"{item.text!r} ({item.kind})" for item in found)
    return Mentions(mentions=tuple(found), summary=told or "no class or property named")


def _by_words(
    text: str, asked: Sequence[Word], kind: str, known: Iterable[Named]
) -> list[Mention]:
    """Return one mention per place: its best-named classes or properties."""
    best: dict[tuple[int, int], tuple[float, set[str]]] = {}
    for item in known:
        for name in item.names:
            for first, last, quality in _places(asked, name):
                before = best.get((first, last), (0.0, set()))
                if quality > before[0]:
                    best[first, last] = (quality, {item.node.value})
                elif quality == before[0]:
                    before[1].add(item.node.value)
    return [
        _mention(kind, text, asked[first : last + 1], targets, quality)
        for (first, last), (quality, targets) in best.items()
    ]


def _places(
    asked: Sequence[Word], name: tuple[str, ...]
) -> list[tuple[int, int, float]]:
    """Return where the longest part of a name stands: first, last word, share of it."""
    stems = [word.stems[0] if len(word.stems) == 1 else word.text for word in asked]
    for length in range(len(name), 0, -1):
        share = length / len(name)
        if share < HALF:
            break
        found = [
            (at, at + length - 1, share)
            for at in range(len(asked) - length + 1)
            for part in range(len(name) - length + 1)
            if tuple(stems[at : at + length]) == name[part : part + length]
            and any(word.content for word in asked[at : at + length])
        ]
        if found:
            return found
    return []


def _by_likeness(
    reads: Reads, text: str, asked: Sequence[Word], found: Sequence[Mention]
) -> list[Mention]:
    """Return mentions of properties and classes for words that name nothing yet."""
    open_words = [
        word
        for word in asked
        if word.content
        and not word.naming
        and not any(item.start < word.end and word.start < item.end for item in found)
    ]
    known: list[tuple[str, Named]] = [
        *((PROPERTY, item) for item in reads.schema.properties.values()),
        *((CLASS, item) for item in reads.schema.classes.values()),
    ]
    if not open_words or not known:
        return []
    labels = [item.label for _, item in known]
    vectors = reads.indexes.embed([*(word.text for word in open_words), *labels])
    likeness = vectors[: len(open_words)] @ vectors[len(open_words) :].T
    made = []
    for row, word in zip(likeness, open_words, strict=True):
        best = float(row.max())
        if best >= LIKE:
            near = [known[at] for at in range(len(known)) if row[at] >= best - 1e-6]
            targets = {item.node.value for _, item in near}
            made.append(_mention(near[0][0], text, [word], targets, best))
    return made


def _mention(
    kind: str, text: str, run: Sequence[Word], targets: set[str], quality: float
) -> Mention:
    start, end = run[0].start, run[-1].end
    return Mention(
        kind, text[start:end], start, end, tuple(sorted(targets)), quality=quality
    )
