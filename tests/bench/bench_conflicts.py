"""Conflicts: one statement against 10 k to 1 M, and contradiction on FEVER Symmetric."""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pyoxigraph import Literal, NamedNode, Quad, Store

from aitia import terms
from aitia.blobs import Blobs
from aitia.conflicts import check_statement
from aitia.methods.base import Reads
from aitia.settings import Settings
from aitia.store import OxigraphStore
from aitia.vocab import OWL, RDF, RDFS, XSD
from tests.bench.figures import Figure
from tests.conflictdev.fever import FOLDER, cases
from tests.conflictdev.score import Score, score

if TYPE_CHECKING:
    from tests.bench.run import Options

SIZES: Final = (10_000, 100_000, 1_000_000)
ROUNDS: Final = 200
LIMIT: Final = 1.3
EX: Final = "http://example.org/"
PER_THING: Final = 5
FITTED: Final = {"dev": "; the weights were fitted on these pairs"}
DOCUMENTS: Final = 50


def measure(options: Options) -> list[Figure]:
    """Time the check at three sizes, and score the contradiction check."""
    sizes = tuple(size // 20 for size in SIZES) if options.quick else SIZES
    figures = _statements(sizes, 40 if options.quick else ROUNDS)
    if (options.shared / FOLDER).is_dir() and not options.quick:
        for name in ("dev", "test"):
            figures += _fever(name, score(cases(options.shared, name)))
    return figures


def _statements(sizes: tuple[int, ...], rounds: int) -> list[Figure]:
    with tempfile.TemporaryDirectory() as name:
        able = {size: _filled(Path(name) / str(size), size) for size in sizes}
        took = {size: list[float]() for size in sizes}
        chance = random.Random(1)
        for number in range(rounds + 10):
            for size, reads in able.items():
                seconds = _once(reads, chance.randrange(size // PER_THING))
                if number >= 10:
                    took[size].append(seconds)
    typical = [statistics.median(took[size]) for size in sizes]
    told = ", ".join(
        f"{size:,}: {found * 1000:.2f} ms"
        for size, found in zip(sizes, typical, strict=True)
    )
    return [
        Figure(
            f"conflict check of one statement, {sizes[-1]:,} statements to {sizes[0]:,}",
            typical[-1] / typical[0],
            limit=LIMIT,
            note=f"{told}; median of {rounds}, each thing asked about once",
        )
    ]


def _once(reads: Reads, number: int) -> float:
    """Return the seconds of two checks: an axiom rules one out, the other is unusual."""
    thing = NamedNode(f"{EX}thing/{number}")
    began = time.thread_time()
    clash = check_statement(reads, thing, NamedNode(EX + "size"), Literal(-1))
    odd = check_statement(reads, thing, NamedNode(EX + "near"), NamedNode(EX + "x"))
    took = time.thread_time() - began
    assert [item.rule for item in clash] == ["prp-fp"], clash
    assert [item.rule for item in odd] == ["one-value"], odd
    return took


def _filled(folder: Path, size: int) -> Reads:
    folder.mkdir()
    store = Store(str(folder / "store"))
    store.bulk_extend(_quads(size))
    store.flush()
    store.optimize()
    del store
    nothing: Any = None
    reader = OxigraphStore(folder / "store")
    return Reads(reader, Blobs(folder / "blobs"), nothing, Settings())


def _quads(size: int) -> Iterator[Quad]:
    """Yield an ontology and things with five statements each, of some documents."""
    size_, near, kind = (NamedNode(EX + x) for x in ("size", "near", "Thing"))
    code, place = NamedNode(EX + "code"), NamedNode(EX + "place")
    axioms = terms.document_iri("ontology", "0")
    for subject, predicate, value in (
        (size_, RDF.type, OWL.FunctionalProperty),
        (size_, RDFS.range, XSD.integer),
        (code, RDF.type, OWL.InverseFunctionalProperty),
        (kind, OWL.disjointWith, NamedNode(EX + "Place")),
        (near, RDF.type, OWL.IrreflexiveProperty),
    ):
        yield Quad(subject, predicate, value, axioms)
    graphs = [terms.document_iri("file", str(at)) for at in range(DOCUMENTS)]
    for number in range(size // PER_THING):
        thing, graph = NamedNode(f"{EX}thing/{number}"), graphs[number % DOCUMENTS]
        yield Quad(thing, RDF.type, kind, graph)
        yield Quad(thing, size_, terms.integer(number), graph)
        yield Quad(thing, code, Literal(f"c{number}"), graph)
        other = NamedNode(f"{EX}thing/{(number * 7) % max(1, size // PER_THING)}")
        yield Quad(thing, near, NamedNode(other.value + "/side"), graph)
        yield Quad(thing, place, NamedNode(f"{EX}place/{number % 1000}"), graph)


def _fever(name: str, found: Score) -> list[Figure]:
    note = (
        f"{found.pairs} pairs; precision {found.precision:.3f}, recall "
        f"{found.recall:.3f}; where it says so by itself ({found.told:.0%} of pairs) "
        f"right {found.sure:.3f}; the majority class gives 0.50{FITTED.get(name, '')}"
    )
    return [
        Figure(
            f"contradiction offline, FEVER Symmetric {name}, accuracy",
            found.accuracy,
            unit="",
            limit=0.65 if name == "test" else None,
            better="above",
            note=note,
        )
    ]
