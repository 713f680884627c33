"""Opens a folder: settings, store, blobs and ledger, for writing or for reading."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Literal, Self

from aitia import access, settings as settings_module
from aitia.blobs import Blobs
from aitia.errors import AitiaError, NotIntact
from aitia.ledger import Ledger, head_number, leftover
from aitia.model import CommitRecord

if TYPE_CHECKING:
    from aitia.gate import Gate
    from aitia.ledger.sign import Signer

Mode = Literal["read", "write"]

COMMAND_CHARS: Final = 120
"""So much of the command line is told to a process that has to wait."""


class Opened:
    """An open folder. `Workspace` adds what can be done with it.

    Attributes:
        folder: Where it is.
        mode: `read` or `write`.
        settings: The settings in force.
        sources: Each setting with where it came from.
        store: What to read from.
        blobs: Documents, texts, patches, reports.
        ledger: What to commit to; refuses to where opened for reading.
        position: Number of the newest commit seen when it was opened.
        notice: "" or, beside a writer or a broken store, as of which commit one reads.
        trouble: What is wrong with the store itself, which is then not read, or "".
        way_back: How to get it back, where something is wrong with it.
    """

    def __init__(
        self,
        folder: Path,
        flags: Mapping[str, Any] | None = None,
        mode: Mode = "write",
        *,
        waiting: access.Waiting | None = None,
        fresh: bool = False,
    ) -> None:
        self.folder, self.mode = folder, mode
        self.settings, self.sources = settings_module.load(folder, flags)
        self.blobs = Blobs(folder / "blobs")
        self.trouble = self.way_back = ""
        self._access: access.WriteAccess | access.ReadAccess
        if mode == "read":
            self._open_to_read(fresh)
        else:
            self._open_to_write(waiting)

    @classmethod
    def open(
        cls,
        folder: Path | str,
        *,
        mode: Mode = "write",
        flags: Mapping[str, Any] | None = None,
        waiting: access.Waiting | None = None,
        fresh: bool = False,
    ) -> Self:
        """Open the workspace in `folder`; writing makes it where there is none.

        Args:
            folder: Where it is.
            mode: `write`, one process at a time, or `read`, as many as like.
            flags: Settings that outrank the environment and aitia.toml.
            waiting: Told once who holds the write lock, when it has to be waited for.
            fresh: When reading, read the store as it is on disk now unless somebody
                is writing, even where nobody is known to have written since the
                newest publication.

        Raises:
            NotFound: Opened for reading, and there is none.
            Locked: Another process is writing, and did not end in time.
            NotIntact: The store was lost or cut back; writing would begin another
                history over what is left of the old one.
            SettingsError: A setting has no meaning.
        """
        return cls(Path(folder), flags, mode, waiting=waiting, fresh=fresh)

    @cached_property
    def gate(self) -> Gate:
        """What judges each change: aitia's own shapes and those that users added."""
        from aitia.gate import Gate, library

        return Gate(library.texts(self.store, self.blobs))

    def publish(self) -> None:
        """Let readers see what has been committed so far; done at every run's end."""
        if isinstance(self._access, access.WriteAccess):
            with self.ledger.lock:
                self._access.publish()

    def close(self) -> None:
        """Publish what was committed and give the folder free. Safe to call twice.

        Raises:
            AitiaError: What was committed is kept, but could not be published.
        """
        self._access.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self.close()
            return
        try:
            self.close()
        except (AitiaError, OSError) as besides:
            # What went wrong first is what is to be told.
            error.add_note(str(besides))

    def _open_to_write(self, waiting: access.Waiting | None) -> None:
        signer = self._signer()
        self._access = writer = access.WriteAccess(
            self.folder,
            self._holder(access.WRITING),
            head_number,
            self.blobs.flush,
            timeout=self.settings.lock_timeout,
            waiting=waiting,
        )
        self.store, self.notice = writer.store, ""
        try:
            self.ledger = Ledger(
                self.store,
                self.blobs,
                self.gate,
                durability=self.settings.durability,
                signer=signer,
                head_hint=writer.published,
            )
            head = self.ledger.head()
            if head is None:
                self._refuse_second_start()
        except BaseException:
            self.close()
            raise
        self.position = head.number if head else 0
        self.ledger.after_commit = self._after_commit

    def _refuse_second_start(self) -> None:
        """Begin no history where the patches of an earlier one are kept.

        Raises:
            NotIntact: They are.
        """
        if why := leftover.earlier(self.blobs):
            error = NotIntact(why, [why])
            error.hint = "Restore the folder `store` of the workspace from a backup."
            raise error

    def _open_to_read(self, fresh: bool) -> None:
        self._access = reader = access.ReadAccess(
            self.folder,
            lambda: self._holder(access.PUBLISHING),
            head_number,
            timeout=self.settings.lock_timeout,
            fresh=fresh,
        )
        self.store, self.notice = reader.store, reader.notice
        self.position = reader.position
        self.trouble, self.way_back = reader.trouble, reader.way_back
        self.ledger = Ledger(self.store, self.blobs, None, head_hint=self.position)

    def _after_commit(self, record: CommitRecord, durable: bool) -> None:
        if isinstance(self._access, access.WriteAccess):
            self._access.committed(durable)

    def _signer(self) -> Signer | None:
        if not self.settings.signing_key:
            return None
        from aitia.ledger.sign import Signer

        return Signer.load(Path(self.settings.signing_key))

    def _holder(self, doing: str) -> access.Holder:
        """Return this process as whoever has to wait for it is told of it."""
        command = Path(sys.argv[0]).name
        if doing == access.WRITING:
            from aitia.redact import Redactor

            words = " ".join([command, *sys.argv[1:]])
            command, _ = Redactor(self.settings).redact(words)
        if len(command) > COMMAND_CHARS:
            command = command[: COMMAND_CHARS - 1] + "…"
        return access.this_process(self.settings.agent, command, doing)
