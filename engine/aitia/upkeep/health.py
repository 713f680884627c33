"""How healthy what is known is: counts and lists of what deserves a look.

Nothing is put on record and nothing is changed: each list says where to look.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from pyoxigraph import NamedNode, Quad

from aitia import lookup, terms
from aitia.conflicts import Weigher
from aitia.conflicts.standing import standing
from aitia.lookup.accepted import accepted
from aitia.methods.base import Reads
from aitia.plain import quoted
from aitia.resources import query
from aitia.settings.sources import Weight
from aitia.store import Row, Term
from aitia.upkeep.scan import Scan, scan
from aitia.vocab import AITIA, DCTERMS, PROV, RDF
from aitia.writeback.stale import stale

AGED_DAYS: Final = 365.0
"""Days after which a fact that no source stated anew is aged."""
LIGHT: Final = 0.5
"""Weight below which a source is light: below one that nothing is known of."""
LISTED: Final = 20
"""So many things of each kind are listed; all are counted."""


NAMES: Final = {
    AITIA.unsourcedFacts: "facts without a source",
    AITIA.singleSourceFacts: "facts of a single source",
    AITIA.agedFacts: "aged facts",
    AITIA.lightFacts: "light facts that decide",
    AITIA.orphanEntities: "orphan entities",
    AITIA.duplicateEntities: "likely duplicates",
    AITIA.standingConflicts: "standing conflicts",
    AITIA.waitingProposals: "waiting proposals",
    AITIA.staleAnswers: "stale answers",
}
"""What the metrics are called, as in the ontology."""


@dataclass(frozen=True)
class Item:
    """One thing that deserves a look.

    Attributes:
        iri: IRI of the thing; of a fact, of its subject.
        text: What it is, in words.
        fact: The fact, where it is one.
    """

    iri: str
    text: str
    fact: Quad | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the stable layout of `--json`."""
        return {"iri": self.iri, "text": self.text}


@dataclass(frozen=True)
class Measured:
    """One metric with what it found.

    Attributes:
        metric: The metric, a `dqv:Metric` of the ontology.
        name: What it is called.
        count: How many there are.
        of: How many were looked at, or None where that says nothing.
        items: The first of them.
    """

    metric: NamedNode
    name: str
    count: int
    of: int | None
    items: tuple[Item, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the stable layout of `--json`."""
        return {
            "metric": self.metric.value,
            "name": self.name,
            "count": self.count,
            "of": self.of,
            "items": [item.as_json() for item in self.items],
        }


@dataclass(frozen=True)
class Health:
    """What an inspection found.

    Attributes:
        when: When it was made.
        facts: How many different facts are in force.
        entities: How many resources these describe.
        measured: Each metric.
    """

    when: datetime
    facts: int
    entities: int
    measured: tuple[Measured, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the stable layout of `--json`."""
        return {
            "when": self.when.isoformat(),
            "facts": self.facts,
            "entities": self.entities,
            "measured": [item.as_json() for item in self.measured],
        }


@dataclass(frozen=True)
class Limits:
    """From where on something deserves a look.

    Attributes:
        aged_days: Days after which a fact is aged.
        light: Weight below which a source is light.
        listed: So many things of each kind are listed.
    """

    aged_days: float = AGED_DAYS
    light: float = LIGHT
    listed: int = LISTED


def inspect(reads: Reads, limits: Limits | None = None) -> Health:
    """Return how healthy what is known is.

    Args:
        reads: What may be read.
        limits: From where on something deserves a look.
    """
    given = limits or Limits()
    when = terms.now()
    older = when - timedelta(days=given.aged_days)
    seen = scan(reads.store, older)
    _take_accepted(reads, seen, older)
    measuring = _Measuring(reads, given)
    return Health(when, seen.facts, seen.entities, tuple(measuring.all(seen)))


class _Measuring:
    """Makes metrics of what was found."""

    def __init__(self, reads: Reads, limits: Limits) -> None:
        self.reads, self.limits = reads, limits

    def all(self, seen: Scan) -> Iterator[Measured]:
        """Yield each metric."""
        facts, entities = seen.facts, seen.entities
        yield self._of_facts(AITIA.unsourcedFacts, seen.unsourced, facts)
        yield self._of_facts(AITIA.singleSourceFacts, seen.single, facts)
        yield self._of_facts(AITIA.agedFacts, seen.aged, facts)
        yield self._made(AITIA.lightFacts, self._light())
        orphans = [Item(node.value, lookup.name(node.value)) for node in seen.orphans]
        yield self._made(AITIA.orphanEntities, orphans, entities)
        yield self._made(AITIA.duplicateEntities, _groups(seen.duplicates), entities)
        yield self._made(AITIA.standingConflicts, self._conflicts())
        yield self._made(AITIA.waitingProposals, self._proposals())
        yield self._made(AITIA.staleAnswers, self._stale())

    def _made(
        self, metric: NamedNode, items: Sequence[Item], of: int | None = None
    ) -> Measured:
        name = NAMES[metric]
        return Measured(
            metric, name, len(items), of, tuple(items[: self.limits.listed])
        )

    def _of_facts(self, metric: NamedNode, found: list[Quad], of: int) -> Measured:
        found.sort(key=str)
        items = [_fact(quad) for quad in found[: self.limits.listed]]
        return Measured(metric, NAMES[metric], len(found), of, tuple(items))

    def _light(self) -> list[Item]:
        """Return the grounds of sentences that rest on light sources alone."""
        by_claim: dict[str, list[Row]] = defaultdict(list)
        for row in self.reads.store.select(query("upkeep", "deciding")):
            by_claim[row["claim"].value].append(row)
        weights, found = _Weights(self.reads), dict[str, Item]()
        for rows in by_claim.values():
            grounds = [(row, weights.of(row["ground"])) for row in rows]
            weighed = [(row, weight) for row, weight in grounds if weight is not None]
            if not weighed or max(w.value for _, w in weighed) >= self.limits.light:
                continue
            for row, weight in weighed:
                iri, answer = row["ground"].value, lookup.short(row["answer"].value)
                told = f"{answer} rests on {lookup.short(iri)}, {weight.told()}"
                found.setdefault(iri, Item(iri, told))
        return sorted(found.values(), key=lambda item: item.iri)

    def _conflicts(self) -> list[Item]:
        return [Item(item.node, item.reason) for item in standing(self.reads)]

    def _proposals(self) -> list[Item]:
        state = (AITIA.proposalState, AITIA.needsReview)
        quads = self.reads.store.quads(None, *state, terms.GRAPH_CATALOG)
        nodes = sorted(
            quad.subject.value for quad in quads if isinstance(quad.subject, NamedNode)
        )
        return [Item(iri, self._text(iri)) for iri in nodes]

    def _text(self, iri: str) -> str:
        found = self.reads.store.quads(NamedNode(iri), AITIA.text)
        return next((getattr(q.object, "value", "") for q in found), "")

    def _stale(self) -> list[Item]:
        return [Item(item.node, item.reason) for item in stale(self.reads.store)]


class _Weights:
    """How far the sources of quotes and statements are trusted; each is looked up once."""

    def __init__(self, reads: Reads) -> None:
        self._store, self._weigher = reads.store, Weigher(reads)
        self._known: dict[Term, Weight | None] = {}

    def of(self, ground: Term) -> Weight | None:
        """Return the weight of a quote's or statement's source; None for other nodes."""
        if ground not in self._known:
            source = self._source(ground) if isinstance(ground, NamedNode) else None
            weight = self._weigher.weigh(source) if source is not None else None
            self._known[ground] = weight
        return self._known[ground]

    def _source(self, ground: NamedNode) -> NamedNode | None:
        """Return the document that a quote is from, or the graph of a statement."""
        if self._is(ground, AITIA.Statement):
            return self._one(ground, AITIA.inGraph)
        if not self._is(ground, AITIA.Quote):
            return None
        passage = self._one(ground, DCTERMS.isPartOf)
        return self._one(passage, DCTERMS.isPartOf) if passage is not None else None

    def _is(self, node: NamedNode, kind: NamedNode) -> bool:
        return next(self._store.quads(node, RDF.type, kind), None) is not None

    def _one(self, node: NamedNode, predicate: NamedNode) -> NamedNode | None:
        found = (quad.object for quad in self._store.quads(node, predicate))
        return next((value for value in found if isinstance(value, NamedNode)), None)


def _take_accepted(reads: Reads, seen: Scan, older: datetime) -> None:
    """Sort the accepted facts in: by their evidence, and by when they were accepted."""
    for quad in seen.accepted:
        subject, value = quad.subject, quad.object
        assert isinstance(subject, NamedNode)  # the scan has seen it
        known = accepted(reads.store, subject, quad.predicate, value)  # type: ignore[arg-type]
        sources = _sources(reads, known.proposal) if known and known.proposal else set()
        if not sources:
            seen.unsourced.append(quad)
        elif len(sources) == 1:
            seen.single.append(quad)
        if known is not None:
            since = _time(reads, known.statement, PROV.generatedAtTime)
            until = _time(reads, known.statement, AITIA.validUntil)
            if (since and since < older) or (until and until < terms.now()):
                seen.aged.append(quad)


def _sources(reads: Reads, proposal: NamedNode) -> set[str]:
    """Return the keys of the independent sources of a proposal's evidence."""
    return {
        str(key.object)
        for quad in reads.store.quads(proposal, AITIA.hasEvidence)
        if isinstance(quad.object, NamedNode)
        for key in reads.store.quads(quad.object, AITIA.sourceKey)
    }


def _time(reads: Reads, node: NamedNode, predicate: NamedNode) -> datetime | None:
    found = reads.store.quads(node, predicate)
    text = next((getattr(quad.object, "value", "") for quad in found), "")
    return datetime.fromisoformat(text) if text else None


def _fact(quad: Quad) -> Item:
    subject = getattr(quad.subject, "value", "")
    value = quad.object
    told = (
        lookup.name(value.value)
        if isinstance(value, NamedNode)
        else quoted(getattr(value, "value", ""))
    )
    text = f"{lookup.name(subject)} {lookup.name(quad.predicate.value)} {told}"
    return Item(subject, text, quad)


def _groups(found: Iterable[tuple[NamedNode, ...]]) -> list[Item]:
    return [
        Item(group[0].value, ", ".join(lookup.name(node.value) for node in group))
        for group in found
    ]
