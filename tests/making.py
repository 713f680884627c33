"""Small patches and ledgers that the tests of store, ledger and processes share."""

from collections.abc import Iterable
from pathlib import Path
from typing import Self

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


class Tamperer:
    """A closed workspace's store, open as anybody could open it."""

    def __init__(self, folder: Path) -> None:
        self._store: Store | None = Store(str(folder / "store"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # A Store has no close(): it is open for as long as anything refers to it.
        self._store = None

    def quads(self, subject: NamedNode | None, graph: NamedNode) -> list[Quad]:
        """Return the quads of a graph, of one subject if it is given."""
        assert self._store is not None
        return list(self._store.quads_for_pattern(subject, None, None, graph))

    def add(self, *quads: Quad) -> None:
        """Add quads behind the ledger's back."""
        assert self._store is not None
        self._store.extend(quads)

    def remove(self, *quads: Quad) -> None:
        """Remove quads behind the ledger's back."""
        assert self._store is not None
        for quad in quads:
            assert quad in self._store
            self._store.remove(quad)
