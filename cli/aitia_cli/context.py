"""What every verb is handed: where the workspace is, and how to open it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aitia_cli.render import clean

if TYPE_CHECKING:
    from aitia.access import Holder
    from aitia.workspace import Workspace


@dataclass(frozen=True)
class Context:
    """The options of the whole command.

    Attributes:
        folder: The workspace folder.
        flags: Settings given as flags; None where not given.
        debug: Show tracebacks.
    """

    folder: Path
    flags: dict[str, Any]
    debug: bool

    def write(self) -> Workspace:
        """Open the workspace for writing, making it where there is none."""
        from aitia.workspace import Workspace

        return Workspace.open(self.folder, flags=self.flags, waiting=tell_waiting)

    def read(self, *, fresh: bool = False) -> Workspace:
        """Open the workspace for reading; says on stderr where it is not the newest.

        Args:
            fresh: See `Workspace.open`.

        Raises:
            NotFound: There is no workspace in that folder.
        """
        from aitia.workspace import Workspace

        workspace = Workspace.open(
            self.folder, mode="read", flags=self.flags, fresh=fresh
        )
        note(workspace.notice)
        return workspace


def as_agent(command: Callable[..., Any]) -> Callable[..., Any]:
    """Let a verb that acts take `--as` behind its name too, as `aitia --as` does."""

    def kept(ctx: click.Context, _: click.Parameter, name: str | None) -> None:
        if name is not None:
            ctx.find_root().obj.flags["agent"] = name

    return click.option(
        "--as",
        metavar="NAME",
        expose_value=False,
        callback=kept,
        help="Who acts; recorded as asserted.",
    )(command)


def note(text: str) -> None:
    """Tell something beside the result, on stderr; nothing for an empty text."""
    if text:
        click.echo(f"aitia: {clean(text)}", err=True)


def tell_reviews(workspace: Workspace) -> None:
    """Tell how many proposals wait for a review; nothing where none does."""
    from aitia.lookup.waiting import sentence, waiting

    note(sentence(waiting(workspace.store)))


def tell_alerts(workspace: Workspace) -> None:
    """Warn of the thresholds that runs passed since the workspace was opened."""
    for alert in workspace.alerts:
        note(f"alert: {alert.text}")


def tell_waiting(holder: Holder | None) -> None:
    """Tell that another process writes and has to be waited for."""
    note(f"waiting: {holder or 'another process is writing'}")
