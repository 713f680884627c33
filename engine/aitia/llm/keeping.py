"""Calls and replies as they are kept: to be looked at, used again, and replayed."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from typing import Any, Final

from aitia.blobs import Blobs
from aitia.llm import shapes
from aitia.llm.calls import (
    BadReply,
    BudgetSpent,
    Call,
    ModelDown,
    ModelError,
    Reply,
    TooLong,
)
from aitia.llm.keys import canonical, digest
from aitia.llm.wire import proper

_APART: Final = frozenset({"value", "raw", "cost", "parameters", "warnings"})
_PLAIN: Final = tuple(f.name for f in fields(Reply) if f.name not in _APART)
_HEAD: Final = ("asked", "purpose", "version", "tier", "target")
_ERRORS: Final = {kind.__name__: kind for kind in (BadReply, BudgetSpent, ModelDown)}


@dataclass(frozen=True)
class Kept:
    """A reply read back from its blob.

    Attributes:
        asked: Name of what was asked, as `asked` makes it.
        purpose: Name of the prompt.
        version: Version of its wording.
        tier: Which tier was asked.
        target: Name of the model that was asked.
        reply: The reply; its value has to be read from the text again.
        error: What was raised in place of returning it, or None.
    """

    asked: str
    purpose: str
    version: str
    tier: str
    target: str
    reply: Reply
    error: ModelError | None


def messages(call: Call, mask: Callable[[str], str]) -> tuple[dict[str, str], ...]:
    """Return a prompt as the protocol has it, secrets masked."""
    return tuple(
        {"role": item.role, "content": mask(proper(item.text))}
        for item in call.messages
    )


def asked(call: Call, prompt: Sequence[dict[str, str]]) -> str:
    """Return the name of what is asked, whichever model is asked it."""
    form = shapes.schema(call.shape) if call.shape is not None else None
    return digest([call.purpose, call.version, call.tier, prompt, form])


def keep(
    blobs: Blobs,
    lines: Sequence[dict[str, Any]],
    call: Call,
    name: str,
    target: str,
    reply: Reply,
    error: ModelError | None,
) -> str:
    """Keep a reply with all that came back; return the blob's name.

    The blob is JSON Lines: each response as it came, then what was made of them.

    Args:
        blobs: Where it is kept.
        lines: What came back, in order.
        call: What was asked.
        name: Its name, as `asked` makes it.
        target: Name of the model that was asked.
        reply: What was made of it.
        error: What is raised in place of returning it, or None.
    """
    head = {"asked": name, "purpose": call.purpose, "version": call.version}
    last = {**head, "tier": call.tier, "target": target, "reply": _told(reply)}
    if error is not None:
        last["error"] = _error(error)
    text = "\n".join(canonical(line) for line in (*lines, last))
    return blobs.put(proper(text).encode("utf-8"))


def kept(blobs: Blobs, name: str) -> Kept:
    """Read back a reply.

    Raises:
        NotFound: There is no such blob.
        NotIntact: It is damaged.
        ValueError: It holds no reply.
    """
    try:
        last = json.loads(blobs.text(name).rpartition("\n")[2])
        reply = _reply(last["reply"], name)
        error = _raised(last["error"], reply) if "error" in last else None
        asked, purpose, version, tier, target = (str(last[key]) for key in _HEAD)
        return Kept(asked, purpose, version, tier, target, reply, error)
    except (KeyError, TypeError) as error:
        raise ValueError(f"The blob {name} holds no reply of a model.") from error


def from_cache(reply: Reply) -> Reply:
    """Return a kept reply as one that is used again: nothing was spent on it."""
    return replace(
        reply,
        cached=reply.key,
        seconds=0.0,
        input_tokens=0,
        output_tokens=0,
        tokens=0,
        cost=Decimal(0),
        attempts=1,
    )


def _told(reply: Reply) -> dict[str, Any]:
    told = {name: getattr(reply, name) for name in _PLAIN}
    cost = None if reply.cost is None else str(reply.cost)
    pairs = [list(pair) for pair in reply.parameters]
    return told | {"cost": cost, "parameters": pairs, "warnings": reply.warnings}


def _reply(told: dict[str, Any], name: str) -> Reply:
    return Reply(
        **{key: told[key] for key in _PLAIN},
        raw=name,
        cost=None if told["cost"] is None else Decimal(told["cost"]),
        parameters=tuple((str(key), value) for key, value in told["parameters"]),
        warnings=tuple(told["warnings"]),
    )


def _error(error: ModelError) -> dict[str, Any]:
    told: dict[str, Any] = {"text": str(error), "hint": error.hint}
    if isinstance(error, TooLong):
        return told | {"kind": "TooLong", "tokens": error.tokens, "most": error.most}
    return told | {"kind": type(error).__name__}


def _raised(told: dict[str, Any], reply: Reply) -> ModelError:
    made: ModelError
    if told["kind"] == "TooLong":
        made = TooLong(told["text"], told["tokens"], told["most"], hint=told["hint"])
    else:
        made = _ERRORS[told["kind"]](told["text"], hint=told["hint"])
    made.reply = reply
    return made
