"""Entity lookup: which resources and values the words of a question name.

By exact words: runs of words are looked up as literals in force, bound look-ups only:
as they stand, in other case, in the singular, with `_` for spaces, as a number or
date. A literal that is a resource's label or key, or that only one instance of a
class has, names that resource; any other literal is a value to filter by. Values that
stand side by side and belong to one resource (a first and a last name) name it
together.

By part (`similar`, which replanning turns on): words that name nothing are looked for
in the index of resources; one counts where a literal of it has all the words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from pyoxigraph import Literal, NamedNode

from aitia.methods.base import Reads, method
from aitia.methods.cues import read_cues
from aitia.methods.facts import NAMING, Fact, local_name
from aitia.methods.literals import forms, is_measure
from aitia.methods.mentions import ENTITY, VALUE, Mention, Mentions, Question
from aitia.methods.partial_names import by_part
from aitia.methods.schema import Schema
from aitia.methods.words import Word, is_spaceless, words

LONGEST_RUN: Final = 8  # words that a name may have
MANY: Final = 2000  # holders of one value that are looked at
AMBIGUOUS: Final = 5  # resources that one name may mean


@dataclass(frozen=True)
class _Run:
    """A run of words that is a literal in force.

    Attributes:
        start: Offset of its first character.
        end: Offset after its last character.
        facts: The facts that have the literal, in one spelling, in any language.
    """

    start: int
    end: int
    facts: tuple[Fact, ...]

    @property
    def literal(self) -> Literal:
        """The literal; one of them where they differ in their language only."""
        return next(f.object for f in self.facts if isinstance(f.object, Literal))

    def named(self) -> set[NamedNode]:
        """Return the resources whose label or key it is."""
        return {
            fact.subject
            for fact in self.facts
            if fact.predicate in NAMING
            or local_name(fact.subject) == self.literal.value
        }

    def holders(self) -> set[NamedNode]:
        """Return the resources that have it as a value."""
        return {fact.subject for fact in self.facts}


@method(
    "entity_lookup",
    "Finds the resources and values that a question names by their exact words.",
)
def entity_lookup(reads: Reads, given: Question, *, similar: bool = False) -> Mentions:
    """Return the entities and values that the question mentions."""
    schema, asked = reads.schema, words(given.text)
    cues = read_cues(given.text)
    within = cues.bound is not None and cues.bound.within
    form = [span for span in cues.spans if not (within and span == cues.limited)]
    found: list[_Run] = []
    for start, end in _spans(asked):
        taken = [*form, *((run.start, run.end) for run in found)]
        if not any(start < other and at < end for at, other in taken):
            found.extend(_look_up(schema, given.text, start, end))
    found.sort(key=lambda run: run.start)
    mentions = _mentions(schema, given.text, found)
    if similar:
        mentions.extend(by_part(reads, given.text, asked, mentions))
    told = ", ".join(f"{item.text!r} ({item.kind})" for item in mentions)
    return Mentions(
        mentions=tuple(mentions), summary=told or "nothing that the facts know"
    )


def _spans(asked: Sequence[Word]) -> Iterator[tuple[int, int]]:
    """Return where names may stand, as offsets: runs of words, long ones first.

    In a script without spaces every stretch of two characters and more is a run.
    """
    for length in range(min(LONGEST_RUN, len(asked)), 0, -1):
        for first in range(len(asked) - length + 1):
            last = first + length - 1
            if asked[first].content and asked[last].content:
                yield asked[first].start, asked[last].end
    for word in asked:
        if word.content and is_spaceless(word.text):
            for length in range(min(LONGEST_RUN, len(word.text) - 1), 1, -1):
                for at in range(len(word.text) - length + 1):
                    yield word.start + at, word.start + at + length


def _look_up(schema: Schema, text: str, start: int, end: int) -> list[_Run]:
    """Return the run between two offsets, where it is a literal in force."""
    for literals in forms(text[start:end], schema.languages):
        facts = tuple(
            fact
            for literal in literals
            for fact in islice(schema.facts(None, None, literal), MANY)
            if not schema.is_vocabulary(fact.subject)
        )
        if facts:
            return [_Run(start, end, facts)]
    return []


def _mentions(schema: Schema, text: str, found: Sequence[_Run]) -> list[Mention]:
    """Return what the runs mention; side by side they may name one resource."""
    made: list[Mention] = []
    at = 0
    while at < len(found):
        run, after = found[at], found[at + 1 : at + 2]
        joint = _joint(schema, text, run, after[0]) if after else set()
        if joint:
            made.append(_entity(text, run.start, after[0].end, joint, named=True))
            at += 2
        else:
            made.extend(_single(schema, text, run))
            at += 1
    return made


def _joint(schema: Schema, text: str, run: _Run, after: _Run) -> set[NamedNode]:
    """Return the resources that have both of two values that stand side by side."""
    if run.named() or after.named() or text[run.end : after.start].strip(" "):
        return set()
    common = run.holders() & after.holders()
    whole = {schema.owner(node) or node for node in common}
    return whole if len(whole) <= AMBIGUOUS else set()


def _single(schema: Schema, text: str, run: _Run) -> Iterator[Mention]:
    """Return an entity mention, a value mention, or both."""
    named = run.named()
    alone = set() if named or is_measure(run.literal) else _alone(schema, run.facts)
    entities = named or alone
    if 0 < len(entities) <= AMBIGUOUS:
        yield _entity(text, run.start, run.end, entities, named=bool(named))
    properties = {
        fact.predicate.value for fact in run.facts if fact.predicate not in NAMING
    }
    if properties and not named:
        yield Mention(
            kind=VALUE,
            text=text[run.start : run.end],
            start=run.start,
            end=run.end,
            targets=tuple(sorted(properties)),
            value=str(run.literal),
        )


def _entity(
    text: str, start: int, end: int, nodes: set[NamedNode], *, named: bool
) -> Mention:
    targets = tuple(sorted(node.value for node in nodes))
    return Mention(ENTITY, text[start:end], start, end, targets, named=named)


def _alone(schema: Schema, facts: Sequence[Fact]) -> set[NamedNode]:
    """Return the resources that alone in their class have the value.

    Only of a property that tells the instances apart: one order may be the only one
    that is "returned", and is not called so.
    """
    holders: dict[tuple[NamedNode, NamedNode | None], set[NamedNode]] = {}
    for fact in facts:
        kind = next(iter(schema.classes_of(fact.subject)), None)
        holders.setdefault((fact.predicate, kind), set()).add(fact.subject)
    return {
        node
        for (predicate, kind), nodes in holders.items()
        if len(nodes) == 1 and schema.tells_apart(predicate, kind)
        for node in nodes
    }
