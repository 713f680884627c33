"""Small patches and ledgers that the tests of store, ledger and processes share."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pyoxigraph import Literal, NamedNode, Quad, Store

from aitia import terms
from aitia.blobs import Blobs
from aitia.gate import Gate
from aitia.ledger import Ledger
from aitia.model import Origin, Patch
from aitia.store import OxigraphStore

EX = "http://example.org/"
GRAPH = NamedNode(EX + "graph")


def ex(name: str) -> NamedNode:
    """Return a term of a person's own data."""
    return NamedNode(EX + name)


def fact(subject: str, value: str | Literal, graph: NamedNode = GRAPH) -> Quad:
    """Return a quad of a person's own data."""
    literal = Literal(value) if isinstance(value, str) else value
    return Quad(ex(subject), ex("says"), literal, graph)


def patch(
    adds: Iterable[Quad] = (),
    deletes: Iterable[Quad] = (),
    *,
    agent: str = "tester",
    cause: NamedNode | None = None,
) -> Patch:
    """Return a patch of a person's own data."""
    return Patch(
        frozenset(adds),
        frozenset(deletes),
        agent=terms.agent_iri(agent),
        cause=cause,
        origin=Origin.USER,
    )


def ledger(folder: Path) -> Ledger:
    """Return a ledger over a store in memory, with the real gate."""
    return Ledger(OxigraphStore(), Blobs(folder / "blobs"), Gate())


@contextmanager
def behind_its_back(folder: Path) -> Iterator[Store]:
    """Open the store of a closed workspace as anybody could."""
    yield Store(str(folder / "store"))
