"""Export: what is on record as RDF, in six formats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import BinaryIO, Final

from pyoxigraph import NamedNode, Quad, RdfFormat, Triple, serialize

from aitia import terms
from aitia.blobs import Blobs
from aitia.errors import UsageError
from aitia.interop import enclosed, jsonld, rdfxml, select
from aitia.prefixes import PREFIXES
from aitia.store import Reader

FORMATS: Final = ("turtle", "jsonld", "trig", "nquads", "ntriples", "rdfxml")
WITH_GRAPHS: Final = frozenset({"jsonld", "trig", "nquads"})
"""Formats that keep named graphs apart; the others merge them."""
WHAT: Final = tuple(select.AREAS)
_NATIVE: Final[Mapping[str, RdfFormat]] = {
    "turtle": RdfFormat.TURTLE,
    "trig": RdfFormat.TRIG,
    "nquads": RdfFormat.N_QUADS,
    "ntriples": RdfFormat.N_TRIPLES,
}


@dataclass(frozen=True)
class Exported:
    """What an export wrote.

    Attributes:
        statements: Quads, or triples where the format has no graphs.
        merged: IRIs of the graphs that were merged into one, sorted.
        doubled: How many triples stood in more than one of them.
        left_out: Why the format could not hold some triples, one line each.
        blobs: How many documents' texts and patches were enclosed.
    """

    statements: int
    merged: tuple[str, ...] = ()
    doubled: int = 0
    left_out: tuple[str, ...] = field(default=())
    blobs: int = 0


def export(
    reader: Reader,
    blobs: Blobs,
    out: BinaryIO,
    *,
    what: str = "all",
    run: NamedNode | None = None,
    form: str = "turtle",
    enclose: bool = True,
) -> Exported:
    """Write what is on record to `out`.

    Args:
        reader: What to read from.
        blobs: Where texts and patches are.
        out: Where to write, as UTF-8.
        what: One of `WHAT`; of no account where a run is given.
        run: Only this run, with what the catalog says of what it refers to.
        form: One of `FORMATS`.
        enclose: With all of it as N-Quads or TriG, write the texts and patches too,
            as comments at the end, so that `import` can restore the whole.

    Raises:
        UsageError: There is no such format, or nothing of that name to export.
    """
    if form not in FORMATS:
        raise UsageError(
            f"There is no format {form!r}: choose from {', '.join(FORMATS)}."
        )
    if run is None and what not in WHAT:
        known = ", ".join([*WHAT, "run:ID"])
        raise UsageError(f"There is no {what!r} to export: choose from {known}.")
    found = select.of_run(reader, run) if run else select.of_areas(reader, what)
    if form not in WITH_GRAPHS:
        return _merged(found, form, out)
    quads = _sorted(found, form)
    if form == "jsonld":
        for line in jsonld.lines(quads):
            out.write(line.encode())
    else:
        serialize(quads, out, _NATIVE[form], prefixes=dict(PREFIXES))
    whole = enclose and what == "all" and run is None and form in ("nquads", "trig")
    enclosed_count = enclosed.write(blobs, out) if whole else 0
    return Exported(statements=len(quads), blobs=enclosed_count)


def _sorted(quads: Iterable[Quad], form: str) -> list[Quad]:
    """Return the quads in an order that is always the same."""
    if form == "nquads":
        return sorted(quads, key=terms.nquad)
    return sorted(quads, key=lambda quad: (str(quad.graph_name), terms.nquad(quad)))


def _merged(found: Iterable[Quad], form: str, out: BinaryIO) -> Exported:
    """Write triples whatever graph they stand in, each once."""
    triples: set[Triple] = set()
    graphs: set[str] = set()
    count = 0
    for quad in found:
        triples.add(quad.triple)
        graphs.add(select.graph_of(quad))
        count += 1
    ordered = sorted(triples, key=str)
    left_out = [reason for x in ordered if (reason := _why_not(x, form))]
    if form == "rdfxml":
        kept = [triple for triple in ordered if not rdfxml.why_not(triple)]
        for line in rdfxml.lines(kept):
            out.write(line.encode())
    else:
        serialize(ordered, out, _NATIVE[form], prefixes=dict(PREFIXES))
    return Exported(
        statements=len(ordered) - len(left_out),
        merged=tuple(sorted(graphs)),
        doubled=count - len(ordered),
        left_out=tuple(left_out),
    )


def _why_not(triple: Triple, form: str) -> str:
    return rdfxml.why_not(triple) if form == "rdfxml" else ""
