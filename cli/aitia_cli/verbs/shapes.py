"""`aitia shapes`: add shapes of one's own to the gate, and list them."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from aitia_cli.context import Context
from aitia_cli.render import as_json, clean, columns

if TYPE_CHECKING:
    from aitia.gate.report import Report

SHOWN = 20


@click.group()
def command() -> None:
    """Add shapes (SHACL) of your own to the gate, or list them.

    Example: aitia shapes add shop.ttl && aitia shapes list
    """


@command.command(
    epilog="""\b
Examples:
  aitia shapes add shop.ttl
  aitia shapes add new.ttl --name shop --strict

\b
JSON: {"name", "commit", "checked", "conforms", "violations": [...]}; violations as
`aitia validate --json` gives them.
"""
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--name",
    help="What to call the shapes; the file's name else. A file of that name gives its"
    " place to this one.",
)
@click.option(
    "--strict", is_flag=True, help="Refuse them where something breaks them already."
)
@click.option("--json", "wants_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def add(
    context: Context, file: Path, name: str | None, strict: bool, wants_json: bool
) -> None:
    """Make shapes part of the gate: every later change is judged by them.

    They are tried on what is on record first. What breaks them already is told, and
    stays as it is.
    """
    from aitia.gate.loading import read_text

    text, location = read_text(file)
    called = name or file.stem
    with context.write() as workspace:
        record, found = workspace.add_shapes(
            text, name=called, location=location or "", strict=strict
        )
    if wants_json:
        told = {"name": called, "commit": record.number, "checked": found.focus_count}
        bad = [asdict(violation) for violation in found.violations]
        click.echo(as_json({**told, "conforms": found.conforms, "violations": bad}))
    else:
        _tell(called, record.number, found)


def _tell(name: str, commit: int, found: Report) -> None:
    from aitia.gate import line

    shown = clean(name)
    if commit:
        click.echo(f"The shapes {shown} are part of the gate, from commit {commit} on.")
    else:
        click.echo(f"The shapes {shown} are part of the gate already.")
    count = found.focus_count
    click.echo(f"On record they check {count:,} node{'' if count == 1 else 's'}.")
    for violation in found.violations[:SHOWN]:
        click.echo("- " + clean(line(violation)))
    more = len(found.violations) - SHOWN
    if more > 0:
        click.echo(f"- and {more:,} more.")
    if found.violations:
        click.echo("What breaks them already stays as it is; changes must not.")


@command.command(
    "list",
    epilog="""\b
Examples:
  aitia shapes list
  aitia shapes list --all --json

\b
JSON: [{"name", "since", "until", "agent", "location", "blob", "iri"}].
""",
)
@click.option("--all", "every", is_flag=True, help="Earlier versions too.")
@click.option("--json", "wants_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def list_(context: Context, every: bool, wants_json: bool) -> None:
    """List the shapes that were added to the gate."""
    with context.read() as workspace:
        found = [file for file in workspace.shapes() if every or file.in_use]
    if wants_json:
        click.echo(as_json([asdict(file) for file in found]))
        return
    if not found:
        click.echo("No shapes were added; `aitia shapes add FILE` adds some.")
        return
    head = ("name", "since", "until", "from")
    rows = [(f.name, f.since, f.until or "in use", f.location) for f in found]
    for row in columns(rows, head=head):
        click.echo(row)
