"""`aitia stale`: answers that rest on what is no longer so, with the path to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from aitia_cli.context import Context, note
from aitia_cli.render import as_json, clean, quoted, short

if TYPE_CHECKING:
    from aitia.writeback.stale import Stale

EXAMPLES = """\b
Examples:
  aitia stale
  aitia stale --all --json
  aitia ask --again k3f9x2ab
"""


@click.command(epilog=EXAMPLES)
@click.option("--all", "every", is_flag=True, help="Those that were asked again too.")
@click.option(
    "--limit",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    metavar="N",
    help="List the N that became stale last; 0 lists all.",
)
@click.option("--json", "wants_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(context: Context, every: bool, limit: int, wants_json: bool) -> None:
    """List the answers that rest on what is no longer so, what became so last first.

    A fact was taken back, words were withdrawn, or a document was retired or gave way
    to a new version. Ask again with `aitia ask --again ID`.
    """
    with context.read() as workspace:
        # One more than asked for tells whether there are more.
        found = workspace.stale(asked_again=every, limit=limit and limit + 1)
    shown = found[: limit or None]
    if wants_json:
        click.echo(as_json([item.as_json() for item in shown]))
    else:
        click.echo("\n".join(_lines(shown)))
    if len(found) > len(shown):
        note(f"showing {len(shown):,}; `--limit 0` lists all")


def _lines(found: list[Stale]) -> Iterator[str]:
    if not found:
        yield "No answer is stale."
    for item in found:
        since = (
            f" (since {item.since[:19].replace('T', ' ')} UTC)" if item.since else ""
        )
        yield f"{item.id}  {clean(short(item.question or item.text, 80))}"
        yield f"    {clean(item.reason)}{since}"
        for place, step in enumerate(item.path):
            mark = "← " if place else ""
            yield f"    {mark}{clean(step.kind)} {quoted(step.text, 80)}"
        if item.again:
            yield f"    asked again: {item.again.rsplit(':', 1)[-1]}"
