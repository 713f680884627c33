"""Passages and what a search returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class PassageRecord:
    """A passage with its text and what a search can filter by.

    Attributes:
        iri: The passage's IRI.
        document: Its document's IRI.
        text: Its exact text.
        start: Offset of its first character in the document's stored text.
        end: Offset after its last character.
        heading: The headings it stands under, parted by " > ", or "".
        page: Its page from 1, or None.
        title: The document's title.
        path: The document's path as given.
        media_type: The document's media type.
        describes: IRI of the record resource it is about, or "".
        generated: When the document was taken in, ISO 8601 in UTC, or "".
    """

    iri: str
    document: str
    text: str
    start: int
    end: int
    heading: str = ""
    page: int | None = None
    title: str = ""
    path: str = ""
    media_type: str = ""
    describes: str = ""
    generated: str = ""


@dataclass(frozen=True)
class Hit:
    """A passage found by a search.

    Attributes:
        passage: What was found.
        score: The score it was ranked by; higher is better. Its scale is the mode's.
        rank: Place in the ranking, from 1.
        scores: Each index's own score and rank: `lexical`, `dense`, `lexical_rank`, …
    """

    passage: PassageRecord
    score: float
    rank: int
    scores: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class ResourceHit:
    """A resource found by its label, values or type.

    Attributes:
        iri: Its IRI.
        score: BM25 score; higher is better.
        label: Its name for people.
        types: IRIs of its classes.
    """

    iri: str
    score: float
    label: str
    types: tuple[str, ...] = ()
