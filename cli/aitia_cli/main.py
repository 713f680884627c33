"""The command group. Verbs are found by their file and loaded when called."""

from __future__ import annotations

import pkgutil
import sys
from importlib import import_module
from keyword import iskeyword
from pathlib import Path
from typing import Any

import click

from aitia.errors import AitiaError
from aitia_cli import verbs
from aitia_cli.context import Context


class LazyGroup(click.Group):
    """A group whose commands are the modules of `aitia_cli.verbs`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs by name, without loading them."""
        found = pkgutil.iter_modules(verbs.__path__)
        return sorted(item.name.rstrip("_") for item in found)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one verb."""
        if cmd_name not in self.list_commands(ctx):
            return None
        keyword = "_" if iskeyword(cmd_name) else ""
        found = import_module(f"aitia_cli.verbs.{cmd_name}{keyword}").command
        return found if isinstance(found, click.Command) else None

    def invoke(self, ctx: click.Context) -> Any:
        """Run the verb; our own errors become one line and their exit code."""
        try:
            return super().invoke(ctx)
        except AitiaError as error:
            if ctx.params.get("debug"):
                raise
            click.echo(f"aitia: {error}", err=True)
            if error.hint:
                click.echo(f"       {error.hint}", err=True)
            sys.exit(error.exit_code)


@click.command(cls=LazyGroup)
@click.version_option(package_name="aitia")
@click.option(
    "--workspace",
    type=click.Path(path_type=Path),
    envvar="AITIA_WORKSPACE",
    default=Path(".aitia"),
    show_default=True,
    help="Folder of the workspace.",
)
@click.option("--as", "agent", metavar="NAME", help="Who acts; recorded as asserted.")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.pass_context
def cli(ctx: click.Context, workspace: Path, agent: str | None, debug: bool) -> None:
    """Ask what your documents and data say, and ask why.

    Example: aitia ingest docs/ && aitia ask "What is the fee?" && aitia why last
    """
    ctx.obj = Context(workspace, {"agent": agent}, debug)
