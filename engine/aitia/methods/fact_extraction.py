"""Fact extraction: the facts that texts state, each with the words that state it.

With a model: each fact it returns must quote the text letter by letter (white space
apart), and its subject and object must stand in the text; one that does not is refused
with the reason. A reply that was cut off is asked for again in halves. Without one, or
where its reply is of no use: by a few patterns of plain English sentences ("The fee of
the course is 30 euro.", "Pump A feeds tank B."), which is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from aitia.methods.arguments import NodeRef
from aitia.methods.asking import DATA, Asked, ask_model, data
from aitia.methods.asserted import asserted, has, stands_in
from aitia.methods.base import Outcome, Reads, method
from aitia.methods.entailment_check import Place, quoted, sentences
from aitia.methods.words import content, words

if TYPE_CHECKING:
    from aitia.methods.replies import FactSaid, FactsSaid

VERSION: Final = "1"
HALVED: Final = 2
"""How often a text whose reply was cut off is halved."""
_SYSTEM: Final = (
    "You extract the facts that texts state. Answer with JSON: `facts`, a list; each has "
    "`subject`, the name of a thing as the text has it; `predicate`, what is said of it "
    "in a few words; `object`, another thing or a value; `kind`, `thing` or `value` for "
    "the object; `quote`, the exact words of the text that state it, copied letter by "
    "letter; and, only where the text says so, `valid_from` and `valid_until` as ISO "
    "dates. State nothing that the texts do not say. An empty list is an answer where "
    f"they state no fact. {DATA}"
)
_NAME: Final = (
    r"(?:(?:The|An?)\s+)?[A-Z][\w-]*(?:\s+(?:[A-Z0-9][\w.-]*|[a-z]+\s+(?=[A-Z0-9]\b)))*"
)
_OF: Final = re.compile(
    r"^The (?P<p>[a-z][\w -]{1,40}?) (?:of|for) (?P<s>[^,;:]{1,60}?) "
    r"(?:is|are|was|were) (?P<o>[^,;:]{1,80}?)[.!]?$"
)
_POSSESSED: Final = re.compile(
    r"^(?P<s>[A-Z][^,;:']{0,60}?)['’]s (?P<p>[a-z][\w -]{1,40}?) "
    r"(?:is|are|was|were) (?P<o>[^,;:]{1,80}?)[.!]?$"
)
_DOES: Final = re.compile(
    rf"^(?P<s>{_NAME}) (?P<p>(?!is\b|was\b|has\b|does\b)[a-z]+[^\Ws]s) "
    r"(?P<o>[^,;:]{1,80}?)[.!]?$"
)


@dataclass(frozen=True)
class ToExtract:
    """The texts whose facts are wanted: passages, as a rule."""

    texts: tuple[NodeRef, ...]


@dataclass(frozen=True)
class Stated:
    """A fact that a text states.

    Attributes:
        subject: Name of the thing it is about.
        predicate: What is said of it.
        object: The other thing, or the value.
        kind: `thing` or `value`: what the object is.
        place: The exact words that state it, and where they stand.
        valid_from: ISO date from which it holds, or "".
        valid_until: ISO date until which it holds, or "".
    """

    subject: str
    predicate: str
    object: str
    kind: str
    place: Place
    valid_from: str = ""
    valid_until: str = ""

    @property
    def text(self) -> str:
        """The fact in words."""
        return f"{self.subject} {self.predicate} {self.object}"


@dataclass(frozen=True)
class Extracted(Outcome):
    """The facts that texts state.

    Attributes:
        statements: The facts.
        refused: Facts that a model returned and that were refused, with why.
        by: `model`, `rules`, or "" where nothing was looked at.
        complete: False where a reply was cut off, so that facts may be lacking.
        halved: Whether what it was about is asked for again in halves, which follow.
        down: Whether no model could be reached.
    """

    statements: tuple[Stated, ...] = field(default=())
    refused: tuple[str, ...] = field(default=())
    by: str = ""
    complete: bool = True
    halved: bool = False
    down: bool = False


@method(
    "fact_extraction",
    "Reads the facts that texts state, each with the exact words that state it.",
    offered=True,
)
def fact_extraction(reads: Reads, given: ToExtract) -> Extracted:
    """Return the facts that texts state."""
    parts = list(extract(reads, given.texts))
    found = tuple(dict.fromkeys(item for part in parts for item in part.statements))
    told = f"{len(found)} facts" if found else "no fact"
    return Extracted(
        statements=found,
        refused=tuple(text for part in parts for text in part.refused),
        by=parts[0].by if parts else "",
        complete=all(part.complete or part.halved for part in parts),
        summary=told,
        failure="" if found else "The texts state no fact in words that can be read.",
        notices=tuple(dict.fromkeys(text for part in parts for text in part.notices)),
    )


def extract(
    reads: Reads, texts: Sequence[NodeRef], halved: int = 0
) -> Iterator[Extracted]:
    """Yield what each asking of a model came to, or what rules read.

    A reply that was cut off is yielded with its complete items, marked as incomplete;
    what it was about follows in halves.

    Args:
        reads: What may be read.
        texts: What is to be read, as one prompt.
        halved: How often it was halved already.

    Raises:
        BudgetSpent: The run may ask no more; what was yielded before stands.
    """
    asked = _asked(reads, texts) if reads.models and texts else Asked["FactsSaid"]()
    whole = asked.complete and not asked.too_long
    smaller = [] if whole or halved >= HALVED else _halves(texts)
    if asked.value is not None:
        found = _sifted(texts, asked.value.facts)
        found = replace(found, complete=whole, notices=asked.notices)
    elif smaller:
        found = Extracted(by="model", complete=False, summary="asked for in halves")
    else:
        found = replace(_by_rules(texts), complete=whole, notices=asked.notices)
    yield replace(found, halved=bool(smaller), down=asked.down)
    for half in smaller:
        yield from extract(reads, half, halved + 1)


def _halves(texts: Sequence[NodeRef]) -> list[Sequence[NodeRef]]:
    """Return texts in two smaller parts, or nothing where they are as small as can be.

    Several are parted; a single one is cut at a sentence near its middle.
    """
    if len(texts) > 1:
        middle = len(texts) // 2
        return [texts[:middle], texts[middle:]]
    (one,) = texts
    found = sentences(one) if one.document else ()
    inner = [at for place, _ in found if (at := place.start - one.start) > 0]
    if not inner:
        return []
    cut = min(inner, key=lambda at: abs(at - len(one.text) // 2))
    return [
        [replace(one, text=one.text[:cut], end=one.start + cut)],
        [replace(one, text=one.text[cut:], start=one.start + cut)],
    ]


def _asked(reads: Reads, texts: Sequence[NodeRef]) -> Asked[FactsSaid]:
    from aitia.methods.replies import FactsSaid

    shown = "\n\n".join(
        f"[{number}] under the heading {data(item.about)}\n{data(item.text)}"
        for number, item in enumerate(texts, start=1)
    )
    return ask_model(
        reads,
        FactsSaid,
        purpose="fact_extraction",
        version=VERSION,
        system=_SYSTEM,
        text=f"Texts:\n{shown}",
        partial=True,
    )


def _sifted(texts: Sequence[NodeRef], said: Sequence[FactSaid]) -> Extracted:
    """Return the facts whose words stand in the texts, and why others are refused."""
    kept: dict[Stated, None] = {}
    refused: list[str] = []
    for item in said:
        place = next(quoted(item.quote, texts), None)
        if place is None:
            refused.append(f"{_line(item)}: its quote stands in none of the texts.")
        elif lacking := _lacking(item, place, texts):
            refused.append(f"{_line(item)}: {lacking!r} does not stand there.")
        else:
            kept[_stated(item, place)] = None
    return Extracted(
        statements=tuple(kept),
        refused=tuple(refused),
        by="model",
        summary=f"{len(kept)} facts, {len(refused)} refused",
    )


def _stated(item: FactSaid, place: Place) -> Stated:
    subject, predicate, value = (
        " ".join(text.split()) for text in (item.subject, item.predicate, item.object)
    )
    return Stated(
        subject, predicate, value, item.kind, place, item.valid_from, item.valid_until
    )


def _lacking(item: FactSaid, place: Place, texts: Sequence[NodeRef]) -> str:
    """Return the subject or object that does not stand in its text, or ""."""
    whole = next(text for text in texts if text.node == place.node)
    if not _spoken_of(item.subject, f"{whole.about}\n{whole.text}"):
        return item.subject
    return "" if _spoken_of(item.object, place.exact) else item.object


def _spoken_of(name: str, text: str) -> bool:
    """Tell whether a text has the words of a name or value, or the value itself."""
    if stands_in(name, text):
        return True
    wanted, there = asserted(name), asserted(text)
    if wanted.values and not wanted.stems:
        return all(has(there, value) for value in wanted.values)
    stems = {stem for word in words(text) for stem in word.stems}
    telling = content(name) or words(name)
    return bool(telling) and all(set(word.stems) <= stems for word in telling)


def _by_rules(texts: Sequence[NodeRef]) -> Extracted:
    found = [
        Stated(
            match["s"].strip(), match["p"].strip(), match["o"].strip(), "value", place
        )
        for text in texts
        for place, _ in sentences(text)
        for pattern in (_OF, _POSSESSED, _DOES)
        if (match := pattern.match(" ".join(place.exact.split())))
    ]
    return Extracted(
        statements=tuple(found), by="rules", summary=f"{len(found)} facts by rules"
    )


def _line(item: FactSaid) -> str:
    return f"{item.subject} {item.predicate} {item.object}"[:120]
