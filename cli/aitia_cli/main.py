"""The command group. Verbs are found by their file and loaded when called."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from keyword import iskeyword
from pathlib import Path
from typing import Any, Final

import click

from aitia.errors import AitiaError
from aitia.settings import unknown_variables
from aitia_cli import verbs
from aitia_cli.context import Context, note
from aitia_cli.render import clean

INTERRUPTED: Final = 130
"""Exit code after Ctrl-C, as shells have it: 128 + SIGINT."""


class LazyGroup(click.Group):
    """A group whose commands are the modules of `aitia_cli.verbs`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs by name, without loading them."""
        found = (name for folder in verbs.__path__ for name in os.listdir(folder))
        modules = (name.removesuffix(".py") for name in found if name.endswith(".py"))
        return sorted(name.rstrip("_") for name in modules if name != "__init__")

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one verb."""
        if cmd_name not in self.list_commands(ctx):
            return None
        found = import_module(f"aitia_cli.verbs.{_module(cmd_name)}").command
        return found if isinstance(found, click.Command) else None

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """List the verbs by the first line of their files, without loading them."""
        rows = [(name, _first_line(name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb; an unknown one is answered with those most like it."""
        if self.get_command(ctx, args[0]) is None:
            raise click.UsageError(_unknown(args[0], self.list_commands(ctx)), ctx)
        return super().resolve_command(ctx, args)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the command and exit; every error is one plain line and its code."""
        given = list(args if args is not None else sys.argv[1:])
        try:
            code = super().main(given, prog_name, complete_var, False, **extra)
        except click.ClickException as error:
            code = _wrong_usage(error)
        except click.Abort as error:
            code = INTERRUPTED
            _tell_besides(error.__cause__ or error)
        except AitiaError as error:
            code = _failed(str(error), error.hint, error.exit_code)
            _tell_besides(error)
        except Exception as error:
            if "--debug" in given:
                raise
            code = _failed(*_unforeseen(error), 1)
            _tell_besides(error)
        if not standalone_mode:
            return code
        sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the verb; with `--debug` our own errors keep their traceback."""
        try:
            return super().invoke(ctx)
        except AitiaError:
            if ctx.params.get("debug"):
                import traceback

                traceback.print_exc()
            raise


def _module(verb: str) -> str:
    return f"{verb}_" if iskeyword(verb) else verb


def _first_line(verb: str) -> str:
    """Return what a verb does: its module's docstring, behind its name."""
    path = Path(verbs.__path__[0], f"{_module(verb)}.py")
    with path.open(encoding="utf-8") as file:
        return file.readline().strip().strip('"').partition(": ")[2]


def _unknown(name: str, known: Sequence[str]) -> str:
    from difflib import get_close_matches

    like = get_close_matches(name, known, n=3, cutoff=0.5)
    meant = f" Did you mean {' or '.join(like)}?" if like else ""
    return f"There is no command {name!r}.{meant}"


def _wrong_usage(error: click.ClickException) -> int:
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "aitia"
    return _failed(
        error.format_message(), f"`{path} --help` says more.", error.exit_code
    )


def _unforeseen(error: Exception) -> tuple[str, str]:
    """Return an error that no room foresaw as a sentence and a hint."""
    if not isinstance(error, OSError):
        return f"{type(error).__name__}: {error}", "`aitia --debug …` shows where."
    reason = error.strerror or str(error)
    if error.filename is None:
        return reason, "`aitia --debug …` shows where."
    path = os.fsdecode(error.filename) if not isinstance(error.filename, int) else ""
    if isinstance(error, IsADirectoryError):
        return f"{path} is a folder where a file belongs.", "Move the folder away."
    if isinstance(error, NotADirectoryError | FileExistsError):
        return f"{path} needs a folder where a file stands.", "Move the file away."
    return f"{path}: {reason}.", "`aitia --debug …` shows where."


class Folder(click.Path):
    """The path of a folder; an empty one, which would mean this one, is refused."""

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str | bytes | os.PathLike[str]:
        """Return the path.

        Raises:
            BadParameter: It is empty.
        """
        if value == "":
            self.fail("a folder cannot have an empty name.", param, ctx)
        return super().convert(value, param, ctx)


def _tell_besides(error: BaseException) -> None:
    """Tell what went wrong besides, while the error was on its way."""
    for text in getattr(error, "__notes__", ()):
        note(text)


def _failed(message: str, hint: str, code: int) -> int:
    click.echo(f"aitia: {clean(message)}", err=True)
    if hint:
        click.echo(f"       {clean(hint)}", err=True)
    return code


@click.command(cls=LazyGroup, no_args_is_help=False, invoke_without_command=True)
@click.version_option(package_name="aitia")
@click.option(
    "--workspace",
    type=Folder(path_type=Path),
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
    if unknown := unknown_variables():
        note(f"no setting is called {', '.join(unknown)} (`aitia config` lists them)")
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
