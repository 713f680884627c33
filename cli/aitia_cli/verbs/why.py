"""`aitia why`: the recorded causes behind a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from aitia_cli.context import Context
from aitia_cli.output import machine

if TYPE_CHECKING:
    from aitia.model.graph import CausalGraph

FORMATS = ("tree", "json", "turtle", "mermaid", "dot", "html")
BASES = ("observed", "computed", "inferred", "tested", "claimed")


def _bases(
    _context: click.Context, _option: click.Parameter, value: str | None
) -> tuple[str, ...]:
    found = tuple(part.strip() for part in (value or "").split(",") if part.strip())
    if unknown := [name for name in found if name not in BASES]:
        raise click.BadParameter(f"{unknown[0]!r} is none of {', '.join(BASES)}.")
    return found


EXAMPLES = """\b
Examples:
  aitia why
  aitia why k3f9x2ab/claim/1 --basis observed,tested
  aitia why last --path-to k3f9x2ab/input
  aitia why urn:data:order/17 status pending
  aitia why last --format html > why.html
"""


@click.command(epilog=EXAMPLES)
@click.argument("what", metavar="[ID | SUBJECT PROPERTY VALUE]", nargs=-1)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="tree",
    show_default=True,
    help="How to tell it.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "--depth", type=click.IntRange(0), metavar="N", help="Go back N links at most."
)
@click.option("--roots", is_flag=True, help="Show only where the chains end.")
@click.option(
    "--path-to",
    "goal",
    metavar="ID",
    help="Show how this node lies behind it: the shortest way, how many there are, "
    "and the strongest ten.",
)
@click.option(
    "--basis",
    "bases",
    callback=_bases,
    metavar="LIST",
    help=f"Follow only links on these bases: {', '.join(BASES)}.",
)
@click.option(
    "--limit",
    type=click.IntRange(0),
    default=200,
    show_default=True,
    metavar="N",
    help="Show the N nearest nodes (tree, mermaid, dot, html); 0 shows all.",
)
@click.pass_obj
def command(
    context: Context,
    what: tuple[str, ...],
    form: str,
    as_json: bool,
    depth: int | None,
    roots: bool,
    goal: str | None,
    bases: tuple[str, ...],
    limit: int,
) -> None:
    """Show why a node is as it is: every recorded cause behind it.

    ID is `last` (the newest run, and the default), the id of a run, an answer
    sentence, a document or any other node, or the unique start of one. Three words
    ask about a fact: who states it, or what it was inferred from.
    """
    from aitia.why.render import DRAWN, render

    if len(what) not in (0, 1, 3):
        raise click.UsageError("Give one ID, or a fact: SUBJECT PROPERTY VALUE.")
    node, form = (what or ("last",))[0], "json" if as_json else form
    if goal is not None:
        _paths(context, node, goal, form)
        return
    shown = (limit or None) if form in DRAWN and not roots else None
    with context.read() as workspace:
        if len(what) == 3:
            graph = workspace.why_fact(*what, depth=depth, bases=bases, limit=shown)
        else:
            graph = workspace.why(node, depth=depth, bases=bases, limit=shown)
    machine(_roots(graph, form) if roots else render(graph, form))


def _roots(graph: CausalGraph, form: str) -> str:
    from aitia.why.render import record, tree

    return record.roots_json(graph) if form == "json" else tree.roots(graph)


def _paths(context: Context, node: str, goal: str, form: str) -> None:
    from aitia.why.render import ways

    with context.read() as workspace:
        paths, graph = workspace.why_path(node, goal)
    told = ways.as_json(paths) if form == "json" else ways.text(paths, graph)
    machine(told)
