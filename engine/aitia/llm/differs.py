"""What a prompt has otherwise than the recorded ones of its kind: told in a replay."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

from aitia.llm.calls import Call
from aitia.plain import short

MOST: Final = 3
"""Lines of a difference that are told."""
LINE: Final = 100
"""Characters of one such line."""

Messages = Sequence[dict[str, str]]


def differs(
    call: Call, prompt: Messages, recorded: Sequence[tuple[str, Messages]]
) -> str:
    """Return in words what differs, by the recorded prompt that is most alike.

    Args:
        call: What is asked now.
        prompt: Its messages, secrets masked.
        recorded: Version and messages of the recorded prompts of the same purpose.
    """
    if not recorded:
        return f"The run took no step {call.purpose}: it takes another course now."
    version, before = max(recorded, key=lambda item: _alike(prompt, item[1]))
    if version != call.version:
        return (
            f"The wording of the prompt differs: version {version}, now {call.version}."
        )
    if told := _changed(_text(before, "system"), _text(prompt, "system")):
        return f"What is offered (methods, tools, settings) differs: {told}."
    if told := _changed(_text(before, "user"), _text(prompt, "user")):
        return f"What was known or found differs: {told}."
    return "The settings differ: the form of the reply is another."


def messages(text: str) -> Messages:
    """Return the messages of a prompt that was kept as it was sent."""
    sent: Any = json.loads(text)
    found = sent.get("messages", ()) if isinstance(sent, dict) else ()
    return [item for item in found if isinstance(item, dict)]


def _alike(one: Messages, other: Messages) -> float:
    mine, theirs = _lines(_text(one, "")), _lines(_text(other, ""))
    return len(mine & theirs) / max(1, len(mine | theirs))


def _text(prompt: Messages, role: str) -> str:
    return "\n".join(
        str(item.get("content", ""))
        for item in prompt
        if not role or item.get("role") == role
    )


def _lines(text: str) -> set[str]:
    return {line.strip() for line in text.splitlines() if line.strip()}


def _changed(before: str, now: str) -> str:
    """Return which lines one text has and the other has not."""
    old, new = _lines(before), _lines(now)
    told = [
        f"{head} {_some(lines)}"
        for head, lines in (("gone is", old - new), ("new is", new - old))
        if lines
    ]
    return "; ".join(told)


def _some(lines: Iterable[str]) -> str:
    found = sorted(lines)
    more = f" and {len(found) - MOST} more lines" if len(found) > MOST else ""
    return ", ".join(f"“{short(line, LINE)}”" for line in found[:MOST]) + more
