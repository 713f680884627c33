"""The RDF dataset: reads for every room, one write for the ledger alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Protocol

from pyoxigraph import (
    DefaultGraph,
    Literal,
    NamedNode,
    Quad,
    QueryBoolean,
    QuerySolutions,
    QueryTriples,
    Store as Oxigraph,
    Triple,
)

from aitia.errors import AitiaError, Locked, QueryError
from aitia.model import Admitted

Term = NamedNode | Literal
Row = dict[str, Term]
Bound = Term | Sequence[Term]
"""What a variable is bound to: one term, or any of several."""

_PLACE: Final = re.compile(r"(?<![^\s{])#bind(?![\w-])")


class Reader(Protocol):
    """What every room may do with the store: ask it.

    Queries see the union of all named graphs as their default graph. Values are
    bound with `bind`, which sets VALUES in front of the query's WHERE; nothing is
    ever pasted into SPARQL text.
    """

    def select(
        self,
        sparql: str,
        bind: Mapping[str, Bound] | None = None,
        graphs: Iterable[NamedNode] | None = None,
    ) -> list[Row]:
        """Return the solutions of a SELECT query; unbound variables are left out."""
        ...

    def ask(self, sparql: str, bind: Mapping[str, Bound] | None = None) -> bool:
        """Return the answer of an ASK query."""
        ...

    def construct(
        self, sparql: str, bind: Mapping[str, Bound] | None = None
    ) -> list[Triple]:
        """Return the triples of a CONSTRUCT query."""
        ...

    def quads(
        self,
        subject: NamedNode | None = None,
        predicate: NamedNode | None = None,
        obj: Term | None = None,
        graph: NamedNode | None = None,
    ) -> Iterator[Quad]:
        """Return the quads that match; None matches everything."""
        ...


class Writer(Protocol):
    """The one way triples get in; held by the ledger alone."""

    def apply(
        self, admitted: Admitted, record: Iterable[Quad], *, bulk: bool = False
    ) -> None:
        """Write an admitted patch and its ledger record in one atomic step."""
        ...


class OxigraphStore:
    """An Oxigraph dataset in a folder, or in memory where no folder is given.

    Attributes:
        path: The folder, or None.
        read_only: Whether it was opened so. Never open a folder so that some process
            may be writing; a backup of it is safe.
    """

    def __init__(self, path: Path | None = None, *, read_only: bool = False) -> None:
        """Open the dataset.

        Raises:
            Locked: The folder is open elsewhere.
            AitiaError: It cannot be opened.
        """
        self.path, self.read_only = path, read_only
        self._dataset: Oxigraph | None = _opened(path, read_only)

    def close(self) -> None:
        """Give the folder free, whoever still holds this object.

        An unfinished iteration over `quads` keeps it open until it ends.
        """
        self._dataset = None

    def select(
        self,
        sparql: str,
        bind: Mapping[str, Bound] | None = None,
        graphs: Iterable[NamedNode] | None = None,
    ) -> list[Row]:
        """Return the solutions of a SELECT query; unbound variables are left out."""
        with _told():
            result = self._query(sparql, bind, graphs)
            if not isinstance(result, QuerySolutions):
                raise QueryError("A SELECT query was expected.")
            names = [variable.value for variable in result.variables]
            # Iterating over a row is twice as fast as asking it for each name.
            return [
                {name: x for name, x in zip(names, row, strict=True) if x is not None}
                for row in result
            ]

    def ask(self, sparql: str, bind: Mapping[str, Bound] | None = None) -> bool:
        """Return the answer of an ASK query."""
        with _told():
            result = self._query(sparql, bind, None)
            if not isinstance(result, QueryBoolean):
                raise QueryError("An ASK query was expected.")
            return bool(result)

    def construct(
        self, sparql: str, bind: Mapping[str, Bound] | None = None
    ) -> list[Triple]:
        """Return the triples of a CONSTRUCT query."""
        with _told():
            result = self._query(sparql, bind, None)
            if not isinstance(result, QueryTriples):
                raise QueryError("A CONSTRUCT query was expected.")
            return list(result)

    def quads(
        self,
        subject: NamedNode | None = None,
        predicate: NamedNode | None = None,
        obj: Term | None = None,
        graph: NamedNode | None = None,
    ) -> Iterator[Quad]:
        """Return the quads that match; None matches everything."""
        return self._open().quads_for_pattern(subject, predicate, obj, graph)

    def has_graph(self, graph: NamedNode) -> bool:
        """Tell whether a graph has, or once had, triples."""
        return self._open().contains_named_graph(graph)

    def __contains__(self, quad: Quad) -> bool:
        return quad in self._open()

    def __len__(self) -> int:
        return len(self._open())

    def apply(
        self, admitted: Admitted, record: Iterable[Quad], *, bulk: bool = False
    ) -> None:
        """Write an admitted patch and its ledger record in one atomic step.

        Not safe between threads: the caller holds the write lock.

        Args:
            admitted: What the gate let through.
            record: The quads of the ledger record.
            bulk: Write by `bulk_extend`, for large patches that only add.
        """
        patch = admitted.patch
        if bulk and not patch.deletes:
            self._open().bulk_extend([*patch.adds, *record])
            return
        self._open().update(
            f"DELETE DATA {{ {_block(patch.deletes)} }} ;\n"
            f"INSERT DATA {{ {_block([*patch.adds, *record])} }}"
        )

    def backup(self, target: Path) -> None:
        """Write a consistent copy, by hard links where the disk allows."""
        self._open().backup(str(target))

    def flush(self) -> None:
        """Force what was written onto the disk."""
        self._open().flush()

    def _open(self) -> Oxigraph:
        if self._dataset is None:
            raise AitiaError("The workspace is closed.")
        return self._dataset

    def _query(
        self,
        sparql: str,
        bind: Mapping[str, Bound] | None,
        graphs: Iterable[NamedNode] | None,
    ) -> QuerySolutions | QueryBoolean | QueryTriples:
        text, dataset = _bound(sparql, bind or {}), self._open()
        if graphs is not None:
            return dataset.query(text, default_graph=list(graphs))
        return dataset.query(text, use_default_graph_as_union=True)


def _opened(path: Path | None, read_only: bool) -> Oxigraph:
    if path is None:
        return Oxigraph()
    try:
        return Oxigraph.read_only(str(path)) if read_only else Oxigraph(str(path))
    except (OSError, RuntimeError, ValueError) as error:
        if "lock" in str(error).lower():
            raise Locked(f"The store in {path} is open elsewhere: {error}") from error
        raise AitiaError(f"The store in {path} cannot be opened: {error}") from error


@contextmanager
def _told() -> Iterator[None]:
    """Tell in our words why a query could not be run; rows can fail late."""
    try:
        yield
    except SyntaxError as error:
        raise QueryError(f"The query is not SPARQL: {error}") from error
    except (RuntimeError, OSError, ValueError) as error:
        raise QueryError(f"The query could not be run: {error}") from error


def _bound(sparql: str, bind: Mapping[str, Bound]) -> str:
    """Fix variables by VALUES blocks at the start of the outermost WHERE.

    `substitutions=` works only for variables that SELECT projects; VALUES works
    everywhere, and `str(term)` escapes. Queries mark the place with `#bind`.
    """
    if not bind:
        return sparql
    if not _PLACE.search(sparql):
        raise QueryError("A query with bound values must mark their place with #bind.")
    blocks = " ".join(
        f"VALUES ?{name} {{ {' '.join(map(str, _several(value)))} }}"
        for name, value in bind.items()
    )
    return _PLACE.sub(lambda _: blocks, sparql)


def _several(value: Bound) -> Sequence[Term]:
    return [value] if isinstance(value, NamedNode | Literal) else value


def _block(quads: Iterable[Quad]) -> str:
    by_graph: dict[str, list[str]] = {}
    for quad in quads:
        by_graph.setdefault(str(quad.graph_name), []).append(f"{quad.triple} .")
    return "\n".join(
        " ".join(lines)
        if graph == str(DefaultGraph())
        else f"GRAPH {graph} {{ {' '.join(lines)} }}"
        for graph, lines in by_graph.items()
    )
