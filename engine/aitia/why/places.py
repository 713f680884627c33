"""Where in a document a node stands, checked against the text as it is stored."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from aitia.blobs import Blobs
from aitia.errors import AitiaError
from aitia.model.graph import Place
from aitia.store import Reader
from aitia.vocab import AITIA, DCTERMS
from aitia.why.describe import Descriptions, describe, local

OTHER_BASES: Final = "its causes stand on other bases"


class Places:
    """Finds the exact words that quotes and passages stand on.

    Stored texts are read once each and kept as long as this object.
    """

    def __init__(self, reader: Reader, blobs: Blobs, shown: Descriptions) -> None:
        self._blobs = blobs
        self._texts: dict[str, str] = {}
        self._known = _with_wholes(reader, shown)

    def of(self, node: str) -> Place | None:
        """Return where `node` stands, or None where it is not part of a document."""
        facts = self._known
        start, end = facts.number(node, AITIA.start), facts.number(node, AITIA.end)
        document = self._document(node)
        if not document or start is None or end is None:
            return None
        exact, problem = self._words(facts.text(document, AITIA.textHash), start, end)
        said = facts.text(node, AITIA.exact)
        return Place(
            document=document,
            path=facts.text(document, AITIA.path),
            title=facts.text(document, DCTERMS.title),
            start=start,
            end=end,
            page=self._page(node),
            exact=exact,
            matches=(said == exact and not problem) if said else None,
            problem=problem,
            state=local(facts.one(document, AITIA.documentState)),
        )

    def _document(self, node: str) -> str:
        """Return the document that `node` is a part of, through its passage."""
        whole = self._known.text(node, DCTERMS.isPartOf)
        if whole and self._known.kind(whole) != "Document":
            whole = self._known.text(whole, DCTERMS.isPartOf)
        return whole

    def _page(self, node: str) -> int | None:
        own = self._known.number(node, AITIA.page)
        if own is not None:
            return own
        whole = self._known.text(node, DCTERMS.isPartOf)
        return self._known.number(whole, AITIA.page)

    def _words(self, name: str, start: int, end: int) -> tuple[str, str]:
        """Return the words at those offsets, or "" and why they cannot be read."""
        if not name:
            return "", "the document has no stored text"
        if name not in self._texts:
            try:
                self._texts[name] = self._blobs.text(name)
            except (AitiaError, OSError, UnicodeDecodeError) as error:
                return "", f"the stored text cannot be read: {error}"
        text = self._texts[name]
        if not 0 <= start <= end <= len(text):
            return "", f"the stored text has only {len(text)} characters"
        return text[start:end], ""


def _with_wholes(reader: Reader, shown: Descriptions) -> Descriptions:
    """Return `shown` with the passages and documents that its nodes are parts of."""
    facts = dict(shown.facts)
    edge: Iterable[str] = shown.facts
    for _ in range(2):  # a quote's passage, the passage's document
        wholes = _wholes(Descriptions(facts), edge) - facts.keys()
        facts.update(describe(reader, sorted(wholes)).facts)
        edge = wholes
    return Descriptions(facts)


def _wholes(known: Descriptions, nodes: Iterable[str]) -> set[str]:
    return {
        whole.value for node in nodes for whole in known.values(node, DCTERMS.isPartOf)
    }


def ending(kind: str, place: Place | None, path: str) -> str:
    """Say in words why a chain ends at a node.

    Args:
        kind: Local name of the node's class.
        place: Where it stands in a document.
        path: Its path, where it is a document.
    """
    if place is not None:
        where = place.path or place.title or place.document
        what = "passage" if kind == "Passage" else "words"
        return f"{what} of {where}, characters {place.start} to {place.end}"
    if kind == "UserInput":
        return "what was asked"
    if kind == "Document":
        return f"document {path}".rstrip()
    return "no further cause is recorded"
