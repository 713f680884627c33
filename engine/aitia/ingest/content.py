"""What passes between the readers and the pipeline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pyoxigraph import NamedNode, Quad


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of text that belongs together, before it is cut into passages.

    Attributes:
        start: Offset of its first character in the text.
        end: Offset after its last character.
        heading: The headings it stands under, parted by " > ", or "".
        page: Its page from 1, or None.
        describes: The record resource it is about, or None.
        whole: It becomes a passage of its own: a table row, a record.
    """

    start: int
    end: int
    heading: str = ""
    page: int | None = None
    describes: NamedNode | None = None
    whole: bool = False


@dataclass(frozen=True)
class Options:
    """How the user wants files read.

    Attributes:
        format: Name of the format to read as, or "" to find out.
        name: Name of what comes from standard input.
        key: Field that holds the key of each record, or "" to find out.
        context: A JSON-LD context that maps JSON and CSV to RDF, or None.
    """

    format: str = ""
    name: str = ""
    key: str = ""
    context: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Raw:
    r"""What a reader is given.

    Attributes:
        data: The bytes, secrets taken out where they could be.
        text: The text they spell, newlines as "\n"; "" for PDF and DOCX.
        name: The file's name.
        location: Its address, the base of relative IRIs.
        document: The IRI of the document; the graph its facts go to.
        content_hash: SHA-256 of the bytes.
        options: How it is read; its format is the one that was found.
        passage_chars: Characters that a passage aims at.
    """

    data: bytes
    text: str
    name: str
    location: str
    document: NamedNode
    content_hash: str
    options: Options
    passage_chars: int = 800


@dataclass(frozen=True, slots=True)
class Mention:
    """A scalar of a record that may be another record's key."""

    subject: NamedNode
    field: str
    text: str


@dataclass(frozen=True, slots=True)
class Keyed:
    """A record that can be referred to by its key."""

    resource: NamedNode
    container: str
    key_field: str
    text: str


@dataclass
class Facts:
    """The RDF that a file states or that its records make.

    Attributes:
        quads: The quads, without blank nodes, in the document graph or in graphs
            that the file names.
        as_read: The quads as they stand in an RDF file, for the gate to judge;
            empty for records.
        lowered: How many language tags of an RDF file are not in lower case; the
            parser makes them so.
        graphs: Named graphs that the file names.
        records: How many records were read.
        mentions: Scalars that may be keys of other records.
        keyed: The records that have a key.
    """

    quads: list[Quad] = field(default_factory=list)
    as_read: Sequence[Quad] = ()
    lowered: int = 0
    graphs: frozenset[NamedNode] = frozenset()
    records: int = 0
    mentions: list[Mention] = field(default_factory=list)
    keyed: list[Keyed] = field(default_factory=list)


@dataclass
class Content:
    """What a reader makes of a file.

    Attributes:
        text: The text; all offsets are into it.
        blocks: Its stretches in order, each once, made while they are asked for.
        reader: Name of the reader.
        version: Version of the package that read.
        title: A title that the file states, or "".
        pages: How many pages it has, or None.
        facts: Its RDF, or None for text.
        warnings: What a person should know about the reading.
    """

    text: str
    blocks: Iterable[Block]
    reader: str
    version: str
    title: str = ""
    pages: int | None = None
    facts: Facts | None = None
    warnings: list[str] = field(default_factory=list)


class Reader(Protocol):
    """Reads one format."""

    def __call__(self, raw: Raw) -> Content:
        """Return the content of a file.

        Raises:
            ReadError: The file is not what it should be.
        """
        ...
