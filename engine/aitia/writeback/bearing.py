"""Whether evidence says what a proposal says, by rules, sentence by sentence.

Words carry a statement whole only where one sentence names its subject, its property
and its value, no other value beside it, and neither denies nor doubts it. Where the
subject or the property is not named (a heading or a pronoun may name it), they carry
it half, and a person has to look. Words that name neither carry nothing, and words
that state another value of the same subject and property speak against it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pyoxigraph import Literal, NamedNode

from aitia.methods.arguments import NodeRef
from aitia.methods.asserted import asserted, figure, share, stands_in
from aitia.methods.contradiction.values import Value, values
from aitia.methods.entailment_check import Entailed, by_rules
from aitia.methods.facts import Facts, local_name
from aitia.methods.literals import is_measure, is_number, is_time
from aitia.methods.words import is_spaceless, name_stems
from aitia.store import Term
from aitia.vocab import AITIA, OWL, RDF, RDFS, SKOS, XSD
from aitia.writeback.desk import Desk
from aitia.writeback.draft import Change, Cited, Draft

_NAMING: Final = frozenset({RDFS.label, SKOS.altLabel, SKOS.prefLabel})
_COPULA: Final = frozenset({RDF.type, OWL.sameAs})
"""Properties that sentences state without naming them."""
_END: Final = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
_DOUBT: Final = re.compile(
    r"\?|？|\b(?:if|unless|whether|might|could|would|should|perhaps|maybe|possibly"
    r"|probably|allegedly|alleged|claims?|claimed|rumou?r(?:s|ed)?|supposedly|false"
    r"|wrong(?:ly)?|untrue|incorrect(?:ly)?|formerly|previously|nobody|no one|never"
    r"|hardly|doubts?|doubted|denies|denied)\b",
    re.I,
)
_MAY: Final = re.compile(r"(?<!in )(?<!of )\bmay\b")
"""The verb: the month has a capital letter."""
_NAME: Final = 60
"""Characters of a name at most."""
_LIKE: Final = 0.5
"""Share of a text's words from which on evidence speaks of the same."""


@dataclass(frozen=True)
class Borne:
    """How far a piece of evidence carries a proposal.

    Attributes:
        share: 1 where its words say so, 1/2 where they may, 0 where they do not.
        told: What they lack, or "".
        against: What they say instead, or "".
    """

    share: float = 1.0
    told: str = ""
    against: str = ""


def borne(desk: Desk, draft: Draft, cited: Cited) -> Borne:
    """Return how far the words of a piece of evidence carry a proposal."""
    if cited.start < 0:
        return Borne(0.5, "no words of it are named")
    if cited.ground is not None and _is_the_fact(desk, draft, cited.ground):
        return Borne()
    text = cited.quote or cited.text
    if draft.adds:
        wanted = [c for c in draft.adds if c.predicate not in _NAMING] or draft.adds
        return min(
            (_stated(desk, change, text) for change in wanted), key=_least_of_all
        )
    if draft.withdraws:
        return min(
            (_unstated(desk, change, text) for change in draft.withdraws),
            key=_least_of_all,
        )
    if draft.text:
        return _text(draft.text, text)
    return min(
        (_against_words(words.text, text) for words in draft.words), key=_least_of_all
    )


def _least_of_all(found: Borne) -> tuple[float, bool]:
    return found.share, not found.against


def _is_the_fact(desk: Desk, draft: Draft, ground: NamedNode) -> bool:
    """Tell whether a node on record states just what would be stated."""
    if AITIA.Statement not in desk.kinds(ground):
        return False
    parts = [
        next((q.object for q in desk.store.quads(ground, part)), None)
        for part in (RDF.subject, RDF.predicate, RDF.object)
    ]
    wanted = [[c.subject, c.predicate, c.object] for c in draft.adds]
    return bool(wanted) and all(parts == one for one in wanted)


# Facts


@dataclass(frozen=True)
class _Said:
    """What a sentence says of a fact."""

    text: str
    named: bool
    predicated: bool
    valued: bool
    others: tuple[str, ...]
    denied: bool
    doubted: bool

    @property
    def whole(self) -> bool:
        """It says the fact, and nothing beside it that could be meant instead."""
        told = self.named and self.predicated and self.valued and not self.others
        return told and not (self.denied or self.doubted)

    @property
    def otherwise(self) -> bool:
        """It says another value of the fact, or denies it."""
        if self.doubted or not (self.named and self.predicated):
            return False
        return self.denied if self.valued else bool(self.others) and not self.denied


def _stated(desk: Desk, change: Change, text: str) -> Borne:
    """Return how far words carry that a fact holds."""
    said = list(_sentences(desk, change, text))
    against = next((one.text for one in said if one.otherwise), "")
    whole = any(one.whole for one in said)
    if against:
        told = "it says otherwise"
        return Borne(0.5 if whole else 0.0, told, against)
    if whole:
        return Borne()
    if any(one.valued for one in said):
        return Borne(0.5, _lacking(said))
    return Borne(0.0, "it does not name the value")


def _lacking(said: Sequence[_Said]) -> str:
    best = max(
        (one for one in said if one.valued),
        key=lambda one: (one.named, one.predicated, not one.denied),
    )
    if not best.named:
        return "it does not name the subject"
    if best.denied or best.doubted:
        return "it denies or doubts it"
    if not best.predicated:
        return "it does not name the property"
    return f"it names other values too: {', '.join(best.others)}"


def _unstated(desk: Desk, change: Change, text: str) -> Borne:
    """Return how far words carry that a fact does not hold."""
    said = list(_sentences(desk, change, text))
    if any(one.otherwise for one in said):
        return Borne()
    if against := next((one.text for one in said if one.whole), ""):
        return Borne(0.0, "it says what is to go", against)
    if any(one.named or one.valued for one in said):
        return Borne(0.5, "it does not say that this does not hold")
    return Borne(0.0, "it does not name the subject")


def _sentences(desk: Desk, change: Change, text: str) -> Iterator[_Said]:
    facts = Facts(desk.store)
    names = _names(facts, change.subject, change.predicate)
    words = {
        stem
        for name in (*facts.labels(change.predicate), local_name(change.predicate))
        for stem in name_stems(name)
    }
    for sentence in filter(str.strip, _END.split(text)):
        named = any(_has(name, sentence) for name in names)
        # The number of "Crane 4" is no value of the crane.
        bare = _without(names, sentence)
        valued, others = _values(facts, change.object, bare, words)
        predicated = change.predicate in _COPULA or _names_property(words, bare)
        denied = asserted(sentence).denied
        if change.object == Literal("false", datatype=XSD.boolean):
            denied, valued = False, denied and named and predicated
        doubted = bool(_DOUBT.search(sentence) or _MAY.search(sentence))
        yield _Said(sentence, named, predicated, valued, others, denied, doubted)


def _names(facts: Facts, node: NamedNode, asked: NamedNode | None = None) -> list[str]:
    """Return what a thing is called, the longest name first; no bare numbers.

    A text that it alone has by a property is a name too: tables have no labels.
    """
    found = {*facts.labels(node), local_name(node)}
    for fact in facts.facts(node):
        value = fact.object
        if (
            fact.predicate != asked
            and isinstance(value, Literal)
            and not is_measure(value)
        ):
            holders = {one.subject for one in facts.facts(None, fact.predicate, value)}
            if holders == {node} and len(value.value) <= _NAME:
                found.add(value.value)
    return sorted((n for n in found if not n.isdecimal()), key=len, reverse=True)


def _has(name: str, text: str) -> bool:
    if not name.strip():
        return False
    if is_spaceless(name):
        return name in text
    return stands_in(name, text)


def _without(names: Sequence[str], text: str) -> str:
    for name in names:
        if is_spaceless(name):
            text = text.replace(name, "X")
        elif parts := name.split():
            side_by_side = r"[\s#]+".join(map(re.escape, parts))
            text = re.sub(rf"(?<!\w){side_by_side}(?!\w)", "X", text, flags=re.I)
    return text


def _names_property(words: set[str], text: str) -> bool:
    return bool(words & set(name_stems(re.sub(r"[^\w\s]", " ", text))))


def _values(
    facts: Facts, value: Term, text: str, words: set[str]
) -> tuple[bool, tuple[str, ...]]:
    """Tell whether a text has a value, and which others of its kind."""
    if isinstance(value, NamedNode):
        return any(_has(name, text) for name in _names(facts, value)), ()
    if not isinstance(value, Literal):
        return False, ()
    if value.datatype == XSD.boolean:
        return value.value in ("true", "1"), ()
    if not (is_number(value) or is_time(value)):
        return _has(value.value, text), ()
    kind = "number" if is_number(value) else "date"
    there = [one for one in _told(text, words) if one.kind == kind]
    same = [one for one in there if _is(one, value)]
    good = [one for one in same if one.bound == "="]
    others = tuple(one.text for one in there if one not in same)
    return bool(good), others


def _told(text: str, words: set[str]) -> Iterator[Value]:
    """Yield the values of a text; the number of a name (“crane 34”) is none.

    After the property's own word a number is one: “lifting 34”.
    """
    kept = {(one.start, one.end) for one in asserted(text).values}
    for one in values(text):
        before = text[: one.start].split()[-1:]
        if (one.start, one.end) in kept or words & set(name_stems(" ".join(before))):
            yield one


def _is(one: Value, value: Literal) -> bool:
    from decimal import Decimal, InvalidOperation

    if one.kind == "date":
        return "-".join(f"{part:02d}" for part in one.date) == value.value[:10]
    try:
        number = Decimal(value.value)
    except InvalidOperation:
        return False
    # Of "nine tonnes" the amount is told in the base unit, and the figure in words.
    bare = [other.amount for other in values(one.figure)]
    return number in (figure(one), one.amount, *bare)


# Texts


def _text(claim: str, text: str) -> Borne:
    """Return how far words carry a text."""
    found = by_rules(Entailed(claim, (NodeRef(text=text),)))
    if found.relation == "contradicts":
        return Borne(0.0, "it says otherwise", found.places[0].exact)
    if found.relation == "entails":
        return Borne()
    if _is_alike(claim, text):
        return Borne(0.5, "rules cannot tell that it says so")
    return Borne(0.0, "it does not say so")


def _against_words(claim: str, text: str) -> Borne:
    """Return how far words carry that a text does not hold."""
    found = by_rules(Entailed(claim, (NodeRef(text=text),)))
    if found.relation == "contradicts":
        return Borne()
    if found.relation == "entails":
        return Borne(0.0, "it says what is to go", found.places[0].exact)
    if _is_alike(claim, text):
        return Borne(0.5, "it does not say that this does not hold")
    return Borne(0.0, "it does not speak of that")


def _is_alike(claim: str, text: str) -> bool:
    one, other = asserted(claim), asserted(text)
    return bool(one.names & other.names) or share(one.stems, other.stems) >= _LIKE
