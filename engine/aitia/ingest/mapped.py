"""JSON and CSV mapped to RDF by the user's own JSON-LD context, in place of our scheme.

Each record is taken as a JSON-LD node under that context. One whose context maps no
field to its `@id` keeps the IRI that our scheme gives it. Fields that the context does
not map state nothing, and are told. Nothing is fetched.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from pyoxigraph import NamedNode, Quad, RdfFormat, parse

from aitia.errors import ReadError
from aitia.ingest.content import Content, Facts, Raw
from aitia.ingest.shape import Object
from aitia.ingest.skolem import skolemised
from aitia.vocab import XSD

Context = Mapping[str, Any]


def map_facts(
    content: Content, raw: Raw, records: list[tuple[NamedNode, Object]]
) -> dict[NamedNode, NamedNode]:
    """Set a file's facts by the user's context; return each record's IRI under it.

    Raises:
        ReadError: The context or what it makes of a record is not valid.
    """
    assert raw.options.context is not None
    content.facts, renamed, unmapped = facts(
        records, raw.options.context, raw.document, raw.location, raw.content_hash
    )
    if unmapped:
        names = ", ".join(unmapped[:8]) + (", …" if len(unmapped) > 8 else "")
        content.warnings.append(f"the context does not map these fields: {names}")
    return renamed


def facts(
    records: Iterable[tuple[NamedNode, Object]],
    context: Context,
    document: NamedNode,
    base: str,
    content_hash: str,
) -> tuple[Facts, dict[NamedNode, NamedNode], list[str]]:
    """Return the quads of records under a context.

    Args:
        records: Each with the IRI of our scheme.
        context: The JSON-LD context.
        document: The document; the graph the quads go to.
        base: What relative IRIs are relative to.
        content_hash: SHA-256 of the file, for the names of blank nodes.

    Returns:
        The facts; for each record the IRI it has now; the fields that are not mapped.

    Raises:
        ReadError: The context or what it makes of a record is not valid.
    """
    from pyld import jsonld

    nodes, renamed = list[Any](), dict[NamedNode, NamedNode]()
    fields = dict[str, None]()
    options = {
        "expandContext": dict(context),
        "documentLoader": _refuse,
        "base": base,
    }
    try:
        for iri, item in records:
            fields |= dict.fromkeys(item)
            for node in jsonld.expand(_plain(item, context), options)[:1]:
                node.setdefault("@id", iri.value)
                renamed[iri] = NamedNode(node["@id"])
                nodes.append(node)
        text = jsonld.to_rdf(
            nodes, {"format": "application/n-quads", "documentLoader": _refuse}
        )
        made = [
            Quad(quad.subject, quad.predicate, quad.object, document)
            for quad in parse(text, format=RdfFormat.N_QUADS)
            if isinstance(quad, Quad)
        ]
    except jsonld.JsonLdError as error:
        raise _error(error) from error
    except (SyntaxError, ValueError) as error:
        raise ReadError(f"the context makes what is no RDF: {error}") from error
    found = Facts(skolemised(made, content_hash), records=len(nodes))
    return found, renamed, [name for name in fields if not _maps(context, name)]


def _refuse(url: str, _options: object) -> Any:
    raise OSError(f"{url} is not fetched")


def _error(error: Any) -> ReadError:
    details = error.details if isinstance(error.details, dict) else {}
    if error.code == "loading remote context failed":
        return ReadError(
            f"the context refers to {details.get('url')}, and nothing is fetched",
            hint="Put that context into the file.",
        )
    return ReadError(f"the context cannot be applied: {error.args[0]}")


def _maps(context: Context, name: str) -> bool:
    return name in context or "@vocab" in context or name.startswith("@")


def _plain(value: Any, context: Context, name: str = "") -> Any:
    """Return a record with its decimals as JSON-LD can hold them without loss."""
    if isinstance(value, dict):
        return {key: _plain(held, context, key) for key, held in value.items()}
    if isinstance(value, list):
        return [_plain(held, context, name) for held in value]
    if isinstance(value, Decimal):
        text = format(value, "f")
        term = context.get(name)
        typed = isinstance(term, Mapping) and "@type" in term
        return text if typed else {"@value": text, "@type": XSD.decimal.value}
    return value
