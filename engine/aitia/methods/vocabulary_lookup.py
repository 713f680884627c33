"""Vocabulary lookup: which classes and properties the words of a question name.

By words: a property is named where the terms of one of its names stand side by side,
all of them or at least half; function words of a name ("on" in "placed on") may be
missing. A class is named by its name in the singular or plural, never by a verb of
the same stem.

By likeness (`similar`, which replanning turns on): words that name nothing, or only a
part of a name, are compared with all names by their embeddings, and the nearest from
`LIKE` on counts. So does "who" for classes that are like a person, and "where" for
those like a place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from aitia.methods.base import Reads, method
from aitia.methods.cues import PERSON, PLACE, read_cues
from aitia.methods.literals import magnitude
from aitia.methods.mentions import CLASS, PROPERTY, Mention, Mentions, Question
from aitia.methods.schema import Named, Schema
from aitia.methods.words import Word, is_spaceless, is_stop, singular, words

_ASKED: Final = re.compile(
    r"\b(?:which|what|how many|number of|list|show|all)(?:\s+\w+){0,2}\s*$"
    r"|哪些?个?$|多少个?$|几个$",
    re.I,
)
_GENERIC: Final = re.compile(r"\b(?:an?|each|every|no)\s+(?:\w+\s+)?$", re.I)
HALF: Final = 0.5
LIKE: Final = 0.58
"""Cosine from which a word and a name count as alike. Measured with the packaged model
over 40 pairs: right ones lie at 0.58 to 0.98, wrong ones at most at 0.56 but for two."""
LIKE_GRADE: Final = 0.45
"""The same for a word in a comparison and a property that has numbers or dates:
cheaper and price 0.56, heavier and weight 0.59; friendlier and any at most 0.27."""
LIKE_KIND: Final = {PERSON: ("person", 0.38), PLACE: ("location", 0.55)}
"""For "who" and "where": the word that names of classes are compared with, and the
cosine from which they count. Measured over 40 names: of persons 0.39 to 0.55, of other
things at most 0.35; of places 0.57 to 0.75, of other things at most 0.47."""


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
    classes = [
        *_classes(given.text, asked, schema.classes.values()),
        *_spaceless(CLASS, given.text, schema.classes.values()),
    ]
    properties = [
        *_properties(given.text, asked, schema.properties.values()),
        *_spaceless(PROPERTY, given.text, schema.properties.values()),
    ]
    telling = [item for item in properties if _tells(item, [*classes, *properties])]
    found = [*classes, *telling]
    if similar:
        found.extend(_alike(reads, given.text, asked, found))
        found.extend(_kinds(reads, given.text, CLASS, schema.classes.values()))
        found.extend(_kinds(reads, given.text, PROPERTY, schema.properties.values()))
    found.sort(key=lambda item: (item.start, -item.end, item.kind))
    told = ", ".join(f"{item.text!r} ({item.kind})" for item in found)
    return Mentions(mentions=tuple(found), summary=told or "no class or property named")


def _classes(
    text: str, asked: Sequence[Word], known: Iterable[Named]
) -> Iterator[Mention]:
    """Return the places where a class is named, in the singular or plural."""
    forms = [singular(word.text.lower()) for word in asked]
    found: dict[tuple[int, int], set[str]] = {}
    for item in known:
        for label in item.labels:
            name = [singular(part) for part in label.lower().replace("_", " ").split()]
            for at in range(len(forms) - len(name) + 1):
                if name and forms[at : at + len(name)] == name:
                    found.setdefault((at, at + len(name)), set()).add(item.node.value)
    for (first, last), targets in found.items():
        made = _mention(CLASS, text, asked[first:last], targets, 1.0)
        yield replace(made, generic=bool(_GENERIC.search(text[: made.start])))


def _spaceless(kind: str, text: str, known: Iterable[Named]) -> Iterator[Mention]:
    """Return where a name in a script without spaces stands in the text."""
    found: dict[tuple[int, int], set[str]] = {}
    for item in known:
        for label in item.labels:
            at = text.find(label) if len(label) > 1 and is_spaceless(label) else -1
            if at >= 0:
                found.setdefault((at, at + len(label)), set()).add(item.node.value)
    for (start, end), targets in found.items():
        focus = _is_asked_for(text[:start])
        names = tuple(sorted(targets))
        yield Mention(kind, text[start:end], start, end, names, focus=focus)


def _properties(
    text: str, asked: Sequence[Word], known: Iterable[Named]
) -> list[Mention]:
    """Return one mention per place: the properties that are named best there."""
    best: dict[tuple[int, int], tuple[float, set[str]]] = {}
    for item in known:
        for name in item.names:
            telling = tuple(term for term in name if not is_stop(term)) or name
            for first, last, quality in _places(asked, telling):
                before = best.get((first, last), (0.0, set()))
                if quality > before[0]:
                    best[first, last] = (quality, {item.node.value})
                elif quality == before[0]:
                    before[1].add(item.node.value)
    return [
        _mention(PROPERTY, text, asked[first : last + 1], targets, quality)
        for (first, last), (quality, targets) in best.items()
    ]


def _tells(item: Mention, others: Sequence[Mention]) -> bool:
    """Tell whether a property's words are more than a part of another name."""
    for other in others:
        inside = other.start <= item.start and item.end <= other.end
        longer = other.end - other.start > item.end - item.start
        if other.kind == PROPERTY and inside and longer:
            return False
        if other.kind == CLASS and item.quality < 1.0 and item.overlaps(other):
            return False
    return True


def _places(
    asked: Sequence[Word], name: tuple[str, ...]
) -> list[tuple[int, int, float]]:
    """Return where the longest part of a name stands: first, last word, share of it."""
    stems = [word.stems[0] if len(word.stems) == 1 else word.text for word in asked]
    for length in range(len(name), 0, -1):
        share = length / len(name)
        if share < HALF:
            break
        parts = {name[part : part + length] for part in range(len(name) - length + 1)}
        found = [
            (at, at + length - 1, share)
            for at in range(len(asked) - length + 1)
            if tuple(stems[at : at + length]) in parts
            and any(word.content for word in asked[at : at + length])
        ]
        if found:
            return found
    return []


def _alike(
    reads: Reads, text: str, asked: Sequence[Word], found: Sequence[Mention]
) -> Iterator[Mention]:
    """Return mentions by likeness for words that no name has in full."""
    full = [item for item in found if item.quality == 1.0]
    open_words = [
        word
        for word in asked
        if word.content
        and not word.naming
        and not any(item.start < word.end and word.start < item.end for item in full)
    ]
    known: list[tuple[str, Named]] = [
        *((PROPERTY, item) for item in reads.schema.properties.values()),
        *((CLASS, item) for item in reads.schema.classes.values()),
    ]
    if not open_words or not known:
        return
    graded = read_cues(text).graded
    labels = [item.label for _, item in known]
    vectors = reads.indexes.embed([*(word.text for word in open_words), *labels])
    likeness = vectors[: len(open_words)] @ vectors[len(open_words) :].T
    for row, word in zip(likeness, open_words, strict=True):
        best = float(row.max())
        near = [known[at] for at in range(len(known)) if row[at] >= best - 1e-6]
        if best < LIKE and not (
            graded and best >= LIKE_GRADE and _is_measured(reads.schema, near)
        ):
            continue
        for kind in dict.fromkeys(kind for kind, _ in near):
            targets = {item.node.value for which, item in near if which == kind}
            yield _mention(kind, text, [word], targets, best)


def _is_measured(schema: Schema, near: Sequence[tuple[str, Named]]) -> bool:
    """Tell whether some names are all of properties with numbers or dates."""
    firsts = [next(schema.facts(None, item.node), None) for _, item in near]
    return all(fact and magnitude(fact.object) is not None for fact in firsts)


def _kinds(
    reads: Reads, text: str, kind: str, named: Iterable[Named]
) -> Iterator[Mention]:
    """Return the classes or properties that "who" or "where" may stand for."""
    cues, known = read_cues(text), list(named)
    if cues.wants not in LIKE_KIND or not known:
        return
    anchor, least = LIKE_KIND[cues.wants]
    vectors = reads.indexes.embed([anchor, *(singular(item.label) for item in known)])
    likeness = [float(value) for value in vectors[1:] @ vectors[0]]
    best = max(likeness)
    near = [at for at, value in enumerate(likeness) if value >= max(least, best - 0.1)]
    if near:
        start, end = cues.wanted
        targets = tuple(sorted(known[at].node.value for at in near))
        quality = max(likeness[at] for at in near)
        yield Mention(kind, text[start:end], start, end, targets, quality=quality)


def _is_asked_for(before: str) -> bool:
    """Tell whether a question word stands right before what comes next."""
    return bool(_ASKED.search(before))


def _mention(
    kind: str, text: str, run: Sequence[Word], targets: set[str], quality: float
) -> Mention:
    start, end = run[0].start, run[-1].end
    return Mention(
        kind,
        text[start:end],
        start,
        end,
        tuple(sorted(targets)),
        quality=quality,
        focus=_is_asked_for(text[:start]),
    )
