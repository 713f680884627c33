"""Which documents a search may look in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from fnmatch import fnmatchcase

from aitia.errors import UsageError
from aitia.retrieval.passages import DocumentRecord, live_documents
from aitia.store import Reader


@dataclass(frozen=True)
class Filters:
    """Conditions on the document of a passage; all that are given must hold.

    Attributes:
        path: Glob over the document's path as given; one without "/" is matched
            against the file's name.
        source: Glob over the document's IRI, short id, title or location.
        media_type: Glob over the media type; `pdf` means `*/pdf`.
        since: Only documents taken in at or after this time.
        until: Only documents taken in at or before this time.
    """

    path: str = ""
    source: str = ""
    media_type: str = ""
    since: datetime | None = None
    until: datetime | None = None

    def __bool__(self) -> bool:
        return self != Filters()

    def admit(self, document: DocumentRecord) -> bool:
        """Tell whether a document meets every condition."""
        return (
            _path_fits(document.path, self.path)
            and _source_fits(document, self.source)
            and _type_fits(document.media_type, self.media_type)
            and self._time_fits(document.generated)
        )

    def documents(self, store: Reader) -> set[str]:
        """Return the IRIs of the live documents that meet every condition."""
        return {item.iri for item in live_documents(store) if self.admit(item)}

    def _time_fits(self, generated: str) -> bool:
        if self.since is None and self.until is None:
            return True
        if not generated:
            return False
        when = datetime.fromisoformat(generated)
        return (self.since is None or when >= self.since) and (
            self.until is None or when <= self.until
        )


def moment(text: str, *, end_of_day: bool = False) -> datetime:
    """Return the time that an ISO 8601 date or time names, in UTC where it says none.

    Args:
        text: Such as `2024-05-01` or `2024-05-01T10:00:00+02:00`.
        end_of_day: A date without a time means its last moment, not its first.

    Raises:
        UsageError: The text is no date or time.
    """
    try:
        when = datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(
            f"{text!r} is no date or time.",
            hint="Write 2024-05-01 or 2024-05-01T10:00.",
        ) from error
    if end_of_day and len(text) <= len("2024-05-01"):
        when = when.replace(hour=23, minute=59, second=59, microsecond=999_999)
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def _path_fits(path: str, glob: str) -> bool:
    shown = path if "/" in glob else path.rpartition("/")[2]
    return not glob or fnmatchcase(shown, glob)


def _source_fits(document: DocumentRecord, glob: str) -> bool:
    names = (
        document.iri,
        document.iri.rpartition(":")[2],
        document.title,
        document.location,
    )
    return not glob or any(fnmatchcase(name, glob) for name in names)


def _type_fits(media_type: str, glob: str) -> bool:
    wanted = glob if "/" in glob else f"*/{glob}"
    return not glob or fnmatchcase(media_type.lower(), wanted.lower())
