"""How a question can be read as a query over the facts: the types of a reading."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pyoxigraph import NamedNode

from aitia.methods.base import Outcome
from aitia.methods.cues import VALUE_FORM
from aitia.methods.limits import Bound
from aitia.methods.mentions import PROPERTY, Mention


@dataclass(frozen=True)
class Reading:
    """One way to read a question as a query.

    Attributes:
        form: What is asked for; see `aitia.methods.cues`.
        entities: Mentions of the resources it starts from.
        of_class: Mention of the class whose instances are looked for, or None.
        asked: Mention of the property whose values are asked for, or None.
        filters: Mentions of values that the instances must have.
        hints: Mentions of further classes and properties; the way to an answer may
            lead over them.
        bound: A limit to the values of the property asked for, or None.
        found: Resources that an earlier step found, to start from.
        covered: Share of the question's words that the reading explains, by weight.
    """

    form: str
    entities: tuple[Mention, ...] = ()
    of_class: Mention | None = None
    asked: Mention | None = None
    filters: tuple[Mention, ...] = ()
    hints: tuple[Mention, ...] = ()
    bound: Bound | None = None
    found: tuple[NamedNode, ...] = ()
    covered: float = 0.0

    def mentions(self) -> tuple[Mention, ...]:
        """Return every mention that the reading puts to use."""
        one = [item for item in (self.of_class, self.asked) if item is not None]
        return (*self.entities, *one, *self.filters)

    def words(self) -> str:
        """Return the reading in words."""
        parts = [self.form]
        if self.asked:
            parts.append(f"of the property {self.asked.text!r}")
        if self.of_class:
            parts.append(f"over {self.of_class.text!r}")
        if self.filters:
            parts.append("with " + " and ".join(_told(item) for item in self.filters))
        if self.bound:
            parts.append(self.bound.text)
        if self.entities:
            parts.append("for " + " and ".join(repr(e.text) for e in self.entities))
        return " ".join(parts)


@dataclass(frozen=True)
class ReadingInput:
    """What readings are made from.

    Attributes:
        text: The question or part of one.
        mentions: What it mentions.
    """

    text: str
    mentions: tuple[Mention, ...]


@dataclass(frozen=True)
class Readings(Outcome):
    """Readings of a question, best covered first."""

    readings: tuple[Reading, ...] = field(default=())


@dataclass(frozen=True)
class Filter:
    """A value that instances must have, or must not.

    Attributes:
        properties: The properties that have the value.
        literal: The value, as N-Triples text.
        denied: True where another value of the property is looked for.
    """

    properties: tuple[NamedNode, ...]
    literal: str
    denied: bool = False


@dataclass(frozen=True)
class GraphQuery:
    """A query over the facts, with what is bound.

    Attributes:
        form: What is asked for.
        start: Resources that it starts from: for each name, those that it may mean.
        classes: Classes whose instances are looked for, or none.
        asked: Properties whose values are asked for, or none.
        filters: The values that instances must have.
        hints: Classes and properties that the way may lead over.
    """

    form: str
    start: tuple[tuple[NamedNode, ...], ...] = ()
    classes: tuple[NamedNode, ...] = ()
    asked: tuple[NamedNode, ...] = ()
    filters: tuple[Filter, ...] = ()
    hints: tuple[NamedNode, ...] = ()

    def nodes(self) -> list[NamedNode]:
        """Return all resources that it starts from."""
        return [node for group in self.start for node in group]


def as_query(reading: Reading) -> GraphQuery:
    """Return the query that a reading stands for."""
    groups = [reading.found, *(_nodes([item]) for item in reading.entities)]
    return GraphQuery(
        form=reading.form,
        start=tuple(group for group in groups if group),
        classes=_nodes([reading.of_class] if reading.of_class else []),
        asked=_nodes([reading.asked] if reading.asked else []),
        filters=tuple(
            Filter(_nodes([item]), item.value, item.denied) for item in reading.filters
        ),
        hints=_nodes(reading.hints),
    )


def without_filters(reading: Reading) -> Reading | None:
    """Return the reading that asks what stands in place of the values it filters by.

    None where a reading without rows does not show that there is no such thing: where
    it names no resource whose things could be looked at.
    """
    if not (reading.filters and reading.of_class and reading.entities):
        return None
    asked = replace(reading.filters[0], kind=PROPERTY)
    return replace(reading, form=VALUE_FORM, asked=asked, filters=())


def _told(item: Mention) -> str:
    return f"not {item.text!r}" if item.denied else repr(item.text)


def _nodes(mentions: tuple[Mention, ...] | list[Mention]) -> tuple[NamedNode, ...]:
    return tuple(NamedNode(iri) for item in mentions for iri in item.targets)
