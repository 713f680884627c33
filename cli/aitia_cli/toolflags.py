"""Flags of verbs that may call tools, and the question that asks for consent."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from aitia_cli.render import clean, short

if TYPE_CHECKING:
    from aitia.tools import Tool
    from aitia.tools.consent import Consents

Command = TypeVar("Command", bound=Callable[..., Any])

SHOWN: Final = 2000
"""Characters of the arguments that the question for consent shows."""


def tool_options(command: Command) -> Command:
    """Add `--tools MODULE` and `--allow NAME`, passed on as `tools` and `allow`."""
    tools = click.option(
        "--tools",
        multiple=True,
        metavar="MODULE",
        help="Module or .py file whose @tool functions may be called; repeatable.",
    )
    allow = click.option(
        "--allow",
        multiple=True,
        metavar="NAME",
        help="Permit a tool to change something outside; repeatable.",
    )
    return tools(allow(command))


def consents_of(allow: Iterable[str]) -> Consents:
    """Return what is permitted: by name, and by whoever sits at the terminal.

    Nobody is asked where standard input or standard error is no terminal.
    """
    from aitia.tools.consent import Consents

    seen = all(stream is not None and stream.isatty() for stream in _streams())
    return Consents(allow, _ask if seen else None)


def _streams() -> tuple[Any, Any]:
    return sys.stdin, sys.stderr


def _ask(tool: Tool, arguments: Mapping[str, Any]) -> bool:
    """Ask for one call; everything but a yes is a no."""
    told = json.dumps(dict(arguments), ensure_ascii=False, indent=2, sort_keys=True)
    click.echo(f"{clean(tool.name)} changes something outside. It would get", err=True)
    click.echo(clean(told[:SHOWN], lines=True), err=True)
    if len(told) > SHOWN:
        click.echo(f"… and {len(told) - SHOWN:,} characters more", err=True)
    try:
        return click.confirm(f"Permit this call of {short(tool.name, 80)}?", err=True)
    except click.Abort:
        return False
