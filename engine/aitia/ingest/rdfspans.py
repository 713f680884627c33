"""Where the statements of an RDF file stand in its text, and what they are about."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any
from xml.parsers import expat

from aitia.locate import jsontext

Statement = tuple[int, int, str]
"""Start, end, and the subject as it is written, or ""."""

_TOKEN = re.compile(
    r"(?P<comment>#[^\n]*)"
    r"|(?P<iri><[^<>\s]*>)"
    r'|(?P<text>"""(?:[^"\\]|\\.|"(?!""))*"""|\'\'\'(?:[^\'\\]|\\.|\'(?!\'\'))*\'\'\''
    r'|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\')'
    r"|(?P<mark>[\[\](){},;.])"
    r"|(?P<word>(?:[^\s<>\"'\[\](){},;#\\]|\\.)+|.)",
    re.DOTALL,
)
_TAGS = {
    "rdfxml": re.compile(r"xml:lang\s*=\s*[\"']([A-Za-z0-9-]+)"),
    "jsonld": re.compile(r'"@language"\s*:\s*"([A-Za-z0-9-]+)"'),
}
_SPACE = re.compile(r"\s+")
_DIRECTIVES = frozenset({"@prefix", "@base", "prefix", "base", "@version", "version"})


def of_turtle(text: str) -> Iterator[Statement]:
    """Yield the statements of Turtle, TriG, N-Triples or N-Quads.

    A directive is a statement without subject. A graph's opening brace belongs to
    the statement after it, its closing brace to the one before.
    """
    start, subject, depth, last = -1, "", 0, 0
    open_directive = False
    for kind, token, place, end in _tokens(text):
        if start < 0:
            start, subject, open_directive = place, "", False
        if kind == "comment":
            last = end
            continue
        if token == "{":
            subject = ""
        elif not subject and token not in ("}", "."):
            if kind == "word" and token.lower() == "graph":
                last = end
                continue
            subject = token
            open_directive = token.lower() in _DIRECTIVES
        depth += {"[": 1, "(": 1, "]": -1, ")": -1}.get(token, 0)
        last = end
        if _ends(token, kind, subject, open_directive, depth):
            yield start, end, "" if open_directive else subject
            start, depth = -1, 0
    if start >= 0:
        yield start, last, "" if open_directive else subject


def of_xml(text: str) -> Iterator[Statement]:
    """Yield the node elements of RDF/XML, with what rdf:about says, unresolved."""
    data = text.encode("utf-8", "surrogatepass")
    starts: list[tuple[int, str]] = []
    depth = 0
    parser = expat.ParserCreate(encoding="utf-8", namespace_separator=" ")

    def opened(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        if depth == 1 or (depth == 0 and not name.endswith("# RDF")):
            about = next(
                (v for k, v in attributes.items() if k.endswith("# about")), ""
            )
            starts.append((parser.CurrentByteIndex, about))
        depth += 1

    def closed(name: str) -> None:
        nonlocal depth
        depth -= 1

    parser.StartElementHandler = opened
    parser.EndElementHandler = closed
    try:
        parser.Parse(data, True)
    except expat.ExpatError:
        return
    place_of = _char_places(data)
    begin = 0
    for number, (_, about) in enumerate(starts):
        follows = starts[number + 1][0] if number + 1 < len(starts) else len(data)
        end = place_of(follows)
        yield begin, end, about
        begin = end


def of_jsonld(text: str) -> Iterator[Statement]:
    """Yield the objects at the top of JSON-LD, with their @id."""
    value, start = jsontext.document(text)
    yield from _nodes(text, start, value)


def lowered_tags(text: str, name: str) -> int:
    """Count the language tags that are not in lower case.

    Args:
        text: The RDF file.
        name: Its format.
    """
    pattern = _TAGS.get(name)
    if pattern is not None:
        return sum(not tag.islower() for tag in pattern.findall(text))
    before, count = "", 0
    for kind, token, _, _ in _tokens(text):
        tagged = before == "text" and token.startswith("@")
        count += tagged and token != token.lower()
        before = kind
    return count


def _nodes(text: str, start: int, value: Any) -> Iterator[Statement]:
    if isinstance(value, list):
        for member in jsontext.members(text, start):
            yield from _nodes(text, member.value_start, member.value)
    elif isinstance(value, dict) and isinstance(value.get("@graph"), list):
        for member in jsontext.members(text, start):
            if member.name == "@graph":
                yield from _nodes(text, member.value_start, member.value)
            else:
                yield member.start, member.end, ""
    else:
        _, end = jsontext.decode(text, start)
        about = value.get("@id", "") if isinstance(value, dict) else ""
        yield start, end, about if isinstance(about, str) else ""


def _tokens(text: str) -> Iterator[tuple[str, str, int, int]]:
    place = 0
    while place < len(text):
        space = _SPACE.match(text, place)
        if space:
            place = space.end()
            continue
        found = _TOKEN.match(text, place)
        if found is None:
            return
        token, end = found[0], found.end()
        # A name cannot end in a full stop: it ends the statement.
        if found.lastgroup == "word" and len(token) > 1 and token.endswith("."):
            token, end = token[:-1], end - 1
        yield str(found.lastgroup), token, place, end
        place = end


def _ends(token: str, kind: str, subject: str, directive: bool, depth: int) -> bool:
    if kind == "mark" and token == "}":
        return True
    if token == "." and depth <= 0:
        return True
    # PREFIX and BASE, as in SPARQL, end with their IRI and have no full stop.
    return directive and kind == "iri" and not subject.startswith("@")


def _char_places(data: bytes) -> Callable[[int], int]:
    """Return what turns rising byte offsets into character offsets."""
    byte = char = 0

    def place(offset: int) -> int:
        nonlocal byte, char
        char += len(data[byte:offset].decode("utf-8", "replace"))
        byte = offset
        return char

    return place
