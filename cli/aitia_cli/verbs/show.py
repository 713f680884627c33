"""`aitia show`: one node whole."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from aitia_cli.context import Context
from aitia_cli.render import clean, quoted, short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aitia.lookup.show import Shown, Value
    from aitia.lookup.texts import Kept

MOST_VALUES = 20
LONGEST_LINE = 400
EXAMPLES = """\b
Examples:
  aitia show last
  aitia show doc:3fa9c1d2e4b5 --json
  aitia show policies/returns.md
  aitia show k3f9x2ab/exec/3 --texts
"""


@click.command(epilog=EXAMPLES)
@click.argument("node", metavar="ID")
@click.option("--all", "whole", is_flag=True, help="Show every value and link.")
@click.option(
    "--texts",
    is_flag=True,
    help="Also the texts that a step names, whole: prompt, reply, reasoning, a refused "
    "proposal, a report. Secrets were blanked out before they were kept.",
)
@click.option("--json", "as_json", is_flag=True, help="Everything, as a JSON object.")
@click.pass_obj
def command(
    context: Context, node: str, whole: bool, texts: bool, as_json: bool
) -> None:
    """Show one node: its classes, its properties, what points to it, its text.

    ID is `last` for the newest run, or the id of any node, as `aitia why` takes it; or
    the name of a text that is kept beside the record, as a node names it.
    """
    from aitia.lookup.texts import Kept, is_name
    from aitia_cli.render import as_json as json_text

    most = None if whole else MOST_VALUES
    with context.read() as workspace:
        currency = workspace.settings.model.currency
        found = (
            workspace.kept_text(node)
            if is_name(node)
            else workspace.show(node, texts=texts)
        )
    if as_json:
        click.echo(json_text(asdict(found)))
    elif isinstance(found, Kept):
        click.echo("\n".join(_kept(found)))
    else:
        click.echo("\n".join(_lines(found, most, currency)))


def _kept(found: Kept) -> Iterator[str]:
    """Yield a text beside the record, whole: it was asked for by name."""
    head = f"{found.what} {found.blob}".strip()
    yield f"{clean(head)}  ({found.bytes:,} bytes)"
    if found.problem:
        yield f"cannot be shown: {clean(found.problem)}"
    yield from (f"  │ {clean(line)}" for line in _broken(found.text))


def _broken(text: str) -> list[str]:
    """Return a text in lines; JSON of one line is set out over several."""
    import json

    if "\n" not in text.strip():
        try:
            return json.dumps(json.loads(text), indent=2, ensure_ascii=False).split(
                "\n"
            )
        except ValueError:
            pass
    return text.splitlines()


def _lines(shown: Shown, most: int | None, currency: str) -> Iterator[str]:
    from aitia.lookup import name

    types = ", ".join(name(iri) for iri in shown.types)
    yield clean(f"{name(shown.iri)}" + (f"  ({types})" if types else ""))
    if shown.imported:
        yield clean(f"  {shown.imported}")
    if shown.stale:
        yield clean(f"  stale: {shown.stale}")
    if shown.spent is not None:
        yield f"  models: {shown.spent.words(currency)}"
    for prop, values in shown.properties.items():
        yield from _property(name(prop), [_value(value) for value in values], most)
    if shown.incoming:
        yield "pointed to by"
    for prop, nodes in shown.incoming.items():
        yield from _property(name(prop), [name(iri) for iri in nodes], most)
    if shown.quads_inside:
        yield f"a graph of {shown.quads_inside:,} quads"
    if shown.text_problem:
        yield clean(f"its text cannot be read: {shown.text_problem}")
    if shown.text:
        yield "text"
        yield from (f"  │ {clean(line)}" for line in _text(shown.text, most))
    for item in shown.kept:
        yield from _kept(item)
    if shown.cut:
        yield "there is more on record than is read here; `aitia query` finds it"


def _property(prop: str, values: list[str], most: int | None) -> Iterator[str]:
    yield f"  {clean(prop)}  {clean(values[0])}"
    indent = " " * (len(prop) + 4)
    yield from (f"{indent}{clean(value)}" for value in values[1:most])
    if most is not None and len(values) > most:
        yield f"{indent}… {len(values) - most:,} more (--all)"


def _value(value: Value) -> str:
    from aitia.lookup import name

    if value.is_iri:
        return name(value.value)
    mark = f"@{value.language}" if value.language else ""
    kind = name(value.datatype)
    if value.datatype and kind != "xsd:string":
        return f"{value.value} ({kind})"
    return f"{quoted(value.value, 400)}{mark}"


def _text(text: str, most: int | None) -> list[str]:
    lines = text.splitlines()
    if most is None:
        return lines
    shown = [short(line, LONGEST_LINE) for line in lines[:most]]
    if len(lines) > most:
        shown.append(f"… {len(lines) - most:,} more lines (--all)")
    return shown
