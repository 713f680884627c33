"""`aitia stats`: how much is on record."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from aitia_cli.context import Context

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aitia.lookup.stats import Stats

EXAMPLES = """\b
Examples:
  aitia stats
  aitia stats --json
"""


@click.command(epilog=EXAMPLES)
@click.option("--json", "as_json", is_flag=True, help="A JSON object of all counts.")
@click.pass_obj
def command(context: Context, as_json: bool) -> None:
    """Count what is on record: by area, by class, on disk."""
    from aitia_cli.render import as_json as json_text

    with context.read() as workspace:
        found = workspace.stats()
    told = json_text(asdict(found)) if as_json else "\n".join(_lines(found))
    click.echo(told)


def _lines(found: Stats) -> Iterator[str]:
    from aitia.lookup import name
    from aitia_cli.render import columns

    yield f"commit {found.head:,}, indexes at commit {found.index_position:,}"
    if found.index_notice:
        yield found.index_notice
    yield f"{found.quads:,} quads"
    yield from columns(
        (f"  {area}", f"{quads:,} quads", f"in {found.graph_count[area]:,} graphs")
        for area, quads in sorted(found.graphs.items())
    )
    yield _states("documents", found.documents)
    yield _states("runs", found.runs)
    yield "nodes by class"
    yield from columns((f"  {name(c)}", f"{n:,}") for c, n in found.classes.items())
    yield "on disk (what the store shares with its publications counts once)"
    yield from columns(
        (f"  {folder}", f"{size / 1e6:,.1f} MB") for folder, size in found.bytes.items()
    )


def _states(what: str, found: dict[str, int]) -> str:
    told = ", ".join(f"{count:,} {state}" for state, count in sorted(found.items()))
    return f"{what}: {told or 'none'}"
