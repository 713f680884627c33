"""What models reply to methods, as pydantic models; imported where one is asked."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Relation = Literal["entails", "contradicts", "unrelated", "cannot tell"]


class Said(BaseModel):
    """A reply; what it says besides is passed over."""

    model_config = ConfigDict(extra="ignore")


class Judgement(Said):
    """How a sentence stands to texts.

    Attributes:
        relation: What was found.
        quote: The exact words that it goes by.
        reason: Why, in one sentence.
    """

    relation: Relation
    quote: str = Field("", max_length=4000)
    reason: str = Field("", max_length=2000)


class Expression(Said):
    """What is to be reckoned.

    Attributes:
        expression: As `aitia.methods.arithmetic` reads it.
    """

    expression: str = Field(min_length=1, max_length=500)


class Queries(Said):
    """Other ways to put a question.

    Attributes:
        queries: Each a query of its own.
    """

    queries: list[str] = Field(min_length=1, max_length=8)


class Passage(Said):
    """A passage that would answer a question, made up.

    Attributes:
        text: Its words.
    """

    text: str = Field(min_length=1, max_length=2000)


class Chosen(Said):
    """Which of the numbered texts were chosen.

    Attributes:
        numbers: Their numbers, from 1.
        reason: Why, in one sentence.
    """

    numbers: list[int] = Field(max_length=100)
    reason: str = Field("", max_length=2000)


class Asking(Said):
    """What to look for next.

    Attributes:
        query: A query, or "" where nothing is lacking.
    """

    query: str = Field("", max_length=400)


class Slot(Said):
    """What is asked of which thing, in words that were listed.

    Attributes:
        thing: Name of the thing.
        property: Name of the property, as listed, or "".
    """

    thing: str = Field(min_length=1, max_length=200)
    property: str = Field("", max_length=200)


class Conditions(Said):
    """Conditions on documents, as a question names them.

    Attributes:
        path: Glob over paths, or "".
        media_type: Such as `pdf`, or "".
        since: ISO date, or "".
        until: ISO date, or "".
    """

    path: str = Field("", max_length=200)
    media_type: str = Field("", max_length=100)
    since: str = Field("", max_length=30)
    until: str = Field("", max_length=30)


class Short(Said):
    """A short text.

    Attributes:
        sentences: Its sentences.
    """

    sentences: list[str] = Field(min_length=1, max_length=20)


class FactSaid(Said):
    """One fact that a text states.

    Attributes:
        subject: Name of the thing it is about, as the text has it.
        predicate: What is said of it, in a few words: "feeds", "has the fee".
        object: The other thing, or the value.
        kind: Whether the object is a thing or a value such as a number or date.
        quote: The exact words of the text that state it.
        valid_from: ISO date from which it holds, or "".
        valid_until: ISO date until which it holds, or "".
    """

    subject: str = Field(min_length=1, max_length=200)
    predicate: str = Field(min_length=1, max_length=100)
    object: str = Field(min_length=1, max_length=1000)
    kind: Literal["thing", "value"] = "value"
    quote: str = Field(min_length=1, max_length=2000)
    valid_from: str = Field("", max_length=30)
    valid_until: str = Field("", max_length=30)


class FactsSaid(Said):
    """The facts that a text states.

    Attributes:
        facts: Each with its quote.
    """

    facts: list[FactSaid] = Field(max_length=200)
