"""Where people's data states a fact: the passage, or else the document."""

from __future__ import annotations

from collections.abc import Iterable

from pyoxigraph import Literal, NamedNode, Quad

from aitia import resources
from aitia.blobs import Blobs
from aitia.errors import AitiaError
from aitia.store import Reader, Row
from aitia.vocab import AITIA


def places(reader: Reader, blobs: Blobs, quads: Iterable[Quad]) -> list[str]:
    """Return the IRIs of the passages that state these quads, each once.

    A passage that is about the subject states a quad if its words hold the value;
    where none does, all of them may. Where no passage is about the subject, the
    document or graph itself stands for it.
    """
    by_subject: dict[tuple[NamedNode, NamedNode], set[str]] = {}
    for quad in quads:
        subject, graph = quad.subject, quad.graph_name
        if isinstance(subject, NamedNode) and isinstance(graph, NamedNode):
            words = by_subject.setdefault((subject, graph), set())
            words.add(_word(quad.object))
    found: dict[str, None] = {}
    for (subject, graph), words in by_subject.items():
        document = _document(reader, graph)
        rows = reader.select(resources.query("why", "passages"), {"resource": subject})
        inside = [row for row in rows if row["document"] == document]
        holding = [row for row in inside if _holds(blobs, row, words)]
        named = sorted(row["passage"].value for row in holding or inside)
        found.update(dict.fromkeys(named or [document.value]))
    return list(found)


def _word(term: object) -> str:
    """Return what a text must hold that states a value."""
    if isinstance(term, NamedNode):
        return term.value.rpartition("#")[2].rpartition("/")[2].rpartition(":")[2]
    return term.value if isinstance(term, Literal) else ""


def _holds(blobs: Blobs, row: Row, words: set[str]) -> bool:
    if "textHash" not in row:
        return False
    try:
        text = blobs.text(row["textHash"].value)
    except (AitiaError, OSError, UnicodeDecodeError):
        return False  # whoever shows the passage says that its text cannot be read
    passage = text[int(row["start"].value) : int(row["end"].value)]
    return any(word in passage for word in words)


def _document(reader: Reader, graph: NamedNode) -> NamedNode:
    """Return the document that a graph belongs to; the graph itself for its own."""
    holders = (quad.subject for quad in reader.quads(None, AITIA.containsGraph, graph))
    found = sorted((x for x in holders if isinstance(x, NamedNode)), key=str)
    return found[0] if found else graph
