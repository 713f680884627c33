"""`aitia recheck`: tests accepted changes again, and proposes to take failures back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from aitia_cli.context import Context, as_agent, tell_reviews
from aitia_cli.render import as_json, clean

if TYPE_CHECKING:
    from aitia.upkeep.recheck import Rechecked

EXAMPLES = """\b
Examples:
  aitia recheck
  aitia recheck --older-than 90 --json
  aitia recheck --source 'notices/*' --dry-run
  aitia recheck --share 0.1 --seed 7
"""


@click.command(epilog=EXAMPLES)
@click.option(
    "--older-than",
    type=click.FloatRange(0),
    metavar="DAYS",
    help="Only what was accepted or tested last so many days ago.",
)
@click.option(
    "--source",
    default="",
    metavar="DOCUMENT",
    help="Only what has evidence from this document, or from paths like this pattern.",
)
@click.option(
    "--share",
    type=click.FloatRange(0, 1, min_open=True),
    default=1.0,
    metavar="X",
    help="A share of it, drawn at random: 0.1 is a tenth.",
)
@click.option("--seed", type=int, metavar="N", help="Draw the same share again.")
@click.option("--dry-run", is_flag=True, help="Only tell what is found.")
@click.option("--json", "wants_json", is_flag=True, help="Print JSON.")
@as_agent
@click.pass_obj
def command(
    context: Context,
    older_than: float | None,
    source: str,
    share: float,
    seed: int | None,
    dry_run: bool,
    wants_json: bool,
) -> None:
    """Test what was accepted again, and propose to take back what no longer holds.

    Quotes are looked for again in the stored texts; facts and sentences on record are
    held against what was accepted; evidence that is gone sends it back to a review.
    """
    from aitia.upkeep.accepted import Chosen

    which = Chosen(older_than, source, share, seed)
    with context.read() if dry_run else context.write() as workspace:
        found = workspace.recheck(which, dry_run=dry_run)
        tell_reviews(workspace)
    if wants_json:
        click.echo(as_json([item.as_json() for item in found]))
    else:
        click.echo("\n".join(_lines(found)))


def _lines(found: list[Rechecked]) -> Iterator[str]:
    if not found:
        yield "No accepted change is to be tested."
        return
    yield from (clean(item.told()) for item in found if item.reasons)
    counts = Counter(item.outcome for item in found)
    told = ", ".join(f"{number} {outcome}" for outcome, number in counts.items())
    yield f"{len(found)} tested: {told}."
