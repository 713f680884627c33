"""What a person or a program asks for, in names and texts, made a draft."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import zip_longest

from pyoxigraph import Literal, NamedNode, Quad

from aitia import lookup
from aitia.errors import UsageError
from aitia.methods.facts import Facts
from aitia.vocab import AITIA, OWL, SKOS
from aitia.writeback import naming, slots, words
from aitia.writeback.desk import Desk
from aitia.writeback.draft import (
    KINDS,
    TRIGGERS,
    Base,
    Change,
    Cited,
    Draft,
    Proposer,
    Words,
)
from aitia.writeback.evidence import cite, find, text_of
from aitia.writeback.propose import against_now
from aitia.writeback.read import find as find_proposal, read


@dataclass(frozen=True)
class Asked:
    """A change that is asked for; things are named by IRI, id or label.

    Attributes:
        kind: One of `KINDS`.
        reason: Why, in words.
        subject: What it is about, or "" for text.
        predicate: The property; none for `merge`.
        object: The value; with `merge` the thing that the subject is another name of.
        old: The value that a revision takes the place of, where there are several.
        text: Words that would become a document of their own.
        words: Words of a text that would no longer be used.
        document: The document that they stand in.
        evidence: Files, addresses or ids.
        quotes: Exact words of each piece of evidence, in the same order; "" to look.
        opinion_of: Whose opinion it is, or "" for a fact.
        valid_from: Since when it holds in the world.
        valid_until: Until when, itself not included.
        trigger: One of `TRIGGERS`.
        about: Ids of what else it is about: a gap, a conflict.
        run: Id of the run that it comes out of, or "".
        again: Id of the returned proposal that this is a new version of, or "".
    """

    kind: str
    reason: str
    subject: str = ""
    predicate: str = ""
    object: str = ""
    old: str = ""
    text: str = ""
    words: str = ""
    document: str = ""
    evidence: Sequence[str] = ()
    quotes: Sequence[str] = ()
    opinion_of: str = ""
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    trigger: str = "correction"
    about: Sequence[str] = ()
    run: str = ""
    again: str = ""


def draft(desk: Desk, asked: Asked, proposer: Proposer) -> Draft:
    """Return what is asked for as a draft, made against what stands now.

    Raises:
        UsageError: It does not make sense: no subject, nothing to revise, several
            values that could be meant.
        NotFound: It names something that is not on record.
        AmbiguousId: A name fits several things.
    """
    if asked.kind not in KINDS:
        raise UsageError(f"There is no kind {asked.kind!r}; {', '.join(KINDS)} are.")
    if asked.trigger not in TRIGGERS:
        raise UsageError(f"Nothing triggers by {asked.trigger!r}.")
    if asked.trigger == "correction" and not desk.settings.correction:
        raise UsageError(
            "People's corrections are switched off here.",
            hint="The setting `correction` of [writeback] in aitia.toml does that.",
        )
    adds, withdraws = _changes(desk, asked)
    left = tuple(_words(desk, asked))
    made = Draft(
        asked.kind,
        asked.reason,
        proposer,
        Base(0, ""),
        adds,
        withdraws,
        asked.text,
        left,
        tuple(_evidence(desk, asked, adds or withdraws)),
        asked.trigger,
        tuple(lookup.resolve(desk.store, name) for name in asked.about),
        lookup.resolve(desk.store, asked.run) if asked.run else None,
        asked.opinion_of,
        revision_of=find_proposal(desk, asked.again) if asked.again else None,
    )
    return against_now(desk, made)


def of_record(desk: Desk, proposal: NamedNode) -> Draft:
    """Return a proposal on record as a draft against what stands now, to check again."""
    found = read(desk, proposal)
    proposer = Proposer(found.proposer_name, AITIA.Person)
    made = Draft(
        found.kind,
        found.reason,
        proposer,
        Base(found.base_commit, found.base_digest),
        found.adds,
        found.withdraws,
        found.proposed_text,
        found.words,
        tuple(cited for _, cited in found.evidence),
        found.trigger,
        run=found.run,
        opinion_of=found.opinion_of,
    )
    return replace(
        made, confidence=found.confidence, confidence_rule=found.confidence_rule
    )


def _changes(desk: Desk, asked: Asked) -> tuple[tuple[Change, ...], tuple[Change, ...]]:
    """Return what would be stated and what would be taken out."""
    if not asked.subject:
        if not (asked.text or asked.words):
            raise UsageError(
                "What is the proposal about?",
                hint="Give a subject, property and value, or a text.",
            )
        return (), ()
    subject = naming.thing(desk.store, asked.subject)
    if asked.kind == "merge":
        return tuple(_merged(desk, subject, asked)), ()
    predicate = naming.prop(desk.store, asked.predicate, subject)
    if asked.kind == "add":
        return (_new(desk, asked, subject, predicate),), ()
    named = asked.old if asked.kind == "revise" else asked.object
    old = tuple(_standing(desk, subject, predicate, named))
    if asked.kind == "revise":
        return (_new(desk, asked, subject, predicate),), old
    return (), old


def _new(desk: Desk, asked: Asked, subject: NamedNode, predicate: NamedNode) -> Change:
    if not asked.object:
        raise UsageError(f"A proposal to {asked.kind} needs a value.")
    revised = asked.kind == "revise" and not asked.opinion_of
    return Change(
        subject,
        predicate,
        naming.value(desk.store, asked.object, predicate),
        rank=AITIA.preferred if revised else AITIA.normal,
        valid_from=asked.valid_from,
        valid_until=asked.valid_until,
    )


def _standing(
    desk: Desk, subject: NamedNode, predicate: NamedNode, named: str
) -> Iterator[Change]:
    """Yield the facts in force that are meant, in every graph that states them."""
    value = naming.value(desk.store, named, predicate) if named else None
    found = list(slots.standing(desk.store, subject, predicate, value))
    values = list(dict.fromkeys(quad.object for quad in found))
    label = Facts(desk.store).label(predicate)
    if not found:
        raise UsageError(
            f"No such value of “{label}” stands.",
            hint="`--kind add` states a new one.",
        )
    if len(values) > 1:
        told = ", ".join(v.value for v in values if isinstance(v, NamedNode | Literal))
        raise UsageError(
            f"“{label}” has {len(values)} values: {told}.",
            hint="Say with --old (or --object) which is meant.",
        )
    yield from map(_as_change, found)


def _as_change(quad: Quad) -> Change:
    subject, value, graph = quad.subject, quad.object, quad.graph_name
    assert isinstance(subject, NamedNode)
    assert isinstance(value, NamedNode | Literal)
    assert isinstance(graph, NamedNode)
    return Change(subject, quad.predicate, value, graph)


def _merged(desk: Desk, alias: NamedNode, asked: Asked) -> Iterator[Change]:
    """Yield that two names are of one thing, and that it is called by both."""
    if not asked.object:
        raise UsageError("A merge needs the thing that the subject is another name of.")
    thing = naming.thing(desk.store, asked.object)
    yield Change(alias, OWL.sameAs, thing)
    for label in Facts(desk.store).labels(alias):
        known = Facts(desk.store).labels(thing)
        if label not in known:
            yield Change(thing, SKOS.altLabel, Literal(label))


def _words(desk: Desk, asked: Asked) -> Iterator[Words]:
    if not asked.words:
        return
    if not asked.document:
        raise UsageError("In which document do the words stand?")
    document = lookup.resolve(desk.store, asked.document)
    text = text_of(desk, document)
    if text.count(asked.words) > 1:
        raise UsageError("These words stand there more than once; name more of them.")
    _, start, end = find(text, asked.words, ())
    if start < 0:
        raise UsageError(f"{asked.document} does not say “{asked.words}”.")
    yield Words(document, asked.words, start, end)


def _evidence(desk: Desk, asked: Asked, changes: Sequence[Change]) -> Iterator[Cited]:
    if len(asked.quotes) > len(asked.evidence):
        raise UsageError("There are more quotes than pieces of evidence.")
    wanted = _wanted(desk, asked, changes)
    for named, quote in zip_longest(asked.evidence, asked.quotes, fillvalue=""):
        yield cite(desk, named, quote, wanted)


def _wanted(
    desk: Desk, asked: Asked, changes: Sequence[Change]
) -> Sequence[Sequence[str]]:
    """Return what a sentence says that is evidence for a change.

    Things are called as the asker calls them, or by their labels; a sentence that
    names the value alone is the last resort.
    """
    if not changes:
        return ()
    facts, first = Facts(desk.store), changes[0]
    value = words.value(facts, first.object)
    return ([value, asked.subject], [value, facts.label(first.subject)], [value])
