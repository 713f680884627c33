"""`aitia validate`: does what is on record, or in a file, conform to shapes?"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from aitia_cli.context import Context
from aitia_cli.render import as_json, clean

if TYPE_CHECKING:
    from aitia.gate.report import Report

FORMATS = ("turtle", "trig", "ntriples", "nquads", "rdfxml", "jsonld")
NOT_CONFORMING = 4
EPILOG = """\b
Examples:
  aitia validate
  aitia validate --shapes shop.ttl orders.ttl
  aitia validate orders.ttl --report turtle

\b
JSON: {"conforms", "validated", "focus_nodes", "shapes": [{"shape", "checked"}],
"violations": [{"focus", "focus_label", "rule", "shape", "path", "component", "found",
"mend", "severity", "document"}]}.
Exit code 0 where it conforms; warnings do not count. 4 where it does not, or where
nothing was checked.
"""


@click.command(epilog=EPILOG)
@click.argument("files", nargs=-1, metavar="[FILE]...", type=click.Path(path_type=Path))
@click.option(
    "--shapes",
    multiple=True,
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Check by these shapes, in Turtle, and by no others; may be repeated.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="The format of the files; told by their names else.",
)
@click.option(
    "--report",
    type=click.Choice(["text", "turtle"]),
    default="text",
    show_default=True,
    help="Plain words, or the sh:ValidationReport.",
)
@click.option("--json", "wants_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(
    context: Context,
    files: tuple[Path, ...],
    shapes: tuple[Path, ...],
    form: str | None,
    report: str,
    wants_json: bool,
) -> None:
    """Check files, or everything on record, by shapes (SHACL).

    Without files, all that is on record is checked. Without --shapes, aitia's own
    shapes and those added by `aitia shapes add` are used.
    """
    from aitia.gate.checking import check

    found = check(files, shapes, form or "", lambda: context.read())
    if wants_json:
        click.echo(as_json(_fields(found)))
    elif report == "turtle":
        click.echo(found.turtle, nl=False)
    else:
        _tell(found, every=bool(shapes))
    if not (found.conforms and found.validated):
        raise click.exceptions.Exit(NOT_CONFORMING)


def _fields(found: Report) -> dict[str, object]:
    return {
        "conforms": found.conforms,
        "validated": found.validated,
        "focus_nodes": found.focus_count,
        "shapes": [
            {"shape": shape, "checked": count}
            for shape, count in sorted(found.checked.items())
        ],
        "violations": [asdict(violation) for violation in found.violations],
    }


def _tell(found: Report, *, every: bool) -> None:
    """Tell what was found, one line each, then how much was checked."""
    from aitia.gate import line

    for violation in found.violations:
        click.echo(clean(line(violation)))
    idle = sorted(shape for shape, count in found.checked.items() if not count)
    for shape in idle if every else []:
        click.echo(clean(f"{shape} checked nothing: no focus node."))
    click.echo(_summary(found, len(idle)))


def _summary(found: Report, idle: int) -> str:
    shapes, nodes = len(found.checked), found.focus_count
    counted = f"{_many(shapes, 'shape')}, {_many(nodes, 'focus node')} checked"
    if idle and nodes:
        counted += f" ({_many(idle, 'shape')} checked nothing)"
    if not found.validated:
        return f"{counted}: nothing was validated."
    bad = sum(v.severity not in ("Warning", "Info") for v in found.violations)
    mild = len(found.violations) - bad
    also = f", {_many(mild, 'warning')}" if mild else ""
    verdict = "Conforms" if found.conforms else "Does not conform"
    return f"{counted}. {verdict}: {_many(bad, 'violation')}{also}."


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
