r"""SPARQL constraints of given shapes may not reach the network.

pySHACL looks for the word SERVICE with a regular expression, which an escape such as
`S\u0045RVICE` passes; here the query is parsed by the parser that will run it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pyoxigraph import Literal
from rdflib.plugins.sparql.parser import expandUnicodeEscapes, parseQuery
from rdflib.plugins.sparql.parserutils import CompValue

from aitia.gate.index import Index
from aitia.gate.shacl import sh


def reaching(index: Index) -> list[str]:
    """Return what is wrong with the queries of a shapes graph, one sentence each."""
    return [
        f"A SPARQL constraint would reach the network by SERVICE: {_start(text)}"
        for text in _queries(index)
        if _has_service(text)
    ]


def _queries(index: Index) -> Iterator[str]:
    for predicate in (sh("select"), sh("ask")):
        for holder in index.subjects(predicate):
            for value in index.objects(holder, predicate):
                if isinstance(value, Literal):
                    yield value.value


def _has_service(text: str) -> bool:
    # pySHACL puts a path in the place of $PATH, where the parser expects a term.
    query = re.sub(r"[$?]PATH\b", "<urn:path>", text)
    try:
        parsed: Any = parseQuery(query)
    except Exception:
        return "service" in str(expandUnicodeEscapes(text)).lower()  # in doubt, no
    return any(name == "ServiceGraphPattern" for name in _names(parsed))


def _names(node: Any) -> Iterator[str]:
    """Yield the name of every part of a parsed query."""
    todo = [node]
    while todo:
        part = todo.pop()
        if isinstance(part, CompValue):
            yield part.name
            todo += part.values()
        elif not isinstance(part, str) and hasattr(part, "__iter__"):
            todo += list(part)


def _start(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= 60 else plain[:59] + "…"
