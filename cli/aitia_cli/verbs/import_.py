"""`aitia import`: RDF that aitia or another tool exported."""

from __future__ import annotations

import sys
import textwrap
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from aitia_cli.context import Context, as_agent
from aitia_cli.render import clean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aitia.interop.bring import Imported

FORMATS = ("turtle", "jsonld", "trig", "nquads", "ntriples", "rdfxml")
IN_PART = 3
REFUSED = 4
WIDTH = 88
EXAMPLES = """\b
Examples:
  aitia --workspace copy import backup.nq
  aitia import run.jsonld
"""


@click.command(epilog=EXAMPLES)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="Told by the file's ending where none is given.",
)
@click.option("--json", "as_json", is_flag=True, help="What was done, as JSON.")
@as_agent
@click.pass_obj
def command(context: Context, file: Path, form: str | None, as_json: bool) -> None:
    """Take in an export: restore it where nothing is yet, or add it as new commits.

    Into an empty workspace, an export of everything as nquads or trig is put back
    commit by commit, with its ledger, texts and patches. Anywhere else what is new is
    committed here, and the ledger of the export is left out. RDF that is no export of
    aitia's is taken in as a document, as `aitia ingest` does.
    """
    from aitia_cli.render import as_json as json_text

    with context.write() as workspace:
        done = workspace.import_(file, form or "")
    click.echo(json_text(asdict(done)) if as_json else "\n".join(_lines(done)))
    for reason in done.refused:
        _tell(textwrap.wrap(f"aitia: refused: {clean(reason)}", WIDTH))
    if done.refused:
        sys.exit(REFUSED if nothing(done) else IN_PART)


def _tell(lines: list[str]) -> None:
    """Say one reason on stderr, what goes beyond a line below it."""
    click.echo("\n       ".join(lines), err=True)


def nothing(done: Imported) -> bool:
    """Return whether all of a file was refused."""
    return bool(done.refused) and not (done.added or done.commits)


def _lines(done: Imported) -> Iterator[str]:
    told = {
        "restored": f"restored {done.commits:,} commits with their ledger; head {done.head}",
        "put back": f"put back as commit {done.commits:,}: {done.added:,} quads, without "
        "the ledger they came with",
        "merged": f"added {done.added:,} quads in {done.commits:,} commits",
        "ingested": f"no export of aitia's: taken in as a document, {done.added:,} facts",
    }
    yield "nothing was taken in" if nothing(done) else clean(told[done.how])
    for area, count in sorted(done.left_out.items()):
        yield f"left out: {count:,} quads of the {area}"
    if done.known:
        yield f"{done.known:,} records were here already and stay as they are"
    if done.loose and not nothing(done):
        facts = "1 fact" if done.loose == 1 else f"{done.loose:,} facts"
        yield (
            f"{facts} of no document here, or accepted elsewhere: taken in as a document"
        )
    if done.missing:
        yield (
            f"{done.missing:,} texts or documents are named and not enclosed: quotes "
            "from them cannot be checked"
        )
