"""Write-back: impact analysis over 10,000 dependents, and acceptance beside a commit."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pyoxigraph import Literal, NamedNode, Quad, Store

from aitia import terms
from aitia.ledger.log import Wanted
from aitia.model import Patch, causal
from aitia.store import OxigraphStore
from aitia.vocab import AITIA, PROV, RDF
from aitia.writeback.draft import Base, Change, Draft, Proposer
from aitia.writeback.impact import impact
from aitia.writeback.reviewers import Identity
from aitia.writeback.stale import stale
from tests.bench.figures import Figure
from tests.writeback_desk import Yard, yard

if TYPE_CHECKING:
    from tests.bench.run import Options

DEPENDENTS: Final = 10_000
ROUNDS: Final = 7
ACCEPTED: Final = 30
LIMIT: Final = 5
EX: Final = "http://example.org/"
CRANE, LIFTS = NamedNode(EX + "crane"), NamedNode(EX + "lifts")
DOCUMENT: Final = terms.document_iri("file", "0")
BARE: Final = """
PREFIX aitia: <https://w3id.org/aitia/ns#>
SELECT DISTINCT ?dependent WHERE {
  #bind
  ?dependent aitia:hasCause+ ?node .
  ?dependent a aitia:Answer .
}
"""
"""The query that lists what impact analysis finds, and no more."""


def measure(options: Options) -> list[Figure]:
    """Time impact analysis and acceptance beside their peers, in turns."""
    count = DEPENDENTS // 20 if options.quick else DEPENDENTS
    accepted = 6 if options.quick else ACCEPTED
    with tempfile.TemporaryDirectory() as name:
        figures = list(_impact(Path(name), count))
        figures += _acceptance(Path(name) / "yard", accepted)
    return figures


def _impact(folder: Path, count: int) -> Iterator[Figure]:
    store = filled(folder / "store", count)
    node = _statement()
    change = Change(CRANE, LIFTS, Literal("12"), DOCUMENT)
    draft = Draft("deprecate", "x", Proposer("ann"), Base(0, ""), withdraws=(change,))
    took = _in_turns(
        bare=lambda: len(store.select(BARE, {"node": node})),
        impact=lambda: impact(store, draft).answers,
        stale=lambda: len(stale(store, limit=20)),
    )
    assert took.found == {"bare": count, "impact": count, "stale": 20}, took.found
    bare = took.median("bare")
    for what, told in (
        ("impact", "impact analysis"),
        ("stale", "listing what is stale, the last 20 with their paths"),
    ):
        yield Figure(
            f"{told}, {count:,} dependents, against the bare query that lists them",
            took.median(what) / bare,
            limit=LIMIT if what == "impact" else None,
            note=f"{took.median(what):.0f} ms against {bare:.0f} ms",
        )


@dataclass
class _Took:
    """Milliseconds of several ways to do something, measured in turns."""

    times: dict[str, list[float]] = field(default_factory=dict)
    found: dict[str, int] = field(default_factory=dict)

    def median(self, what: str) -> float:
        return statistics.median(self.times[what])


def _in_turns(**ways: Callable[[], int]) -> _Took:
    took = _Took({name: [] for name in ways})
    for _ in range(ROUNDS):
        for name, way in ways.items():
            began = time.perf_counter()
            took.found[name] = way()
            took.times[name].append((time.perf_counter() - began) * 1000)
    return took


def _statement() -> NamedNode:
    return terms.statement_iri(
        CRANE.value, LIFTS.value, str(Literal("12")), DOCUMENT.value
    )


def filled(folder: Path, count: int) -> OxigraphStore:
    """Return a store with one fact that is out of use, and answers that rest on it."""
    store = Store(str(folder))
    store.bulk_extend(_quads(count))
    store.flush()
    store.optimize()
    del store
    return OxigraphStore(folder)


def _quads(count: int) -> Iterator[Quad]:
    node, catalog = _statement(), terms.GRAPH_CATALOG
    yield Quad(DOCUMENT, RDF.type, AITIA.Document, catalog)
    yield Quad(DOCUMENT, AITIA.documentState, AITIA.live, catalog)
    version = NamedNode(f"{node.value}/version/abc")
    yield Quad(version, AITIA.rank, AITIA.deprecated, catalog)
    yield Quad(version, PROV.invalidatedAtTime, terms.time(terms.now()), catalog)
    yield from _described(version, catalog)
    for number in range(count):
        run = terms.run_iri(f"r{number}")
        graph = terms.run_graph(run)
        claim, answer = terms.part(run, "claim", 1), terms.part(run, "answer")
        yield from _described(node, graph)
        yield Quad(answer, RDF.type, AITIA.Answer, graph)
        yield Quad(claim, RDF.type, AITIA.Claim, graph)
        yield Quad(answer, AITIA.inRun, run, graph)
        yield from causal(answer, AITIA.derivesFrom, claim, graph)
        yield from causal(claim, AITIA.derivesFrom, node, graph)


def _described(node: NamedNode, graph: NamedNode) -> Iterator[Quad]:
    yield Quad(node, RDF.type, AITIA.Statement, graph)
    yield Quad(node, RDF.subject, CRANE, graph)
    yield Quad(node, RDF.predicate, LIFTS, graph)
    yield Quad(node, RDF.object, Literal("12"), graph)
    yield Quad(node, AITIA.inGraph, DOCUMENT, graph)


def _acceptance(folder: Path, count: int) -> Iterator[Figure]:
    """Accept proposals one by one, each beside one commit of as many quads."""
    folder.mkdir()
    with yard(folder, count) as desk:
        made = [desk.propose(number).proposal.id for number in range(count)]
        took: dict[str, list[float]] = {"accept": [], "commit": [], "step": []}
        for number, ident in enumerate(made):
            size = _accept(desk, ident, took["accept"])
            _commit(desk, number, size, took["commit"])
            _commit(desk, count + number, 10, took["step"])
    middle = {name: statistics.median(times) for name, times in took.items()}
    for what, told in (("commit", "as many quads"), ("step", "ten quads")):
        yield Figure(
            f"acceptance with index update, against one gated commit of {told}",
            middle["accept"] / middle[what],
            limit=LIMIT if what == "commit" else None,
            note=f"{middle['accept']:.1f} ms against {middle[what]:.1f} ms, both on disk",
        )


def _accept(desk: Yard, ident: str, times: list[float]) -> int:
    """Accept a proposal; returns how many quads its commit added."""
    began = time.perf_counter()
    who = Identity("bob")
    done = desk.workspace.writeback.decide(ident, "approve", "read it", who)
    times.append((time.perf_counter() - began) * 1000)
    wanted = Wanted(limit=5)
    return next(x.added for x in desk.workspace.log(wanted) if x.number == done.commit)


def _commit(desk: Yard, number: int, size: int, times: list[float]) -> None:
    """Commit gaps of as many quads as an acceptance has: judged, and on disk."""
    node = NamedNode(f"{terms.BASE}gap:bench{number}")
    adds = [
        Quad(node, RDF.type, AITIA.Gap, terms.GRAPH_CATALOG),
        Quad(node, AITIA.text, terms.string("what?"), terms.GRAPH_CATALOG),
    ]
    while len(adds) < size:
        other = terms.part(node, "more", len(adds))
        adds.append(Quad(other, RDF.type, AITIA.Gap, terms.GRAPH_CATALOG))
        text = terms.string(f"what {len(adds)}?")
        adds.append(Quad(other, AITIA.text, text, terms.GRAPH_CATALOG))
    began = time.perf_counter()
    desk.workspace.ledger.commit(Patch(frozenset(adds)), durable=True)
    times.append((time.perf_counter() - began) * 1000)
