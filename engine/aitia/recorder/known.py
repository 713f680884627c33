"""Which node stands for which object: what a recorder was told, by identity and value.

Where an object is named as a cause (`because=[report]`), it may be any object that was
recorded: the very same object, or, for texts and numbers, an equal one. That data flowed
into a call is taken only from what cannot be mistaken: a node, or the very same object
that is no text or number, since equal ones may come from anywhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Set as AbstractSet
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from pyoxigraph import NamedNode

from aitia import lookup
from aitia.errors import AitiaError, UsageError
from aitia.plain import quoted
from aitia.store import Reader
from aitia.vocab import AITIA, RDF

GROUNDS: Final = frozenset(
    {
        AITIA.Abort,
        AITIA.Abstention,
        AITIA.Annotation,
        AITIA.Answer,
        AITIA.Claim,
        AITIA.Conflict,
        AITIA.Decision,
        AITIA.Document,
        AITIA.Entity,
        AITIA.Hypothesis,
        AITIA.Intent,
        AITIA.Observation,
        AITIA.Passage,
        AITIA.Quote,
        AITIA.Source,
        AITIA.Statement,
        AITIA.UserInput,
    }
)
"""The classes of nodes that something may be said to rest on."""
_FLAT: Final = (str, bytes, int, float, complex, type(None))
_ID: Final = 200
"""Characters of a text above which it is no id."""
_LOOKED_INTO: Final = 3
"""Levels of lists and objects that are looked into for data that flowed."""
_MOST: Final = 1_000
"""Items of one list that are looked at for data that flowed."""


@dataclass(frozen=True)
class Node:
    """A node of a run that is being recorded; names it wherever a cause is asked for.

    Attributes:
        iri: Its IRI.
        kind: Local name of its class, such as `Observation`.
        text: What it says, in words.
        agent: Name of the agent whose it is.
        value: The object it stands for.
    """

    iri: NamedNode
    kind: str
    text: str = field(compare=False)
    agent: str = field(compare=False)
    value: Any = field(default=None, compare=False, repr=False)

    @property
    def id(self) -> str:
        """Its id, as `aitia why` and `aitia show` take it."""
        return lookup.short(self.iri.value)


class Known:
    """The nodes of a run and the objects that they stand for.

    Attributes:
        nodes: The nodes, in the order in which they were recorded.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.nodes: dict[NamedNode, Node] = {}
        self._same: dict[int, tuple[Any, NamedNode]] = {}
        self._equal: dict[tuple[type, Any], dict[NamedNode, None]] = {}

    def add(self, node: Node) -> None:
        """Take note of a node and of the object that it stands for.

        The object is held, so that no other can take its place in memory.
        """
        self.nodes[node.iri] = node
        for value in (node.value, node.text):
            if isinstance(value, _FLAT):
                if value is not None and value == value:
                    found = self._equal.setdefault((type(value), value), {})
                    found[node.iri] = None
            else:
                self._same[id(value)] = (value, node.iri)

    def also(self, thing: Any, node: NamedNode) -> None:
        """Let another object stand for a node, unless texts and numbers like it do."""
        if not isinstance(thing, _FLAT):
            self._same[id(thing)] = (thing, node)

    def same(self, thing: Any) -> NamedNode | None:
        """Return the node that this very object stands for, or None."""
        found = self._same.get(id(thing))
        return found[1] if found is not None else None

    def equal(self, thing: Any) -> list[NamedNode]:
        """Return the nodes that stand for a text or number equal to this one."""
        return list(self._equal.get((type(thing), thing), ()))

    def find(self, thing: Any) -> NamedNode:
        """Return the node that an object stands for, or that a text or node names.

        Raises:
            UsageError: Nothing on record stands for it, or several nodes do.
        """
        if isinstance(thing, Node):
            return self._on_record(thing.iri, thing.id)
        if isinstance(thing, NamedNode):
            return self._on_record(thing, thing.value)
        if isinstance(thing, _FLAT):
            found = self.equal(thing)
            if len(found) > 1:
                ids = ", ".join(self.nodes[node].id for node in found[:5])
                raise UsageError(
                    f"Several nodes stand for {_named(thing)}: {ids}.",
                    hint="Name the one: pass the node that `observe` returned, or "
                    f"`r.ref({self.nodes[found[0]].id!r})`; a text or number that was "
                    "seen twice names neither.",
                )
            if found:
                return found[0]
            return self._named(thing)
        same = self._same.get(id(thing))
        if same is None:
            raise _unknown(thing)
        return same[1]

    def causes(self, because: Any) -> list[NamedNode]:
        """Return the nodes for one object or a list of objects, each node once.

        Raises:
            UsageError: One of them is not on record, or nothing can rest on it.
        """
        found = [self.ground(thing) for thing in self._each(because)]
        return list(dict.fromkeys(found))

    def ground(self, thing: Any) -> NamedNode:
        """Return the node that an object stands for, if something can rest on it.

        Raises:
            UsageError: It is not on record, or nothing can rest on it.
        """
        node = self.find(thing)
        if node in self.nodes:
            return node
        kinds = {quad.object for quad in self._reader.quads(node, RDF.type)}
        if kinds.isdisjoint(GROUNDS):
            told = ", ".join(sorted(str(kind) for kind in kinds)) or "no type"
            raise UsageError(
                f"{lookup.short(node.value)} is no evidence ({told}): nothing can rest"
                " on it.",
                hint="Name an observation, hypothesis, document, passage, claim or the"
                " like.",
            )
        return node

    def flowing(self, values: Any, depth: int = 0) -> Iterator[NamedNode]:
        """Yield the nodes whose objects are in `values`, beyond doubt."""
        if isinstance(values, Node):
            yield values.iri
            return
        if isinstance(values, _FLAT):
            return
        same = self._same.get(id(values))
        if same is not None:
            yield same[1]
        elif depth < _LOOKED_INTO:
            for inner in islice(_items(values), _MOST):
                yield from self.flowing(inner, depth + 1)

    def _each(self, because: Any) -> list[Any]:
        several = isinstance(because, list | tuple | AbstractSet)
        if several and id(because) not in self._same:
            return list(because)
        return [] if because is None else [because]

    def _on_record(self, node: NamedNode, name: str) -> NamedNode:
        if node not in self.nodes and not lookup.exists(self._reader, node):
            raise _unknown(name)
        return node

    def _named(self, thing: Any) -> NamedNode:
        """Return the node on record that a text is the id of."""
        if isinstance(thing, str) and 0 < len(thing) <= _ID and " " not in thing:
            try:
                return lookup.resolve(self._reader, thing)
            except AitiaError:
                raise _unknown(thing) from None
        raise _unknown(thing)


def _items(values: Any) -> Iterable[Any]:
    if isinstance(values, Mapping):
        return values.values()
    return values if isinstance(values, list | tuple | AbstractSet) else ()


def _named(thing: Any) -> str:
    try:
        return quoted(thing if isinstance(thing, str) else repr(thing), 80)
    except (Exception, SystemExit):
        # A foreign object may fail to tell itself.
        return f"an object of {type(thing).__name__}"


def _unknown(thing: Any) -> UsageError:
    hint = "Record it first: with `observe`, `hypothesize` or `call`."
    if isinstance(thing, float) and math.isnan(thing):
        hint = "NaN equals nothing, itself not: pass the node that `observe` returned."
    return UsageError(f"Nothing on record stands for {_named(thing)}.", hint=hint)
