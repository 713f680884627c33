"""`aitia infer`: what follows from the current knowledge."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from aitia_cli.context import Context, as_agent, note

if TYPE_CHECKING:
    from aitia.inference import Inferred

NOT_CONFORMING = 4
EXAMPLES = """\b
Examples:
  aitia infer
  aitia query 'SELECT * { ?s ?p ?o }' --scope inferred
  aitia why SUBJECT PROPERTY VALUE
"""


@click.command(epilog=EXAMPLES)
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=20_000,
    show_default=True,
    metavar="N",
    help="Triples that the reasoner may read; it takes over a second for each "
    "thousand of them.",
)
@click.option("--json", "as_json", is_flag=True, help="The figures as a JSON object.")
@as_agent
@click.pass_obj
def command(context: Context, limit: int, as_json: bool) -> None:
    """Infer by OWL 2 RL what follows from the current knowledge.

    What follows stands in a graph of its own, marked as inferred, and takes the place
    of what was inferred before. Where the knowledge contradicts itself, nothing is
    inferred and the contradictions are told.
    """
    from aitia_cli.render import as_json as json_text

    def reading(number: int) -> None:
        note(f"the reasoner reads {number:,} triples")

    with context.write() as workspace:
        found = workspace.infer(most=limit, tell=reading)
    if as_json:
        click.echo(json_text(_layout(found)))
    else:
        click.echo("\n".join(_lines(found)))
    if found.closure.contradictions:
        sys.exit(NOT_CONFORMING)


def _layout(found: Inferred) -> dict[str, object]:
    closure = found.closure
    return {
        "read": closure.read,
        "unread": closure.unread,
        "inferred": len(closure.triples),
        "left_out": closure.trivial,
        "added": found.added,
        "deleted": found.deleted,
        "commit": found.commit,
        "contradictions": list(closure.contradictions),
    }


def _lines(found: Inferred) -> list[str]:
    from aitia_cli.render import clean

    closure = found.closure
    if closure.contradictions:
        head = "The knowledge contradicts itself; nothing was inferred:"
        return [head, *(f"  {clean(text)}" for text in closure.contradictions)]
    commit = f" (commit {found.commit})" if found.commit else ""
    return [
        f"read {closure.read:,} triples; no axiom speaks of the other "
        f"{closure.unread:,}",
        f"{len(closure.triples):,} triples follow: {found.added:,} new, "
        f"{found.deleted:,} no longer so{commit}",
        f"left out {closure.trivial:,} that are trivial or no RDF",
    ]
