"""The flags that say which language model a verb asks, if any."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

import click

from aitia_cli.context import Context, note

if TYPE_CHECKING:
    from aitia.workspace import Workspace

_TIERS: Final = ("model.", "model.plan.", "model.work.")

_OPTIONS: Final = (
    click.option(
        "--llm-url",
        metavar="URL",
        help="Base address of an OpenAI-compatible server; `model.url`.",
    ),
    click.option("--model", metavar="NAME", help="The model's name; `model.name`."),
    click.option("--no-llm", is_flag=True, help="Ask no model: work by rules alone."),
    click.option(
        "--no-cache", is_flag=True, help="Use nothing that was found out earlier."
    ),
)


def model_flags(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a verb `--llm-url`, `--model`, `--no-llm` and `--no-cache`.

    The verb takes the context first, and is handed one whose flags hold them: nothing
    else of the verb changes. It stands right above the function, below
    `@click.pass_obj`.
    """

    @wraps(function)
    def command(
        context: Context,
        *given: Any,
        llm_url: str | None,
        model: str | None,
        no_llm: bool,
        no_cache: bool,
        **named: Any,
    ) -> Any:
        flags = _flags(context, llm_url, model, no_llm, no_cache)
        return function(replace(context, flags=flags), *given, **named)

    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def tell_waits(workspace: Workspace) -> None:
    """Have it told on stderr what a model's server is being waited for."""
    if workspace.models is not None:
        workspace.models.tell = note


def _flags(
    context: Context, url: str | None, model: str | None, no_llm: bool, no_cache: bool
) -> dict[str, Any]:
    """Return the context's flags with those of the models.

    Raises:
        UsageError: They contradict one another, or name a server and no model.
    """
    if no_llm and (url or model):
        raise click.UsageError("`--no-llm` asks no model: leave out which one.")
    flags = dict(context.flags)
    if no_cache:
        flags["model.cache"] = False
    if no_llm:
        return flags | {f"{tier}name": "" for tier in _TIERS}
    if model is not None:
        flags |= _everywhere("name", model)
    if url is not None:
        flags |= _everywhere("url", url)
        _refuse_nameless(context, flags)
    return flags


def _everywhere(name: str, value: str) -> dict[str, Any]:
    """Return flags that hold for both tiers, whatever the settings say of them."""
    first, *tiers = _TIERS
    return {f"{first}{name}": value, **{f"{tier}{name}": "" for tier in tiers}}


def _refuse_nameless(context: Context, flags: dict[str, Any]) -> None:
    from aitia.settings import load

    model = load(context.folder, flags)[0].model
    if not (model.name or model.plan.name or model.work.name):
        raise click.UsageError("`--llm-url` needs `--model NAME`: which model there?")
