"""`aitia export`: what is on record as RDF."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from aitia_cli.context import Context, note
from aitia_cli.output import replacing
from aitia_cli.render import as_json as json_text

if TYPE_CHECKING:
    from aitia.interop import Exported

FORMATS = ("turtle", "jsonld", "trig", "nquads", "ntriples", "rdfxml")
IN_PART = 3
EXAMPLES = """\b
Examples:
  aitia export --format turtle > all.ttl
  aitia export --what run:last --format jsonld -o run.jsonld
  aitia export --what all --format nquads -o backup.nq
"""


@click.command(epilog=EXAMPLES)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="turtle",
    show_default=True,
    help="turtle, ntriples and rdfxml merge the named graphs; the others keep them.",
)
@click.option(
    "--what",
    default="all",
    show_default=True,
    metavar="WHAT",
    help="all; knowledge (facts and catalog); current (facts alone); catalog; runs; "
    "ledger; inferred; or run:ID for one run with what it refers to.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write to this file instead of standard output.",
)
@click.option(
    "--no-texts",
    is_flag=True,
    help="With all as nquads or trig: leave out the documents' texts and the patches, "
    "from which `import` restores the whole workspace.",
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Tell what was written as JSON, on standard output; needs --output.",
)
@click.pass_obj
def command(
    context: Context,
    form: str,
    what: str,
    output: Path | None,
    no_texts: bool,
    as_json: bool,
) -> None:
    """Write what is on record as RDF that any standard tool reads."""
    if as_json and output is None:
        raise click.UsageError("--json needs --output: the RDF goes to the output.")
    with context.read() as workspace:
        if output is None:
            told = workspace.export(
                sys.stdout.buffer, what=what, form=form, enclose=not no_texts
            )
        else:
            with replacing(output) as file:
                told = workspace.export(
                    file, what=what, form=form, enclose=not no_texts
                )
    sys.stdout.flush()
    if as_json:
        click.echo(json_text(asdict(told)))
    else:
        _tell(told)
    if told.left_out:
        sys.exit(IN_PART)


def _tell(told: Exported) -> None:
    """Say on stderr what was merged, enclosed and left out."""
    from aitia.lookup import name

    what = "triples" if told.merged else "quads"
    note(f"{told.statements:,} {what}")
    if len(told.merged) > 1:
        shown = ", ".join(name(graph) for graph in told.merged[:5])
        more = f" and {len(told.merged) - 5:,} more" if len(told.merged) > 5 else ""
        note(f"merged {len(told.merged):,} graphs into one: {shown}{more}")
    if told.doubled:
        note(f"{told.doubled:,} triples stood in more than one of them")
    if told.blobs:
        note(f"enclosed {told.blobs:,} texts, documents and patches")
    for reason in told.left_out[:5]:
        note(f"left out: {reason}")
    if len(told.left_out) > 5:
        note(f"left out {len(told.left_out):,} triples in all")
