"""Importing an export into a workspace that has its own history: as new commits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from pyoxigraph import DefaultGraph, NamedNode, Quad

from aitia import terms
from aitia.blobs import Blobs
from aitia.errors import ShapeViolation
from aitia.interop import elsewhere, record
from aitia.interop.incoming import Incoming
from aitia.interop.select import graph_of
from aitia.interop.unmerge import Graphs, moved
from aitia.ledger import Ledger
from aitia.lookup.imported import run_of
from aitia.lookup.stats import area
from aitia.model import Patch
from aitia.store import OxigraphStore
from aitia.vocab import AITIA, RDF, RDFS

LEFT_OUT: Final = ("ledger", "inferred", "shapes", "ontology")
"""Areas that no import brings: the ledger tells this workspace's own history, what is
inferred is inferred anew, shapes come in by `aitia shapes add`."""


@dataclass
class Merged:
    """What a merge did.

    Attributes:
        added: Quads that are new.
        commits: Numbers of the commits made.
        left_out: Area → quads that were left out.
        known: Records of documents, methods and agents that were here already and stay
            as they are.
        refused: What the gate refused, one line for each run.
        loose: Facts that belong to no document on record, or stood by a decision made
            elsewhere, still to be taken in.
    """

    added: int = 0
    commits: list[int] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)
    known: int = 0
    refused: list[str] = field(default_factory=list)
    loose: list[Quad] = field(default_factory=list)


class Merge:
    """Brings the content of a file into a workspace."""

    def __init__(
        self, incoming: Incoming, store: OxigraphStore, ledger: Ledger, blobs: Blobs
    ) -> None:
        self._incoming, self._store = incoming, store
        self._ledger, self._blobs = ledger, blobs
        self.told = Merged()

    def run(self, agent: str) -> Merged:
        """Commit what is new: first what is known, then each run by itself.

        Args:
            agent: Name of who imports.

        Raises:
            ShapeViolation: What is known does not conform; nothing is in.
        """
        started = terms.now()
        by_run: dict[str, list[Quad]] = {}
        knowledge: list[Quad] = []
        for quad in self._wanted():
            graph = graph_of(quad)
            place = (
                by_run.setdefault(graph, [])
                if record.is_run_graph(graph)
                else knowledge
            )
            place.append(quad)
        who = terms.agent_iri(agent)
        activity = record.new_activity()
        fresh = self._fresh(knowledge)
        runs = {graph: self._of_run(graph, by_run[graph]) for graph in sorted(by_run)}
        if not fresh and not any(runs.values()):
            return self.told
        self._keep_blobs()
        number = len(fresh) + sum(map(len, runs.values()))
        told = record.activity(activity, who, self._incoming.path, started, number)
        if not any(self._store.quads(who, RDFS.label, None, terms.GRAPH_CATALOG)):
            told += record.introduced(who, agent)
        # What was written back points to runs, and runs to what was written back.
        for graph in _pointed_to(fresh, runs):
            quads = runs.pop(graph)
            told += [*quads, *record.marks(quads, activity)]
        self._commit([*fresh, *told], who, activity)
        for graph, quads in runs.items():
            marked = [*quads, *record.marks(quads, activity)]
            try:
                self._commit(marked, who, activity)
            except ShapeViolation as error:
                self.told.refused.append(f"{graph.removesuffix('/trace')}: {error}")
        return self.told

    def _commit(
        self, quads: Iterable[Quad], agent: NamedNode, activity: NamedNode
    ) -> None:
        patch = Patch(frozenset(quads), agent=agent, cause=activity)
        made = self._ledger.commit(patch, durable=True)
        if made.number:
            self.told.commits.append(made.number)
            self.told.added += made.added

    def _fresh(self, quads: Iterable[Quad]) -> list[Quad]:
        return [quad for quad in quads if quad not in self._store]

    def _of_run(self, graph: str, quads: Iterable[Quad]) -> list[Quad]:
        """Return a run that is new here; of one on record here, nothing is changed."""
        fresh = self._fresh(quads)
        if not any(self._store.quads(None, None, None, NamedNode(graph))):
            return fresh
        if any(quad.predicate != AITIA.importedBy for quad in fresh):
            self.told.refused.append(
                f"{graph.removesuffix('/trace')}: it is on record here already, and the"
                " file says something else of it."
            )
        return []

    def _wanted(self) -> list[Quad]:
        """Return the quads to bring in, each in its graph; sorts out the others."""
        quads = self._incoming.quads
        if not self._incoming.has_graphs:
            graphs = Graphs(quads)
            quads = frozenset(graphs.of(quad) for quad in quads)
        known = self._known(quads)
        declared = self._declared(quads)
        left_out: Counter[str] = Counter()
        wanted = []
        here = elsewhere.parted(quads, self._store)
        self.told.loose += here.loose
        for quad in here.kept:
            graph = graph_of(quad)
            if not graph or (area(graph) == "current" and graph not in declared):
                self.told.loose.append(quad)
            elif (place := area(graph)) in LEFT_OUT:
                left_out[place] += 1
            elif quad.subject not in known:
                wanted.append(quad)
        self.told.left_out = dict(left_out)
        return wanted

    def _known(self, quads: Iterable[Quad]) -> set[object]:
        """Return the records of the catalog that are here already, and stay."""
        subjects = {q.subject for q in quads if q.graph_name == terms.GRAPH_CATALOG}
        found: set[object] = {
            subject
            for subject in subjects
            if isinstance(subject, NamedNode)
            and any(self._store.quads(subject, RDF.type, None, terms.GRAPH_CATALOG))
        }
        self.told.known = len(found)
        return found

    def _declared(self, quads: Iterable[Quad]) -> set[str]:
        """Return the graphs that belong to a document, in the file or on record."""
        found: set[str] = set()
        for quad in quads:
            if quad.predicate == RDF.type and quad.object == AITIA.Document:
                found.add(getattr(quad.subject, "value", ""))
            elif quad.predicate == AITIA.containsGraph:
                found.add(getattr(quad.object, "value", ""))
        return found

    def _keep_blobs(self) -> None:
        for name in self._incoming.names() & self._incoming.blobs.keys():
            self._blobs.put(self._incoming.blobs[name], name=name)


def _pointed_to(quads: Iterable[Quad], runs: Mapping[str, list[Quad]]) -> list[str]:
    """Return the graphs of the runs that the catalog points to."""
    found = (run_of(getattr(quad.object, "value", "")) for quad in quads)
    graphs = {terms.run_graph(NamedNode(run)).value for run in found if run}
    return sorted(graphs & runs.keys())


def loose_text(quads: Iterable[Quad]) -> bytes:
    """Return facts of people's as N-Quads, their own graphs kept."""
    kept = (
        quad
        if graph_of(quad) and not graph_of(quad).startswith(terms.BASE)
        else moved(quad, DefaultGraph())
        for quad in quads
    )
    return "".join(f"{line}\n" for line in sorted(map(terms.nquad, kept))).encode()
