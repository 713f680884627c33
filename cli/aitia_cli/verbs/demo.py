"""`aitia demo`: the main job on a small world of its own."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from aitia_cli.context import Context
from aitia_cli.render import as_json, clean

if TYPE_CHECKING:
    from aitia.ingest import IngestReport

FOLDER = Path("aitia-demo")
WORKSPACE = ".aitia"
EXAMPLES = """\b
Examples:
  aitia demo
  aitia demo playground && cd playground && aitia ask "Who is U-09?"
"""
NEXT = """
What to try next
  cd {folder}
  aitia ask "What does return shipping cost?"
  aitia search "damaged parcel"
  aitia why last --format html > why.html
  aitia verify
Then your own: aitia ingest FOLDER takes in documents, data and RDF.
"""


@click.command(epilog=EXAMPLES)
@click.argument(
    "folder", type=click.Path(path_type=Path, file_okay=False), default=FOLDER
)
@click.option("--json", "json_form", is_flag=True, help="Print what came out as JSON.")
@click.pass_context
def command(ctx: click.Context, folder: Path, json_form: bool) -> None:
    """Take in a sample world, ask it five questions and ask why.

    The world, an invented online shop, is laid into FOLDER (aitia-demo where none is
    named), with its workspace beside it, so that you can go on there. Safe to run
    again.
    """
    ctx.obj = _own_workspace(ctx, folder)
    sys.exit(_tell(ctx.obj, folder) if json_form else _show(ctx, folder))


def _own_workspace(ctx: click.Context, folder: Path) -> Context:
    """Return the context with the demo's workspace, unless the user named one."""
    context: Context = ctx.obj
    source = ctx.find_root().get_parameter_source("workspace")
    if source is click.core.ParameterSource.COMMANDLINE:
        return context
    return replace(context, folder=folder / WORKSPACE)


def _tell(context: Context, folder: Path) -> int:
    """Do all of it with one open workspace, and print it in a stable layout."""
    from aitia import demo
    from aitia.ask.answer import layout
    from aitia.sandbox.results import to_json
    from aitia.why.render import record

    with context.write() as workspace:
        taken = demo.take_in(workspace, folder)
        answers = [workspace.ask(question.text) for question in demo.QUESTIONS]
        why = workspace.why(answers[demo.EXPLAINED].run)
        rows = workspace.query(demo.query())
    told = {
        "folder": str(folder),
        "workspace": str(context.folder),
        "ingested": [report.as_json() for report in taken],
        "answers": [
            {"kind": question.kind, "answer": layout(answer)}
            for question, answer in zip(demo.QUESTIONS, answers, strict=True)
        ],
        "why": record.layout(why),
        "query": {"sparql": demo.query(), "result": json.loads(to_json(rows))},
    }
    click.echo(as_json(told))
    return _exit_code(taken)


def _exit_code(taken: tuple[IngestReport, IngestReport]) -> int:
    return max(report.exit_code for report in taken)


def _show(ctx: click.Context, folder: Path) -> int:
    """Do it step by step with the commands that a person would type."""
    from aitia import demo
    from aitia_cli.verbs import ask, query, why

    with ctx.obj.write() as workspace:
        taken = demo.take_in(workspace, folder)
    click.echo("\n".join(_taken(taken, folder)))
    for number, question in enumerate(demo.QUESTIONS):
        click.echo(f'\n--- {question.kind}\n$ aitia ask "{question.text}"\n')
        with suppress(SystemExit):  # ask exits with 5 where it abstains
            ctx.invoke(ask.command, question=question.text)
        if number == demo.EXPLAINED:
            click.echo("\n--- why that answer\n$ aitia why last\n")
            ctx.invoke(why.command)
    click.echo(f"\n--- the same knowledge in SPARQL\n$ aitia query '{demo.query()}'\n")
    ctx.invoke(query.command, sparql=demo.query())
    click.echo(NEXT.format(folder=clean(str(folder))), nl=False)
    return _exit_code(taken)


def _taken(taken: tuple[IngestReport, IngestReport], folder: Path) -> Iterator[str]:
    first, update = taken
    yield f"An invented online shop, laid into {clean(str(folder))}/shop."
    outcomes = ", ".join(f"{many} {what}" for what, many in first.counts.items())
    passages = sum(file.passages for file in first.files)
    records = sum(file.records for file in first.files)
    yield f"{outcomes}: {passages} passages, {records} records."
    for file in first.files:
        if file.reason:
            yield f"{clean(file.path)}: {file.outcome}: {clean(file.reason)}"
    for file in update.files:
        if file.outcome == "new version":
            yield f"{clean(file.path)} then came in a newer version; the old one is kept."
