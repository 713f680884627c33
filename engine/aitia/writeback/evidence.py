"""Evidence for a proposal: a document, a node on record, a file or an address."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from pyoxigraph import Literal, NamedNode

from aitia import lookup, terms
from aitia.errors import AitiaError, AmbiguousId, NotFound, ReadError, UsageError
from aitia.prefixes import compact
from aitia.redact import Redactor
from aitia.resources import query
from aitia.retrieval import passages
from aitia.vocab import AITIA, DCTERMS, RDF
from aitia.writeback.desk import CATALOG, Desk
from aitia.writeback.draft import Cited
from aitia.writeback.fetch import fetched, is_address

GROUNDS: Final = frozenset(
    {
        AITIA.Abstention,
        AITIA.Annotation,
        AITIA.Answer,
        AITIA.Claim,
        AITIA.Conflict,
        AITIA.Decision,
        AITIA.Document,
        AITIA.Evidence,
        AITIA.Gap,
        AITIA.Hypothesis,
        AITIA.Observation,
        AITIA.Passage,
        AITIA.Proposal,
        AITIA.Quote,
        AITIA.Source,
        AITIA.Statement,
        AITIA.UserInput,
    }
)
"""Classes of what evidence can rest on."""
Wordings = Sequence[Sequence[str]]
"""Several ways to say something, each as words that a sentence must have."""
_END: Final = re.compile(r"[.!?。！？]\s|[。！？]|\n")
_CHARS: Final = 300


def cite(desk: Desk, named: str, quote: str = "", words: Wordings = ()) -> Cited:
    """Return the evidence that a text names.

    Args:
        desk: What to work with.
        named: A document's path or id, the id of another node on record, the path of
            a file, or an address.
        quote: Its exact words, or "" to look for a sentence with all words of a wording.
        words: What a sentence that is evidence would say, the best wording first.

    Raises:
        NotFound: It names nothing.
        UsageError: What it names cannot be evidence.
    """
    if is_address(named):
        return _at_address(desk, named, quote, words)
    try:
        node = lookup.resolve(desk.store, named)
    except AmbiguousId:
        raise
    except NotFound:
        return _in_file(desk, named, quote, words)
    return on_record(desk, node, quote, words)


def on_record(
    desk: Desk, node: NamedNode, quote: str = "", words: Wordings = ()
) -> Cited:
    """Return a node on record as evidence; a run stands for its conclusion.

    Raises:
        UsageError: It cannot be evidence.
    """
    kinds = desk.kinds(node)
    if AITIA.Run in kinds:
        return on_record(desk, _conclusion(desk, node), quote, words)
    if kinds & {AITIA.MethodExecution, AITIA.ToolCall}:
        return on_record(desk, _product(desk, node), quote, words)
    if not kinds & GROUNDS:
        raise UsageError(
            f"{lookup.short(node.value)} cannot be evidence.",
            hint="Documents, passages, statements, claims, answers and runs can.",
        )
    if kinds & {AITIA.Document, AITIA.Passage}:
        return _in_document(desk, node, quote, words)
    text = told(desk, node)
    return Cited(quote or text, node, quote)


def text_of(desk: Desk, document: NamedNode) -> str:
    """Return the stored text of a document.

    Raises:
        NotFound: It is not here.
    """
    name = passages.document(desk.store, document.value).text_hash
    return desk.reads.blobs.text(name) if name else ""


def document_of(desk: Desk, node: NamedNode) -> NamedNode | None:
    """Return the document that a node is, is part of, or rests on; None for none."""
    for _ in range(3):
        if AITIA.Document in desk.kinds(node):
            return node
        parts = desk.store.quads(node, DCTERMS.isPartOf)
        whole = next((q.object for q in parts if isinstance(q.object, NamedNode)), None)
        if whole is None:
            break
        node = whole
    rows = desk.store.select(query("writeback", "documents_behind"), {"node": node})
    found = sorted(row["document"].value for row in rows)
    return NamedNode(found[0]) if found else None


def told(desk: Desk, node: NamedNode) -> str:
    """Return what a node says, in words."""
    for predicate in (AITIA.exact, AITIA.text, AITIA.reason, DCTERMS.title):
        for quad in desk.store.quads(node, predicate):
            if isinstance(quad.object, Literal) and quad.object.value:
                return quad.object.value
    parts = (
        next((q.object for q in desk.store.quads(node, part)), None)
        for part in (RDF.subject, RDF.predicate, RDF.object)
    )
    said = [
        compact(part.value) for part in parts if isinstance(part, NamedNode | Literal)
    ]
    return " ".join(said) or lookup.short(node.value)


def find(text: str, quote: str, words: Wordings) -> tuple[str, int, int]:
    """Return the words of a text that are evidence, with their place.

    A quote that is not there is returned with the place (-1, -1): that it is not
    there is for the checks to tell.
    """
    if quote:
        start = text.find(quote)
        return quote, start, start + len(quote) if start >= 0 else -1
    for wording in words:
        wanted = [word.casefold() for word in wording if word]
        if wanted and (found := _sentence(text, wanted))[1] >= 0:
            return found
    return "", -1, -1


def _sentence(text: str, wanted: Sequence[str]) -> tuple[str, int, int]:
    """Return the first sentence with all these words, with its place."""
    last = 0
    for match in _END.finditer(text + "\n"):
        sentence = text[last : match.end()].strip()
        if all(_says(sentence.casefold(), word) for word in wanted):
            start = text.index(sentence, last)
            return sentence, start, start + len(sentence)
        last = match.end()
    return "", -1, -1


def _says(sentence: str, word: str) -> bool:
    """Tell whether a sentence says a word, and not as a part of a longer one."""
    at = sentence.find(word)
    while at >= 0:
        before, after = sentence[at - 1 : at], sentence[at + len(word) :][:1]
        if not (before.isalnum() and before.isascii() and word[0].isascii()) and not (
            after.isalnum() and after.isascii() and word[-1].isascii()
        ):
            return True
        at = sentence.find(word, at + 1)
    return False


def _in_document(desk: Desk, node: NamedNode, quote: str, words: Wordings) -> Cited:
    document = document_of(desk, node) or node
    try:
        text = text_of(desk, document)
    except (AitiaError, OSError, UnicodeDecodeError) as error:
        said = quote or told(desk, node)
        return Cited(said, node, quote, reached=False, trouble=str(error))
    low, high = _bounds(desk, node, len(text))
    exact, start, end = find(text[low:high], quote, words)
    if start < 0:
        said = quote or (text[low:high].strip() or told(desk, node))[:_CHARS]
        return Cited(said, node, quote, -1, -1)
    start, end = start + low, end + low
    ground = _passage(desk, document, start, end) or node
    return Cited(exact, ground, exact, start, end)


def _bounds(desk: Desk, node: NamedNode, length: int) -> tuple[int, int]:
    if AITIA.Passage not in desk.kinds(node):
        return 0, length
    return int(desk.text(node, AITIA.start)), int(desk.text(node, AITIA.end))


def _passage(desk: Desk, document: NamedNode, start: int, end: int) -> NamedNode | None:
    """Return the passage of a document that holds these words whole."""
    for iri in passages.of_document(desk.store, document.value):
        node = NamedNode(iri)
        low, high = _bounds(desk, node, 0)
        if low <= start and end <= high:
            return node
    return None


def _conclusion(desk: Desk, run: NamedNode) -> NamedNode:
    found = desk.store.quads(run, AITIA.conclusion)
    ends = [q.object for q in found if isinstance(q.object, NamedNode)]
    if not ends:
        raise UsageError(f"The run {lookup.short(run.value)} came to no conclusion.")
    return ends[0]


def _product(desk: Desk, execution: NamedNode) -> NamedNode:
    found = desk.store.quads(execution, AITIA.produced)
    made = [q.object for q in found if isinstance(q.object, NamedNode)]
    if not made:
        raise UsageError(f"{lookup.short(execution.value)} brought nothing forth.")
    return min(made, key=lambda node: node.value)


def _in_file(desk: Desk, named: str, quote: str, words: Wordings) -> Cited:
    """Keep a file that is no document on record, and return it as evidence."""
    path = Path(named)
    if not path.is_file():
        raise NotFound(
            f"{named!r} is neither on record nor a file.",
            hint="Evidence is a file, an address, or the id of something on record.",
        )
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ReadError(
            f"{named} cannot be read as evidence: {error}",
            hint="`aitia ingest` reads other formats; name the document then.",
        ) from error
    return _kept(desk, text, path.resolve().as_uri(), quote, words)


def _kept(desk: Desk, text: str, address: str, quote: str, words: Wordings) -> Cited:
    clean, _ = Redactor(desk.reads.settings).redact(text)
    name = desk.reads.blobs.put(clean.encode("utf-8"))
    exact, start, end = find(clean, quote, words)
    said = exact or clean.strip()[:_CHARS] or address
    return Cited(said, None, exact, start, end, name, address)


def _at_address(desk: Desk, address: str, quote: str, words: Wordings) -> Cited:
    settings = desk.settings
    said = quote or address
    if not settings.fetch:
        trouble = "fetching is switched off (`[writeback] fetch`)"
        return Cited(said, None, quote, -1, -1, "", address, False, trouble)
    try:
        text = fetched(address, settings.fetch_seconds, settings.fetch_mb)
    except ReadError as error:
        return Cited(said, None, quote, -1, -1, "", address, False, str(error))
    return _kept(desk, text, address, quote, words)


def around(desk: Desk, cited: Cited, chars: int = 80) -> tuple[str, str]:
    """Return the words before and after a quote in its text, as far as it is at hand."""
    if not cited.quote or cited.start < 0:
        return "", ""
    try:
        if cited.blob:
            text = desk.reads.blobs.text(cited.blob)
        elif cited.ground and (document := document_of(desk, cited.ground)):
            text = text_of(desk, document)
        else:
            return "", ""
    except (AitiaError, OSError, UnicodeDecodeError):
        return "", ""
    low = max(cited.start - chars, 0)
    return text[low : cited.start], text[cited.end : cited.end + chars]


def is_live(desk: Desk, document: NamedNode) -> bool:
    """Tell whether a document is in use."""
    live = desk.store.quads(document, AITIA.documentState, AITIA.live, CATALOG)
    return next(iter(live), None) is not None


def made_here(document: NamedNode) -> bool:
    """Tell whether an IRI is one of aitia's own."""
    return document.value.startswith(terms.BASE)
