"""`aitia delete`: take a document out of use."""

from __future__ import annotations

import click

from aitia_cli.context import Context, as_agent
from aitia_cli.render import as_json, clean

EXAMPLES = """\b
Examples:
  aitia delete policies/old.md --reason "no longer in force"
  aitia delete 3fa94c
"""


@click.command(epilog=EXAMPLES)
@click.argument("document", metavar="DOCUMENT")
@click.option("--reason", default="", help="Why, in words; put on record.")
@click.option("--json", "wants_json", is_flag=True, help="Print JSON.")
@as_agent
@click.pass_obj
def command(context: Context, document: str, reason: str, wants_json: bool) -> None:
    """Retire DOCUMENT (path, id or start of an id): out of answers, kept on record."""
    with context.write() as workspace:
        report = workspace.delete(document, reason=reason)
    if wants_json:
        click.echo(as_json(report.as_json()))
        return
    click.echo(
        f"{clean(report.path)}: retired, {report.passages:,} passages out of use,"
        f" {report.facts:,} facts taken out (commit {report.commit})."
    )
