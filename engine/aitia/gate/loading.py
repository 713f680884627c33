"""RDF files as they stand, for validation: strict, and never from the network."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pyoxigraph import BlankNode, Quad, RdfFormat, Triple, parse

from aitia.errors import NotFound, ReadError, UsageError

FORMATS: Final = {
    "turtle": RdfFormat.TURTLE,
    "trig": RdfFormat.TRIG,
    "ntriples": RdfFormat.N_TRIPLES,
    "nquads": RdfFormat.N_QUADS,
    "rdfxml": RdfFormat.RDF_XML,
    "jsonld": RdfFormat.JSON_LD,
}
"""The RDF formats, by the name that the command line takes."""

_SUFFIXES: Final = {
    ".ttl": "turtle",
    ".turtle": "turtle",
    ".trig": "trig",
    ".nt": "ntriples",
    ".nq": "nquads",
    ".rdf": "rdfxml",
    ".owl": "rdfxml",
    ".xml": "rdfxml",
    ".jsonld": "jsonld",
    ".json": "jsonld",
}


def load(path: Path, number: int = 0, form: str = "") -> list[Quad]:
    """Return the quads of a file, or of standard input for `-`.

    Blank nodes are numbered by appearance, so that the same file gives the same nodes
    and two files share none.

    Args:
        path: The file.
        number: A number of the file among others.
        form: Its format; told by its name where none is given.

    Raises:
        NotFound: There is no such file.
        ReadError: It is not RDF of that format; the message says where it breaks.
        UsageError: Its name does not tell the format, and none was given.
    """
    kind = FORMATS[form or _format_of(path)]
    text, base = read_text(path)
    try:
        found = parse(text.encode(), format=kind, base_iri=base)
        return list(_numbered(found, number))
    except SyntaxError as error:
        raise ReadError(f"{path}: {error}") from error


def read_text(path: Path) -> tuple[str, str | None]:
    """Return a file's text, UTF-8, and the IRI that relative IRIs in it refer to.

    Raises:
        NotFound: There is no such file.
        ReadError: It is no UTF-8, or cannot be read.
    """
    try:
        if str(path) == "-":
            return sys.stdin.buffer.read().decode("utf-8-sig"), None
        return path.read_bytes().decode("utf-8-sig"), path.resolve().as_uri()
    except FileNotFoundError as error:
        raise NotFound(f"There is no file {path}.") from error
    except UnicodeDecodeError as error:
        raise ReadError(
            f"{path} is not UTF-8: byte {error.start} cannot be read."
        ) from error
    except OSError as error:
        raise ReadError(f"{path} cannot be read: {error.strerror}.") from error


def _format_of(path: Path) -> str:
    found = _SUFFIXES.get(path.suffix.lower(), "")
    if not found:
        raise UsageError(
            f"The name of {path} does not tell its RDF format.",
            hint="Give it by --format: " + ", ".join(FORMATS) + ".",
        )
    return found


def _numbered(quads: Iterator[Quad], number: int) -> Iterator[Quad]:
    known: dict[BlankNode, BlankNode] = {}

    def named(node: BlankNode) -> BlankNode:
        return known.setdefault(node, BlankNode(f"f{number}n{len(known)}"))

    for quad in quads:
        subject, value, graph = quad.subject, quad.object, quad.graph_name
        if isinstance(subject, Triple) or isinstance(value, Triple):
            raise ReadError("Triple terms (RDF 1.2) are not supported.")
        if isinstance(subject, BlankNode):
            subject = named(subject)
        if isinstance(value, BlankNode):
            value = named(value)
        if isinstance(graph, BlankNode):
            graph = named(graph)
        yield Quad(subject, quad.predicate, value, graph)
