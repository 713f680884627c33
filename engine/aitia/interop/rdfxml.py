"""RDF/XML, written so that every XML parser gives back the same triples."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from pyoxigraph import Literal, NamedNode, Triple

from aitia.vocab import RDF, XSD

_NAME: Final = re.compile(r"[^\W\d][\w.\-·]*$")
_NOT_XML: Final = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def why_not(triple: Triple) -> str:
    """Return why RDF/XML cannot hold a triple, or ""."""
    if not _NAME.search(triple.predicate.value):
        return f"no XML name can be made of the property {triple.predicate.value}"
    if isinstance(triple.object, Literal) and _NOT_XML.search(triple.object.value):
        return f"XML allows no control characters: the text of {triple.subject}"
    return ""


def lines(triples: Iterable[Triple]) -> Iterator[str]:
    """Yield RDF/XML, one block per subject; the triples come sorted by subject."""
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<rdf:RDF xmlns:rdf="{RDF.NS}">\n'
    for subject, group in groupby(triples, key=lambda triple: triple.subject):
        name = subject.value if isinstance(subject, NamedNode) else ""
        yield f"<rdf:Description rdf:about={quoteattr(name)}>\n"
        yield from map(_property, group)
        yield "</rdf:Description>\n"
    yield "</rdf:RDF>\n"


def _property(triple: Triple) -> str:
    iri = triple.predicate.value
    local = _NAME.search(iri)
    start = local.start() if local else len(iri)
    tag, declared = f"p:{iri[start:]}", f"xmlns:p={quoteattr(iri[:start])}"
    obj = triple.object
    if isinstance(obj, NamedNode):
        return f"<{tag} {declared} rdf:resource={quoteattr(obj.value)}/>\n"
    more = ""
    if isinstance(obj, Literal) and obj.language:
        more = f" xml:lang={quoteattr(obj.language)}"
    elif isinstance(obj, Literal) and obj.datatype != XSD.string:
        more = f" rdf:datatype={quoteattr(obj.datatype.value)}"
    text = obj.value if isinstance(obj, Literal) else ""
    return f"<{tag} {declared}{more}>{escape(text, {chr(13): '&#13;'})}</{tag}>\n"
