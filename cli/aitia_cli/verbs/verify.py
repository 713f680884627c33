"""`aitia verify`: whether ledger, store, texts and indexes agree."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from aitia_cli.context import Context, note
from aitia_cli.render import as_json, clean

if TYPE_CHECKING:
    from aitia.ledger.verify import VerifyReport

EPILOG = """\b
Examples:
  aitia verify
  aitia verify --print-head > head
  aitia verify --expect-head "$(cat head)"

\b
What a chain alone cannot show, that someone wrote all of it anew or cut off its end,
shows against a head that you keep elsewhere (--expect-head) or that was signed
(--signed-by).

\b
JSON: {"intact", "number", "hash", "commits", "quads", "erased", "signed", "blobs",
"findings": [{"kind", "text"}], "notes": [text]}.
Exit code 0 where all agrees, 4 where it does not.
"""


@click.command(epilog=EPILOG)
@click.option(
    "--expect-head",
    default="",
    metavar="HEAD",
    help="A head seen earlier, HASH or N:HASH, that the chain must contain.",
)
@click.option(
    "--signed-by",
    default="",
    metavar="KEY",
    help="An Ed25519 public key in hexadecimal that must have signed the head.",
)
@click.option(
    "--print-head", is_flag=True, help="Print only the head as N:HASH, to be kept."
)
@click.option("--json", "wants_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(
    context: Context,
    expect_head: str,
    signed_by: str,
    print_head: bool,
    wants_json: bool,
) -> None:
    """Replay the ledger and compare it with store, texts and indexes."""
    with context.read(fresh=True) as workspace:
        report = workspace.verify(expect_head=expect_head, signed_by=signed_by)
    if wants_json:
        click.echo(as_json({"intact": report.intact, **asdict(report)}))
    elif print_head:
        click.echo(report.head)
        _show(report, err=True)
    else:
        _show(report)
    if not report.intact:
        raise click.exceptions.Exit(4)


def _show(report: VerifyReport, *, err: bool = False) -> None:
    """Print a report in plain sentences."""
    seen = (
        f"{_counted(report.commits, 'commit')}, {_counted(report.quads, 'quad')} and"
        f" {_counted(report.blobs, 'kept text')}"
    )
    if report.intact:
        click.echo(f"Intact: {seen} agree with one another.", err=err)
    else:
        click.echo(f"Not intact. Looked at {seen}, and found:", err=err)
        for finding in report.findings:
            click.echo(f"  {clean(finding.kind)}: {clean(finding.text)}", err=err)
    if report.number:
        signed = f", {report.signed:,} of the commits signed" if report.signed else ""
        click.echo(f"Head {report.head}{signed}.", err=err)
    if report.erased:
        click.echo(f"Erased: {_counted(report.erased, 'line')} of patches.", err=err)
    for text in report.notes:
        note(text)


def _counted(count: int, name: str) -> str:
    return f"{count:,} {name}" if count == 1 else f"{count:,} {name}s"
