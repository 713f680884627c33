"""`aitia sessions`: the sessions that runs belong to."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from aitia.errors import NotFound
from aitia_cli.context import Context, note

if TYPE_CHECKING:
    from aitia.lookup.runs import RunSummary
    from aitia.memory.sessions import SessionSummary

EXAMPLES = """\b
Examples:
  aitia sessions
  aitia sessions returns --json
"""


@click.command(epilog=EXAMPLES)
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="A JSON list of sessions.")
@click.pass_obj
def command(context: Context, name: str | None, as_json: bool) -> None:
    """List the sessions, the one used last first; or the runs of session NAME.

    `--session NAME` of `aitia ask` puts a run into a session: what its earlier runs
    decided is told to the new one.
    """
    from aitia_cli.render import as_json as json_text

    with context.read() as workspace:
        found = workspace.sessions()
        if name is not None:
            found = [item for item in found if item.name == name]
            if not found:
                raise NotFound(
                    f"There is no session {name!r}.",
                    hint="`aitia sessions` lists them.",
                )
        told = workspace.runs() if name is not None else []
    if as_json:
        click.echo(json_text([asdict(item) for item in found]))
    elif not found:
        note("no run belongs to a session yet")
    else:
        click.echo(_table(found) if name is None else _runs(found[0], told))


def _table(found: list[SessionSummary]) -> str:
    from aitia_cli.render import columns, short

    rows = [
        (
            short(item.name, 30),
            f"{len(item.runs):,}",
            item.last[:19],
            short(", ".join(item.agents), 30),
            short(item.about, 60),
        )
        for item in found
    ]
    head = ("session", "runs", "last (UTC)", "who", "newest about")
    return "\n".join(columns(rows, head=head))


def _runs(session: SessionSummary, told: list[RunSummary]) -> str:
    from aitia_cli.render import columns, short

    rows = [
        (run.id, run.started[:19], run.status, short(run.question, 60), run.conclusion)
        for run in told
        if run.iri in session.runs
    ]
    head = ("run", "started (UTC)", "status", "about", "conclusion")
    return "\n".join(columns(rows, head=head))
