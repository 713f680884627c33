"""Starting processes of our own in tests, and ending them."""

import subprocess
import sys
import time
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


def aitia(folder: Path, *words: str) -> subprocess.Popen[str]:
    """Start the command on a workspace, its output piped."""
    return subprocess.Popen(
        [sys.executable, "-m", "aitia_cli", "--workspace", str(folder), *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(folder: Path, *words: str) -> str:
    """Run the command to its end, which must be a good one; return its output."""
    process = aitia(folder, *words)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return out


def wait_for_lock(folder: Path, process: subprocess.Popen[str]) -> None:
    """Wait until a command has taken the write lock of a workspace."""
    lock = folder / "lock"
    while process.poll() is None and not (lock.exists() and lock.stat().st_size):
        time.sleep(0.005)


def held(folder: Path, *words: str) -> float:
    """Run the command to its end; return for how many seconds it held the lock."""
    process = aitia(folder, *words)
    wait_for_lock(folder, process)
    start = time.monotonic()
    _, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return time.monotonic() - start


def killed(folder: Path, after: float, *words: str) -> bool:
    """Run the command, and kill it `after` seconds from when it took the lock.

    Returns:
        Whether it was still there to be killed.
    """
    process = aitia(folder, *words)
    try:
        wait_for_lock(folder, process)
        time.sleep(after)
    finally:
        process.kill()
        process.communicate()
    return process.returncode == -9
