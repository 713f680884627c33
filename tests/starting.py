"""Starting processes of our own in tests, and ending them."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]


@contextmanager
def child(what: str, folder: Path, *more: str) -> Iterator[subprocess.Popen[str]]:
    """Run one of tests/children.py; kill it at the end if it is still there."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.children", what, str(folder), *more],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        with process:
            yield process
            process.kill()
    finally:
        process.kill()


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()
