"""What a question speaks of: mentions of resources, values, classes, properties."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from aitia.methods.base import Outcome

ENTITY: Final = "entity"
VALUE: Final = "value"
CLASS: Final = "class"
PROPERTY: Final = "property"
KIND: Final = "kind"
"""A class that only says what kind of thing a named resource is."""
RELATION: Final = "relation"
"""A property that says how things are linked, and is not asked for itself."""


@dataclass(frozen=True)
class Mention:
    """Words of the question that name something the facts in force know.

    Attributes:
        kind: `entity`, `value`, `class`, `property`, `kind` or `relation`.
        text: The words.
        start: Offset of their first character in the question.
        end: Offset after their last character.
        targets: IRIs of what they may name; for a value, of properties that have it.
        value: For a value, the literal as N-Triples text.
        quality: From 0 to 1: how much of the name the words give, or how similar
            they are to it.
        named: For an entity, True where the words are its name or key, False where
            they are another value that only it has.
        focus: True where the question word stands right before it.
        denied: For a value, True where the question denies it ("not pending").
        generic: For a class, True where it is spoken of in general ("an order").
    """

    kind: str
    text: str
    start: int
    end: int
    targets: tuple[str, ...]
    value: str = ""
    quality: float = 1.0
    named: bool = True
    focus: bool = False
    generic: bool = False
    denied: bool = False

    def overlaps(self, other: Mention) -> bool:
        """Tell whether the two share a character."""
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True)
class Question:
    """A question or a part of one, as methods are given it.

    Attributes:
        text: Its words.
    """

    text: str


@dataclass(frozen=True)
class Mentions(Outcome):
    """The mentions that were found, in the order of the question."""

    mentions: tuple[Mention, ...] = field(default=())
