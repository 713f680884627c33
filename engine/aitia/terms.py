"""The one place where text becomes a term: IRIs, times, literals, short ids.

Our own instances are IRIs under `BASE`, never blank nodes. Their ids are short
enough to type.
"""

import hashlib
import re
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final

from pyoxigraph import Literal, NamedNode, Quad

from aitia.errors import UsageError
from aitia.vocab import XSD

BASE: Final = "urn:aitia:"
DATA: Final = "urn:data:"
"""Base of the resources that are made from JSON and CSV records."""

GRAPH_CURRENT: Final = NamedNode(BASE + "graph:current")
GRAPH_CATALOG: Final = NamedNode(BASE + "graph:catalog")
GRAPH_LEDGER: Final = NamedNode(BASE + "graph:ledger")
GRAPH_INFERRED: Final = NamedNode(BASE + "graph:inferred")
GRAPH_SHAPES: Final = NamedNode(BASE + "graph:shapes")
GRAPH_ONTOLOGY: Final = NamedNode(BASE + "graph:ontology")
SYSTEM_GRAPHS: Final = frozenset(
    {
        GRAPH_CURRENT,
        GRAPH_CATALOG,
        GRAPH_LEDGER,
        GRAPH_INFERRED,
        GRAPH_SHAPES,
        GRAPH_ONTOLOGY,
    }
)

_ALPHABET: Final = "abcdefghijkmnpqrstuvwxyz23456789"  # no l, o, 0, 1: easy to type


def new_id(length: int = 8) -> str:
    """Return a random id of letters and digits that are hard to confuse."""
    import secrets

    return "".join(secrets.choice(_ALPHABET) for _ in range(length))


def short_hash(*parts: str, length: int = 12) -> str:
    """Return the first `length` hexadecimal digits of SHA-256 over `parts`."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()[:length]


def run_iri(run_id: str) -> NamedNode:
    """Return the IRI of a run."""
    return NamedNode(f"{BASE}run:{run_id}")


def run_graph(run: NamedNode) -> NamedNode:
    """Return the named graph, a prov:Bundle, that holds a run's trace.

    A run is an activity and its trace an entity; PROV keeps the two disjoint, so
    the graph has a name of its own.
    """
    return NamedNode(f"{run.value}/trace")


def is_current(graph: object) -> bool:
    """Tell whether a graph holds what is true now: no system graph, no run's trace."""
    if not isinstance(graph, NamedNode):
        return False
    if graph in SYSTEM_GRAPHS:
        return graph == GRAPH_CURRENT
    run = graph.value.startswith(BASE + "run:")
    return not (run and graph.value.endswith("/trace"))


def part(whole: NamedNode, kind: str, number: int | None = None) -> NamedNode:
    """Return the IRI of a part: `<whole>/<kind>` or `<whole>/<kind>/<number>`."""
    tail = kind if number is None else f"{kind}/{number}"
    return NamedNode(f"{whole.value}/{tail}")


def document_iri(location: str, content_hash: str) -> NamedNode:
    """Return the IRI of one version of a document."""
    return NamedNode(f"{BASE}doc:{short_hash(location, content_hash)}")


def passage_iri(document: NamedNode, start: int, end: int) -> NamedNode:
    """Return the IRI of a passage: the document with an RFC 5147 fragment."""
    return NamedNode(f"{document.value}#char={start},{end}")


def statement_iri(subject: str, predicate: str, obj: str, graph: str) -> NamedNode:
    """Return the IRI of the reified statement of a triple in a graph."""
    key = short_hash(subject, predicate, obj, graph, length=16)
    return NamedNode(f"{BASE}statement:{key}")


def agent_iri(name: str) -> NamedNode:
    """Return the IRI of an agent by its name."""
    return NamedNode(f"{BASE}agent:{slug(name)}")


def method_iri(name: str) -> NamedNode:
    """Return the IRI of a method by its name."""
    return NamedNode(f"{BASE}method:{slug(name)}")


def session_iri(name: str) -> NamedNode:
    """Return the IRI of a session by its name."""
    return NamedNode(f"{BASE}session:{slug(name)}")


def commit_iri(number: int) -> NamedNode:
    """Return the IRI of a commit by its number."""
    return NamedNode(f"{BASE}commit:{number}")


def slug(text: str) -> str:
    """Return `text` as one safe IRI segment; percent-encodes what is not safe."""
    import unicodedata
    from urllib.parse import quote

    _refuse_surrogates(text)
    cleaned = re.sub(r"\s+", "-", unicodedata.normalize("NFC", text).strip())
    if not cleaned:
        raise UsageError("A name must have at least one visible character.")
    return quote(cleaned, safe="-._~")


def string(value: str) -> Literal:
    """Return a plain string literal; refuses lone surrogates."""
    _refuse_surrogates(value)
    return Literal(value)


def integer(value: int) -> Literal:
    """Return an xsd:integer literal."""
    return Literal(str(value), datatype=XSD.integer)


def double(value: float) -> Literal:
    """Return an xsd:double literal."""
    return Literal(repr(float(value)), datatype=XSD.double)


def decimal(value: Decimal) -> Literal:
    """Return an xsd:decimal literal, without an exponent."""
    return Literal(f"{value:f}", datatype=XSD.decimal)


def boolean(value: bool) -> Literal:
    """Return an xsd:boolean literal."""
    return Literal("true" if value else "false", datatype=XSD.boolean)


def any_uri(value: str) -> Literal:
    """Return an xsd:anyURI literal; refuses lone surrogates."""
    _refuse_surrogates(value)
    return Literal(value, datatype=XSD.anyURI)


def now() -> datetime:
    """Return the time now, in UTC."""
    return datetime.now(UTC)


def time(value: datetime) -> Literal:
    """Return an xsd:dateTime literal in UTC with Z, to the millisecond.

    Written as the store writes it, without trailing zeros, so that the literal is
    the same before and after.

    Raises:
        UsageError: The time names no zone.
    """
    if value.tzinfo is None:
        raise UsageError("A time without a zone cannot be put on record.")
    text = value.astimezone(UTC).isoformat(timespec="milliseconds")
    text = text.removesuffix("+00:00").rstrip("0").removesuffix(".")
    return Literal(text + "Z", datatype=XSD.dateTime)


def nquad(quad: Quad) -> str:
    """Return the quad as one line of N-Quads, without the line end.

    This is the canonical form that the ledger hashes.
    """
    return f"{quad} ."


def _refuse_surrogates(text: str) -> None:
    """Refuse half a character, which no store or file can hold.

    The store itself would say of it that it "must be a str".
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise UsageError(
            f"The text holds a lone surrogate at character {error.start}."
        ) from error
