"""What things are called in answers: by the words of the question where it has any."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from pyoxigraph import Literal, NamedNode

from aitia.methods.facts import NAMING, Fact, local_name
from aitia.methods.literals import is_name
from aitia.methods.mentions import Mention
from aitia.methods.schema import Schema
from aitia.methods.words import name_stems, singular
from aitia.store import Term

NESTED: Final = 8  # values of a nested resource that are told
LISTED: Final = 25  # names that a sentence lists
_NAME_WORDS: Final = frozenset(
    term for word in ("name", "title", "label") for term in name_stems(word)
)


class Naming:
    """Calls things by their labels, and those that a question names as it does.

    Attributes:
        schema: Where labels come from.
    """

    def __init__(self, schema: Schema, entities: Iterable[Mention] = ()) -> None:
        self.schema = schema
        self._called: Mapping[str, str] = {
            target: item.text
            for item in entities
            for target in item.targets
            if item.named or self._is_called(NamedNode(target), item.text)
        }

    def thing(self, node: NamedNode) -> str:
        """Return what a resource is called, with what kind of thing it is."""
        owner = self.schema.owner(node)
        if owner is not None:
            place = local_name(node)
            parent = self._owner_field(node, owner)
            part = f"{singular(parent)} {place}" if place.isdigit() else place
            return f"{part.replace('_', ' ')} of {self.thing(owner)}"
        name = self.name(node)
        kind = next(
            (
                self.schema.classes[kind].label
                for kind in self.schema.classes_of(node)
                if kind in self.schema.classes
            ),
            "",
        )
        one = singular(kind)
        return f"{one} {name}" if one and one.lower() not in name.lower() else name

    def name(self, node: NamedNode) -> str:
        """Return what a resource is called, in the question's words before its label."""
        label = self.schema.label(node)
        called = self._called.get(node.value, "")
        if called and called.lower() != label.lower():
            return f"{called} ({label})"
        spoken = "" if is_name(Literal(label)) else self._spoken(node)
        return f"{label} ({spoken})" if spoken and spoken != label else label

    def _is_called(self, node: NamedNode, words: str) -> bool:
        """Tell whether words that are a value of a thing are a name of it.

        They are under a property that says so ("name"). Under another one they may be
        the name of something else ("fed by"): then only where they look like a name and
        the thing has no other.
        """
        names = {
            fact.object.value.lower()
            for fact in self.schema.facts(node)
            if isinstance(fact.object, Literal) and self._names(fact.predicate)
        }
        return words.lower() in names or (not names and is_name(Literal(words)))

    def _names(self, predicate: NamedNode) -> bool:
        """Tell whether a property says in its own words that its values are names."""
        return bool(_NAME_WORDS & set(name_stems(self.property(predicate))))

    def _spoken(self, node: NamedNode) -> str:
        """Return a name for people that a record with a mere key has besides, or "".

        That is a text of some words without digits which nearly each instance of the
        class has another one of.
        """
        kind = next(iter(self.schema.classes_of(node)), None)
        facts = sorted(
            self.schema.facts(node), key=lambda fact: not self._names(fact.predicate)
        )
        for fact in facts:
            text = fact.object
            if (
                isinstance(text, Literal)
                and is_name(text)
                and fact.predicate not in NAMING
                and self.schema.tells_apart(fact.predicate, kind)
            ):
                return text.value
        return ""

    def value(self, term: Term) -> str:
        """Return a value in words: a literal, a resource's name, or what it holds."""
        if isinstance(term, Literal):
            return term.value
        if self.schema.labels(term):
            return self.name(term)
        told = [
            f"{self.property(fact.predicate)} {fact.object.value}"
            for fact in sorted(self.schema.facts(term), key=Fact.told)
            if isinstance(fact.object, Literal)
        ]
        return ", ".join(told[:NESTED]) or local_name(term)

    def property(self, node: NamedNode) -> str:
        """Return what a property is called."""
        known = self.schema.properties.get(node)
        return known.label if known else local_name(node).replace("_", " ")

    def fact(self, fact: Fact) -> str:
        """Return one fact in words."""
        return (
            f"{self.thing(fact.subject)}: {self.property(fact.predicate)} = "
            f"{self.value(fact.object)}"
        )

    @staticmethod
    def _owner_field(node: NamedNode, owner: NamedNode) -> str:
        """Return the field of the owner that a nested resource stands in."""
        return node.value.removeprefix(owner.value + "/").split("/")[0]


def listed(names: Iterable[str]) -> str:
    """Return names as a list in words, each once, long lists cut."""
    found = list(dict.fromkeys(names))
    more = f" and {len(found) - LISTED} more" if len(found) > LISTED else ""
    return ", ".join(found[:LISTED]) + more
