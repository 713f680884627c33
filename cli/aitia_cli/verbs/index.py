"""`aitia index`: check the search indexes against the store, or make them anew."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from aitia_cli.context import Context
from aitia_cli.progress import progress
from aitia_cli.render import as_json, clean

if TYPE_CHECKING:
    from aitia.retrieval import IndexReport


@click.group()
def command() -> None:
    """Check the search indexes, or make them anew from the store.

    Example: aitia index check || aitia index rebuild
    """


@command.command(
    epilog="""\b
Example:
  aitia index check

\b
JSON: {"intact", "position", "head", "model", "passages", "resources", "findings"}.
Exit code 0 where store and indexes agree, 4 where they do not.
"""
)
@click.option("--json", "wants_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def check(context: Context, wants_json: bool) -> None:
    """Compare the indexes with the store, thing by thing."""
    with context.read() as workspace:
        report = workspace.indexes.check(workspace.position)
    if wants_json:
        click.echo(as_json({"intact": report.intact, **asdict(report)}))
    else:
        _show(report)
    if not report.intact:
        raise click.exceptions.Exit(4)


@command.command(
    epilog="""\b
Example:
  aitia index rebuild

\b
JSON: {"position", "passages", "resources", "embedded"}.
"""
)
@click.option("--json", "wants_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def rebuild(context: Context, wants_json: bool) -> None:
    """Make the indexes anew from the store, with the model that is set."""
    with context.write() as workspace, progress("Indexing passages") as tell:
        done = workspace.indexes.rebuild(workspace.position, tell)
    if wants_json:
        click.echo(as_json(asdict(done)))
    else:
        click.echo(
            f"Indexed {done.passages:,} passages and {done.resources:,} resources, "
            f"up to commit {done.position}."
        )


def _show(report: IndexReport) -> None:
    made_by = f", vectors by {clean(report.model)}" if report.model else ""
    click.echo(
        f"The store has {report.passages:,} passages and {report.resources:,} resources "
        f"to index. The indexes are at commit {report.position} of {report.head}{made_by}."
    )
    for finding in report.findings:
        click.echo(f"- {clean(finding)}")
    if report.intact:
        click.echo("Store and indexes agree.")
    else:
        click.echo("`aitia index rebuild` makes them anew.")
