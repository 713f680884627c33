"""`aitia ask`: an answer whose every sentence leads back to a source."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from aitia_cli.context import Context, note
from aitia_cli.render import as_json, clean, quoted, short

if TYPE_CHECKING:
    from aitia.model.trace import Answer, Evidence

ABSTAINED = 5
IN_PART = 3
READ_AT_MOST = 1_000_000  # bytes of a question on standard input
TRIED = 12  # executions that an abstention lists
EXAMPLES = """\b
Examples:
  aitia ask "What is the return window?"
  aitia ask --json "Which orders are pending?"
  echo "What is the fee?" | aitia ask -
"""


@click.command(epilog=EXAMPLES)
@click.argument("question", metavar="QUESTION")
@click.option("--json", "json_form", is_flag=True, help="Print the answer as JSON.")
@click.pass_obj
def command(context: Context, question: str, json_form: bool) -> None:
    """Answer QUESTION from what was taken in; `-` reads it from standard input.

    Every sentence is numbered to its evidence. Exits with 5 where the evidence does
    not carry an answer, and with 3 where only a part of the question was answered.
    """
    from aitia.ask.answer import layout

    if question == "-":
        if sys.stdin is None:
            raise click.UsageError("`-` reads standard input, and it is closed.")
        data = sys.stdin.buffer.read(READ_AT_MOST)
        question = data.decode("utf-8", errors="replace")
    with context.write() as workspace:
        answer = workspace.ask(question)
        for text in workspace.indexes.unread.values():
            note(text)
    told = as_json(layout(answer)) if json_form else "\n".join(_lines(answer))
    click.echo(told)
    bare = any(item.support != "supported" for item in answer.sentences)
    in_part = bool(answer.reason) or bare
    sys.exit(ABSTAINED if answer.abstained else IN_PART if in_part else 0)


def _lines(answer: Answer) -> list[str]:
    lines = _abstention(answer) if answer.abstained else _sentences(answer)
    for conflict in answer.conflicts:
        lines += ["", f"Sources disagree: {clean(conflict.reason)}"]
        lines += [f"  {_source(side)}" for side in conflict.sides]
    sure = f"{answer.confidence:.2f} ({clean(answer.confidence_rule)})"
    if answer.confidence_rule:
        lines += ["", f"Confidence: {sure}"]
    run = answer.run.rsplit(":", 1)[-1]
    return [*lines, f"Run: {run}   Ask why: aitia why last", answer.notice]


def _sentences(answer: Answer) -> list[str]:
    """Return the sentences with the numbers of their evidence, then the evidence."""
    numbers: dict[Evidence, int] = {}
    lines = []
    for sentence in answer.sentences:
        marks = [
            f"[{numbers.setdefault(item, len(numbers) + 1)}]"
            for item in sentence.evidence
        ]
        mark = "" if sentence.support == "supported" else f" ({sentence.support})"
        lines.append(f"{clean(sentence.text)}{mark} {''.join(marks)}".rstrip())
    lines.append("")
    lines += [f"[{number}] {_source(item)}" for item, number in numbers.items()]
    return lines


def _source(item: Evidence) -> str:
    words = quoted(item.quote) or clean(item.statement)
    place = f", characters {item.start}–{item.end}" if item.quote else ""
    return f"{words} — {clean(item.path or item.document)}{place}"


def _abstention(answer: Answer) -> list[str]:
    lines = [clean(answer.text, lines=True), "", "Tried:"]
    tried = [item for item in answer.tried if item.error] or list(answer.tried)
    told = [
        f"  {item.method}: {short(item.error or item.summary, 120)}" for item in tried
    ]
    return [*lines, *list(dict.fromkeys(told))[:TRIED]]
