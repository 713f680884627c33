"""Names that a question gives with a word too many: "phone number" for `number`.

Where a content word that names nothing stands right before the name of a property or
class, the two together are what is asked for. They are compared with the name by their
embeddings: the likeness becomes the mention's quality, and under `LIKE` the property
or class is not what was named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pyoxigraph import NamedNode

from aitia.methods.base import Reads
from aitia.methods.cues import read_cues
from aitia.methods.mentions import CLASS, PROPERTY, Mention
from aitia.methods.words import words

LIKE: Final = 0.6
"""Measured with the packaged model over 46 phrases: 19 of 22 right ones lie above
(delivery status for status), 11 of 24 wrong ones below (marital status for status)."""


def qualified(
    reads: Reads, text: str, mentions: Sequence[Mention]
) -> tuple[Mention, ...]:
    """Return the mentions, each property's and class's quality by its whole phrase."""
    kept: list[Mention] = []
    for item in mentions:
        phrase = _phrase(text, item, mentions) if item.kind in (CLASS, PROPERTY) else ""
        if not phrase:
            kept.append(item)
            continue
        quality = item.quality * _likeness(reads, phrase, item)
        if quality >= LIKE:
            kept.append(replace(item, quality=quality))
    return tuple(kept)


def _phrase(text: str, item: Mention, mentions: Sequence[Mention]) -> str:
    """Return the words that qualify a mention, with it, or "" where none do."""
    form = read_cues(text).spans
    start = item.start
    for word in reversed([word for word in words(text) if word.end <= item.start]):
        named = any(m.start < word.end and word.start < m.end for m in mentions)
        formal = any(at < word.end and word.start < end for at, end in form)
        if text[word.end : start].strip() or not word.content or named or formal:
            break
        start = word.start
    return text[start : item.end] if start < item.start else ""


def _likeness(reads: Reads, phrase: str, item: Mention) -> float:
    """Return the greatest cosine of a phrase and the names it may stand for."""
    known = {**reads.schema.properties, **reads.schema.classes}
    names = [
        known[NamedNode(iri)].label for iri in item.targets if NamedNode(iri) in known
    ]
    vectors = reads.indexes.embed([phrase, *names])
    return max((float(value) for value in vectors[1:] @ vectors[0]), default=0.0)
