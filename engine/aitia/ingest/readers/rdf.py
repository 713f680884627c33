"""RDF in six formats, by Oxigraph's parsers: strict, and never from the network."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib.metadata import version

from pyoxigraph import (
    DefaultGraph,
    Literal,
    NamedNode,
    Quad,
    QuadParser,
    RdfFormat,
    Triple,
    parse,
)

from aitia.errors import ReadError
from aitia.ingest import entities, rdfspans
from aitia.ingest.content import Block, Content, Facts, Raw
from aitia.ingest.rdfspans import Statement
from aitia.ingest.skolem import skolemised
from aitia.locate import jsontext

_FORMATS = {
    "turtle": RdfFormat.TURTLE,
    "trig": RdfFormat.TRIG,
    "ntriples": RdfFormat.N_TRIPLES,
    "nquads": RdfFormat.N_QUADS,
    "rdfxml": RdfFormat.RDF_XML,
    "jsonld": RdfFormat.JSON_LD,
}
_ENCODING = re.compile(r"(<\?xml[^>]*?)\s+encoding\s*=\s*[\"'][^\"']*[\"']")
_BAD_IRI = re.compile(r"[\x00-\x20<>\"{}|^`\\]")
_WHERE = re.compile(
    r"^Parser error at line \d+ (?:column \d+|between columns \d+ and \d+): "
)
_TOKEN_CHARS = 60


def read(raw: Raw) -> Content:
    """Return the statements of an RDF file."""
    name = raw.options.format
    text = raw.text
    if name == "rdfxml":
        text = _ENCODING.sub(r"\1", text, count=1)
        entities.check(text)
    if name == "jsonld":
        _check_ids(text)
    found, prefixes = _parsed(text, name, raw.location)
    own = [_in_graph(quad, raw.document) for quad in found]
    quads = skolemised(own, raw.content_hash)
    graphs = frozenset(_graphs(quads, raw.document))
    content = Content(raw.text, [], name, version("pyoxigraph"))
    lowered = rdfspans.lowered_tags(text, name)
    content.facts = Facts(quads, as_read=quads, lowered=lowered, graphs=graphs)
    subjects = {
        quad.subject.value for quad in quads if isinstance(quad.subject, NamedNode)
    }
    resolve = _Resolver(prefixes, raw.location, subjects)
    content.blocks = _grouped(_spans(raw.text, name), resolve, raw.passage_chars)
    if not quads:
        content.warnings.append("it states nothing")
    return content


def _parsed(text: str, name: str, base: str) -> tuple[list[Quad], Mapping[str, str]]:
    try:
        parser = parse(text.lstrip("\ufeff"), format=_FORMATS[name], base_iri=base)
        quads = [_checked(quad) for quad in parser]
    except SyntaxError as error:
        raise _error(error, text, name) from error
    except ValueError as error:
        raise ReadError(f"it is no {name}: {error}") from error
    return quads, _prefixes(parser)


def _prefixes(parser: QuadParser) -> Mapping[str, str]:
    return dict(parser.prefixes)


def _checked(quad: Quad | Triple) -> Quad:
    found = quad if isinstance(quad, Quad) else Quad(*quad)
    if isinstance(found.object, Triple):
        raise ReadError("it holds triple terms (RDF 1.2), which cannot be taken in")
    if isinstance(found.object, Literal) and found.object.direction is not None:
        raise ReadError(
            "it gives texts a direction (RDF 1.2), which cannot be taken in"
        )
    return found


def _error(error: SyntaxError, text: str, name: str) -> ReadError:
    reason = _WHERE.sub("", str(error.msg))
    if "LoadDocumentCallback" in reason:
        return ReadError(
            "its JSON-LD context is at another address, and nothing is fetched",
            hint="Put the context into the file itself.",
        )
    line, column = error.lineno, error.offset
    if not line or not column:
        return _without_place(reason, text, name)
    end = error.end_offset if error.end_lineno == line else None
    token = _token(text, line, column, end)
    near = f", near {token!r}" if token else ", at its end"
    return ReadError(f"it is no {name}: {reason}, at line {line} column {column}{near}")


def _without_place(reason: str, text: str, name: str) -> ReadError:
    """RDF/XML errors come without a place: find it by reading the XML again."""
    from xml.parsers import expat

    try:
        expat.ParserCreate().Parse(text.encode("utf-8"), True)
    except expat.ExpatError as error:
        place = f", at line {error.lineno} column {error.offset + 1}"
        token = _token(text, error.lineno, error.offset + 1, None)
        return ReadError(f"it is no {name}: {reason}{place}, near {token!r}")
    return ReadError(f"it is no {name}: {reason}")


def _token(text: str, line: int, column: int, end: int | None) -> str:
    lines = text.split("\n")
    if line > len(lines):
        return ""
    found = lines[line - 1][column - 1 : end - 1 if end and end > column else None]
    return found[:_TOKEN_CHARS].strip()


def _check_ids(text: str) -> None:
    """Refuse JSON-LD with broken IRIs: the parser would leave such nodes out."""
    value, _ = jsontext.document(text)
    jsontext.refuse_surrogates(text)
    for name in _ids(value):
        if _BAD_IRI.search(name):
            place = text.find(f'"{name}"')
            where = jsontext.at(text, place) if place >= 0 else ""
            raise ReadError(f"it is no jsonld: the IRI {name!r} is not valid{where}")


def _ids(value: object) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from _ids(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            if name in ("@id", "@type"):
                names = item if isinstance(item, list) else [item]
                yield from (found for found in names if isinstance(found, str))
            if name != "@context":
                yield from _ids(item)


def _in_graph(quad: Quad, document: NamedNode) -> Quad:
    if isinstance(quad.graph_name, DefaultGraph):
        return Quad(quad.subject, quad.predicate, quad.object, document)
    return quad


def _graphs(quads: list[Quad], document: NamedNode) -> Iterator[NamedNode]:
    for quad in quads:
        if isinstance(quad.graph_name, NamedNode) and quad.graph_name != document:
            yield quad.graph_name


def _spans(text: str, name: str) -> Iterator[Statement]:
    if name == "rdfxml":
        return rdfspans.of_xml(text)
    return rdfspans.of_jsonld(text) if name == "jsonld" else rdfspans.of_turtle(text)


class _Resolver:
    """Turns a subject as it is written into the IRI that it stands for."""

    def __init__(self, prefixes: Mapping[str, str], base: str, known: set[str]) -> None:
        self.prefixes, self.base, self.known = prefixes, base, known

    def __call__(self, written: str) -> NamedNode | None:
        for iri in self._candidates(written):
            if iri in self.known:
                return NamedNode(iri)
        return None

    def _candidates(self, written: str) -> Iterator[str]:
        if written.startswith("<"):
            written = written[1:-1]
        yield written
        prefix, colon, local = written.partition(":")
        if colon and prefix in self.prefixes:
            yield self.prefixes[prefix] + re.sub(r"\\(.)", r"\1", local)
        if not colon and written:
            from urllib.parse import urljoin

            yield urljoin(self.base, written)


def _grouped(
    spans: Iterator[Statement], resolve: _Resolver, aim: int
) -> Iterator[Block]:
    """Yield statements that follow one another about one thing as one block."""
    start = end = -1
    about: NamedNode | None = None
    for first, last, written in spans:
        subject = resolve(written) if written else None
        if start >= 0 and (subject != about or last - start > aim):
            yield Block(start, end, describes=about, whole=True)
            start = -1
        start, end, about = (first if start < 0 else start), last, subject
    if start >= 0:
        yield Block(start, end, describes=about, whole=True)


READERS = dict.fromkeys(_FORMATS, read)
