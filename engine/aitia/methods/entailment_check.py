"""Entailment check: whether a sentence follows from texts, and which of them says so.

By rules first: a text that has the very words bears the sentence out, one that gives
another value for the same thing, or denies it, contradicts it (`aitia.methods.asserted`
says how). Where no text has the very words and a model is configured, the model judges;
it can bear out only what names and values allow, and must quote the words it goes by.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from aitia.methods.arguments import NodeRef
from aitia.methods.asking import DATA, Asked, ask_model, data
from aitia.methods.asserted import (
    BORNE_OUT,
    Asserted,
    asserted,
    bears_out,
    clash,
    has,
    stands_in,
)
from aitia.methods.base import Outcome, Reads, method
from aitia.methods.contradiction.rules import judge
from aitia.methods.contradiction.sentences import read
from aitia.methods.passages import pieces
from aitia.methods.results import told, unborne, units
from aitia.methods.scoring import points_back
from aitia.model import PassageRecord

if TYPE_CHECKING:
    from aitia.methods.replies import Judgement, Relation

VERSION: Final = "2"
SHOWN: Final = 6000  # characters of evidence that a model is shown
OPPOSITES: Final = "opposites"
"""The one rule of `aitia.methods.contradiction` that is used besides: values, names and
denials are held against each other here with what headings and sentences before say."""
RULE: Final = "share of the sentence's words that stand in the text that bears it out"
_CLAUSES: Final = re.compile(r";\s+|,?\s+(?:and|but|while|whereas)\s+")
_SYSTEM: Final = (
    "You check whether texts bear out a sentence. Answer with JSON: `relation` is "
    "`entails` where a text says all that the sentence says, `contradicts` where a text "
    "says that it is not so, `unrelated` where they speak of something else, `cannot "
    "tell` otherwise; `quote` is the exact words of the text that you go by, copied "
    "letter by letter, or empty; `reason` is one short sentence. A text of the form "
    "`tool(arguments) -> result` is what a tool returned. Use the texts alone, "
    f"not what you know. {DATA}"
)


@dataclass(frozen=True)
class Place:
    """Words of a text that bear a sentence out or contradict it.

    Attributes:
        node: IRI of the node whose text it is.
        exact: The words.
        document: IRI of the document they stand in, or "".
        start: Offset of the first character in the document's stored text.
        end: Offset after the last character.
    """

    node: str
    exact: str
    document: str = ""
    start: int = 0
    end: int = 0


@dataclass(frozen=True)
class Entailed:
    """A sentence, and the texts that are to bear it out."""

    sentence: str
    texts: tuple[NodeRef, ...]


@dataclass(frozen=True)
class Entailment(Outcome):
    """How a sentence stands to the texts.

    Attributes:
        relation: `entails`, `contradicts`, `unrelated` or `cannot tell`.
        reason: Why, in one sentence.
        by: `words`, `rules` or `model`.
        places: The words that it goes by.
        judge: The model that judged, where `by` is `model`.
    """

    relation: Relation = "cannot tell"
    reason: str = ""
    by: str = "rules"
    places: tuple[Place, ...] = field(default=())
    judge: str = ""


@method(
    "entailment_check",
    "Tells whether a sentence follows from texts, contradicts them, or neither.",
    offered=True,
)
def entailment_check(reads: Reads, given: Entailed) -> Entailment:
    """Return how a sentence stands to the texts, by rules and by a model."""
    ruled = by_rules(given)
    if ruled.by == "words" or ruled.relation == "contradicts" or not given.texts:
        return ruled
    asked = _asked(reads, given)
    judged = _judged(given, ruled, asked.value) if asked.value else ruled
    judge = asked.model if judged.by == "model" else ""
    return replace(judged, notices=asked.notices, judge=judge)


def by_rules(given: Entailed) -> Entailment:
    """Return how a sentence stands to the texts, as far as rules can tell."""
    said = asserted(given.sentence)
    found = [
        _Sentence(place, asserted(place.exact), about)
        for text in given.texts
        for place, about in sentences(text)
    ]
    if same := _same_words(given, found):
        return _told("entails", "A text has the very words.", "words", [same], 1.0)
    for item in found:
        if bears_out(said, item.said, item.about) >= BORNE_OUT:
            share = bears_out(said, item.said, item.about)
            return _told("entails", "A text says it.", "rules", [item.place], share)
    for item in found:
        if reason := clash(said, item.said, item.about) or _opposed(given, item):
            return _told(
                "contradicts",
                f"A text says otherwise: {reason}.",
                "rules",
                [item.place],
            )
    return _by_clauses(given.sentence, found)


@dataclass(frozen=True)
class _Sentence:
    """A sentence of a text, what it says, and the names it is about besides."""

    place: Place
    said: Asserted
    about: frozenset[str]


def _opposed(given: Entailed, item: _Sentence) -> str:
    """Return which opposites a sentence and one of a text have, or ""."""
    ruling = judge(read(given.sentence), read(item.place.exact))
    opposed = ruling is not None and ruling.rule == OPPOSITES
    return ruling.reason if ruling is not None and opposed else ""


def _same_words(given: Entailed, found: Sequence[_Sentence]) -> Place | None:
    """Return where the very words of the sentence stand."""
    wanted = _bare(given.sentence)
    for item in found:
        if _bare(item.place.exact) == wanted:
            return item.place
    return None


def _by_clauses(sentence: str, found: Sequence[_Sentence]) -> Entailment:
    """Return whether each part of a sentence is borne out by some text.

    A part without names of its own is about what the first part names.
    """
    parts = [asserted(part) for part in _CLAUSES.split(sentence) if part.strip()]
    places: list[Place] = []
    shares: list[float] = []
    for part in parts if len(parts) > 1 else ():
        part = part if part.names else replace(part, names=parts[0].names)
        best = max(
            found, key=lambda item: bears_out(part, item.said, item.about), default=None
        )
        share = bears_out(part, best.said, best.about) if best else 0.0
        if best is None or share < BORNE_OUT or not part.stems:
            break
        places.append(best.place)
        shares.append(share)
    if places and len(places) == len(parts):
        return _told("entails", "Texts say each part.", "rules", places, min(shares))
    return _told(
        "cannot tell", "No text says it in words that rules can match.", "rules", []
    )


def sentences(text: NodeRef) -> Iterator[tuple[Place, frozenset[str]]]:
    """Yield the sentences of a text with their places and the names they are about.

    JSON is one sentence, whatever it holds.
    """
    passage = PassageRecord(text.node, text.document, text.text, text.start, text.end)
    above = asserted(f". {text.about}").names if text.about else frozenset()
    found = [] if text.text.lstrip()[:1] in ("{", "[") else list(pieces(passage))
    for piece in found:
        about = above
        if points_back(piece.text) and piece.before:
            about = above | asserted(piece.before).names
        yield Place(text.node, piece.text, text.document, piece.start, piece.end), about
    if not found and text.text.strip():
        yield Place(text.node, text.text, text.document, text.start, text.end), above


def _asked(reads: Reads, given: Entailed) -> Asked[Judgement]:
    if reads.models is None:
        return Asked()
    from aitia.methods.replies import Judgement

    texts = "\n\n".join(map(_shown, given.texts))[:SHOWN]
    return ask_model(
        reads,
        Judgement,
        purpose="entailment_check",
        version=VERSION,
        system=_SYSTEM,
        text=f"Sentence:\n{data(given.sentence)}\n\nTexts:\n{data(texts)}",
    )


def _shown(text: NodeRef) -> str:
    """Return a text as a model is shown it: a result with its call and its meaning."""
    means = f"({text.means})\n" if text.call and text.means else ""
    return means + told(text)


def _judged(given: Entailed, ruled: Entailment, verdict: Judgement) -> Entailment:
    """Return a model's verdict; it counts only with words that stand in a text."""
    relation, reason = verdict.relation, verdict.reason or verdict.relation
    places = list(quoted(verdict.quote, given.texts))
    if relation in ("entails", "contradicts") and not places and not ruled.places:
        reason = "What the model quotes stands in none of the texts."
        return _told("cannot tell", reason, "model", [])
    if relation == "entails" and (lacking := _unborne(given, places)):
        reason = f"What the model quotes does not have {', '.join(lacking)}."
        return _told("cannot tell", reason, "model", [])
    if relation == "entails" and ruled.relation == "entails":
        return replace(ruled, reason=reason, by="model")
    return _told(relation, reason, "model", places or list(ruled.places))


def _unborne(given: Entailed, places: Sequence[Place]) -> list[str]:
    """Return the values, units and names of a sentence that quoted words do not bear.

    The words are read in their sentence and under their heading, a result with its
    call: a model's word alone bears nothing.
    """
    if not places:
        return []
    said = asserted(given.sentence)
    texts = {text.node: text for text in given.texts}
    cited = [texts[place.node] for place in places]
    whole = "\n".join(_around(texts[place.node], place.exact) for place in places)
    there = asserted(whole)
    lacking = [value.text for value in said.values if not has(there, value)]
    lacking += units(said, cited)
    lacking += [name for name in sorted(said.names) if not stands_in(name, whole)]
    lacking += [word for item in cited for word in unborne(said, item)]
    return list(dict.fromkeys(lacking))


def _around(text: NodeRef, quote: str) -> str:
    """Return the sentences of a text that quoted words stand in, and what they are of."""
    wanted = " ".join(quote.split())
    inside = [
        "\n".join([*sorted(about), place.exact])
        for place, about in sentences(text)
        if wanted in " ".join(place.exact.split())
    ]
    return "\n".join([text.about, text.call, *(inside or [quote])])


def quoted(quote: str, texts: Sequence[NodeRef]) -> Iterator[Place]:
    """Yield where quoted words stand, white space apart."""
    words = quote.split()
    if not words:
        return
    pattern = re.compile(r"\s+".join(re.escape(word) for word in words))
    for text in texts:
        if found := pattern.search(text.text):
            start = text.start + found.start() if text.document else 0
            end = text.start + found.end() if text.document else 0
            yield Place(text.node, found.group(), text.document, start, end)
            return


def _told(
    relation: Relation,
    reason: str,
    by: str,
    places: Sequence[Place],
    share: float | None = None,
) -> Entailment:
    return Entailment(
        relation=relation,
        reason=reason,
        by=by,
        places=tuple(places),
        summary=f"{relation}: {reason}",
        confidence=share,
        confidence_rule=RULE if share is not None else "",
    )


def _bare(text: str) -> str:
    return " ".join(text.split()).strip(" .!?。！？").casefold()
