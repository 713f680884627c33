"""`aitia ingest`: take in documents and data."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aitia.errors import AitiaError, UsageError
from aitia_cli.context import Context, as_agent, note, tell_alerts, tell_reviews
from aitia_cli.disagreeing import sides
from aitia_cli.modelflags import model_flags, tell_waits
from aitia_cli.render import as_json, clean

if TYPE_CHECKING:
    from aitia.ingest import FileReport, IngestReport, Watch

DISAGREEING = 10  # conflicts that are told in full
EXAMPLES = """\b
Examples:
  aitia ingest policies/ orders.json
  aitia ingest products.csv --key sku
  cat notes.md | aitia ingest - --name notes.md --format markdown
  aitia ingest handbook.pdf --llm-url http://127.0.0.1:8080/v1 --model m
"""
FORMATS = "text markdown html pdf docx csv tsv json jsonl turtle trig ntriples nquads rdfxml jsonld"


@click.command(epilog=EXAMPLES)
@click.argument("paths", nargs=-1, required=True, metavar="PATH…")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS.split()),
    metavar="NAME",
    help=f"What to read the files as; found out where not given. One of: {FORMATS}.",
)
@click.option("--name", default="", help="What to call standard input (PATH is -).")
@click.option(
    "--key", default="", metavar="FIELD", help="The field that holds each record's key."
)
@click.option(
    "--context",
    "mapping",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A JSON-LD context that maps JSON and CSV fields to RDF.",
)
@click.option(
    "--prune",
    is_flag=True,
    help="Retire documents of the folders given whose files are gone.",
)
@click.option(
    "--force",
    is_flag=True,
    help="Have the model read again what it has read before.",
)
@click.option("--json", "wants_json", is_flag=True, help="Print JSON.")
@as_agent
@click.pass_obj
@model_flags
def command(
    context: Context,
    paths: tuple[str, ...],
    form: str | None,
    name: str,
    key: str,
    mapping: Path | None,
    prune: bool,
    force: bool,
    wants_json: bool,
) -> None:
    """Take in documents and data: files, folders, patterns, - for standard input.

    Where a language model is configured it reads the facts that texts state; they stay
    claims of their document.
    """
    from aitia.ingest import Options

    options = Options(form or "", name, key, _context(mapping))
    report = None
    try:
        with context.write() as workspace, watching() as watch:
            tell_waits(workspace)
            report = workspace.ingest(
                paths, options, prune=prune, watch=watch, again=force
            )
            tell_reviews(workspace)
            tell_alerts(workspace)
    except (AitiaError, OSError) as error:
        # What became of the files is told even where it cannot be shown to readers.
        if report is None:
            raise
        hint = error.hint if isinstance(error, AitiaError) else ""
        report.unfinished = f"{error} {hint}".strip()
    except KeyboardInterrupt:
        if report is None:
            raise
        report.interrupted = True
    _tell(report, wants_json=wants_json)
    sys.exit(report.exit_code)


def _tell(report: IngestReport, *, wants_json: bool) -> None:
    click.echo(as_json(report.as_json()) if wants_json else "\n".join(told(report)))
    if report.unindexed:
        note(f"taken in, but not indexed: {report.unindexed}")
    if report.unfinished:
        note(f"the end failed: {report.unfinished}")
    if report.interrupted:
        files = _count(len(report.files), "file")
        note(f"stopped after {files}; the same command goes on")


def told(report: IngestReport) -> Iterator[str]:
    """Yield the lines that tell what became of the files."""
    for file in report.files:
        yield _line(file)
        lines = file.reason.split("\n")
        yield from (f"    {clean(text)}" for text in lines if len(lines) > 1)
        yield from (f"    {clean(text)}" for text in file.warnings)
        if file.hint:
            yield f"    {clean(file.hint)}"
    yield from (f"{clean(text)}." for text in report.notices)
    yield from _disagreeing(report)
    yield _total(report)


def _disagreeing(report: IngestReport) -> Iterator[str]:
    """Yield what of it disagrees, with the sources of both sides."""
    for item in report.conflicts[:DISAGREEING]:
        yield f"Sources disagree: {clean(item.reason)}"
        yield from sides(item.sides)
    if len(report.conflicts) > DISAGREEING:
        more = len(report.conflicts) - DISAGREEING
        yield f"and {more:,} more conflicts (`aitia conflicts` lists them)"


def _line(file: FileReport) -> str:
    name = clean(file.path)
    if "\n" in file.reason:
        return f"{name}: {file.outcome}: it does not conform"
    if file.reason:
        return f"{name}: {file.outcome}: {clean(file.reason)}"
    if file.outcome == "unchanged":
        return ", ".join((f"{name}: unchanged", *_extracted(file)))
    return f"{name}: {file.outcome}, {', '.join(_details(file))}"


def _details(file: FileReport) -> Iterator[str]:
    guess = " (guessed)" if file.encoding_guessed else ""
    yield f"{file.format}, {file.encoding}{guess}" if file.encoding else file.format
    if file.pages is not None:
        yield _count(file.pages, "page")
    yield _count(file.passages, "passage")
    if file.records:
        yield _count(file.records, "record")
    yield _count(file.facts, "fact")
    if file.links:
        yield _count(file.links, "link") + " to other records"
    if file.redactions:
        yield _count(file.redactions, "secret") + " masked"
    if file.rewritten:
        yield _count(file.rewritten, "literal") + " rewritten by the store"
    yield from _extracted(file)


def _extracted(file: FileReport) -> Iterator[str]:
    """Yield what a model's reading came to."""
    if file.extraction == "waits":
        yield "its facts wait to be read: the same command goes on"
    elif file.extraction:
        yield _count(file.statements, "statement") + " claimed"
    if file.statements_refused:
        yield f"{file.statements_refused:,} refused"


def _total(report: IngestReport) -> str:
    counts = report.counts
    parts = [f"{count} {outcome}" for outcome, count in counts.items()]
    files = _count(len(report.files), "file")
    if report.exit_code == 1 and not report.interrupted:
        return f"Nothing was taken in: {files}, {', '.join(parts) or 'none readable'}."
    return f"{files}: {', '.join(parts) or 'none was read'}."


def _count(number: int, name: str) -> str:
    return f"{number:,} {name}{'' if number == 1 else 's'}"


def _context(path: Path | None) -> dict[str, Any] | None:
    if path is None:
        return None
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        raise UsageError(f"{path} is no JSON-LD context: {error}") from error
    inner = found.get("@context", found) if isinstance(found, dict) else None
    if not isinstance(inner, dict):
        raise UsageError(f"{path} is no JSON-LD context: it holds no object.")
    return inner


@contextmanager
def watching() -> Iterator[Watch | None]:
    """Show how far an ingest has come, on a terminal only."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress, SpinnerColumn, TimeElapsedColumn

    class Bar:
        def __init__(self, progress: Progress) -> None:
            self.progress = progress
            self.files = progress.add_task("files", total=None)
            self.index = progress.add_task("indexing", total=None, visible=False)
            self.path = ""

        def total(self, count: int) -> None:
            self.progress.update(self.files, total=count)

        def begin(self, path: str) -> None:
            self.path = escape(clean(path))
            self.progress.update(self.files, description=self.path)

        def step(self, what: str) -> None:
            self.progress.update(self.files, description=f"{self.path}: {what}")

        def end(self, report: FileReport) -> None:
            self.progress.advance(self.files)

        def indexed(self, done: int, total: int) -> None:
            self.progress.update(
                self.index, completed=done, total=total, visible=done < total
            )

    columns = (SpinnerColumn(), *Progress.get_default_columns(), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True) as progress:
        yield Bar(progress)
