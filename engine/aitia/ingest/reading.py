"""From bytes to content: format, encoding, secrets, reader."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from pyoxigraph import NamedNode

from aitia.errors import AitiaError, ReadError, UsageError
from aitia.ingest import sniff
from aitia.ingest.content import Content, Options, Raw
from aitia.ingest.encoding import decode
from aitia.ingest.readers import reader
from aitia.ingest.sniff import Format

Redact = Callable[[str], tuple[str, int]]


@dataclass(frozen=True)
class Opened:
    r"""A file whose format is known and whose text is decoded and clean.

    Attributes:
        data: Its bytes as they are kept: without the secrets where it is text.
        text: Its text, newlines as "\n"; "" for PDF and DOCX.
        found: Its format.
        encoding: What it was read by, or "".
        guessed: That was a guess.
        redactions: How many secrets were masked.
    """

    data: bytes
    text: str
    found: Format
    encoding: str = ""
    guessed: bool = False
    redactions: int = 0

    @property
    def content_hash(self) -> str:
        """SHA-256 of the bytes as they are kept."""
        return hashlib.sha256(self.data).hexdigest()


def open_bytes(data: bytes, name: str, options: Options, redact: Redact) -> Opened:
    """Return a file with its format found, decoded, its secrets masked.

    Args:
        data: Its bytes.
        name: Its name.
        options: How the user wants it read.
        redact: Masks secrets, length for length.

    Raises:
        ReadError: It is nothing that can be read.
        UsageError: There is no format of the name that the user gave.
    """
    found = sniff.named(options.format) if options.format else sniff.by_magic(data)
    if found is not None and found.binary:
        return Opened(data, "", found)
    decoded = decode(data)
    text, count = redact(decoded.text)
    if count:
        data = _encoded(text, decoded.encoding)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    found = found or sniff.by_text(text, name)
    return Opened(data, text, found, decoded.encoding, decoded.guessed, count)


def content_of(
    opened: Opened,
    name: str,
    location: str,
    document: NamedNode,
    options: Options,
    passage_chars: int,
) -> Content:
    """Return what the reader of its format makes of a file.

    Raises:
        ReadError: It is not what it should be.
    """
    raw = Raw(
        opened.data,
        opened.text,
        name,
        location,
        document,
        opened.content_hash,
        replace(options, format=opened.found.name),
        passage_chars,
    )
    with guarded():
        return reader(opened.found)(raw)


@contextmanager
def guarded() -> Iterator[None]:
    """Make one line of whatever a reader raises.

    One file that breaks its reader must not end the reading of the others.

    Raises:
        ReadError: The reader raised something.
    """
    try:
        yield
    except UsageError as error:
        # What the file holds is at fault here, not the call: a lone surrogate.
        raise ReadError(str(error)) from error
    except UnicodeEncodeError as error:
        raise ReadError("a name in it holds a lone surrogate") from error
    except AitiaError:
        raise
    except MemoryError as error:
        if "buffer" not in str(error):
            raise
        # The RDF parsers say so of a value that is longer than they keep.
        raise ReadError("it holds a value of more than 16 MiB, the limit") from error
    except RecursionError as error:
        raise ReadError("it is nested too deeply to be read") from error
    except Exception as error:
        kind = type(error).__name__
        raise ReadError(f"its reader failed: {kind}: {error}") from error


def _encoded(text: str, encoding: str) -> bytes:
    """Return redacted text as bytes; the mask may be missing from old encodings."""
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        return text.replace("\u2588", "#").encode(encoding, "replace")
