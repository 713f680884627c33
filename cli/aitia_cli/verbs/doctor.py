"""`aitia doctor`: how the installation and the workspace are."""

from __future__ import annotations

from dataclasses import asdict

import click

from aitia_cli.context import Context, tell_waiting
from aitia_cli.render import as_json, columns

EPILOG = """\b
Examples:
  aitia doctor
  aitia doctor --fix

\b
JSON: a list of {"about", "state", "text"}; the state is "good", "note", "wrong" or
"fixed". Exit code 0, or 1 where something is wrong.
"""


@click.command(epilog=EPILOG)
@click.option("--fix", is_flag=True, help="Clear away what is left over.")
@click.option("--json", "wants_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(context: Context, fix: bool, wants_json: bool) -> None:
    """Look at packages, settings, models, disk, lock and left-over files.

    Language models are asked two short questions, where any is configured.
    """
    from aitia.doctor import WRONG, examine

    told = examine(context.folder, context.flags, fix=fix, waiting=tell_waiting)
    if wants_json:
        click.echo(as_json([asdict(item) for item in told]))
    else:
        rows = ((item.state, item.about, item.text) for item in told)
        click.echo("\n".join(columns(rows)))
    if any(item.state == WRONG for item in told):
        raise click.exceptions.Exit(1)
