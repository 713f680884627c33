"""`aitia conflicts`: what on record disagrees, with the sources of both sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from aitia_cli.context import Context, as_agent, note
from aitia_cli.disagreeing import sides
from aitia_cli.render import as_json, clean

if TYPE_CHECKING:
    from aitia.conflicts.checking import Report
    from aitia.conflicts.standing import Standing

EXAMPLES = """\b
Examples:
  aitia conflicts
  aitia conflicts list --json
  aitia conflicts check
  aitia conflicts dismiss k3f9x2ab/conflict/1 --reason "two different shops"
"""


@click.group(invoke_without_command=True, epilog=EXAMPLES)
@click.pass_context
def command(ctx: click.Context) -> None:
    """List the conflicts that stand, look for new ones, or dismiss one.

    A conflict stands until a side of it is gone (a new version, a retired document, an
    accepted proposal) or somebody dismisses it. Without a further word they are listed.
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_)


@command.command("list", epilog=EXAMPLES)
@click.option("--dismissed", is_flag=True, help="Those that were dismissed too.")
@click.option("--json", "wants_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def list_(context: Context, dismissed: bool = False, wants_json: bool = False) -> None:
    """List the conflicts that stand, both sides with their sources and weights."""
    with context.read() as workspace:
        found = workspace.conflicts.standing(dismissed=dismissed)
    if wants_json:
        click.echo(as_json([item.as_json() for item in found]))
        return
    click.echo("\n".join(_listed(found)))


@command.command("check", epilog=EXAMPLES)
@click.option("--json", "wants_json", is_flag=True, help="Print JSON.")
@as_agent
@click.pass_obj
def check(context: Context, wants_json: bool) -> None:
    """Look for conflicts in all that is on record; what is found is put on record.

    Statements are held against axioms, shapes and each other, sentences against those
    like them: by rules, by an NLI model where the setting conflicts.nli names one, and
    by a language model where one is configured.
    """
    with context.write() as workspace:
        workspace.indexes.catch_up(workspace.ledger)
        report = workspace.conflicts.check()
    if wants_json:
        click.echo(as_json(report.as_json()))
    else:
        click.echo("\n".join(_checked(report)))
    for text in report.notices:
        note(text)


@command.command("dismiss", epilog=EXAMPLES)
@click.argument("conflict", metavar="ID")
@click.option("--reason", required=True, help="Why it is none.")
@click.option("--json", "wants_json", is_flag=True, help="Print JSON.")
@as_agent
@click.pass_obj
def dismiss(context: Context, conflict: str, reason: str, wants_json: bool) -> None:
    """Say that the conflict ID is none, and why; it is no longer listed."""
    with context.write() as workspace:
        found = workspace.conflicts.dismiss(conflict, reason)
    if wants_json:
        click.echo(as_json(found.as_json() | {"dismissed": reason.strip()}))
    else:
        click.echo(f"dismissed: {clean(found.reason)}")


def _listed(found: Sequence[Standing]) -> Iterator[str]:
    if not found:
        yield "No conflict stands."
    for item in found:
        rule = f" ({clean(item.rule)})" if item.rule else ""
        yield f"{item.id}  {clean(item.reason)}{rule}"
        yield from sides(item.sides)
        if item.heaviest is not None:
            name = clean(item.heaviest.path or item.heaviest.document)
            yield f"    By the weights of its source, {name} counts more."
        if item.dismissed:
            yield f"    dismissed: {clean(item.dismissed)}"


def _checked(report: Report) -> Iterator[str]:
    for item in report.found:
        certain = "" if item.certain else ", likely"
        yield f"{clean(item.reason)} ({clean(item.rule)}{certain})"
        yield from sides(item.sides)
    known = f"; {report.known} were on record before" if report.known else ""
    yield (
        f"{len(report.found)} new conflicts in {report.facts:,} statements and "
        f"{report.sentences:,} sentences{known}"
    )
    if report.run:
        yield f"Run: {report.run.rsplit(':', 1)[-1]}"
