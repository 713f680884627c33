"""`aitia runs`: the runs on record."""

from __future__ import annotations

from dataclasses import asdict

import click

from aitia_cli.context import Context, note

STATUSES = ("succeeded", "failed", "running", "pending", "abandoned")
EXAMPLES = """\b
Examples:
  aitia runs --limit 5
  aitia runs --status failed --json
"""


@click.command(epilog=EXAMPLES)
@click.option(
    "--limit",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    metavar="N",
    help="List the N newest; 0 lists all.",
)
@click.option("--status", type=click.Choice(STATUSES), help="Only runs of this status.")
@click.option("--json", "as_json", is_flag=True, help="A JSON list of runs.")
@click.pass_obj
def command(context: Context, limit: int, status: str | None, as_json: bool) -> None:
    """List the runs, newest first."""
    from aitia.access import is_free
    from aitia_cli.render import as_json as json_text, columns, short

    with context.read() as workspace:
        # One more than asked for tells whether there are more.
        found = workspace.runs(status=status or "", limit=limit and limit + 1)
        idle = is_free(workspace.folder / "lock")
    shown = found[: limit or None]
    if as_json:
        click.echo(json_text([asdict(run) for run in shown]))
    elif not shown:
        note("there is no such run" if status else "there is no run yet")
    else:
        rows = [
            (
                run.id,
                run.started[:19],
                "interrupted" if idle and run.status == "running" else run.status,
                short(run.question, 60),
                f"{run.conclusion}, stale" if run.stale else run.conclusion,
            )
            for run in shown
        ]
        head = ("run", "started (UTC)", "status", "about", "conclusion")
        click.echo("\n".join(columns(rows, head=head)))
        for run in shown:
            if run.imported:
                note(f"{run.id} was {run.imported}")
    if any(run.stale for run in shown):
        note("stale: what it rests on is no longer so; `aitia stale` tells what")
    if idle and any(run.status == "running" for run in shown):
        note(
            "interrupted: running on record, and no process writes; `aitia doctor --fix`"
        )
    if len(found) > len(shown):
        note(f"showing the newest {len(shown):,}; `--limit 0` lists all")
