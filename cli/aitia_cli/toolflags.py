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

SHOWN: Final = 400
"""Characters of each argument that the question for consent shows: each has its own, so
that a long one cannot hide the others."""


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
    click.echo(f"{clean(tool.name)} changes something outside. It would get", err=True)
    for name, value in arguments.items():
        told = json.dumps(value, ensure_ascii=False, sort_keys=True)
        more = len(told) - SHOWN
        cut = f"… and {more:,} characters more" if more > 0 else ""
        click.echo(f"  {clean(name)}: {clean(told[:SHOWN])}{cut}", err=True)
    try:
        return click.confirm(f"Permit this call of {short(tool.name, 80)}?", err=True)
    except click.Abort:
        return False
