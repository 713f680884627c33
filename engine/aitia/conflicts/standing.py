"""The conflicts on record that still stand, each once, both sides with their weights.

A conflict stands while each of its sides does: a sentence while its document is in use
and the words were not withdrawn, a fact while it is in force. It ends by itself when a
new version, a retirement or an accepted proposal takes a side away, and when somebody
dismisses it. Found again by another run it is the same conflict.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pyoxigraph import Literal, NamedNode

from aitia import lookup, resources, terms
from aitia.conflicts.side import Side, Sides
from aitia.conflicts.spans import Withdrawn
from aitia.methods.facts import Fact
from aitia.methods.passages import Piece
from aitia.model import PassageRecord
from aitia.retrieval.passages import DocumentRecord, document
from aitia.store import Row
from aitia.vocab import AITIA, PROV, RDF

if TYPE_CHECKING:
    from aitia.methods.base import Reads

UNKNOWN_RULE: Final = ""


@dataclass(frozen=True)
class Standing:
    """A conflict on record.

    Attributes:
        node: IRI of the conflict; of several records of it, of the first.
        reason: How the sides disagree.
        rule: The rule by which it was found, or "" where the record names none.
        sides: Its sides.
        since: When it was first found, ISO 8601 in UTC.
        run: IRI of the run that found it first, or "".
        records: IRIs of all records of it.
        dismissed: Why somebody found that it is none, or "".
    """

    node: str
    reason: str
    rule: str
    sides: tuple[Side, ...]
    since: str
    run: str
    records: tuple[str, ...] = ()
    dismissed: str = ""

    @property
    def key(self) -> str:
        """What is the same for each record of the same conflict."""
        return conflict_key(side.key for side in self.sides)

    @property
    def id(self) -> str:
        """What people type for it."""
        return lookup.short(self.node).removeprefix("run:")

    def as_json(self) -> dict[str, Any]:
        """Return the stable layout of `--json`."""
        heaviest = self.heaviest
        return {
            "id": self.id,
            "reason": self.reason,
            "rule": self.rule,
            "between": [side.as_json() for side in self.sides],
            "heaviest": self.sides.index(heaviest) if heaviest else None,
            "since": self.since,
            "run": self.run,
            "records": list(self.records),
            "dismissed": self.dismissed,
        }

    @property
    def heaviest(self) -> Side | None:
        """The side whose source weighs more than that of each other, or None."""
        ranked = sorted(self.sides, key=lambda side: -side.weight.value)
        if len(ranked) > 1 and ranked[0].weight.value > ranked[1].weight.value:
            return ranked[0]
        return None


def conflict_key(sides: Iterator[str] | list[str]) -> str:
    """Return one text for a set of sides, in whichever order."""
    return terms.short_hash(*sorted(set(sides)), length=16)


def standing(reads: Reads, *, dismissed: bool = False) -> list[Standing]:
    """Return the conflicts that stand, the first found first.

    Args:
        reads: What may be read.
        dismissed: Also those that somebody dismissed.
    """
    rows: dict[str, list[Row]] = defaultdict(list)
    for row in reads.store.select(resources.query("conflicts", "conflicts")):
        rows[row["conflict"].value].append(row)
    found: dict[str, list[Standing]] = defaultdict(list)
    reader = _SideReader(reads)
    for node, told in rows.items():
        sides = [reader.side(side) for side in _values(told, "side")]
        whole = [side for side in sides if side is not None]
        if len(whole) == len(sides) > 1:
            made = _made(node, told, whole)
            found[made.key].append(made)
    every = [_merged(records) for records in found.values()]
    kept = [item for item in every if dismissed or not item.dismissed]
    return sorted(kept, key=lambda item: (item.since, item.node))


def _made(node: str, rows: list[Row], sides: list[Side]) -> Standing:
    return Standing(
        node=node,
        reason=_text(rows, "reason"),
        rule=_text(rows, "rule"),
        sides=tuple(sides),
        since=_text(rows, "since"),
        run=_text(rows, "run"),
        records=(node,),
        dismissed=_text(rows, "why"),
    )


def _merged(records: list[Standing]) -> Standing:
    """Return one conflict for its records: the first, with what later ones add."""
    ordered = sorted(records, key=lambda item: (item.since, item.node))
    first = ordered[0]
    return Standing(
        node=first.node,
        reason=first.reason,
        rule=next((x.rule for x in ordered if x.rule), UNKNOWN_RULE),
        sides=first.sides,
        since=first.since,
        run=first.run,
        records=tuple(x.node for x in ordered),
        dismissed=next((x.dismissed for x in ordered if x.dismissed), ""),
    )


class _SideReader:
    """Reads the sides of conflicts; a side that no longer stands is None."""

    def __init__(self, reads: Reads) -> None:
        self.reads, self.sides = reads, Sides(reads)
        self.withdrawn = Withdrawn(reads.store)
        self._documents: dict[str, DocumentRecord] = {}
        self._known: dict[NamedNode, Side | None] = {}

    def side(self, node: NamedNode) -> Side | None:
        """Return a side that stands, or None."""
        if node not in self._known:
            self._known[node] = self._read(node)
        return self._known[node]

    def _read(self, node: NamedNode) -> Side | None:
        rows = self.reads.store.select(
            resources.query("conflicts", "side"), {"side": node}
        )
        for row in rows:
            if "subject" in row:
                return self._fact(row)
            if "exact" in row:
                return self._words(row)
        return None

    def _fact(self, row: Row) -> Side | None:
        subject, predicate, graph = row["subject"], row["predicate"], row.get("graph")
        if not (
            isinstance(subject, NamedNode)
            and isinstance(predicate, NamedNode)
            and isinstance(graph, NamedNode)
        ):
            return None
        fact = Fact(subject, predicate, row["object"], graph)
        stands = terms.is_current(graph) and any(
            self.reads.store.quads(subject, predicate, fact.object, graph)
        )
        return self.sides.of_fact(fact) if stands else None

    def _words(self, row: Row) -> Side | None:
        passage = row["passage"].value
        owner = passage.partition("#")[0]
        start, end = int(row["start"].value), int(row["end"].value)
        if owner not in self._documents:
            self._documents[owner] = document(self.reads.store, owner)
        known = self._documents[owner]
        if not known.live or self.withdrawn.covers(owner, start, end):
            return None
        record = PassageRecord(passage, owner, "", 0, 0, path=known.path)
        return self.sides.of_piece(Piece(record, row["exact"].value, start, end))


def _values(rows: list[Row], name: str) -> list[NamedNode]:
    found = dict.fromkeys(row[name] for row in rows if name in row)
    return [node for node in found if isinstance(node, NamedNode)]


def _text(rows: list[Row], name: str) -> str:
    found = sorted(row[name].value for row in rows if name in row)
    return found[0] if found else ""


def dismissal(
    conflict: Standing, agent: NamedNode, reason: str
) -> list[tuple[NamedNode, NamedNode, NamedNode | Literal]]:
    """Return what puts on record that somebody found a conflict to be none.

    Args:
        conflict: The conflict.
        agent: Who found so.
        reason: Why, in words.
    """
    node = NamedNode(f"{terms.BASE}dismissal:{terms.new_id()}")
    when = terms.time(terms.now())
    return [
        (node, RDF.type, AITIA.Dismissal),
        (node, AITIA.dismisses, NamedNode(conflict.node)),
        (node, AITIA.reason, terms.string(reason)),
        (node, PROV.wasAssociatedWith, agent),
        (node, PROV.startedAtTime, when),
        (node, PROV.endedAtTime, when),
    ]
