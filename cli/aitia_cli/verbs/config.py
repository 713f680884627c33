"""`aitia config`: every setting, its value, and where that came from."""

from __future__ import annotations

from typing import Any

import click

from aitia_cli.context import Context
from aitia_cli.render import as_json, clean, columns

EPILOG = """\b
Example:
  AITIA_DURABILITY=fsync aitia config

\b
A setting is a flag, or AITIA_<NAME> in the environment, or a key of aitia.toml in
the workspace, in that order. An empty value in the environment sets nothing.

\b
JSON: {"workspace", "file", "settings": [{"name", "value", "source"}]}; "file" is null
where there is no aitia.toml. Secrets are masked.
"""


@click.command(epilog=EPILOG)
@click.option("--json", "wants_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(context: Context, wants_json: bool) -> None:
    """Show each setting with its value and where it came from."""
    from aitia.redact import Redactor
    from aitia.settings import FILE, load

    _, sources = load(context.folder, context.flags)
    mask = Redactor().shown
    rows = [(item.name, mask(item.value), item.source) for item in sources]
    file = context.folder / FILE
    if wants_json:
        told = [{"name": n, "value": v, "source": s} for n, v, s in rows]
        found = str(file) if file.is_file() else None
        layout = {"workspace": str(context.folder), "file": found, "settings": told}
        click.echo(as_json(layout))
        return
    click.echo(f"Workspace {clean(str(context.folder))}")
    table = [(name, _shown(value), source) for name, value, source in rows]
    click.echo("\n".join(columns(table, head=("setting", "value", "from"))))


def _shown(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "-"
    if isinstance(value, dict):
        return as_json(value) if value else "-"
    return str(value) if value != "" else "-"
