"""`aitia log`: the commits on record."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import click

from aitia_cli.context import Context, note
from aitia_cli.render import as_json, columns

if TYPE_CHECKING:
    from aitia.ledger.log import Wanted
    from aitia.model import CommitRecord
    from aitia.workspace import Workspace

EPILOG = """\b
Examples:
  aitia log --limit 5
  aitia log --agent alice --since 2026-01-01 --until 2026-01-31
  aitia log --run last
  aitia log --node doc:3f2a

\b
Times are ISO 8601, in UTC where they name no zone; a day as --until includes it.
--node reads every patch that the other conditions leave.

\b
JSON: a list of {"number", "hash", "previous", "root", "time", "agent", "cause",
"added", "deleted", "shapes_version", "focus_count", "focus_digest", "signature",
"signed_by"}, newest first.
"""


class When(click.ParamType[datetime]):
    """A day or a time, ISO 8601; a day alone can be taken to its end."""

    name = "time"

    def __init__(self, *, end_of_day: bool = False) -> None:
        self.end_of_day = end_of_day

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        """Return the time, with its zone."""
        from datetime import UTC

        if isinstance(value, datetime):
            return value
        text = str(value).strip()
        try:
            when = datetime.fromisoformat(text)
        except ValueError:
            self.fail(f"{text!r} is no time; write 2026-01-31 or 2026-01-31T12:00Z.")
        if self.end_of_day and len(text) <= len("2026-01-31"):
            when += timedelta(days=1)
        return when if when.tzinfo else when.replace(tzinfo=UTC)


@click.command(epilog=EPILOG)
@click.option("--agent", metavar="NAME", help="Made by this agent, by name or IRI.")
@click.option("--run", metavar="ID", help="Made for this run, reading or import.")
@click.option("--since", type=When(), metavar="TIME", help="Made then or later.")
@click.option(
    "--until", type=When(end_of_day=True), metavar="TIME", help="Made before then."
)
@click.option("--node", metavar="ID", help="Touching this node.")
@click.option(
    "--limit",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    metavar="N",
    help="List the N newest; 0 lists all.",
)
@click.option("--json", "wants_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(
    context: Context,
    agent: str | None,
    run: str | None,
    since: datetime | None,
    until: datetime | None,
    node: str | None,
    limit: int,
    wants_json: bool,
) -> None:
    """List the commits, newest first."""
    with context.read() as workspace:
        wanted = _wanted(workspace, agent, run, since, until, node, limit)
        if wanted.node is not None:
            note(f"reading patches to find what touched {wanted.node.value}")
        found = list(workspace.log(wanted))
    # One more than asked for tells whether there are more.
    shown = found[: limit or None]
    if wants_json:
        click.echo(as_json([_plain(record) for record in shown]))
    elif not shown:
        note("there is no such commit")
    else:
        click.echo("\n".join(columns(map(_row, shown), head=HEAD)))
    if len(found) > len(shown):
        note(f"showing the newest {len(shown):,}; `--limit 0` lists all")


HEAD = ("commit", "time (UTC)", "agent", "for", "quads", "hash")


def _wanted(
    workspace: Workspace,
    agent: str | None,
    run: str | None,
    since: datetime | None,
    until: datetime | None,
    node: str | None,
    limit: int,
) -> Wanted:
    from pyoxigraph import NamedNode

    from aitia import lookup, terms
    from aitia.ledger.log import Wanted

    who = None
    if agent:
        who = NamedNode(agent) if ":" in agent else terms.agent_iri(agent)
    return Wanted(
        agent=who,
        cause=lookup.resolve(workspace.store, run) if run else None,
        since=since,
        until=until,
        node=lookup.resolve(workspace.store, node) if node else None,
        limit=limit and limit + 1,
    )


def _row(record: CommitRecord) -> tuple[str, ...]:
    from aitia import terms

    counts = f"+{record.added:,}" + (f" -{record.deleted:,}" if record.deleted else "")
    return (
        str(record.number),
        terms.time(record.time).value[:19].removesuffix("Z"),
        record.agent.removeprefix(terms.BASE),
        record.cause.removeprefix(terms.BASE),
        counts,
        record.hash[:12],
    )


def _plain(record: CommitRecord) -> dict[str, Any]:
    from dataclasses import asdict

    from aitia import terms

    found = asdict(record)
    for name in ("unchecked", "warnings"):
        # Known only when it is made.
        del found[name]
    return {**found, "time": terms.time(record.time).value}
