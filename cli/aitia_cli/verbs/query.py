"""`aitia query`: SPARQL that only reads."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

import click

from aitia_cli.context import Context, note
from aitia_cli.output import machine

if TYPE_CHECKING:
    from aitia.sandbox import QueryResult

FORMATS = ("table", "json", "csv", "xml", "turtle")
SCOPES = ("current", "catalog", "runs", "ledger", "inferred")
EXAMPLES = """\b
Examples:
  aitia query 'SELECT ?run ?asked { ?run a aitia:Run ; rdfs:label ?asked }'
  aitia query -f report.rq --format csv > report.csv
  aitia query 'ASK { ?d a aitia:Document }' --scope catalog
"""


@click.command(epilog=EXAMPLES)
@click.argument("sparql", required=False)
@click.option(
    "-f",
    "--file",
    "file",
    type=click.File(encoding="utf-8"),
    help="Read the query from a file; `-` is standard input.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="table, or turtle for CONSTRUCT and DESCRIBE, where none is given.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "--scope",
    type=click.Choice(SCOPES),
    help="Read only what is current, the catalog, the runs, the ledger or what was "
    "inferred; everything where none is given.",
)
@click.option(
    "--limit",
    type=click.IntRange(0),
    default=1000,
    show_default=True,
    metavar="N",
    help="Show N rows at most; 0 shows all.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(0.1),
    metavar="SECONDS",
    help="Stop it after so long; the setting query_timeout where none is given.",
)
@click.pass_obj
def command(
    context: Context,
    sparql: str | None,
    file: IO[str] | None,
    form: str | None,
    as_json: bool,
    scope: str | None,
    limit: int,
    timeout: float | None,
) -> None:
    """Ask the store in SPARQL 1.1. Updates, SERVICE and LOAD are refused.

    The default graph is everything together, so a triple that stands in two graphs
    is found twice: SELECT DISTINCT. Common prefixes need no declaration.
    """
    text = _text(sparql, file)
    with context.read() as workspace:
        result = workspace.query(text, scope=scope, limit=limit, timeout=timeout)
    default = "turtle" if result.form == "graph" else "table"
    told = _told(result, "json" if as_json else form or default)
    machine(told)
    if result.cut == "rows":
        note(f"showing the first {limit:,} rows; `--limit 0` shows all")
    elif result.cut == "size":
        note("the result is cut: it is larger than a query may return")


def _text(sparql: str | None, file: IO[str] | None) -> str:
    if (sparql is None) == (file is None):
        raise click.UsageError("Give the query itself, or a file with -f.")
    if sparql is not None:
        return sparql
    try:
        return file.read() if file else ""
    except UnicodeDecodeError as error:
        raise click.UsageError(f"The file is not UTF-8 text: {error}.") from error


def _told(result: QueryResult, form: str) -> str:
    from aitia.sandbox import results

    if form == "table":
        return _table(result)
    make = {
        "json": results.to_json,
        "csv": results.to_csv,
        "xml": results.to_xml,
        "turtle": results.to_turtle,
    }
    return make[form](result)


def _table(result: QueryResult) -> str:
    from aitia.sandbox.results import told
    from aitia_cli.render import columns, short

    if result.form == "ask":
        return "yes\n" if result.answer else "no\n"
    rows = [[short(told(term), 100) for term in row] for row in result.rows]
    head = [f"?{name}" for name in result.variables]
    lines = columns(rows, head=head) if head else []
    count = f"({len(rows):,} row{'' if len(rows) == 1 else 's'})"
    return "\n".join([*lines, count]) + "\n"
