"""What a file to import holds, before anything of it is taken in."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, RdfFormat, parse

from aitia import terms
from aitia.errors import NotFound, ReadError, UsageError
from aitia.interop import enclosed
from aitia.ledger import chain
from aitia.vocab import AITIA, RDF

FORMATS: Final[Mapping[str, RdfFormat]] = {
    "turtle": RdfFormat.TURTLE,
    "jsonld": RdfFormat.JSON_LD,
    "trig": RdfFormat.TRIG,
    "nquads": RdfFormat.N_QUADS,
    "ntriples": RdfFormat.N_TRIPLES,
    "rdfxml": RdfFormat.RDF_XML,
}
_ENDINGS: Final[Mapping[str, str]] = {
    ".ttl": "turtle",
    ".jsonld": "jsonld",
    ".json": "jsonld",
    ".trig": "trig",
    ".nq": "nquads",
    ".nt": "ntriples",
    ".rdf": "rdfxml",
    ".owl": "rdfxml",
    ".xml": "rdfxml",
}
WITH_GRAPHS: Final = frozenset({"jsonld", "trig", "nquads"})
_BLOB_NAME: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Incoming:
    """The content of a file to import.

    Attributes:
        path: The file.
        form: Its format.
        quads: What it states.
        blobs: Texts, documents and patches that it encloses: name → content.
    """

    path: Path
    form: str
    quads: frozenset[Quad]
    blobs: Mapping[str, bytes]

    @cached_property
    def is_ours(self) -> bool:
        """Whether any of it speaks of aitia's own records."""
        return any(_is_ours(quad) for quad in self.quads)

    @property
    def has_graphs(self) -> bool:
        """Whether its format keeps named graphs apart."""
        return self.form in WITH_GRAPHS

    def names(self) -> set[str]:
        """Return the names of the blobs that it refers to."""
        return {
            quad.object.value
            for quad in self.quads
            if isinstance(quad.object, Literal)
            and _BLOB_NAME.fullmatch(quad.object.value)
        }


def read(path: Path, form: str = "") -> Incoming:
    """Read a file to import.

    Args:
        path: The file.
        form: Its format; told by its ending where "" is given.

    Raises:
        NotFound: There is no such file.
        UsageError: Its format is not known.
        ReadError: It is not what its format says, or what it encloses is damaged.
    """
    form = form or _ENDINGS.get(path.suffix.lower(), "")
    if form not in FORMATS:
        raise UsageError(
            f"The format of {path} is not known.",
            hint=f"`--format` names it: {', '.join(FORMATS)}.",
        )
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise NotFound(f"There is no file {path}.") from error
    except OSError as error:
        raise ReadError(f"{path} cannot be read: {error.strerror}.") from error
    return Incoming(path, form, _quads(path, data, form), _blobs(data, form))


def _quads(path: Path, data: bytes, form: str) -> frozenset[Quad]:
    try:
        found = frozenset(parse(data, format=FORMATS[form]))
    except SyntaxError as error:
        place = f", line {error.lineno}" if error.lineno else ""
        column = f", column {error.offset}" if error.offset else ""
        raise ReadError(f"{path}{place}{column}: {error.msg}") from error
    except ValueError as error:
        raise ReadError(f"{path}: {error}") from error
    return found


def _blobs(data: bytes, form: str) -> dict[str, bytes]:
    """Return the enclosed blobs, each proved to be what its name says."""
    if form not in ("nquads", "trig"):
        return {}
    found = {}
    for name, content in enclosed.read(data):
        if not _BLOB_NAME.fullmatch(name) or name not in _possible_names(content):
            raise ReadError(f"The enclosed blob {name} is not what its name says.")
        found[name] = content
    return found


def _possible_names(content: bytes) -> Iterator[str]:
    """Yield the names that a blob may have: its hash or, of a patch, its root."""
    yield hashlib.sha256(content).hexdigest()
    try:
        yield chain.root(chain.unpack(content))
    except ValueError:
        return  # no patch


def _is_ours(quad: Quad) -> bool:
    if quad.predicate.value.startswith(AITIA.NS):
        return True
    if quad.predicate == RDF.type and _starts(quad.object, AITIA.NS):
        return True
    return _starts(quad.subject, terms.BASE) or _starts(quad.graph_name, terms.BASE)


def _starts(term: object, start: str) -> bool:
    return isinstance(term, NamedNode) and term.value.startswith(start)


def refuse_blank(incoming: Incoming) -> None:
    """Pass records of ours that name everything.

    Raises:
        ReadError: There is a blank node, which no export of aitia's has.
    """
    for quad in incoming.quads:
        if isinstance(quad.subject, BlankNode) or isinstance(quad.object, BlankNode):
            raise ReadError(
                f"{incoming.path} holds records of aitia's with a blank node: {quad}."
            )
