"""`aitia propose`: suggest a change of the knowledge, with evidence, for review."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import Any

import click

from aitia_cli.context import Context, as_agent
from aitia_cli.render import as_json

REFUSED = 4
KINDS = ("add", "revise", "deprecate", "retract", "merge")
EPILOG = """\b
Examples:
  aitia propose --subject "Crane 4" --predicate lifts --object 9 --kind revise
      --reason "the notice says so" --evidence notices/crane4.txt
  aitia propose --kind deprecate --subject K4 --predicate lifts --object 12
      --reason "out of date" --evidence k3f9x2ab
  aitia propose --text "Crane 7 is blue." --reason "seen today" --evidence photo.txt
  aitia propose --kind retract --words "The fee is 5 euro." --in policies/fee.md
      --text "The fee is 7 euro." --reason "the fee changed"

\b
Nothing is written before the proposal is accepted (`aitia review`). Exit code 4 where
a check refuses it; that stands on record too.
"""


@click.command(epilog=EPILOG)
@click.option("--kind", type=click.Choice(KINDS), default="add", show_default=True)
@click.option("--subject", default="", help="What it is about: a label, id or <IRI>.")
@click.option("--predicate", default="", help="The property: a label, name or <IRI>.")
@click.option(
    "--object",
    "value",
    default="",
    help="The value; with merge the thing that the subject is another name of.",
)
@click.option(
    "--old", default="", help="The value to replace, where there are several."
)
@click.option("--text", default="", help="Words that become a document of their own.")
@click.option(
    "--words", default="", help="Words of a text that are to be used no more."
)
@click.option("--in", "document", default="", help="The document they stand in.")
@click.option("--reason", required=True, help="Why, in words.")
@click.option(
    "--evidence",
    multiple=True,
    metavar="FILE|ID|URL",
    help="What speaks for it; may be given again.",
)
@click.option(
    "--quote",
    multiple=True,
    metavar="WORDS",
    help="Exact words of the evidence, in the order of --evidence; found out else.",
)
@click.option("--opinion-of", default="", metavar="WHO", help="It is WHO's opinion.")
@click.option(
    "--from", "since", default="", metavar="DATE", help="Since when it holds."
)
@click.option("--until", default="", metavar="DATE", help="Until when (not included).")
@click.option(
    "--about", multiple=True, metavar="ID", help="A gap or conflict on record."
)
@click.option("--run", default="", metavar="ID", help="The run that it comes out of.")
@click.option(
    "--again", default="", metavar="ID", help="A returned proposal to bring back."
)
@click.option("--json", "wants_json", is_flag=True, help="Print JSON.")
@as_agent
@click.pass_obj
def command(context: Context, /, wants_json: bool, **given: Any) -> None:
    """Suggest a change of the knowledge; checks judge it, and people decide."""
    from aitia.writeback import layout
    from aitia.writeback.asking import Asked
    from aitia_cli.proposals import proposed

    asked = Asked(
        given["kind"],
        given["reason"],
        given["subject"],
        given["predicate"],
        given["value"],
        given["old"],
        given["text"],
        given["words"],
        given["document"],
        given["evidence"],
        given["quote"],
        given["opinion_of"],
        _time(given["since"]),
        _time(given["until"]),
        about=given["about"],
        run=given["run"],
        again=given["again"],
    )
    with context.write() as workspace:
        found = workspace.writeback.propose(asked)
    if wants_json:
        told = {
            "proposal": layout.proposal(found.proposal),
            "refused": found.refused,
            "automatic": found.automatic,
            "commit": found.commit,
        }
        click.echo(as_json(told))
    else:
        click.echo("\n".join(proposed(found)))
    sys.exit(REFUSED if found.refused else 0)


def _time(text: str) -> datetime | None:
    if not text:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise click.UsageError(f"{text!r} is no date such as 2026-01-31.") from error
    return found if found.tzinfo else found.replace(tzinfo=UTC)
