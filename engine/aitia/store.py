"""The RDF dataset: reads for every room, one write for the ledger alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

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

from aitia.errors import QueryError
from aitia.model import Admitted

Term = NamedNode | Literal
Row = dict[str, Term]
Bound = Term | Sequence[Term]
"""What a variable is bound to: one term, or any of several."""


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
    """An Oxigraph dataset in a folder, or in memory where no folder is given."""

    def __init__(self, path: Path | None = None, *, read_only: bool = False) -> None:
        if path is None:
            self._dataset = Oxigraph()
        elif read_only:
            self._dataset = Oxigraph.read_only(str(path))
        else:
            self._dataset = Oxigraph(str(path))

    def select(
        self,
        sparql: str,
        bind: Mapping[str, Bound] | None = None,
        graphs: Iterable[NamedNode] | None = None,
    ) -> list[Row]:
        """Return the solutions of a SELECT query; unbound variables are left out."""
        result = self._query(sparql, bind, graphs)
        if not isinstance(result, QuerySolutions):
            raise QueryError("A SELECT query was expected.")
        names = [variable.value for variable in result.variables]
        return [
            {name: row[name] for name in names if row[name] is not None}  # type: ignore[misc]
            for row in result
        ]

    def ask(self, sparql: str, bind: Mapping[str, Bound] | None = None) -> bool:
        """Return the answer of an ASK query."""
        result = self._query(sparql, bind, None)
        if not isinstance(result, QueryBoolean):
            raise QueryError("An ASK query was expected.")
        return bool(result)

    def construct(
        self, sparql: str, bind: Mapping[str, Bound] | None = None
    ) -> list[Triple]:
        """Return the triples of a CONSTRUCT query."""
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
        return self._dataset.quads_for_pattern(subject, predicate, obj, graph)

    def __contains__(self, quad: Quad) -> bool:
        return quad in self._dataset

    def __len__(self) -> int:
        return len(self._dataset)

    def apply(
        self, admitted: Admitted, record: Iterable[Quad], *, bulk: bool = False
    ) -> None:
        """Write an admitted patch and its ledger record in one atomic step.

        Args:
            admitted: What the gate let through.
            record: The quads of the ledger record.
            bulk: Write by `bulk_extend`, for large patches that only add.
        """
        patch = admitted.patch
        if bulk and not patch.deletes:
            self._dataset.bulk_extend([*patch.adds, *record])
            return
        self._dataset.update(
            f"DELETE DATA {{ {_block(patch.deletes)} }} ;\n"
            f"INSERT DATA {{ {_block([*patch.adds, *record])} }}"
        )

    def backup(self, target: Path) -> None:
        """Write a consistent copy, by hard links where the disk allows."""
        self._dataset.backup(str(target))

    def flush(self) -> None:
        """Force what was written onto the disk."""
        self._dataset.flush()

    def _query(
        self,
        sparql: str,
        bind: Mapping[str, Bound] | None,
        graphs: Iterable[NamedNode] | None,
    ) -> QuerySolutions | QueryBoolean | QueryTriples:
        text = _bound(sparql, bind or {})
        try:
            if graphs is not None:
                return self._dataset.query(text, default_graph=list(graphs))
            return self._dataset.query(text, use_default_graph_as_union=True)
        except SyntaxError as error:
            raise QueryError(f"The query is not SPARQL: {error}") from error
        except (RuntimeError, OSError, ValueError) as error:
            raise QueryError(f"The query could not be run: {error}") from error


def _bound(sparql: str, bind: Mapping[str, Bound]) -> str:
    """Fix variables by a VALUES block at the start of the outermost WHERE.

    `substitutions=` works only for variables that SELECT projects; VALUES works
    everywhere, and `str(term)` escapes. Queries mark the place with `#bind`.
    """
    if not bind:
        return sparql
    if "#bind" not in sparql:
        raise QueryError("A query with bound values must mark their place with #bind.")
    blocks = (
        f"VALUES ?{name} {{ {' '.join(map(str, _several(value)))} }}"
        for name, value in bind.items()
    )
    return sparql.replace("#bind", " ".join(blocks))


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
