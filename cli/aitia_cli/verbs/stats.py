"""`aitia stats`: how much is on record, and how runs went."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Final

import click

from aitia_cli.context import Context, note, tell_reviews

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aitia.lookup.stats import Stats
    from aitia.monitor.figures import MethodFigures, ModelFigures, RunFigures, Timing

ALERTS: Final = 5
"""So many of the newest alerts are told."""
EXAMPLES = """\b
Examples:
  aitia stats
  aitia stats --runs --last 50
  aitia stats --format prometheus
"""


@click.command(epilog=EXAMPLES)
@click.option(
    "--runs",
    "of_runs",
    is_flag=True,
    help="How runs went: time, failures, refusals, tokens and cost, per method and"
    " model.",
)
@click.option(
    "--last",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="With --runs: only of the N newest runs; 0 is all.",
)
@click.option("--json", "as_json", is_flag=True, help="A JSON object of all counts.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "prometheus"]),
    default="text",
    show_default=True,
    help="`prometheus`: figures of all runs and of the store in its text format.",
)
@click.pass_obj
def command(
    context: Context, of_runs: bool, last: int, as_json: bool, form: str
) -> None:
    """Count what is on record: by area, by class, on disk; or tell how runs went."""
    if last and not of_runs:
        raise click.UsageError("--last goes with --runs.")
    if form == "prometheus":
        if of_runs or as_json:
            raise click.UsageError("--format prometheus stands alone: it tells all.")
        click.echo(_prometheus(context), nl=False)
    elif of_runs:
        click.echo(_of_runs(context, last, as_json or form == "json"))
    else:
        click.echo(_of_record(context, as_json or form == "json"))


def _prometheus(context: Context) -> str:
    from aitia.monitor.exposition import exposition

    with context.read() as workspace:
        return exposition(workspace.run_figures(), workspace.stats())


def _of_runs(context: Context, last: int, as_json: bool) -> str:
    from aitia.monitor.figures import layout
    from aitia_cli.render import as_json as json_text

    with context.read() as workspace:
        found = workspace.run_figures(last=last)
        currency = workspace.settings.model.currency
    if as_json:
        return json_text(layout(found))
    if not found.of:
        note("there is no run yet")
    return "\n".join(_run_lines(found, currency))


def _of_record(context: Context, as_json: bool) -> str:
    from aitia_cli.render import as_json as json_text

    with context.read() as workspace:
        found = workspace.stats()
        tell_reviews(workspace)
    return json_text(asdict(found)) if as_json else "\n".join(_lines(found))


def _lines(found: Stats) -> Iterator[str]:
    from aitia.lookup import name
    from aitia_cli.render import columns

    yield f"commit {found.head:,}, indexes at commit {found.index_position:,}"
    if found.index_notice:
        yield found.index_notice
    yield f"{found.quads:,} quads"
    yield from columns(
        (f"  {area}", f"{quads:,} quads", f"in {found.graph_count[area]:,} graphs")
        for area, quads in sorted(found.graphs.items())
    )
    yield _states("documents", found.documents)
    yield _states("runs", found.runs)
    yield "nodes by class"
    yield from columns((f"  {name(c)}", f"{n:,}") for c, n in found.classes.items())
    yield "on disk (what the store shares with its publications counts once)"
    yield from columns(
        (f"  {folder}", f"{size / 1e6:,.1f} MB") for folder, size in found.bytes.items()
    )


def _states(what: str, found: dict[str, int]) -> str:
    told = ", ".join(f"{count:,} {state}" for state, count in sorted(found.items()))
    return f"{what}: {told or 'none'}"


def _run_lines(found: RunFigures, currency: str) -> Iterator[str]:
    from aitia_cli.render import clean, columns

    of = "" if found.of == found.runs else f" (the newest of {found.of:,})"
    yield _states("runs", found.statuses) + of
    yield _states("ended in", found.conclusions)
    yield f"time of a run: {_timing(found.seconds)}"
    total = found.refused + found.admitted
    if total:
        share = found.refused / total
        yield f"refused: {found.refused:,} of {total:,} batches of operations ({share:.0%})"
    if found.models:
        yield f"models: {found.spent.words(currency)}"
        yield ""
        yield from columns(
            (_model_row(item, currency) for item in found.models), head=_MODEL_HEAD
        )
    if found.methods:
        yield ""
        yield from columns(map(_method_row, found.methods), head=_METHOD_HEAD)
    if found.alerts:
        yield ""
        yield f"alerts: {len(found.alerts):,}"
        for alert in found.alerts[:ALERTS]:
            yield f"  {alert.time[:19]}  {alert.run}  {clean(alert.text)}"


_METHOD_HEAD = ("method", "done", "failed", "median s", "95 % s", "longest s")
_MODEL_HEAD = (
    "model",
    "calls",
    "failed",
    "cached",
    "tokens in",
    "tokens out",
    "cost",
    "median s",
    "95 % s",
)


def _method_row(item: MethodFigures) -> tuple[str, ...]:
    times = item.seconds
    return (
        item.method,
        f"{item.executions:,}",
        f"{item.failed:,}",
        *map(_seconds, (times.median, times.p95, times.longest)),
    )


def _model_row(item: ModelFigures, currency: str) -> tuple[str, ...]:
    # Servers that count nothing leave a figure that is too low: it is marked.
    more = "+" if item.uncounted else ""
    return (
        item.model,
        f"{item.calls:,}",
        f"{item.failed:,}",
        f"{item.cached:,}",
        f"{item.input_tokens:,}{more}",
        f"{item.output_tokens:,}{more}",
        _cost(item, currency),
        *map(_seconds, (item.seconds.median, item.seconds.p95)),
    )


def _cost(item: ModelFigures, currency: str) -> str:
    if item.cost is None:
        return "unknown" if item.calls else "-"
    besides = f" + {item.unpriced:,} unknown" if item.unpriced else ""
    return f"{item.cost:f} {currency}{besides}"


def _timing(times: Timing) -> str:
    told = (times.median, times.p95, times.longest)
    names = ("median", "95 %", "longest")
    pairs = zip(names, told, strict=True)
    return ", ".join(f"{name} {_seconds(value)} s" for name, value in pairs)


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
