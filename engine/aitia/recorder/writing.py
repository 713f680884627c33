"""The background writer: takes steps on at once and commits them in another thread."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable
from typing import Final

from pyoxigraph import Quad

from aitia.errors import AitiaError, ShapeViolation
from aitia.model import Patch
from aitia.recorder.tally import Tally
from aitia.trace import Commit

BUFFER: Final = 256
"""Steps that a background writer holds at most, where nothing else is said."""


class Background:
    """Takes steps on and commits them, several in one commit where they pile up.

    At most `buffer` steps are taken on and not yet written; whoever brings another
    waits. The tally says at every moment how many there are.

    Attributes:
        error: What stopped the writer, or None.
    """

    def __init__(
        self, commit: Commit, commit_or_record: Commit, tally: Tally, buffer: int
    ) -> None:
        """Start the thread.

        Args:
            commit: `ledger.commit`: a refusal is raised only.
            commit_or_record: `ledger.commit_or_record`: it is put on record too.
            tally: Counts the steps.
            buffer: How many steps may wait.
        """
        self._commit, self._commit_or_record = commit, commit_or_record
        self._tally, self._buffer = tally, buffer
        self._waiting: deque[Patch] = deque()
        self._held = 0
        self._closing = False
        self._changed = threading.Condition()
        self.error: BaseException | None = None
        self._thread = threading.Thread(
            target=self._work, name="aitia-recorder", daemon=True
        )
        self._thread.start()

    def __call__(self, patch: Patch, *, durable: bool = False) -> None:
        """Take a step on; wait until it is written where it is to be durable.

        Raises:
            AitiaError: An earlier step could not be written.
        """
        with self._changed:
            self._changed.wait_for(lambda: self.error or self._held < self._buffer)
            self._raise()
            self._tally.taken()
            self._waiting.append(patch)
            self._held += 1
            self._changed.notify_all()
        if durable:
            self.drain()

    @property
    def held(self) -> int:
        """How many steps are taken on and not yet written."""
        return self._held

    def drain(self) -> None:
        """Wait until everything taken on is written.

        Raises:
            AitiaError: Some of it could not be.
        """
        with self._changed:
            self._changed.wait_for(lambda: self.error or not self._held)
            self._raise()

    def close(self) -> None:
        """End the thread, with what was taken on written or the writer stopped."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join()
        self._tally.done()

    def _raise(self) -> None:
        if isinstance(self.error, ShapeViolation):
            # Each that is told of it gets its own, with its own traceback.
            raise ShapeViolation(
                f"A step that was taken on earlier could not be written. {self.error}",
                self.error.violations,
                self.error.report,
            )
        if self.error is not None:
            raise AitiaError(
                f"A step that was taken on earlier could not be written: {self.error}"
            ) from self.error

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closing)
                if not self._waiting:
                    return
                chunk = list(self._waiting)
                self._waiting.clear()
            try:
                self._write(chunk)
            except BaseException as error:
                # Told to whoever brings the next step, and at the end.
                with self._changed:
                    self.error = error
                    self._changed.notify_all()
                return

    def _write(self, chunk: list[Patch]) -> None:
        self._tally.writing(len(chunk))
        try:
            self._commit(merged(chunk))
        except ShapeViolation:
            self._tally.writing(0)
            self._one_by_one(chunk)
        else:
            self._written(len(chunk))

    def _one_by_one(self, chunk: Iterable[Patch]) -> None:
        """Write the steps of a refused commit each by itself, up to the guilty one."""
        for patch in chunk:
            self._tally.writing(1)
            self._commit_or_record(patch)
            self._written(1)

    def _written(self, steps: int) -> None:
        self._tally.written()
        with self._changed:
            self._held -= steps
            self._changed.notify_all()


def merged(patches: Iterable[Patch]) -> Patch:
    """Return one patch that does what several do one after the other."""
    adds: set[Quad] = set()
    deletes: set[Quad] = set()
    last = Patch(frozenset())
    for last in patches:
        adds = (adds - last.deletes) | last.adds
        deletes = (deletes - last.adds) | last.deletes
    return Patch(frozenset(adds), frozenset(deletes), last.agent, last.cause)
