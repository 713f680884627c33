"""Metadata filter: passages of documents that meet conditions.

Conditions are on the document: its path, its kind, and when it was taken in. They are
given, or read from the question: a file name or kind that it names ("in the handbook
PDF", "in prices.csv"), and by a model where one is configured. A condition that leaves
no document is let go of, which is said.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from aitia.errors import UsageError
from aitia.methods.asking import DATA, Asked, ask_model, data
from aitia.methods.base import Reads, method
from aitia.methods.found import Count, found, look
from aitia.methods.passages import Hits

if TYPE_CHECKING:
    from aitia.methods.replies import Conditions
    from aitia.retrieval import Filters

VERSION: Final = "1"
_FILE: Final = re.compile(
    r"\b[\w.-]+\.(?:txt|md|html?|pdf|docx|csv|tsv|json|ttl)\b", re.I
)
_KINDS: Final = {
    "pdf": "pdf", "spreadsheet": "csv", "csv": "csv", "word document": "*word*",
    "markdown": "markdown", "web page": "html", "json": "json",
}  # fmt: skip
_SYSTEM: Final = (
    "You read from a question which documents it speaks of. Answer with JSON: `path` (a "
    "glob over file paths), `media_type` (such as pdf), `since` and `until` (ISO dates "
    "between which the documents were taken in); leave empty what the question does not "
    f"say. {DATA}"
)


@dataclass(frozen=True)
class Conditioned:
    """A query and conditions on the documents to look in.

    Attributes:
        query: What to look for.
        path: Glob over the document's path, or "".
        media_type: Such as `pdf` or `text/*`, or "".
        since: ISO date on or after which it was taken in, or "".
        until: ISO date on or before which it was taken in, or "".
        k: How many passages to return.
    """

    query: str
    path: str = ""
    media_type: str = ""
    since: str = ""
    until: str = ""
    k: Count = 10


@dataclass(frozen=True)
class Filtered(Hits):
    """Passages, and the conditions that their documents meet."""

    conditions: dict[str, str] = field(default_factory=dict)

    def told(self) -> dict[str, Any]:
        """Return what the record keeps: the passages, and the conditions."""
        return {**super().told(), "conditions": self.conditions}


@method(
    "metadata_filter",
    "Finds passages by words and meaning in documents of a path, kind or time.",
    offered=True,
)
def metadata_filter(reads: Reads, given: Conditioned) -> Filtered:
    """Return the passages that fit best among documents that meet the conditions."""
    wanted, asked = given, Asked["Conditions"]()
    if not _conditions(given):
        asked = _asked(reads, given.query)
        wanted = _read(given, asked.value)
    notices = list(asked.notices)
    try:
        filters = _filters(wanted)
    except UsageError as error:
        return Filtered(failure=str(error), summary=str(error))
    if filters and not filters.documents(reads.store):
        if wanted is given:
            return Filtered(
                failure="No document meets the conditions.",
                summary="no document",
                conditions=_conditions(wanted),
            )
        notices.append("No document meets the conditions; all were looked in.")
        wanted, filters = given, _filters(given)
    hits = found(look(reads, given.query, given.k, filters=filters or None))
    return Filtered(
        hits=hits.hits,
        summary=hits.summary,
        failure=hits.failure,
        conditions=_conditions(wanted),
        notices=tuple(notices),
    )


def _conditions(given: Conditioned) -> dict[str, str]:
    names = ("path", "media_type", "since", "until")
    return {name: value for name in names if (value := getattr(given, name))}


def _filters(given: Conditioned) -> Filters:
    from aitia.retrieval import Filters
    from aitia.retrieval.filters import moment

    return Filters(
        path=given.path,
        media_type=given.media_type,
        since=moment(given.since) if given.since else None,
        until=moment(given.until, end_of_day=True) if given.until else None,
    )


def _read(given: Conditioned, proposed: Conditions | None) -> Conditioned:
    """Return the query with the conditions that a model or the question names."""
    if proposed is not None:
        return replace(
            given,
            path=proposed.path,
            media_type=proposed.media_type,
            since=proposed.since,
            until=proposed.until,
        )
    if named := _FILE.search(given.query):
        return replace(given, path=named.group())
    low = given.query.lower()
    kind = next((kind for name, kind in _KINDS.items() if f"in the {name}" in low), "")
    return replace(given, media_type=kind)


def _asked(reads: Reads, question: str) -> Asked[Conditions]:
    if reads.models is None:
        return Asked()
    from aitia.methods.replies import Conditions

    return ask_model(
        reads,
        Conditions,
        purpose="metadata_filter",
        version=VERSION,
        system=_SYSTEM,
        text=f"Question:\n{data(question)}",
    )
