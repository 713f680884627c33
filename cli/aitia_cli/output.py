"""Writes results as they are: bytes for other programs, and files whole or not at all."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import click

from aitia_cli.render import clean


def machine(text: str) -> None:
    """Write text for programs to standard output, not one byte changed.

    On a terminal, which nobody parses, what could steer it is made visible instead.
    """
    if sys.stdout.isatty():
        text = clean(text.replace("\r\n", "\n"), lines=True)
    # Bytes, since click takes terminal escapes out of text that goes into a pipe.
    click.echo(text.encode("utf-8", "backslashreplace"), nl=False)


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Yield a file whose content takes the place of `path` once all is written.

    Where that fails, what was at `path` stays as it was. What is no plain file, such
    as a pipe, is written to directly.

    Raises:
        OSError: The folder cannot be written to.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as file:
            yield file
        return
    whole = path.resolve()  # a symbolic link stays one
    beside = whole.with_name(f".{whole.name[:200]}.{os.getpid()}.tmp")
    try:
        with beside.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if whole.exists():
            shutil.copymode(whole, beside)
        beside.replace(whole)
    finally:
        beside.unlink(missing_ok=True)
