"""The word index: tantivy over terms that `words` cut.

tantivy's own query parser is never used: queries are built term by term.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from aitia.errors import IndexMismatch
from aitia.retrieval import shadow
from aitia.retrieval.manifest import MEND
from aitia.retrieval.words import all_tokens, characters, tokens

__all__ = ["Entry", "Lexical", "Match", "tokens"]

_TERMS_AT_MOST: Final = 256
_HEAP: Final = 64_000_000  # bytes the writer keeps before it writes a segment


@dataclass(frozen=True)
class Entry:
    """One thing to index.

    Attributes:
        iri: What it is found as.
        fields: Field → text.
        group: What it is deleted and filtered by together with others, or "".
        stored: What is given back with a match.
    """

    iri: str
    fields: Mapping[str, str]
    group: str = ""
    stored: str = ""


@dataclass(frozen=True)
class Match:
    """One thing found: its IRI, BM25 score and stored text."""

    iri: str
    score: float
    stored: str = ""


class Lexical:
    """An index of terms in a folder.

    Attributes:
        folder: Where it is.
        boosts: Field → weight of its BM25 score.
        filled: Whether it is known to hold something; then its files must be there.
    """

    def __init__(
        self, folder: Path, boosts: Mapping[str, float], *, filled: bool = False
    ) -> None:
        self.folder, self.boosts, self.filled = folder, boosts, filled
        self._open_writer: Any = None
        self._shadow: shadow.Shadow | None = None

    def search(
        self, query: str, k: int, groups: Collection[str] | None = None
    ) -> list[Match]:
        """Return the `k` best matches by BM25, best first.

        Args:
            query: Any text; it is cut into terms and never parsed.
            k: How many to return at most.
            groups: Only entries of these groups; None means of all.
        """
        import tantivy

        words = list(dict.fromkeys(tokens(query)))[:_TERMS_AT_MOST]
        if not words or (groups is not None and not groups) or not len(self):
            return []
        clauses = [
            (tantivy.Occur.Should, self._term(field, word, boost))
            for word in words
            for field, boost in self._fields(word)
        ]
        asked = tantivy.Query.boolean_query(clauses)
        if groups is not None:
            allowed = tantivy.Query.term_set_query(self._schema, "group", list(groups))
            silent = tantivy.Query.const_score_query(allowed, 0.0)
            must = tantivy.Occur.Must
            asked = tantivy.Query.boolean_query([(must, asked), (must, silent)])
        return self._matches(asked, k)

    def ids(self) -> list[str]:
        """Return the IRI of every entry."""
        import tantivy

        count = len(self)
        found = self._matches(tantivy.Query.all_query(), count) if count else []
        return [match.iri for match in found]

    def __len__(self) -> int:
        if not self.filled and not (self.folder / "meta.json").exists():
            return 0
        return int(self._index.searcher().num_docs)

    def add(self, entries: Iterable[Entry]) -> None:
        """Put entries in, each in place of the one of its IRI."""
        import tantivy

        for entry in entries:
            self._writer.delete_documents_by_term("iri", entry.iri)
            document = tantivy.Document()
            document.add_text("iri", entry.iri)
            document.add_text("group", entry.group)
            document.add_bytes("stored", entry.stored.encode())
            for field, text in entry.fields.items():
                document.add_text(field, " ".join(all_tokens(text)))
            singles = (
                char for text in entry.fields.values() for char in characters(text)
            )
            document.add_text("chars", " ".join(singles))
            self._writer.add_document(document)

    def delete(self, iris: Iterable[str]) -> None:
        """Take entries out by their IRI."""
        for iri in iris:
            self._writer.delete_documents_by_term("iri", iri)

    def delete_groups(self, groups: Iterable[str]) -> None:
        """Take out all entries of some groups."""
        for group in groups:
            self._writer.delete_documents_by_term("group", group)

    def commit(self) -> None:
        """Make what was added and deleted visible and lasting."""
        if self._open_writer is not None:
            self._open_writer.commit()
            self._index.reload()
            self.filled = True

    def close(self) -> None:
        """Let go of the writer, and so of its lock."""
        if self._open_writer is not None:
            self._open_writer.wait_merging_threads()
            self._open_writer = None
        if self._shadow is not None:
            self.__dict__.pop("_index", None)
            self._shadow.remove()
            self._shadow = None

    def _fields(self, word: str) -> Sequence[tuple[str, float]]:
        if len(word) == 1 and characters(word):
            return [("chars", 1.0)]
        return list(self.boosts.items())

    def _term(self, field: str, word: str, boost: float) -> Any:
        import tantivy

        term = tantivy.Query.term_query(self._schema, field, word, index_option="freq")
        return term if boost == 1.0 else tantivy.Query.boost_query(term, boost)

    def _matches(self, query: Any, k: int) -> list[Match]:
        searcher = self._index.searcher()
        found = []
        try:
            for score, address in searcher.search(query, k, count=False).hits:
                document = searcher.doc(address)
                stored = bytes(document.get_first("stored") or b"").decode()
                found.append(Match(document.get_first("iri"), float(score), stored))
        except (ValueError, OSError) as error:
            raise self._damaged() from error
        return sorted(found, key=lambda match: (-match.score, match.iri))

    @cached_property
    def _schema(self) -> Any:
        import tantivy

        builder = tantivy.SchemaBuilder()
        for field, stored in (("iri", True), ("group", False)):
            builder.add_text_field(
                field, stored=stored, tokenizer_name="raw", index_option="basic"
            )
        builder.add_bytes_field("stored", stored=True)
        for field in (*self.boosts, "chars"):
            builder.add_text_field(
                field, tokenizer_name="whitespace", index_option="freq"
            )
        return builder.build()

    @cached_property
    def _index(self) -> Any:
        import tantivy

        if self.filled and not (self.folder / "meta.json").exists():
            raise self._damaged()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            return tantivy.Index(self._schema, str(self.folder))
        except (ValueError, OSError) as error:
            if not shadow.refused(error):
                raise self._damaged() from error
        # tantivy makes a lock file even to read; here it cannot.
        self._shadow = shadow.Shadow(self.folder)
        try:
            return tantivy.Index(self._schema, str(self._shadow.folder))
        except (ValueError, OSError) as error:
            raise self._damaged() from error

    def _damaged(self) -> IndexMismatch:
        return IndexMismatch(f"The word index in {self.folder} is damaged.", hint=MEND)

    @property
    def _writer(self) -> Any:
        if self._open_writer is None:
            index = self._index
            if self._shadow is not None:
                raise IndexMismatch(
                    f"The word index in {self.folder} cannot be written.",
                    hint="Make room, or make the folder writable.",
                )
            self._open_writer = index.writer(_HEAP, num_threads=1)
        return self._open_writer
