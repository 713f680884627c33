"""Whether each quote on record is what the stored text says at its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from pyoxigraph import Literal, NamedNode, Quad

from aitia.blobs import Blobs
from aitia.errors import AitiaError
from aitia.plain import quoted
from aitia.store import Reader
from aitia.vocab import AITIA, DCTERMS

Look = Callable[[NamedNode, NamedNode], NamedNode | Literal | None]
"""Returns a value that a node has of a property, or None."""
Text = Callable[[str], str | None]
"""Returns the text of that name, or None where it is not here."""
_SHOWN: Final = 60


def check(reader: Reader, blobs: Blobs) -> Iterator[str]:
    """Yield a sentence for each quote on record that its stored text does not say."""
    quads = reader.quads(None, AITIA.exact)
    yield from differing(quads, looking(reader), texts(blobs))


def looking(reader: Reader) -> Look:
    """Return what looks up values in a store."""

    def look(node: NamedNode, prop: NamedNode) -> NamedNode | Literal | None:
        return value(reader.quads(node, prop))

    return look


def value(quads: Iterable[Quad]) -> NamedNode | Literal | None:
    """Return the first object that is an IRI or a literal, or None."""
    terms = (quad.object for quad in quads)
    return next((x for x in terms if isinstance(x, NamedNode | Literal)), None)


def texts(blobs: Blobs) -> Text:
    """Return what reads stored texts; the last one is kept, for its other quotes."""
    last: list[tuple[str, str | None]] = [("", None)]

    def text(name: str) -> str | None:
        if name != last[0][0]:
            last[0] = name, _read(blobs, name)
        return last[0][1]

    return text


def _read(blobs: Blobs, name: str) -> str | None:
    try:
        return blobs.text(name)
    except (AitiaError, OSError, UnicodeDecodeError):
        return None  # the check of the blobs themselves tells what is wrong with it


def differing(quotes: Iterable[Quad], look: Look, text: Text) -> Iterator[str]:
    """Yield a sentence for each quote that differs from the text that is here.

    Args:
        quotes: What says the exact words of each quote (`aitia:exact`).
        look: Tells where the quotes, their passages and documents are.
        text: Tells what the documents say; of a text that is not here, nothing is
            said.
    """
    for quad in quotes:
        quote, exact = quad.subject, quad.object
        if not isinstance(quote, NamedNode) or not isinstance(exact, Literal):
            continue
        name = _text_name(quote, look)
        whole = text(name) if name else None
        start, end = (_offset(look(quote, p)) for p in (AITIA.start, AITIA.end))
        if whole is None or start is None or end is None:
            continue
        stands = whole[start:end]
        if stands != exact.value or end > len(whole):
            yield (
                f"The quote {quote.value} says {quoted(exact.value, _SHOWN)}, and the"
                f" stored text has {quoted(stands, _SHOWN) or 'nothing'} there."
            )


def _text_name(quote: NamedNode, look: Look) -> str:
    """Return the name of the text that a quote is part of, through its passage."""
    node: NamedNode | Literal | None = quote
    for _ in range(3):  # the quote, its passage, its document
        if not isinstance(node, NamedNode):
            return ""
        if isinstance(name := look(node, AITIA.textHash), Literal):
            return name.value
        node = look(node, DCTERMS.isPartOf)
    return ""


def _offset(term: NamedNode | Literal | None) -> int | None:
    text = term.value if isinstance(term, Literal) else ""
    return int(text) if text.isdecimal() else None
