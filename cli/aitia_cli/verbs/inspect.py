"""`aitia inspect`: how healthy what is known is, with counts and lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from aitia_cli.context import Context
from aitia_cli.output import machine
from aitia_cli.render import as_json, clean, short

if TYPE_CHECKING:
    from aitia.upkeep.health import Health

LONGEST = 160
EXAMPLES = """\b
Examples:
  aitia inspect
  aitia inspect --aged-days 90 --limit 5
  aitia inspect --format turtle > health.ttl
"""


@click.command(epilog=EXAMPLES)
@click.option(
    "--aged-days",
    type=click.FloatRange(0),
    metavar="N",
    help="A fact that no source stated for N days is aged.  [default: 365]",
)
@click.option(
    "--light",
    type=click.FloatRange(0, 1),
    metavar="X",
    help="A source whose weight is below X is light.  [default: 0.5]",
)
@click.option(
    "--limit",
    type=click.IntRange(0),
    default=5,
    show_default=True,
    metavar="N",
    help="List N of each kind; all are counted.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "json", "turtle")),
    default="text",
    show_default=True,
    help="How to tell it; turtle is a report in DQV.",
)
@click.option("--json", "wants_json", is_flag=True, help="The same as --format json.")
@click.pass_obj
def command(
    context: Context,
    aged_days: float | None,
    light: float | None,
    limit: int,
    form: str,
    wants_json: bool,
) -> None:
    """Show how healthy what is known is, and what deserves a look.

    Facts without a source, of one source only, or aged; sentences of answers that rest
    on light sources alone; resources without a link, or likely to be one; conflicts,
    proposals that wait, and stale answers. Nothing is changed.
    """
    from aitia.upkeep.health import AGED_DAYS, LIGHT, Limits

    limits = Limits(
        AGED_DAYS if aged_days is None else aged_days,
        LIGHT if light is None else light,
        limit,
    )
    with context.read() as workspace:
        found = workspace.inspect(limits)
    if wants_json or form == "json":
        click.echo(as_json(found.as_json()))
    elif form == "turtle":
        from aitia.upkeep.health_report import turtle

        machine(turtle(found))
    else:
        click.echo("\n".join(_lines(found)))


def _lines(found: Health) -> Iterator[str]:
    yield f"{found.facts:,} facts about {found.entities:,} resources"
    for item in found.measured:
        of = f" of {item.of:,}" if item.of is not None else ""
        yield f"{item.name}: {item.count:,}{of}"
        yield from (f"    {clean(short(x.text, LONGEST))}" for x in item.items)
        if item.items and item.count > len(item.items):
            yield f"    … {item.count - len(item.items):,} more (--limit)"
