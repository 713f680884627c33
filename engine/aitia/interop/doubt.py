"""What a file to import must not do: misquote, speak for other runs, lack commits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pyoxigraph import Literal, NamedNode, Quad

from aitia import terms
from aitia.blobs import Blobs
from aitia.errors import NotIntact
from aitia.interop.incoming import Incoming
from aitia.interop.select import graph_of
from aitia.ledger import quotes
from aitia.lookup.imported import run_of
from aitia.lookup.stats import area
from aitia.model import CommitRecord
from aitia.store import Reader
from aitia.vocab import AITIA

_NOT_BROUGHT: Final = ("ledger", "inferred")
_SHOWN: Final = 5


def refuse_misquotes(found: Incoming, reader: Reader, blobs: Blobs) -> None:
    """Pass a file whose quotes are what the texts say, as far as these are here.

    Documents and passages that are on record here count as they are here, whatever
    the file says of them.

    Raises:
        NotIntact: A quote is not what the text says at its place.
    """
    said: dict[tuple[object, NamedNode], list[Quad]] = {}
    for quad in found.quads:
        said.setdefault((quad.subject, quad.predicate), []).append(quad)

    def look(node: NamedNode, prop: NamedNode) -> NamedNode | Literal | None:
        if not run_of(node.value) and (here := quotes.value(reader.quads(node, prop))):
            return here
        return quotes.value(said.get((node, prop), ()))

    stored = quotes.texts(blobs)

    def text(name: str) -> str | None:
        enclosed = found.blobs.get(name)
        if enclosed is None:
            return stored(name)
        return enclosed.decode("utf-8", "replace")

    exact = sorted((q for q in found.quads if q.predicate == AITIA.exact), key=str)
    _refuse(found, list(quotes.differing(exact, look, text)))


def refuse_misplaced(found: Incoming) -> None:
    """Pass a file that speaks of each run, and of causes, in the run's own graph.

    Raises:
        NotIntact: It does so elsewhere, where nobody would see that it was imported.
    """
    odd = sorted(line for quad in found.quads if (line := _misplaced(quad)))
    _refuse(found, odd)


def _misplaced(quad: Quad) -> str:
    graph = graph_of(quad)
    if not graph or area(graph) in _NOT_BROUGHT:
        return ""
    run = run_of(getattr(quad.subject, "value", ""))
    if run and graph != terms.run_graph(NamedNode(run)).value:
        return f"It speaks of {run} outside of that run's graph, in {graph}."
    if (
        quad.predicate == AITIA.hasCause
        and area(graph) == "catalog"
        and not _of_write_back(quad)
    ):
        return f"It states a cause outside of a run: {quad}."
    return ""


def _of_write_back(quad: Quad) -> bool:
    """Tell whether a cause is one of a proposal, its evidence, a gap or a version.

    These stand in the catalog; who decided on them elsewhere counts here as asserted
    only (`aitia.interop.merge`).
    """
    effect = getattr(quad.subject, "value", "").removeprefix(terms.BASE)
    return effect.startswith(("proposal:", "gap:")) or (
        effect.startswith("statement:") and "/version/" in effect
    )


def refuse_lacking(found: Incoming, commits: Sequence[CommitRecord]) -> None:
    """Pass a file whose ledger has each commit, and all patches or none.

    Raises:
        NotIntact: A commit or the patch of one is missing.
    """
    numbers = {record.number for record in commits}
    absent = set(range(1, max(numbers, default=0) + 1)) - numbers
    bare = [x.number for x in commits if x.root not in found.blobs]
    if absent:
        raise _incomplete(found, f"its ledger lacks commit {_listed(absent)}")
    if bare and len(bare) < len(commits):
        raise _incomplete(found, f"it lacks the patch of commit {_listed(bare)}")


def _listed(numbers: Iterable[int]) -> str:
    ordered = sorted(numbers)
    more = f" and {len(ordered) - _SHOWN:,} more" if len(ordered) > _SHOWN else ""
    return ", ".join(map(str, ordered[:_SHOWN])) + more


def _incomplete(found: Incoming, why: str) -> NotIntact:
    told = f"{found.path} is incomplete: {why}. Nothing was taken in."
    made = NotIntact(told, [told])
    made.hint = "Export it again; without the ledger, `--what knowledge` or runs."
    return made


def _refuse(found: Incoming, reasons: list[str]) -> None:
    if not reasons:
        return
    more = f" (and {len(reasons) - 1:,} more)" if len(reasons) > 1 else ""
    told = f"{found.path} is refused, nothing was taken in: {reasons[0]}{more}"
    raise NotIntact(told, reasons)
