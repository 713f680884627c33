"""A step of a recorded call, committed per call and in batch, among recorded decisions."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pyoxigraph import NamedNode, RdfFormat, Store

from aitia import terms
from aitia.blobs import Blobs
from aitia.gate import Gate
from aitia.ledger import Ledger
from aitia.model import CommitRecord, Patch
from aitia.recorder import Node, Place, Recorder, record
from aitia.store import OxigraphStore
from tests.bench.figures import Figure
from tests.bench.stock import Stock

if TYPE_CHECKING:
    from tests.bench.run import Options

SIZES = (1_000, 10_000, 100_000)
ROUNDS, BATCH, BATCHES = 60, 60, 20
CALL_OVER_PYSHACL, BATCH_OVER_PYSHACL, GROWTH = 1.5, 0.3, 1.3
LOADED_AT_ONCE = 2_000


class NoSecrets:
    """No patterns and no hook of a user's."""

    redact_patterns: tuple[str, ...] = ()
    redact_hook = ""
    key_variables: tuple[str, ...] = ()
    filled_variables: tuple[str, ...] = ()


def measure(options: Options) -> list[Figure]:
    """Time steps that a recorder commits beside pySHACL on the same neighbourhood."""
    sizes = (100, 1_000) if options.quick else SIZES
    rounds, batches = (10, 2) if options.quick else (ROUNDS, BATCHES)
    with tempfile.TemporaryDirectory() as name:
        places = [Among(Path(name) / str(size), size) for size in sizes]
        for number in range(rounds + 3):
            for place in places:
                place.call(warm=number < 3)
        for _ in range(batches):
            for place in places:
                place.batch()
        took = {place.size: place.medians() for place in places}
        quads = places[0].quads
        for place in places:
            place.close()
    return list(_figures(took, quads))


def _figures(took: dict[int, dict[str, float]], quads: int) -> Iterator[Figure]:
    first = next(iter(took.values()))
    limits = {"call": CALL_OVER_PYSHACL, "batch": BATCH_OVER_PYSHACL}
    for size, found in took.items():
        for mode, limit in limits.items():
            what = f"a step of {quads} quads, {mode} mode, {size:,} recorded decisions"
            yield Figure(
                f"{what}, against pySHACL",
                found[mode] / found["pyshacl"],
                limit=limit,
                note=f"{found[mode]:.2f} ms a step; pySHACL, its shapes kept,"
                f" {found['pyshacl']:.1f} ms",
            )
            if found is not first:
                yield Figure(
                    f"{what}, against the same at {next(iter(took)):,}",
                    found[mode] / first[mode],
                    limit=GROWTH,
                    note=f"{found[mode]:.2f} ms against {first[mode]:.2f} ms",
                )


class Among:
    """A store that holds so many recorded decisions, and recorders that add to it."""

    def __init__(self, folder: Path, size: int) -> None:
        self.size = size
        folder.mkdir()
        _fill(folder, size)
        self.store = OxigraphStore(folder / "store")
        self.ledger = Ledger(self.store, Blobs(folder / "blobs"), Gate())
        self.stock = Stock()
        self.aside = 0.0
        self.closing = False
        self.quads = 0
        self.took: dict[str, list[float]] = {"call": [], "batch": [], "pyshacl": []}
        place = _place(folder, self.store, self.ledger, self)
        self.one_by_one = record(place, "a loan", "underwriter", mode="call")
        place = _place(folder, self.store, self.ledger, self.ledger.commit_or_record)
        self.at_once = record(place, "a loan", "underwriter", mode="batch")
        _step(self.at_once, 0)
        self.at_once.flush()

    def __call__(self, patch: Patch, *, durable: bool = False) -> CommitRecord:
        """Let pySHACL judge a step, its time set aside, and commit it."""
        if self.closing:
            return self.ledger.commit_or_record(patch, durable=durable)
        began = time.perf_counter()
        self.took["pyshacl"].append(self.stock.seconds(self.store, patch))
        self.quads = len(patch.adds)
        self.aside = time.perf_counter() - began
        return self.ledger.commit_or_record(patch, durable=durable)

    def call(self, *, warm: bool) -> None:
        """Record a call whose step is committed before it returns."""
        began = time.perf_counter()
        _step(self.one_by_one, len(self.took["call"]))
        self.took["call"].append(time.perf_counter() - began - self.aside)
        if warm:
            self.took["call"].clear()
            self.took["pyshacl"].clear()

    def batch(self) -> None:
        """Record many calls that are committed as one."""
        began = time.perf_counter()
        for number in range(BATCH):
            _step(self.at_once, number)
        self.at_once.flush()
        self.took["batch"].append((time.perf_counter() - began) / BATCH)

    def medians(self) -> dict[str, float]:
        """Return the median of each in milliseconds."""
        return {
            name: statistics.median(found) * 1000 for name, found in self.took.items()
        }

    def close(self) -> None:
        """End the runs and give the store free."""
        self.closing = True
        for recorder in (self.one_by_one, self.at_once):
            recorder.close()
        self.store.close()


def _step(recorder: Recorder, number: int) -> Node:
    with recorder.call("score", {"income": 4_000 + number}) as call:
        call.returns({"score": 700 + number})
    assert call.result is not None
    return call.result


def _place(folder: Path, store: OxigraphStore, ledger: Ledger, commit: object) -> Place:
    blobs = Blobs(folder / "blobs")
    return Place(
        store,
        blobs,
        ledger.commit,
        commit,  # type: ignore[arg-type]
        NoSecrets(),
        folder,
        0,
    )


def _fill(folder: Path, size: int) -> None:
    """Fill a store with runs of a recorder that are all alike but for their names."""
    run, template = _one(folder / "one")
    store = Store(str(folder / "store"))
    text: list[str] = []
    for number in range(size):
        key = f"bench{number:06}"
        made = template.replace(run.value, terms.run_iri(key).value)
        text.append(made.replace(f"{terms.BASE}link:", f"{terms.BASE}link:{key}-"))
        if len(text) == LOADED_AT_ONCE or number == size - 1:
            store.bulk_load("\n".join(text).encode(), RdfFormat.N_QUADS)
            text = []
    store.flush()
    del store


def _one(folder: Path) -> tuple[NamedNode, str]:
    """Return a recorded decision, and all that is on record of it as N-Quads."""
    folder.mkdir()
    store = OxigraphStore(folder / "store")
    ledger = Ledger(store, Blobs(folder / "blobs"), Gate())
    place = _place(folder, store, ledger, ledger.commit_or_record)
    with record(place, "a loan", "underwriter", mode="batch") as recorder:
        recorder.decide("The loan is granted.", because=_step(recorder, 1))
    quads = [q for q in store.quads() if q.graph_name != terms.GRAPH_LEDGER]
    run = recorder.run.iri
    store.close()
    return run, "\n".join(f"{quad} ." for quad in quads)
