"""Gate and commit of a ten-triple step, in stores of 10 k, 100 k and a million triples."""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyshacl
from pyoxigraph import NamedNode, Quad, RdfFormat, Store

from aitia import terms
from aitia.blobs import Blobs
from aitia.gate import Gate
from aitia.ledger import Ledger
from aitia.model import Patch, causal
from aitia.store import OxigraphStore
from aitia.vocab import AITIA, PROV, RDF
from tests.bench.figures import Figure
from tests.bench.stock import Stock
from tests.gate_reference import graph_of, own_shapes, silence
from tests.world_catalog import Maker
from tests.world_run import RunMaker

if TYPE_CHECKING:
    from tests.bench.run import Options

SIZES = (10_000, 100_000, 1_000_000)
ROUNDS = 60
OVER_PYSHACL = 1.5
GROWTH = 1.3


def measure(options: Options) -> list[Figure]:
    """Time commits of steps beside pySHACL on the same neighbourhood."""
    sizes = (10_000, 30_000) if options.quick else SIZES
    rounds = 10 if options.quick else ROUNDS
    took: dict[int, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as name:
        places = [Place(Path(name) / str(size), size) for size in sizes]
        whole = places[0].whole()
        for round_number in range(rounds + 3):
            for place in places:
                place.step(warm=round_number < 3)
        for place in places:
            took[place.size] = place.medians()
            place.close()
    return [*_ratios(took), _whole(whole, took[sizes[0]], sizes[0])]


def _ratios(took: dict[int, dict[str, float]]) -> Iterator[Figure]:
    first = next(iter(took.values()))
    for size, found in took.items():
        note = (
            f"{found['commit']:.1f} ms, of which the gate {found['gate']:.1f} ms;"
            f" pySHACL with its shapes kept {found['pyshacl']:.1f} ms"
        )
        what = f"gate and commit of a ten-triple step, {size:,} triples"
        ratio = found["commit"] / found["pyshacl"]
        yield Figure(f"{what}, against pySHACL", ratio, limit=OVER_PYSHACL, note=note)
        if found is not first:
            yield Figure(
                f"{what}, against the same at {next(iter(took)):,}",
                found["commit"] / first["commit"],
                limit=GROWTH,
                note=f"{found['commit']:.1f} ms against {first['commit']:.1f} ms",
            )


def _whole(seconds: float, found: dict[str, float], size: int) -> Figure:
    return Figure(
        f"pySHACL on the whole graph of {size:,} triples, against gate and commit",
        seconds * 1000 / found["commit"],
        note=f"{seconds:.1f} s against {found['commit']:.1f} ms",
    )


class Place:
    """A store of one size, with a ledger, that steps are committed to."""

    def __init__(self, folder: Path, size: int) -> None:
        self.size = size
        folder.mkdir()
        made, self.runs, self.goal = _fill(folder / "store", size)
        self.method = made.methods[0]
        self.store = OxigraphStore(folder / "store")
        self.gate = Gate()
        self.ledger = Ledger(self.store, Blobs(folder / "blobs"), self.gate)
        self.stock = Stock()
        self.rng = random.Random(1)
        self.rng.shuffle(self.runs)
        self.steps = 0
        self.took: dict[str, list[float]] = {"gate": [], "commit": [], "pyshacl": []}

    def step(self, *, warm: bool) -> None:
        """Commit one step, judge it once more beside, and let pySHACL judge it."""
        patch = self._patch()
        seconds = {"pyshacl": self.stock.seconds(self.store, patch)}
        began = time.perf_counter()
        self.gate.admit(self.store, patch)
        seconds["gate"] = time.perf_counter() - began
        began = time.perf_counter()
        self.ledger.commit(patch)
        seconds["commit"] = time.perf_counter() - began
        for name, value in seconds.items():
            if not warm:
                self.took[name].append(value)

    def _patch(self) -> Patch:
        """Return a step of ten triples into the next run."""
        run = self.runs[self.steps % len(self.runs)]
        self.steps += 1
        graph, node = terms.run_graph(run), terms.part(run, "exec", 100 + self.steps)
        goal = NamedNode(run.value + self.goal)
        quads = [
            Quad(node, RDF.type, AITIA.MethodExecution, graph),
            Quad(node, AITIA.inRun, run, graph),
            Quad(node, AITIA.method, self.method, graph),
            Quad(node, AITIA.serves, goal, graph),
            Quad(node, AITIA.status, AITIA.running, graph),
            Quad(node, AITIA.attempt, terms.integer(1), graph),
            Quad(node, AITIA.input, terms.string('{"words": ["fee"]}'), graph),
            Quad(node, PROV.startedAtTime, terms.time(terms.now()), graph),
            *causal(goal, AITIA.motivates, node, graph),
        ]
        return Patch(frozenset(quads))

    def whole(self) -> float:
        """Return the seconds that pySHACL takes for everything."""
        with silence():
            data = graph_of(self.store.quads())
            began = time.perf_counter()
            conforms, _, text = pyshacl.validate(data, shacl_graph=own_shapes())
        assert conforms, text
        return time.perf_counter() - began

    def medians(self) -> dict[str, float]:
        """Return the median of each in milliseconds."""
        return {
            name: statistics.median(found) * 1000 for name, found in self.took.items()
        }

    def close(self) -> None:
        """Give the store free."""
        self.store.close()


def _fill(folder: Path, size: int) -> tuple[Maker, list[NamedNode], str]:
    """Fill a store with documents and runs that are all alike; return the runs."""
    made = Maker(random.Random(7))
    made.document(0)
    store = Store(str(folder))
    store.extend(made.quads)
    made.quads = []
    maker = RunMaker(made)
    maker.begin()
    maker.perceive()
    for _ in range(2):
        maker.pursue(maker.subgoal())
    maker.decide()
    maker.end("decision")
    template = "\n".join(sorted({f"{quad} ." for quad in made.quads}))
    runs, text = [], []
    for number in range(size // len(set(made.quads))):
        key = f"bench{number:06}"
        runs.append(terms.run_iri(key))
        text.append(_copy(template, maker.run, runs[-1], key))
        if len(text) == 500:
            store.bulk_load("\n".join(text).encode(), RdfFormat.N_QUADS)
            text = []
    store.bulk_load("\n".join(text).encode(), RdfFormat.N_QUADS)
    store.flush()
    del store
    return made, runs, maker.goals[1].value.removeprefix(maker.run.value)


def _copy(template: str, old: NamedNode, new: NamedNode, key: str) -> str:
    """Return the template as another run: its nodes, links and statements its own."""
    text = template.replace(old.value, new.value)
    for shared in ("link:", "statement:"):
        text = text.replace(terms.BASE + shared, f"{terms.BASE}{shared}{key}-")
    return text
