"""`aitia ask`: an answer whose every sentence leads back to a source."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from aitia_cli.answered import lines
from aitia_cli.context import Context, as_agent, note, tell_alerts, tell_reviews
from aitia_cli.modelflags import model_flags, tell_waits
from aitia_cli.render import as_json, clean, short
from aitia_cli.toolflags import consents_of, tool_options

if TYPE_CHECKING:
    from aitia.ask.stream import Event
    from aitia.model.trace import Answer
    from aitia.workspace import Workspace

FAILED = 1
ABSTAINED = 5
IN_PART = 3
READ_AT_MOST = 1_000_000  # bytes of a question on standard input
NO_MODEL = "no model is named (`--model`), and only a model has tools called"
STEP = 160  # characters of a step that are shown
EXAMPLES = """\b
Examples:
  aitia ask "What is the return window?"
  aitia ask --json "Which orders are pending?"
  aitia ask --llm-url http://127.0.0.1:8080/v1 --model qwen3 "Can Q-1036 be cancelled?"
  aitia ask --tools shop.py --allow cancel_order --session desk "Cancel my order Q-1036."
  aitia ask --replay last
  aitia ask --again k3f9x2ab
  echo "What is the fee?" | aitia ask -
"""


@click.command(epilog=EXAMPLES)
@click.argument("question", metavar="[QUESTION]", default="")
@click.option("--session", metavar="NAME", help="The session that the run belongs to.")
@click.option("--stream", is_flag=True, help="Show steps as they are committed.")
@click.option(
    "--replay",
    metavar="RUN",
    default="",
    help="Ask again with the recorded replies and results of a run: no server, no tool.",
)
@click.option(
    "--again",
    metavar="RUN",
    default="",
    help="Ask the question of a run again, on what is known now.",
)
@click.option("--json", "json_form", is_flag=True, help="Print the answer as JSON.")
@click.option(
    "--json-lines",
    is_flag=True,
    help="Print each step as it is committed, then the answer: one JSON object a line.",
)
@tool_options
@as_agent
@click.pass_obj
@model_flags
def command(
    context: Context,
    question: str,
    session: str | None,
    stream: bool,
    replay: str,
    again: str,
    json_form: bool,
    json_lines: bool,
    tools: tuple[str, ...],
    allow: tuple[str, ...],
) -> None:
    """Answer QUESTION from what was taken in; `-` reads it from standard input.

    Every sentence is numbered to its evidence. Where a model is named, by flags or
    settings, it thinks the question over by operations that are checked before anything
    is done, and each sentence of its answer is checked. Exits with 5 where the evidence
    does not carry an answer, with 3 where only a part of the question was answered, and
    with 1 where the run was broken off.
    """
    if stream and (json_form or json_lines):
        raise click.UsageError("`--stream` is for people: leave out the JSON.")
    if replay and again:
        raise click.UsageError("Either replay a run or ask its question again.")
    if not question and not replay and not again:
        raise click.UsageError("Missing argument '[QUESTION]'.")
    told = _json_line if json_lines else _Steps() if stream else None
    with context.write() as workspace:
        tell_waits(workspace)
        if (tools or allow) and workspace.models is None and not replay:
            note(NO_MODEL)
        answer = workspace.ask(
            _read(question),
            tools=tools,
            consents=consents_of(allow),
            session=session or "",
            told=told,
            replay=replay,
            again=again,
        )
        _notes(workspace, answer, stream)
    _print(answer, json_form, json_lines)
    sys.exit(_exit_code(answer))


def _read(question: str) -> str:
    if question != "-":
        return question
    if sys.stdin is None:
        raise click.UsageError("`-` reads standard input, and it is closed.")
    data = sys.stdin.buffer.read(READ_AT_MOST)
    return data.decode("utf-8", errors="replace")


def _notes(workspace: Workspace, answer: Answer, told: bool) -> None:
    """Tell what happened on the way, unless it was told as it happened."""
    for text in workspace.indexes.unread.values():
        note(text)
    for text in () if told else answer.notices:
        note(text)
    tell_alerts(workspace)
    tell_reviews(workspace)


def _print(answer: Answer, json_form: bool, json_lines: bool) -> None:
    from aitia.ask.layout import layout

    if json_lines:
        _line({"event": "answer", **layout(answer)})
    elif json_form:
        click.echo(as_json(layout(answer)))
    else:
        click.echo("\n".join(lines(answer)))


def _exit_code(answer: Answer) -> int:
    if answer.aborted:
        return FAILED
    if answer.abstained:
        return ABSTAINED
    bare = any(item.support != "supported" for item in answer.sentences)
    return IN_PART if answer.reason or bare else 0


class _Steps:
    """Shows what happens, on stderr: the answer alone is the result."""

    def __init__(self) -> None:
        self._within = False

    def __call__(self, event: Event) -> None:
        """Show one thing; words of an answer go on where the last ones ended."""
        if event.kind == "piece" and event.text:
            click.echo(clean(event.text, lines=True), nl=False, err=True)
            self._within = True
            return
        if self._within:
            click.echo(err=True)
        self._within = False
        if event.kind == "notice":
            note(event.text)
        elif event.kind == "step":
            status = f" [{event.status}]" if event.status else ""
            told = short(event.text, STEP)
            click.echo(f"{event.commit} {event.of}{status}: {told}", err=True)


def _json_line(event: Event) -> None:
    _line(event.layout())


def _line(told: dict[str, Any]) -> None:
    write: Callable[[str], None] = click.echo
    write(json.dumps(told, ensure_ascii=False))
    sys.stdout.flush()
