"""Attribute check: names what is asked of a thing on record that it does not have."""

from __future__ import annotations

from dataclasses import dataclass, field

from pyoxigraph import NamedNode

from aitia.methods.base import Outcome, Reads, method
from aitia.methods.cues import REASON, VALUE_FORM, read_cues
from aitia.methods.mentions import CLASS, ENTITY, Mention
from aitia.methods.naming import Naming
from aitia.methods.words import RELATIONS, content


@dataclass(frozen=True)
class Wanted:
    """A question, and what it mentions.

    Attributes:
        text: The question or part of one.
        mentions: What it mentions.
    """

    text: str
    mentions: tuple[Mention, ...]


@dataclass(frozen=True)
class Lacking(Outcome):
    """What a thing on record lacks, in the question's words."""

    words: str = field(default="")


@method("attribute_check", "Names what is asked of a thing that it does not have.")
def attribute_check(reads: Reads, given: Wanted) -> Lacking:
    """Return what is asked of the one thing that a question speaks of.

    Only meant for a question that was not answered: then the thing has no such value.
    """
    cues = read_cues(given.text)
    things = [m for m in given.mentions if m.kind == ENTITY and len(m.targets) == 1]
    words = _asked(given)
    plain = cues.form == VALUE_FORM and cues.wants != REASON and not cues.compares
    if len(things) != 1 or not words or not plain:
        return Lacking(summary="nothing to name")
    thing = Naming(reads.schema).thing(NamedNode(things[0].targets[0]))
    told = f"{thing[0].upper()}{thing[1:]} is on record, but nothing there is called “{words}”."
    return Lacking(words=words, summary=told, failure=told)


def _asked(given: Wanted) -> str:
    """Return the words outside names, kinds and words of form."""
    taken = [
        *read_cues(given.text).spans,
        *((m.start, m.end) for m in given.mentions if m.kind in (ENTITY, CLASS)),
    ]
    return " ".join(
        word.text
        for word in content(given.text)
        if not any(start < word.end and word.start < end for start, end in taken)
        and word.text.lower() not in RELATIONS
    )
