"""What the tests of several processes run in processes of their own.

`python -m tests.children <what> <folder> …` from the root of the checkout.
"""

import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

from pyoxigraph import Literal

from aitia import access, terms
from aitia.access import Publications
from aitia.blobs import Blobs
from aitia.errors import AitiaError
from aitia.store import OxigraphStore
from aitia.vocab import XSD
from aitia.workspace import Workspace
from tests.making import ex, fact, patch


def waiting(holder: access.Holder | None) -> None:
    print(f"waiting for {holder}", file=sys.stderr, flush=True)


def tell(*words: object) -> None:
    print(*words, flush=True)


def pairs(folder: str, count: str, durable: str = "") -> None:
    """Move a pair of facts from one value to the next, in one commit each."""
    with Workspace.open(folder, waiting=waiting) as workspace:
        old: list[str] = []
        for number in range(int(count)):
            adds = [fact("left", str(number)), fact("right", str(number))]
            deletes = [fact(s, v) for v in old for s in ("left", "right")]
            record = workspace.ledger.commit(
                patch(adds, deletes), durable=bool(durable)
            )
            old = [str(number)]
            tell(record.number, record.hash)


def increment(folder: str, times: str) -> None:
    """Count up a number that others count up too."""
    for _ in range(int(times)):
        with Workspace.open(folder) as workspace:
            found = list(workspace.store.quads(ex("counter")))
            old = int(found[0].object.value) if found else 0  # type: ignore[union-attr]
            new = fact("counter", Literal(str(old + 1), datatype=XSD.integer))
            workspace.ledger.commit(patch([new], found))
            tell(old + 1)


def hold(folder: str) -> None:
    """Hold the write lock until standard input ends."""
    with Workspace.open(folder):
        tell("open")
        sys.stdin.read()


def fork(folder: str) -> None:
    """Hold the write lock, with a forked child that lives on."""
    with Workspace.open(folder) as workspace:
        workspace.ledger.commit(patch([fact("a", "one")]))
        child = os.fork()
        if child == 0:
            time.sleep(60)
            os._exit(0)
        tell(child)
        sys.stdin.read()


def read(folder: str) -> None:
    """Read as of which commit, and with which notice."""
    with Workspace.open(folder, mode="read") as workspace:
        tell(workspace.position, workspace.notice)


def commits(folder: str, durability: str) -> None:
    """Commit for ever, and tell each commit once it is acknowledged."""
    flags = {"durability": durability}
    with Workspace.open(folder, flags=flags) as workspace:
        ledger = workspace.ledger
        number = workspace.position
        while True:
            number += 1
            run = terms.run_iri(f"r{number}")
            quads = [fact(f"s{number}", str(place)) for place in range(8)]
            record = ledger.commit(patch(quads, cause=run), durable=number % 40 == 0)
            tell(record.number, record.hash)


def records(folder: str, mode: str) -> None:
    """Record observations for ever, and tell of each that was taken on."""
    with (
        Workspace.open(folder) as workspace,
        workspace.record("a loan", agent="a", mode=mode, buffer=16) as recorder,
    ):
        number = 0
        while True:
            number += 1
            recorder.observe(f"form {number}")
            tell(number)


def dying(folder: str, where: str, after: str) -> None:
    """Commit until the process kills itself at a chosen point."""
    left = [int(after)]

    def die(*_: object, **__: object) -> None:
        left[0] -= 1
        if left[0] <= 0:
            os.kill(os.getpid(), signal.SIGKILL)

    owner, name, before = POINTS[where]
    real = getattr(owner, name)

    def watched(*arguments: Any, **more: Any) -> Any:
        if before:
            die()
        made = real(*arguments, **more)
        if not before:
            die()
        return made

    setattr(owner, name, watched)
    commits(folder, "process")


POINTS: dict[str, tuple[Any, str, bool]] = {
    "before the patch is kept": (Blobs, "put", True),
    "before the write": (OxigraphStore, "apply", True),
    "after the write": (OxigraphStore, "apply", False),
    "before a backup": (OxigraphStore, "backup", True),
    "after a backup": (OxigraphStore, "backup", False),
    "before old backups go": (Publications, "sweep", True),
}


def main(what: str, *arguments: str) -> int:
    """Run one of the functions above."""
    try:
        globals()[what](*arguments)
    except AitiaError as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    assert Path("tests/children.py").exists()
    sys.exit(main(*sys.argv[1:]))
