"""Results of a query in the formats of the W3C, and as Turtle."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from aitia import terms
from aitia.errors import QueryError, UsageError
from aitia.prefixes import compact, used
from aitia.sandbox import QueryResult, Term

_NOT_XML: Final = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_json(result: QueryResult) -> str:
    """Return SPARQL 1.1 Query Results JSON; a graph has subject, predicate, object."""
    if result.form == "ask":
        return json.dumps({"head": {}, "boolean": result.answer}) + "\n"
    bindings = [
        {
            name: _binding(term)
            for name, term in zip(result.variables, row, strict=True)
            if term is not None
        }
        for row in result.rows
    ]
    whole = {"head": {"vars": result.variables}, "results": {"bindings": bindings}}
    return json.dumps(whole, indent=1) + "\n"


def to_csv(result: QueryResult) -> str:
    """Return SPARQL 1.1 Query Results CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    if result.form == "ask":
        writer.writerow(["true" if result.answer else "false"])
        return out.getvalue()
    writer.writerow(result.variables)
    for row in result.rows:
        writer.writerow(["" if term is None else _csv(term) for term in row])
    return out.getvalue()


def to_xml(result: QueryResult) -> str:
    """Return SPARQL Query Results XML.

    Raises:
        QueryError: A value holds a character that XML 1.0 has no way to write.
    """
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<sparql xmlns="http://www.w3.org/2005/sparql-results#">',
        "<head>"
        + "".join(f"<variable name={quoteattr(name)}/>" for name in result.variables)
        + "</head>",
    ]
    if result.form == "ask":
        lines.append(f"<boolean>{'true' if result.answer else 'false'}</boolean>")
    else:
        lines += ["<results>", *(_xml_row(result, row) for row in result.rows)]
        lines.append("</results>")
    return "\n".join([*lines, "</sparql>"]) + "\n"


def to_turtle(result: QueryResult) -> str:
    """Return the graph that CONSTRUCT or DESCRIBE made as Turtle.

    Raises:
        UsageError: The query was none of these.
    """
    if result.form != "graph":
        raise UsageError(
            "Only CONSTRUCT and DESCRIBE make a graph that Turtle can hold.",
            hint="`--format json`, csv or xml fit SELECT and ASK.",
        )
    from pyoxigraph import RdfFormat, Triple, serialize

    triples = [Triple(*(_term(term) for term in row)) for row in result.rows]
    prefixes = used(" ".join(map(str, triples)))
    data = serialize(triples, format=RdfFormat.TURTLE, prefixes=prefixes)
    return data.decode() if data else ""


def _binding(term: Term) -> Mapping[str, str]:
    found = {"type": term.kind, "value": term.value}
    if term.language:
        found["xml:lang"] = term.language
    elif term.datatype:
        found["datatype"] = term.datatype
    return found


def _csv(term: Term) -> str:
    return f"_:{term.value}" if term.kind == "bnode" else term.value


def _xml_row(result: QueryResult, row: tuple[Term | None, ...]) -> str:
    bound = zip(result.variables, row, strict=True)
    cells = (
        f"<binding name={quoteattr(name)}>{_xml(term)}</binding>"
        for name, term in bound
        if term is not None
    )
    return f"<result>{''.join(cells)}</result>"


def _xml(term: Term) -> str:
    more = ""
    if term.language:
        more = f" xml:lang={quoteattr(term.language)}"
    elif term.datatype:
        more = f" datatype={quoteattr(term.datatype)}"
    tag = "literal" if term.kind == "triple" else term.kind
    if odd := _NOT_XML.search(term.value):
        raise QueryError(
            f"XML cannot hold the character U+{ord(odd[0]):04X}, which a value has.",
            hint="`--format json` and csv hold every character.",
        )
    value = escape(term.value, {"\r": "&#13;"})
    return f"<{tag}{more}>{value}</{tag}>"


def _term(term: Term | None) -> Any:
    from pyoxigraph import BlankNode, Literal, NamedNode

    if term is None or term.kind == "triple":
        raise UsageError("A triple inside a triple does not fit Turtle.")
    if term.kind == "uri":
        return NamedNode(term.value)
    if term.kind == "bnode":
        return BlankNode(term.value)
    if term.language:
        return Literal(term.value, language=term.language)
    if term.datatype:
        return Literal(term.value, datatype=NamedNode(term.datatype))
    return Literal(term.value)


def told(term: Term | None) -> str:
    """Return a term as people read it: short ids, known prefixes, text without marks."""
    if term is None:
        return ""
    if term.kind != "uri":
        return f"{term.value}@{term.language}" if term.language else _csv(term)
    if term.value.startswith(terms.BASE):
        return term.value.removeprefix(terms.BASE)
    return compact(term.value)
